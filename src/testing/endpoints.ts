import { Endpoint } from '../endpoint/Endpoint.ts'
import { tick } from './TestClock.ts'

/**
 * A plain function with a key, as an app may write it. It never fetches: a driver responds for it.
 * @example
 * driver.open(endpoint('/todos', [Todo]), []).answer([{ id: 1 }])
 */
export function endpoint(path: string, schema: unknown, options: object = {}): any {
  return Object.assign(() => Promise.resolve(), {
    path,
    schema,
    key: (...args: unknown[]) => `${path} ${JSON.stringify(args)}`,
    ...options,
  })
}

/** An endpoint without a path, for tests of schemas: its key is `GET` and the arguments. */
export function endpointFor(schema: unknown, options: object = {}): any {
  return endpoint('GET', schema, { path: undefined, ...options })
}

/** A mutation. With `optimistic`, the store shows its result before the response. */
export function mutation(
  path: string,
  schema: unknown,
  optimistic?: (...args: any[]) => unknown,
  options: object = {},
): any {
  return endpoint(path, schema, {
    sideEffect: true,
    ...(optimistic && { getOptimisticResponse: (_snapshot: unknown, ...args: any[]) => optimistic(...args) }),
    ...options,
  })
}

/** A call of a deferred endpoint, which waits for its response. */
export interface Call {
  readonly args: readonly any[]
  readonly signal: AbortSignal | undefined
  answer(value: unknown): Promise<void>
  fail(error: unknown): Promise<void>
}

/**
 * An endpoint whose calls wait until the test responds. `calls` lists them in order and counts the requests.
 * @example
 * const getTodo = deferredEndpoint('get', Todo)
 * const promise = controller.fetch(getTodo, { id: 1 })
 * await getTodo.calls[0].answer({ id: 1, title: 'a' })
 */
export function deferredEndpoint(name: string, schema?: unknown, options: object = {}): any {
  const calls: Call[] = []
  return new Endpoint(
    function (this: any, ...args: any[]): Promise<any> {
      return new Promise((resolve, reject) => {
        const settle =
          (how: (value: any) => void) =>
          (value: unknown): Promise<void> => {
            how(value)
            return tick()
          }
        calls.push({ args, signal: this.signal, answer: settle(resolve), fail: settle(reject) })
      })
    },
    { name, schema, calls, ...options } as never,
  )
}

/** How a promise has settled so far: `{}` while it is pending. */
export function watch(promise: Promise<any>): { value?: any; error?: any } {
  const out: { value?: any; error?: any } = {}
  promise.then(
    (value) => (out.value = value),
    (error: unknown) => (out.error = error),
  )
  return out
}
