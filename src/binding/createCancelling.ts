import { type Clock, systemClock } from '../base/clock.ts'
import type { Controller } from '../controller/Controller.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { viewsOf } from '../views/viewsOf.ts'
import { keyOf } from './args.ts'
import type { Source } from './createPolling.ts'

/** An endpoint that can be given a signal. */
export interface Extensible {
  extend(options: { signal: AbortSignal }): unknown
}

/** One use of `useCancelling`. */
export interface Cancelling<E> extends Source {
  /** The endpoint with a signal, which fires a little after the end of the subscription. */
  readonly endpoint: E
}

/**
 * Aborts the requests of an endpoint once nobody is subscribed any more. It calls a listener that subscribes after that, for which there
 * has to be another one.
 *
 * @param controller without it nothing is read from a store
 */
export function createCancelling<E extends ReadEndpoint & Extensible>(
  controller: Controller | undefined,
  endpoint: E,
  args: readonly any[],
): Cancelling<E> {
  const clock: Clock = controller?.clock ?? systemClock
  const key = keyOf(endpoint, args)
  const aborter = new AbortController()
  const { signal } = aborter
  let isHere = false
  return {
    endpoint: endpoint.extend({ signal }) as E,
    subscribe(notify) {
      isHere = true
      // A hidden part of the page is shown again.
      if (signal.aborted) {
        notify()
      }
      return () => {
        isHere = false
        // Like every release it counts a little later: Strict Mode comes back at once.
        clock.setTimeout(() => {
          if (!isHere) {
            aborter.abort()
            if (controller && key !== undefined) {
              forgetWaiting(controller, key)
            }
          }
        }, 0)
      }
    },
  }
}

/**
 * Readers that wait for a key and are not mounted yet do not come any more: its request is aborted, unless a mounted reader or a caller
 * needs it. Nobody unmounts a component that has suspended, so this is the only way to learn that it is gone. Another one that has
 * suspended for the same key looks the same: it renders again, and sends the request again.
 */
function forgetWaiting({ core }: Controller, key: string): void {
  const result = core.result(key)
  for (const view of viewsOf(result)) {
    view.forgetWaiting()
  }
  core.requests.release(result)
}
