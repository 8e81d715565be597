/** The signals by which the caller of an endpoint may abort. */
export function signalsOf(endpoint: object): AbortSignal[] {
  const { signal, requestInit } = endpoint as Signalled
  return [signal, requestInit?.signal].filter((one): one is AbortSignal => one != null)
}

/** The signal of an endpoint that has fired. */
export function firedOf(endpoint: object | undefined): AbortSignal | undefined {
  return endpoint && signalsOf(endpoint).find(({ aborted }) => aborted)
}

/** Some platforms abort without a reason. */
export function reasonOf({ reason }: { readonly reason?: unknown }): unknown {
  return reason ?? Object.assign(new Error('Aborted'), { name: 'AbortError' })
}

/** Runs something when one of the signals fires; returns the function that stops listening. */
export function onAbort(signals: readonly AbortSignal[], run: (signal: AbortSignal) => void): () => void {
  const ends = signals.map((signal) => {
    const listener = (): void => run(signal)
    signal.addEventListener('abort', listener)
    return () => signal.removeEventListener('abort', listener)
  })
  return () => ends.forEach((end) => end())
}

/** The same promise for one caller: it rejects when a signal of that caller fires first. */
export function follow<T>(promise: Promise<T>, signals: readonly AbortSignal[], leave: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = onAbort(signals, (signal) => {
      end()
      reject(reasonOf(signal))
      leave()
    })
    promise.finally(end).then(resolve, reject)
  })
}

/** The endpoint without the signals of its caller, for a request that several callers share. */
export function withoutSignals<E extends object>(endpoint: E): E {
  const { extend, requestInit } = endpoint as Signalled & { extend?(options: object): E & { signal?: unknown } }
  if (!extend || signalsOf(endpoint).length === 0) {
    return endpoint
  }
  const plain = extend.call(endpoint, requestInit ? { requestInit: { ...requestInit, signal: null } } : {})
  // The member of the class that this one hid tells a fetch function of the signal of its call.
  delete plain.signal
  return plain
}

interface Signalled {
  readonly signal?: AbortSignal | undefined
  readonly requestInit?: RequestInit | undefined
}
