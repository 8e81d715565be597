import { DEV } from '../base/env.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Request } from '../controller/Result.ts'
import type { retryAfter } from '../rest/retryAfter.ts'
import type { UnknownError } from '../endpoint/EndpointOptions.ts'
import type { Observer } from '../explain/observers.ts'
import type { report } from '../base/report.ts'
import type { NetworkManagerOptions } from './NetworkManager.ts'

/** The functions of the page that a retry uses. */
interface Tools {
  readonly retryAfter: typeof retryAfter
  readonly report: typeof report
}

/**
 * Waits before a failed request is sent again, if it is.
 *
 * @param tries how often it has been sent again
 * @param send sends it again
 * @param giveUp settles it with its error
 */
export function retryLater(
  controller: Controller,
  request: Request,
  error: UnknownError,
  tries: number,
  options: Pick<NetworkManagerOptions, 'retry' | 'retryDelay'>,
  { retryAfter, report }: Tools,
  send: () => void,
  giveUp: () => void,
): void {
  const { core, clock, random } = controller
  const { store, requests } = core
  const { endpoint, meta } = request.action
  const { sideEffect } = endpoint
  // Only the endpoint itself can know that a mutation may be sent twice.
  const retry = endpoint.retry ?? (sideEffect ? undefined : options.retry)
  // A request from before a reset must not be sent as the next user.
  const isOver = (): boolean => requests.isStopped || meta.sent < store.resetAt
  const waitFor = (): number | undefined => {
    const isSentAgain =
      typeof retry === 'function' ? retry(tries, error) : !sideEffect && tries < Number(retry ?? 0) && isPassing(error)
    if (!isSentAgain) {
      return undefined
    }
    const delay = endpoint.retryDelay ?? options.retryDelay ?? 1_000
    const wait =
      typeof delay === 'function' ? delay(tries, error) : Math.min(delay * 2 ** tries, 30_000) * (0.5 + random() / 2)
    const now = clock.now()
    return Math.max(wait, retryAfter(error, now, store.clock.ahead()) - now)
  }
  let wait: number | undefined
  try {
    wait = isOver() ? undefined : waitFor()
  } catch (mistake) {
    // The caller gets the error of the request, which is more useful.
    report(mistake)
  }
  if (wait === undefined) {
    return giveUp()
  }
  if (DEV) {
    ;(core.observer as Observer | undefined)?.retrying(request, clock.now() + wait, error)
  }
  const waiting = new Promise<void>((resolve) => {
    const timer = clock.setTimeout(resolve, wait) as { ref?(): void } | undefined
    // A process in Node stays alive for those who wait.
    if (request.callers > 0) {
      timer?.ref?.()
    }
    request.wake = () => {
      clock.clearTimeout(timer)
      resolve()
    }
  })
  void waiting.then(() => (isOver() ? giveUp() : send()))
}

/** True for failures that may be over soon: no response, or a server that is not available. */
function isPassing({ code, status }: UnknownError): boolean {
  return code === 'transport' || status === undefined || (status >= 502 && status <= 504)
}
