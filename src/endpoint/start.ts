import type { Clock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { findStandIn } from '../base/standIn.ts'
import { onAbort, reasonOf } from './signals.ts'

/**
 * The member by which a manager starts a request, so that it can give it a signal, a default timeout and a clock.
 *
 * @example
 * const controller = new AbortController()
 * const answer = getUser[START]([{ id: 5 }], { signal: controller.signal })
 * @see docs/api/Endpoint.md#start
 */
export const START: unique symbol = Symbol.for('restitch.start') as never

/** The member of an endpoint that returns the version which its caller has seen: `(args, controller) => SeenVersion`. */
export const SEEN_VERSION: unique symbol = Symbol.for('restitch.seenVersion') as never

export interface SeenVersion {
  readonly etag: string | undefined
  /** The record that the caller has named as the one which a change starts from. */
  readonly base: object | undefined
}

/** Stands for a response that has not changed, such as a 304: the stored result is confirmed as it is. */
export const UNCHANGED: unique symbol = Symbol('unchanged')

/** Options with which a manager starts a request. */
export interface StartOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds, for endpoints that set no `timeout` of their own. */
  readonly timeout?: number | undefined
  readonly clock?: Pick<Clock, 'setTimeout' | 'clearTimeout'> | undefined
  /** Called when the call fails before its request is sent; during the call if the arguments are refused. */
  readonly onUnsent?: (() => void) | undefined
  /** Called with the response of the server, before its body is read. */
  readonly onResponse?: ((response: Response) => void) | undefined
  /** The Controller of the store that the response is for. A direct call has none. */
  readonly controller?: object | undefined
  /** Resolves when the response is stored, to the data as readers see it. */
  readonly stored?: Promise<unknown> | undefined
}

/** The members of an endpoint that {@link start} uses. */
export interface Startable {
  readonly signal?: AbortSignal | undefined
  readonly requestInit?: RequestInit | undefined
  readonly timeout?: number | undefined
  fetch(...args: readonly unknown[]): unknown
  key(...args: readonly unknown[]): string
}

/** The endpoint of the caller. The devtools send requests with an object that inherits from it, and notes the responses. */
export function callableOf<E extends object>(endpoint: E): E {
  return typeof endpoint === 'function' ? endpoint : (Object.getPrototypeOf(endpoint) as E)
}

/** Runs one call of an endpoint: whatever the fetch function does, abort and timeout settle the promise. */
export function start(
  endpoint: Startable,
  args: readonly unknown[],
  options: StartOptions,
  finish?: (value: unknown) => unknown,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const standIn = findStandIn(args)
    if (standIn !== undefined) {
      options.onUnsent?.()
      throw fail(
        'pending-id',
        `${standIn} in ${describeCall(endpoint, args)}`,
        DEV &&
          `"${describeCall(endpoint, args)}" was given the temporary id "${standIn}" of a record that is still being created. Nothing was sent: wait for the create, and use the id that it resolves to.`,
        Error,
        { status: 404 },
      )
    }
    const clock: Pick<Clock, 'setTimeout' | 'clearTimeout'> = options.clock ?? globalThis
    const timeout = endpoint.timeout ?? options.timeout ?? 0
    const controller = globalThis.AbortController && new AbortController()
    const signal = controller?.signal
    /** Cleanup for when the call has ended: one entry for each signal and timer. */
    const ends: (() => void)[] = []

    const end = (): void => ends.forEach((undo) => undo())
    const stop = (reason: unknown): void => {
      end()
      reject(reason)
      controller?.abort(reason)
    }
    const join = (source?: AbortSignal | null): AbortSignal | undefined => {
      // A call that has ended takes no more: nobody would stop listening.
      if (source && source !== signal && !signal?.aborted) {
        const abort = (): void => stop(reasonOf(source))
        ends.push(onAbort([source], abort))
        if (source.aborted) {
          abort()
        }
      }
      return ends[0] && signal
    }

    // Timers count in 32 bits: a longer wait would end at once.
    if (timeout > 0 && timeout < 2 ** 31) {
      const timer = clock.setTimeout(() => stop(timeoutError(describeCall(endpoint, args), timeout)), timeout)
      ends.push(() => clock.clearTimeout(timer))
    }
    join(options.signal)
    join(endpoint.signal)
    join(endpoint.requestInit?.signal)
    if (signal?.aborted) {
      return
    }
    const outer = current
    const { onUnsent, onResponse } = options
    current = { endpoint, join, onUnsent, onResponse }
    const work = new Promise((done) => done(endpoint.fetch(...args)))
    current = outer
    work.then(finish).finally(end).then(resolve, reject)
  })
}

function timeoutError(subject: string, timeout: number): Error {
  return fail(
    'transport',
    subject,
    DEV && `"${subject}" got no response within its timeout of ${timeout} ms. Raise "timeout", or look at the server.`,
    Error,
    { name: 'TimeoutError', status: 500 },
  )
}

/** A call by its key, for messages; an endpoint that is only called needs none. */
export function describeCall(endpoint: Startable & { readonly name?: string }, args: readonly unknown[]): string {
  try {
    return endpoint.key(...args)
  } catch {
    return endpoint.name || 'Endpoint'
  }
}

interface Call extends Pick<StartOptions, 'onUnsent' | 'onResponse'> {
  readonly endpoint: unknown
  /** Adds a signal to those that end the call; gives the one that fires when any of them does. */
  join(source?: AbortSignal | null): AbortSignal | undefined
}

// `fetch` is called as a user would call it, with the arguments and nothing else. It learns of its call by asking in
// the synchronous part; two calls at a time cannot mix there.
let current: Call | undefined

/** The call of this endpoint that is being started just now. */
export function currentCall(endpoint: unknown): Call | undefined {
  return current?.endpoint === endpoint ? current : undefined
}
