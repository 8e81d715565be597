import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { FIRST, type ListPage, type List, nextOf, previousOf } from '../normalize/lists.ts'
import type { Tables } from '../normalize/tables.ts'
import { replaceList } from '../rest/extenders.ts'
import { isPage, nextPage, pageEndpoint } from '../rest/paginate.ts'
import { type Collection, listPk } from '../schema/Collection.ts'
import type { SetResponseAction } from './actions.ts'
import type { Request } from './Request.ts'
import type { Requests } from './requests.ts'

/** The pages of a list. */
export interface Pages {
  /** How many pages are loaded beside the list itself. */
  readonly loaded: number
  /** The arguments of the next page; `undefined` at the end, and while the list itself is not there. */
  readonly next: readonly any[] | undefined
  /** The arguments of the previous page; `undefined` at the start. */
  readonly previous: readonly any[] | undefined
}

/** The stored state of the list that an endpoint names. */
function listState({ tables }: Tables, { schema }: EndpointInterface, args: readonly any[]): List | undefined {
  let found: Collection | undefined
  replaceList(schema, (list) => (found = list))
  return (
    found && tables.get(found.key)?.slots.get(listPk(found, found.writeKey(undefined, undefined, args, false)))?.list
  )
}

/** The pages beside the list itself. */
function pagesOf(list: List | undefined): readonly ListPage[] {
  return list?.pages.filter(({ id }) => id !== FIRST) ?? []
}

/** The loaded pages of the list that an endpoint names, and the arguments of the next one. */
export function readPages(tables: Tables, endpoint: EndpointInterface, args: readonly any[]): Pages {
  const list = listState(tables, endpoint, args)
  return { loaded: pagesOf(list).length, next: list && nextOf(list), previous: list && previousOf(list) }
}

/** Fetches the loaded pages of a list that has responded again. False where none is loaded. */
export function refreshPages(requests: Requests, tables: Tables, request: Request, first: SetResponseAction): boolean {
  const { endpoint, args } = request
  const isList = !isPage(endpoint) && !endpoint.sideEffect
  // Pages requested after the list are as new as its response. Those that arrive while the others are fetched are fetched too.
  const pages = (): readonly ListPage[] =>
    pagesOf(listState(tables, endpoint, args)).filter(({ sent }) => sent < request.action.meta.sent)
  if (!isList || pages().length === 0) {
    return false
  }
  request.refresh = new PageRefresh(requests, request, first, pages)
  request.refresh.advance()
  return true
}

/** A response that is stored later. */
interface Collected {
  readonly request: Request
  readonly action: SetResponseAction
  /** It is a page before the list. */
  readonly isBefore?: boolean | undefined
}

/**
 * Fetches the pages of a list again, one after the other, and stores all responses together: the list stays on the screen, and a
 * failure leaves it as it is.
 *
 * Each page is sent in the task of the response before it, and the last response stores the list: a caller that passes responses
 * to `controller.resolve` finds it stored.
 */
export class PageRefresh {
  private readonly requests: Requests
  private readonly list: Collected
  /** The pages that have responded. */
  private readonly pages: Collected[] = []
  /** The pages to fetch, as they are stored. */
  private readonly older: () => readonly ListPage[]
  /** Those that are dealt with, by `id`. */
  private readonly done = new Set<string>()
  /** The page in flight. */
  private current: { readonly request: Request; readonly page: ListPage } | undefined

  constructor(requests: Requests, request: Request, action: SetResponseAction, older: () => readonly ListPage[]) {
    this.requests = requests
    this.list = { request, action }
    this.older = older
  }

  /** True for a page: it is not dropped because nobody else waits for it. */
  isPage(request: Request): boolean {
    return request !== this.list.request
  }

  /** Sends the next page. After the last one it stores everything. */
  advance(): void {
    const { requests, list } = this
    const { request } = list
    try {
      const page = request.isOutdated ? undefined : this.next()
      if (page === undefined) {
        this.store()
        return
      }
      this.done.add(page.id)
      const args = this.argsOf(page)
      if (args === undefined) {
        this.advance()
        return
      }
      const endpoint = (page.endpoint as EndpointInterface) ?? pageEndpoint(request.endpoint, request.args)
      this.current = { request: requests.send(endpoint, args), page }
      this.current.request.refresh = this
    } catch (thrown) {
      requests.drop(request, thrown)
      throw thrown
    }
  }

  /** The page to fetch next: those after the list first, each from the list outwards. */
  private next(): ListPage | undefined {
    const { maxPages = Infinity } = this.list.request.endpoint as { maxPages?: number }
    const all = this.older()
    const before = all.filter(({ isBefore }) => isBefore)
    const outwards = [...all.slice(before.length), ...before.reverse()]
    return this.done.size < maxPages - 1 ? outwards.find(({ id }) => !this.done.has(id)) : undefined
  }

  /** A response to the list, or to a page. */
  onResponse(request: Request, action: SetResponseAction): void {
    const { current, list, requests } = this
    // The same response twice is one.
    if (request !== current?.request) {
      return
    }
    this.current = undefined
    if (!action.error) {
      this.pages.push({ request, action, isBefore: current.page.isBefore })
      this.advance()
      return
    }
    requests.drop(request, action.response)
    // Servers that count pages have no other way to say that a page is past the end.
    if (isNaming(list.request) || action.response?.status !== 404) {
      requests.settle(list.request, action)
      this.onDrop(list.request, action.response)
    } else {
      this.advance()
    }
  }

  /** The list, or a page, was dropped, for example by an abort: that ends all of it, even if the page has responded. */
  onDrop(request: Request, reason: unknown): void {
    const { current, list, pages, requests } = this
    const isNeeded =
      request === list.request || request === current?.request || pages.some((page) => page.request === request)
    if (!isNeeded) {
      return
    }
    this.current = undefined
    requests.drop(list.request, reason)
    // A caller that has joined the request of a page gets that page all the same.
    for (const page of pages.splice(0)) {
      if (page.request.callers > 0) {
        requests.settle(page.request, page.action)
      } else {
        requests.drop(page.request, reason)
      }
    }
    if (current) {
      current.request.refresh = undefined
      if (current.request.callers === 0) {
        requests.drop(current.request, reason)
      }
    }
  }

  /** The arguments of a page. The response of its neighbour, towards the list, may name them. */
  private argsOf({ isBefore, args }: ListPage): readonly any[] | undefined {
    if (!isBefore && !isNaming(this.list.request)) {
      return args
    }
    const { request, action } = [...this.pages].reverse().find((page) => page.isBefore === isBefore) ?? this.list
    const named = nextPage(request.endpoint, action.response, request.args)!(false)
    return isBefore ? named.previous : named.args
  }

  private store(): void {
    const { list, pages, requests } = this
    // Readers are notified once for all responses of a task, so they never see a part of the list. The list itself comes
    // last: its response removes whatever is older than its request.
    const hasAllPages = !list.request.isOutdated
    for (const { request, action } of [...pages.splice(0), list]) {
      request.hasAllPages = hasAllPages
      requests.settle(request, action)
    }
  }
}

/** True where each response names the next page. */
function isNaming({ endpoint }: Request): boolean {
  return (endpoint as { getNextPage?: unknown }).getNextPage !== undefined
}
