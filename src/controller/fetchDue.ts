import { notUsable, warnMissing } from '../advice/fetched.ts'
import { pause } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { missingField } from '../denormalize/query.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { originOf } from '../normalize/origin.ts'
import { STALE } from '../rows/Meta.ts'
import { callOf } from './actions.ts'
import type { Core } from './Core.ts'
import { viewsAround } from './expire.ts'
import { pagesInDoubt, pagesOf } from './listPages.ts'
import { isDue, UNUSABLE } from './read.ts'
import { isAborted, ResetError } from './ResetError.ts'
import type { SharedView } from './View.ts'

/** Requests that may be sent for one load without a usable response. */
const TRIES = 3

const A_DAY = 86_400_000

/** Milliseconds for which a refetch waits for mutations in flight, at most. */
const PATIENCE = 3_000

/** Data that is in doubt again and again is refetched at once, then after 250 ms, 750 ms and so on; lists with pages more rarely. */
const CALM = 125
const MOST_CALM = 4_000

/** Fetches until a view has data to show: the one place that deals with a response that did not help. */
export async function fetchDue(view: SharedView, core: Core): Promise<any> {
  const { requests, observer } = core
  const { clock } = core.store
  const began = clock.now()
  for (let tries = 0; ;) {
    view.isCheckDue = false
    if (requests.isStopped) {
      throw new ResetError()
    }
    const reading = view.read()
    const { waiting, data: old, error } = reading
    if (!waiting && !isDue(reading, clock.now())) {
      if (error !== undefined) {
        throw error
      }
      return old
    }
    const { result, args } = view
    const isRefetch = old !== undefined && !reading.isPartial && reading.expiresAt === STALE
    // Pending operations hide the data, the server allows no request yet, or it is not quiet.
    const pages =
      isRefetch && !reading.error
        ? pagesInDoubt(core.store.tables, view.target as EndpointInterface, args, view.node)
        : undefined
    const allowedAt = Math.min(result.retryAt, old === undefined ? result.firstRetryAt : Infinity)
    const next = Math.max(allowedAt, isRefetch ? quietAt(core, view, began, pages) : 0)
    // So do the devtools while they show an earlier state: what was missing then may be there now.
    const delay = waiting || (DEV && observer?.past) ? A_DAY : next - clock.now()
    if (delay > 0) {
      await pause(clock, delay, (wake) => (view.wake = wake))
      view.wake = undefined
      const now = view.read()
      // The reader may leave the screen because the pending operation has ended.
      if (waiting && !now.waiting && isDue(now, clock.now())) {
        await pause(clock, 0)
      }
      if (!view.isWanted) {
        throw view.abortedBy ?? new ResetError()
      }
      continue
    }
    const endpoint = view.target as EndpointInterface
    const call = callOf(endpoint, args)
    if (!requests.running(call) && tries++ >= TRIES) {
      if (error === undefined && old === undefined) {
        core.respond(call, notUsable(endpoint, call.key), true)
      }
      const { data, error: last } = view.read()
      if (last !== undefined) {
        throw last
      }
      return data
    }
    if (DEV) {
      observer?.because(call.key, { ...reading })
    }
    if (isRefetch) {
      const now = clock.now()
      result.asked = now - result.askedAt < MOST_CALM * 2 ? result.asked + 1 : 1
      result.askedAt = now
    }
    let value: unknown
    try {
      value = await (pages ? requests.refetchPages(call, pages) : requests.fetch(endpoint, args, true))
    } catch (thrown) {
      if (thrown instanceof ResetError && !requests.isStopped) {
        // It may be a sign-out, after which readers leave the screen. A suspended one that stays renders again, and fetches then.
        await pause(clock, 0)
        if (view.wait?.suspends && view.active === 0) {
          return undefined
        }
      }
      if ((isAborted(thrown) || thrown === view.abortedBy) && view.isWanted) {
        // What was tried before a reset was for the data before it.
        tries = thrown instanceof ResetError ? 0 : tries
        continue
      }
      throw thrown
    }
    const { data, expiryStatus } = view.read()
    const lacking = DEV && reading.isPartial ? missingField(data) : undefined
    if (DEV && lacking !== undefined) {
      warnMissing(originOf(data)!.key, lacking)
    }
    if (data !== undefined && expiryStatus !== UNUSABLE) {
      return data
    }
    if (!view.isWanted) {
      throw view.abortedBy ?? new ResetError()
    }
    // Fetching again would return the same.
    if (value === undefined && !endpoint.schema) {
      tries = TRIES
    }
  }
}

/**
 * Until when data that is in doubt is not fetched: while a mutation is in flight, whose response may put it in doubt
 * again, and at growing intervals if it is in doubt again and again, as under a stream of events. A refetch of a list with pages
 * takes more requests, and comes more rarely.
 */
function quietAt(
  { store, requests }: Core,
  view: SharedView,
  began: number,
  pages: ReadonlySet<string> | undefined,
): number {
  const { result, target, args } = view
  const { asked, askedAt } = result
  const cost = pages?.size ?? 1 + pagesOf(store.tables, target as EndpointInterface, args).length
  const calm = asked && askedAt + Math.min(CALM * (2 ** asked * cost - 2), MOST_CALM)
  // Without a result of its own the view may get what it needs from others that are fetched again.
  const others = result.meta ? [] : viewsAround(view.node)
  const wake = (): void => view.wake?.()
  others.forEach(({ loading }) => void loading?.then(wake, wake))
  return Math.max(calm, requests.isWriting() || others.length > 0 ? began + PATIENCE : 0)
}
