import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { type ListPage, type ListState, sidesOf } from '../normalize/ListState.ts'
import { nextOf, pagesOf, previousOf } from '../normalize/pages.ts'
import type { Tables } from '../normalize/tables.ts'
import { replaceList } from '../rest/extenders.ts'
import { isPage, nextPage, pageEndpoint } from '../rest/paginate.ts'
import { type Collection, listPk } from '../schema/Collection.ts'
import type { SetResponseAction } from './actions.ts'
import type { Request } from './Request.ts'

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
function listState({ tables }: Tables, { schema }: EndpointInterface, args: readonly any[]): ListState | undefined {
  let found: Collection | undefined
  replaceList(schema, (list) => (found = list))
  return (
    found && tables.get(found.key)?.slots.get(listPk(found, found.writeKey(undefined, undefined, args, false)))?.list
  )
}

/** The loaded pages of the list that an endpoint names, and the arguments of the next one. */
export function readPages(tables: Tables, endpoint: EndpointInterface, args: readonly any[]): Pages {
  const list = listState(tables, endpoint, args)
  return { loaded: list ? pagesOf(list).length : 0, next: list && nextOf(list), previous: list && previousOf(list) }
}

/** The functions of the request list that a refresh uses. */
export interface RefreshTools {
  readonly tables: Tables
  /** Opens a request, with nobody waiting for it, and sends it. */
  send(endpoint: EndpointInterface, args: readonly any[]): Request
  settle(request: Request, action: SetResponseAction): void
  drop(request: Request, error: unknown): void
}

/**
 * Fetches the loaded pages of a list again once the list itself has responded, one after the other, and stores all
 * responses together: the list stays on the screen, and a failure leaves it as it is. False where no page is loaded.
 */
export function refreshPages(tools: RefreshTools, request: Request, first: SetResponseAction): boolean {
  const { endpoint, args } = request
  const list = isPage(endpoint) || endpoint.sideEffect ? undefined : listState(tools.tables, endpoint, args)
  // Pages requested after the list are as new as its response.
  const pages = list ? pagesOf(list).filter((page) => page.meta.sent < request.action.meta.sent) : []
  if (pages.length === 0) {
    return false
  }
  const { settle, drop } = tools
  const collected: Collected[] = []
  /** The page in flight. */
  let current: Request | undefined
  const steps = fetchPages(tools, request, first, pages, collected)

  // A caller that has joined the request of a page gets that page all the same.
  request.stopRefresh = (reason) => {
    for (const [page, action] of collected.splice(0)) {
      if (page.callers > 0) {
        settle(page, action)
      } else {
        drop(page, reason)
      }
    }
    if (current) {
      current.collect = undefined
      if (current.callers === 0) {
        drop(current, reason)
      }
    }
  }

  // Each step runs in the task of the response before it, and the last one stores the list: a caller that passes responses to
  // `controller.resolve` finds it stored. So the steps are a generator, not an async function.
  const advance = (response?: SetResponseAction): void => {
    try {
      const page = (current = steps.next(response!).value as Request | undefined)
      if (page) {
        page.collect = (action) => {
          // An abort of the page ends the refresh, even if the page has responded.
          page.collect = ({ error, response: reason }) => void (error && !action.error && drop(request, reason))
          advance(action)
        }
      }
    } catch (thrown) {
      drop(request, thrown)
      throw thrown
    }
  }
  advance()
  return true
}

type Collected = [page: Request, action: SetResponseAction]

/** Sends the request of one page at each step, and continues with the response to it. */
function* fetchPages(
  { send, settle, drop }: RefreshTools,
  request: Request,
  first: SetResponseAction,
  pages: readonly ListPage[],
  collected: Collected[],
): Generator<Request, void, SetResponseAction> {
  const { endpoint, args } = request
  const { maxPages = Infinity, getNextPage } = endpoint as { maxPages?: number; getNextPage?: unknown }
  const sides = sidesOf(pages)
  const after = sides.after.slice(0, Math.max(0, maxPages - 1))
  const before = [...sides.before].reverse().slice(0, Math.max(0, maxPages - 1 - after.length))

  /** The arguments of a page. The response before it may name them: that of the list for the nearest page. */
  const argsOf = ({ isBefore, args: known }: ListPage, by: Request, value: unknown): readonly any[] | undefined => {
    if (!isBefore && !getNextPage) {
      return known
    }
    const named = nextPage(by.endpoint, value, by.args)!(false)
    return isBefore ? named.previous : named.args
  }

  for (const direction of [after, before]) {
    let nearest = request
    let { response } = first
    for (const page of direction) {
      const pageArgs = request.isOutdated ? undefined : argsOf(page, nearest, response)
      if (!pageArgs) {
        break
      }
      const sentPage = send((page.endpoint as EndpointInterface) ?? pageEndpoint(endpoint, args), pageArgs)
      const action = yield sentPage
      if (!action.error) {
        collected.push([sentPage, action])
        nearest = sentPage
        response = action.response
        continue
      }
      drop(sentPage, action.response)
      // Servers that count pages have no other way to say that a page is past the end.
      if (getNextPage || action.response?.status !== 404) {
        drop(request, action.response)
        return
      }
    }
  }

  // Readers are notified once for all responses of a task, so they never see a part of the list. The list itself comes
  // last: its response removes whatever is older than its request.
  for (let page = collected.shift(); page; page = collected.shift()) {
    settle(...page)
  }
  request.hasAllPages = !request.isOutdated
  settle(request, first)
}
