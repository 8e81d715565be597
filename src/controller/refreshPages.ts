import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { ListPage } from '../lists/List.ts'
import { nextPage, pageEndpoint } from '../rest/paginate.ts'
import { callOf } from './actions.ts'
import { isInvalidated, type Request } from './Result.ts'
import type { Requests } from './requests.ts'

/**
 * Fetches the loaded pages of a list that has responded again, one after the other, and stores all responses together: the list stays
 * on the screen, and a failure leaves it as it is. `first` is the response of the list, which has none if only other pages are in doubt. If one of the requests is dropped, all are, and this function is never resumed.
 */
export async function refreshPages(requests: Requests, list: Request, first?: { response: unknown }): Promise<void> {
  const { endpoint, args, pages } = list
  const { maxPages = Infinity, getNextPage } = endpoint as { maxPages?: number; getNextPage?: unknown }
  /** The pages that are dealt with, by `id`. */
  const done = new Set<string>()
  /** The list and the pages that have responded. */
  const fresh: { request: Request; response: unknown; page?: ListPage }[] = first
    ? [{ request: list, response: first.response }]
    : []

  /** The page to fetch next: those after the list first, each from the list outwards. */
  const nextToFetch = (): ListPage | undefined => {
    // Also those that arrive while others are fetched.
    const all = requests.olderPages(list)
    const before = all.filter(({ isBefore }) => isBefore)
    const outwards = [...all.slice(before.length), ...before.reverse()]
    const isOver = isInvalidated(list) || done.size >= maxPages - 1
    return isOver ? undefined : outwards.find(({ id }) => !done.has(id))
  }
  /** The arguments of a page. The response of its neighbour, towards the list, may name them. */
  const argsOf = ({ isBefore, args: known }: ListPage): readonly any[] | undefined => {
    if (pages || (!isBefore && !getNextPage)) {
      return known
    }
    const { request, response } = [...fresh].reverse().find(({ page }) => !page || page.isBefore === isBefore)!
    const named = nextPage(request.endpoint, response, request.args)!(false)
    return isBefore ? named.previous : named.args
  }
  try {
    for (let page = nextToFetch(); page; page = nextToFetch()) {
      done.add(page.id)
      const pageArgs = argsOf(page)
      if (!pageArgs) {
        continue
      }
      const by = (page.endpoint as EndpointInterface) ?? pageEndpoint(endpoint, args)
      const request = requests.begin(callOf(by, pageArgs), true, list)
      try {
        const response = await new Promise<unknown>((resolve, reject) => {
          request.arrive = (value, isError) => (isError ? reject(value) : resolve(value))
          requests.dispatch(request, true)
        })
        fresh.push({ request, response, page })
      } catch (error) {
        // Servers that count pages have no other way to say that a page is past the end.
        if (getNextPage || (error as { status?: unknown } | undefined)?.status !== 404) {
          throw error
        }
        requests.settle(request, error, true)
      }
      if (!requests.open.has(list.id)) {
        return
      }
    }
    // Readers are notified once for all responses of a task, so they never see a part of the list. The list itself comes
    // last: its response removes whatever is older than its request.
    const hasAllPages = !pages && !isInvalidated(list)
    for (const { request, response } of [...fresh.splice(first ? 1 : 0), ...fresh]) {
      request.hasAllPages = hasAllPages
      requests.settle(request, response)
    }
    if (!first) {
      requests.settlePages(list)
    }
  } catch (error) {
    // The failure of a page is that of the list.
    if (requests.open.has(list.id)) {
      requests.settle(list, error, true)
      requests.drop(list, error)
    }
  }
}
