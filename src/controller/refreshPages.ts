import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { ListPage } from '../normalize/lists.ts'
import type { nextPage, pageEndpoint } from '../rest/paginate.ts'
import type { callOf } from './actions.ts'
import type { Request } from './Result.ts'
import type { Requests } from './requests.ts'

/** The functions of the library that a refresh needs: a chunk that browsers load later imports nothing that the page has. */
export interface RefreshTools {
  readonly requests: Requests
  /** The loaded pages of a list that were requested before it. */
  readonly older: (list: Request) => readonly ListPage[]
  readonly isInvalidated: (list: Request) => boolean
  readonly callOf: typeof callOf
  readonly nextPage: typeof nextPage
  readonly pageEndpoint: typeof pageEndpoint
}

/** The pages of a list that are fetched again. Each request of it has it as `refresh`. */
export interface PageRefresh {
  /** The request of the list. */
  readonly list: Request
  /** One of its requests has a response. */
  respond(request: Request, response: any, isError?: boolean): void
  /** One of its requests was dropped, for example by an abort: that ends all of it. */
  drop(reason: unknown): void
}

/**
 * Fetches the loaded pages of a list that has responded again, one after the other, and stores all responses together: the list stays
 * on the screen, and a failure leaves it as it is.
 *
 * Each page is sent in the task of the response before it, and the last response stores the list: a caller that passes responses
 * to `controller.resolve` finds it stored.
 */
export function refreshPages(
  { requests, older, isInvalidated, callOf, nextPage, pageEndpoint }: RefreshTools,
  list: Request,
  first: unknown,
): void {
  const { endpoint, args } = list
  const { maxPages = Infinity, getNextPage } = endpoint as { maxPages?: number; getNextPage?: unknown }
  /** The pages that are dealt with, by `id`. */
  const done = new Set<string>()
  /** The list and the pages that have responded. */
  const fresh: { request: Request; response: unknown; page?: ListPage }[] = [{ request: list, response: first }]
  let current: { request: Request; page: ListPage } | undefined

  /** The page to fetch next: those after the list first, each from the list outwards. */
  const nextToFetch = (): ListPage | undefined => {
    // Also those that arrive while others are fetched.
    const all = older(list)
    const before = all.filter(({ isBefore }) => isBefore)
    const outwards = [...all.slice(before.length), ...before.reverse()]
    return done.size < maxPages - 1 ? outwards.find(({ id }) => !done.has(id)) : undefined
  }
  /** The arguments of a page. The response of its neighbour, towards the list, may name them. */
  const argsOf = ({ isBefore, args: known }: ListPage): readonly any[] | undefined => {
    if (!isBefore && !getNextPage) {
      return known
    }
    const { request, response } = [...fresh].reverse().find(({ page }) => !page || page.isBefore === isBefore)!
    const named = nextPage(request.endpoint, response, request.args)!(false)
    return isBefore ? named.previous : named.args
  }
  /** Sends the next page. After the last one it stores everything. */
  const advance = (): void => {
    const isOver = isInvalidated(list)
    const page = isOver ? undefined : nextToFetch()
    if (page === undefined) {
      // Readers are notified once for all responses of a task, so they never see a part of the list. The list itself comes
      // last: its response removes whatever is older than its request.
      for (const { request, response } of [...fresh.splice(1), { request: list, response: first }]) {
        request.hasAllPages = !isOver
        requests.settle(request, response)
      }
      return
    }
    done.add(page.id)
    const pageArgs = argsOf(page)
    if (pageArgs === undefined) {
      return advance()
    }
    const by = (page.endpoint as EndpointInterface) ?? pageEndpoint(endpoint, args)
    current = { request: requests.begin(callOf(by, pageArgs), true, refresh), page }
    requests.dispatch(current.request, true)
  }
  const refresh: PageRefresh = {
    list,
    respond: (request, response, isError) => {
      const { page } = current ?? {}
      // The same response twice is one.
      if (request !== current?.request) {
        return
      }
      current = undefined
      if (!isError) {
        fresh.push({ request, response, page: page! })
      } else if (getNextPage || response?.status !== 404) {
        requests.settle(list, response, true)
        return requests.drop(request, response)
      } else {
        // Servers that count pages have no other way to say that a page is past the end.
        request.refresh = undefined
        requests.drop(request, response)
      }
      step()
    },
    drop: (reason) => {
      const all = [...fresh.splice(0), ...(current ? [current] : [])]
      current = undefined
      all.forEach(({ request }) => requests.drop(request, reason))
    },
  }
  const step = (): void => {
    try {
      advance()
    } catch (thrown) {
      requests.drop(list, thrown)
      throw thrown
    }
  }
  list.refresh = refresh
  step()
}
