import { asError } from '../base/errors.ts'
import { DEV } from '../base/env.ts'
import { warnOnce } from '../base/warn.ts'
import type { Controller } from '../controller/Controller.ts'
import type { HeldMutation } from '../controller/MutationQueue.ts'
import { isAborted } from '../requests/ResetError.ts'
import type { EndpointInterface, UnknownError } from '../endpoint/EndpointOptions.ts'
import type { Globals } from '../managers/globals.ts'
import { report } from '../base/report.ts'
import { checkEndpoint } from './checkTarget.ts'
import type { MutationOptions } from './createMutation.ts'
import type { Source } from './createPolling.ts'

/** A change that is shown, and not sent yet. */
export interface UndoableChange<A extends readonly unknown[] = readonly any[]> {
  /** The arguments of the call. */
  readonly variables: A
  /** When it is sent, in milliseconds since 1970. */
  readonly sendsAt: number
  /** Takes it back: nothing is sent. Without effect once it is sent. */
  undo(): void
  /** Sends it now. */
  send(): void
}

/** The result of `useUndoable`. */
export interface Undoable<E extends EndpointInterface> {
  /** Shows the change at once, and sends it when the time is over. */
  readonly mutate: (...args: readonly [...Parameters<E>]) => UndoableChange<Parameters<E>>
  /** Takes the last change back that has not been sent. */
  readonly undo: () => void
  /** The changes that can be taken back, the oldest first. */
  readonly pending: readonly UndoableChange<Parameters<E>>[]
}

/** The options of `useUndoable`. */
export interface UndoableOptions<E extends EndpointInterface> extends MutationOptions<E> {
  /** Milliseconds in which a change can be taken back; by default 5,000. */
  readonly within?: number | undefined
}

/** The values of the last render. */
export interface UndoableSource {
  controller: Controller
  endpoint: EndpointInterface & { extend(options: any): any; getRequestInit?: any }
  options: UndoableOptions<any>
}

export interface UndoableState extends Source {
  readonly latest: UndoableSource
  mutate(...variables: readonly any[]): UndoableChange
  undo(): void
  get(): readonly UndoableChange[]
}

/** Milliseconds in which a change can be taken back. */
const WITHIN = 5_000

/** One use of `useUndoable`: changes of one endpoint that can be taken back. */
export function createUndoable(latest: UndoableSource): UndoableState {
  checkEndpoint(latest.endpoint)
  let pending: readonly UndoableChange[] = []
  let notify: (() => void) | undefined
  const set = (next: readonly UndoableChange[]): void => {
    // The page is left: what the user has decided is sent.
    const { addEventListener, removeEventListener } = globalThis as Globals
    if (pending.length === 0 && next.length > 0) {
      addEventListener?.call(globalThis, 'pagehide', sendAll)
    } else if (next.length === 0) {
      removeEventListener?.call(globalThis, 'pagehide', sendAll)
    }
    pending = next
    notify?.()
  }
  const leaving = new WeakSet<UndoableChange>()
  const sendAll = (): void =>
    pending.forEach((change) => {
      leaving.add(change)
      change.send()
    })

  /** The change waits in an outbox, and survives the page. */
  const follow = (held: HeldMutation, variables: readonly any[], within: number): UndoableChange => {
    const { clock } = latest.controller
    const close = (end: () => void) => (): void => {
      clock.clearTimeout(timer)
      if (pending.includes(change)) {
        set(pending.filter((one) => one !== change))
        end()
      }
    }
    const send = close(() => held.send())
    const change = { variables, sendsAt: clock.now() + within, undo: close(() => held.undo()), send }
    const timer = clock.setTimeout(send, within)
    set([...pending, change])
    void run(held.promise, variables, latest.options).then(close(() => {}))
    return change
  }

  const mutate = (...variables: readonly any[]): UndoableChange => {
    const { controller, endpoint, options } = latest
    const { clock, core } = controller
    const { store } = core
    const { resetAt } = store
    const within = options.within ?? WITHIN
    if (DEV && !endpoint.getOptimisticResponse) {
      warnOnce(
        'A change that can be undone has an endpoint without getOptimisticResponse, so nothing is shown until the change is sent. Use resource({ optimistic: true }), or give it one.',
      )
    }
    const held = core.queue?.hold(endpoint, variables, within)
    if (held) {
      return follow(held, variables, within)
    }
    let settle!: { send(): void; undo(): void }
    const gate = new Promise<void>((resolve, reject) => {
      settle = { send: resolve, undo: () => reject(Object.assign(new Error('Undone'), { name: 'AbortError' })) }
    })
    // Nobody may listen: the request can fail before it comes to the gate.
    gate.catch(() => {})
    const close = (isSent: boolean) => (): void => {
      clock.clearTimeout(timer)
      if (pending.includes(change)) {
        set(pending.filter((one) => one !== change))
      }
      // Another user may have signed in since then.
      settle[isSent && store.resetAt === resetAt ? 'send' : 'undo']()
    }
    const change: UndoableChange = { variables, sendsAt: clock.now() + within, undo: close(false), send: close(true) }
    const timer = clock.setTimeout(change.send, within)
    const delayed = endpoint.extend({
      // The wait is no part of the time that the server has.
      timeout: endpoint.timeout === undefined ? 0 : endpoint.timeout + within,
      // It is called before anything is sent: a failure here counts as not sent.
      async getRequestInit(body: unknown): Promise<RequestInit> {
        await gate
        const init = (await endpoint.getRequestInit.call(this, body)) as RequestInit
        return leaving.has(change) ? { ...init, keepalive: true } : init
      },
    }) as EndpointInterface
    set([...pending, change])
    void run(controller.fetch(delayed, ...variables), variables, options).then(change.undo)
    return change
  }
  return {
    latest,
    subscribe(listener) {
      notify = listener
      return () => {
        notify = undefined
      }
    },
    mutate,
    undo: (): void => pending.at(-1)?.undo(),
    get: (): readonly UndoableChange[] => pending,
  }
}

async function run(promise: Promise<unknown>, variables: any, options: MutationOptions<any>): Promise<void> {
  const { onSuccess, onError, onSettled } = options
  let data: any
  let error: UnknownError | undefined
  try {
    data = await promise
  } catch (thrown) {
    error = asError(thrown) as UnknownError
    if (isAborted(error)) {
      return
    }
  }
  try {
    await (error ? onError?.(error, variables) : onSuccess?.(data, variables))
    await onSettled?.(data, error, variables)
  } catch (mistake) {
    report(mistake)
  }
}
