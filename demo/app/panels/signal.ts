/** Notifies its listeners of changes, at most once in `wait` ms; does nothing without listeners. */
export interface Signal {
  readonly subscribe: (listener: () => void) => () => void
  readonly version: () => number
  readonly touch: () => void
}

/** Makes a `Signal` for `useSyncExternalStore`. */
export function createSignal(wait = 120): Signal {
  const listeners = new Set<() => void>()
  let version = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = () => {
    timer = undefined
    version += 1
    for (const listener of listeners) {
      listener()
    }
  }
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    version: () => version,
    touch() {
      if (listeners.size > 0) {
        timer ??= setTimeout(tell, wait)
      }
    },
  }
}
