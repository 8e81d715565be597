import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { ListPage } from '../lists/List.ts'
import type { FetchedPage, ListRow, NextFetch } from '../lists/ListRow.ts'
import { FIRST } from '../lists/pages.ts'
import { NO_DOUBT } from '../rows/doubt.ts'
import type { Store } from '../store/Store.ts'
import { type Call, callOf } from './Call.ts'
import { listCodeOf, listRow, pagesOf } from './listPages.ts'
import type { Request } from './Request.ts'
import type { Requests } from './Requests.ts'
import { ResetError } from './ResetError.ts'
import { settle } from './settle.ts'

/** The list, or a page of it, that has responded. */
interface Arrived extends FetchedPage {
  readonly request: Request
}

/** Fetches pages of a list that are in doubt: the others stay. */
export function refetchPages(requests: Requests, call: Call, pages: ReadonlySet<string>): Promise<any> {
  const request = requests.begin(call, { auto: true, pages })
  if (requests.isStopped) {
    requests.drop(request, new ResetError())
  } else if (pages.has(FIRST)) {
    requests.dispatch(request, true)
  } else {
    refreshPages(requests, request).catch(() => {})
  }
  return request.action.meta.promise
}

/** The loaded pages of a list to fetch again with it. Those that were requested later are as new as its response. */
export function olderPages({ host }: Requests, list: Request): readonly ListPage[] {
  const { endpoint, args, action } = list
  const pages = list.isPage ? [] : pagesOf(host.store.tables, endpoint, args)
  return pages.filter(({ id, sent }) => sent < action.meta.sent && list.pages?.has(id) !== false)
}

/**
 * Fetches the loaded pages of a list that has responded again, one after the other, and stores all responses together: the list stays
 * on the screen, and a failure leaves it as it is. `first` is the response of the list, which has none if only other pages are in doubt.
 * If one of the requests is dropped, all are, and this function is never resumed.
 */
export async function refreshPages(requests: Requests, list: Request, first?: { response: unknown }): Promise<void> {
  list.move('collect')
  const { open } = requests
  /** The pages that are dealt with, by `id`. */
  const done = new Set<string>()
  const fresh: Arrived[] = first ? [{ request: list, response: first.response }] : []
  // Also those that arrive while others are fetched.
  const look = (): NextFetch | undefined =>
    listCodeOf(list.endpoint)!.nextFetch(list, olderPages(requests, list), done, fresh)
  try {
    for (let next = look(); next; next = look()) {
      const { page, endpoint, args, isCounted } = next
      done.add(page.id)
      if (!args) {
        continue
      }
      const request = requests.begin(callOf(endpoint as EndpointInterface, args), { auto: true, list })
      try {
        requests.dispatch(request, true)
        fresh.push({ request, response: await request.page!.promise, page })
      } catch (error) {
        if (!isCounted || (error as { status?: unknown } | undefined)?.status !== 404) {
          throw error
        }
        settle(requests, request, error, true)
      }
      if (!open.has(list.id)) {
        return
      }
    }
    storePages(requests, list, fresh)
  } catch (error) {
    // The failure of a page is that of the list.
    if (open.has(list.id)) {
      settle(requests, list, error, true)
      requests.drop(list, error)
    }
  }
}

/**
 * Readers are notified once for all responses of a task, so they never see a part of the list. The list itself comes last: its response
 * removes whatever is older than its request.
 */
function storePages(requests: Requests, list: Request, fresh: readonly Arrived[]): void {
  const hasAllPages = !list.pages && !list.isInvalidated
  const isFirst = ({ request }: Arrived): boolean => request === list
  for (const { request, response } of [...fresh.filter((one) => !isFirst(one)), ...fresh.filter(isFirst)]) {
    request.hasAllPages = hasAllPages
    settle(requests, request, response)
  }
  if (!fresh.some(isFirst)) {
    settlePages(requests, list)
  }
}

/** The pages in doubt of a list have been fetched again. */
function settlePages(requests: Requests, list: Request): void {
  const { store, reads } = requests.host
  const { endpoint, args, action } = list
  const row = listRow(store.tables, endpoint, args)
  requests.close(list)
  if (row && requests.isCurrent(list)) {
    requests.host.change(() => settleDoubt(store, row, list))
  }
  store.notifier.after(() => action.meta.resolve(reads.read(endpoint, args).data))
}

/** Ends the doubt from before the request. The result of the list stays as old as it was. */
function settleDoubt(
  store: Store,
  row: ListRow,
  {
    result,
    action: {
      meta: { sent },
    },
  }: Request,
): void {
  store.mark(row, { marked: row.marked.at < sent ? NO_DOUBT : row.marked })
  const { value, meta } = result
  if (meta && meta.sent < sent) {
    store.put(result, { value, meta: { ...meta, sent, at: ++store.reached } })
  }
  result.node?.aged()
}
