import { DEV } from '../base/env.ts'
import { report } from '../base/report.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Request } from '../requests/Request.ts'
import type { Requests } from '../requests/Requests.ts'
import type { UnknownError } from '../endpoint/EndpointOptions.ts'
import type { Observer } from '../explain/observers.ts'
import type { NetworkManagerOptions } from './NetworkManager.ts'
import { pickSpread } from '../requests/spread.ts'
import { retryAfter } from './retryAfter.ts'

/** Milliseconds for which a reader that has nothing to show waits for a `Retry-After`, at most. */
const LONGEST_WITHOUT_DATA = 300_000

/**
 * A request has failed: waits before it is sent again, if it is.
 *
 * @param send sends it again
 * @param fail settles it with its error
 */
export function retryLater(
  controller: Controller,
  request: Request,
  error: UnknownError,
  options: Pick<NetworkManagerOptions, 'retry' | 'retryDelay'>,
  send: () => void,
  fail: () => void,
): void {
  const { core, clock, random } = controller
  const { store, requests } = core
  const { endpoint, meta } = request.action
  const { tries } = request
  const now = clock.now()
  const { sideEffect } = endpoint
  // Only the endpoint itself can know that a mutation may be sent twice.
  const retry = endpoint.retry ?? (sideEffect ? undefined : options.retry)
  /** When the server allows the next request. */
  let allowedAt = 0
  const giveUp = (): void => {
    // The failure of a page does not say that its list may be fetched again.
    if (allowedAt > 0 || request.name === request.key) {
      request.result.pace.allow(allowedAt, Math.min(allowedAt, now + LONGEST_WITHOUT_DATA))
    }
    fail()
  }
  // A request from before a reset must not be sent as the next user.
  const isOver = (): boolean => requests.isStopped || meta.sent < store.resetAt
  const waitFor = (): number | undefined => {
    const isSentAgain =
      typeof retry === 'function' ? retry(tries, error) : !sideEffect && tries < Number(retry ?? 0) && isPassing(error)
    if (!isSentAgain) {
      return undefined
    }
    const delay = endpoint.retryDelay ?? options.retryDelay ?? 1_000
    // A server that says so says it to all clients. `Retry-After` has a random part of its own.
    const isForAll = allowedAt === 0 && (error.status === 429 || error.status === 503)
    const wait =
      typeof delay === 'function'
        ? delay(tries, error)
        : Math.min(delay * 2 ** tries, 30_000) * (0.5 + random() / 2) +
          (isForAll ? pickSpread(core.spread, 'failure', 'createStore', random) : 0)
    return Math.max(wait, allowedAt - now)
  }
  let wait: number | undefined
  try {
    requests.budget.fail(request.key, error, now, random, request.triedAt)
    const after = retryAfter(error, now, store.clock.ahead(), random)
    allowedAt = after && now + after
    wait = isOver() ? undefined : waitFor()
  } catch (mistake) {
    // The caller gets the error of the request, which is more useful.
    report(mistake)
  }
  if (wait === undefined) {
    return giveUp()
  }
  if (DEV) {
    const retryAt = Math.max(now + wait, sparedUntil(requests, request))
    ;(core.observer as Observer | undefined)?.retrying(request, retryAt, error)
  }
  pauseRequest(controller, request, wait, isOver, () => (isOver() ? giveUp() : send()))
}

/** Waits, for as long as the origin has to be spared. The request may be woken. */
function pauseRequest(
  { core, clock }: Controller,
  request: Request,
  wait: number,
  isOver: () => boolean,
  goOn: () => void,
): void {
  const { requests } = core
  const { waiting: others } = requests.budget
  let timer: unknown
  const until = clock.now() + wait
  const waiting = new Promise<void>((resolve) => {
    const start = (delay: number): void => {
      others.add(look)
      timer = clock.setTimeout(look, delay)
      // A process in Node stays alive for those who wait.
      if (request.callers > 0) {
        ;(timer as { ref?(): void } | undefined)?.ref?.()
      }
    }
    const end = (): void => {
      clock.clearTimeout(timer)
      others.delete(look)
      resolve()
    }
    // Other requests may have failed since then, or one has succeeded.
    const look = (): void => {
      clock.clearTimeout(timer)
      const more = Math.max(until, sparedUntil(requests, request)) - clock.now()
      if (more > 0 && !isOver()) {
        start(more)
      } else {
        end()
      }
    }
    start(Math.max(until, sparedUntil(requests, request)) - clock.now())
    request.retry(end)
  })
  void waiting.then(goOn)
}

/** Until when a retry waits for its origin to recover. One with a caller, or without data to show, does not wait for that. */
function sparedUntil({ budget }: Requests, { key, callers, result }: Request): number {
  return callers > 0 || result.value === undefined ? 0 : budget.allowedAt(key)
}

/** True for failures that may be over soon: no response, or a server that failed or is not available. */
function isPassing({ code, status }: UnknownError): boolean {
  return code === 'transport' || status === undefined || [500, 502, 503, 504].includes(status)
}
