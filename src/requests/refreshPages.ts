import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { ListPage } from '../lists/List.ts'
import type { ListRow } from '../lists/ListRow.ts'
import { FIRST } from '../lists/pages.ts'
import { pageEndpoint } from '../lists/paginate.ts'
import { nextPage } from '../lists/nextPage.ts'
import { NO_DOUBT } from '../rows/doubt.ts'
import type { Store } from '../store/Store.ts'
import { type Call, callOf } from './Call.ts'
import { listRow, pagesOf } from './listPages.ts'
import type { Request } from './Request.ts'
import type { Requests } from './Requests.ts'
import { ResetError } from './ResetError.ts'
import { settle } from './settle.ts'

/** The list, or a page of it, that has responded. */
interface Arrived {
  readonly request: Request
  readonly response: unknown
  readonly page?: ListPage
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
  const { getNextPage } = list.endpoint as Paged
  /** The pages that are dealt with, by `id`. */
  const done = new Set<string>()
  const fresh: Arrived[] = first ? [{ request: list, response: first.response }] : []
  try {
    for (let page = nextToFetch(requests, list, done); page; page = nextToFetch(requests, list, done)) {
      done.add(page.id)
      const args = argsOf(list, page, fresh)
      if (!args) {
        continue
      }
      const by = (page.endpoint as EndpointInterface) ?? pageEndpoint(list.endpoint, list.args)
      const request = requests.begin(callOf(by, args), { auto: true, list })
      try {
        requests.dispatch(request, true)
        fresh.push({ request, response: await request.page!.promise, page })
      } catch (error) {
        // Servers that count pages have no other way to say that a page is past the end.
        if (getNextPage || (error as { status?: unknown } | undefined)?.status !== 404) {
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

interface Paged {
  readonly maxPages?: number
  readonly getNextPage?: unknown
}

/** The page to fetch next: those after the list first, each from the list outwards. */
function nextToFetch(requests: Requests, list: Request, done: ReadonlySet<string>): ListPage | undefined {
  const { maxPages = Infinity } = list.endpoint as Paged
  // Also those that arrive while others are fetched.
  const all = olderPages(requests, list)
  const before = all.filter(({ isBefore }) => isBefore)
  const outwards = [...all.slice(before.length), ...before.reverse()]
  const isOver = list.isInvalidated || done.size >= maxPages - 1
  return isOver ? undefined : outwards.find(({ id }) => !done.has(id))
}

/** The arguments of a page. The response of its neighbour, towards the list, may name them. */
function argsOf(list: Request, { isBefore, args }: ListPage, fresh: readonly Arrived[]): readonly any[] | undefined {
  if (list.pages || (!isBefore && !(list.endpoint as Paged).getNextPage)) {
    return args
  }
  const { request, response } = [...fresh].reverse().find(({ page }) => !page || page.isBefore === isBefore)!
  const named = nextPage(request.endpoint, response, request.args)!(false)
  return isBefore ? named.previous : named.args
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
