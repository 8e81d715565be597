import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { ListState } from '../normalize/ListState.ts'
import { isNext, nextOf, pagesOf, previousOf } from '../normalize/pages.ts'
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
export function refreshPages(
  { tables, send, settle, drop }: RefreshTools,
  request: Request,
  first: SetResponseAction,
): boolean {
  const { endpoint, args } = request
  const list = isPage(endpoint) || endpoint.sideEffect ? undefined : listState(tables, endpoint, args)
  const { maxPages = Infinity, getNextPage } = endpoint as { maxPages?: number; getNextPage?: unknown }
  // Pages requested after the list are as new as its response.
  const loaded = list ? pagesOf(list).filter((page) => page.meta.sent < request.action.meta.sent) : []
  if (loaded.length === 0) {
    return false
  }
  // First the pages after the list, then those before it, the nearest first.
  const after = loaded.filter(isNext).slice(0, Math.max(0, maxPages - 1))
  const before = loaded.filter(({ isBefore }) => isBefore).reverse()
  before.splice(Math.max(0, maxPages - 1 - after.length))
  let remaining = after
  const responses: [page: Request, action: SetResponseAction][] = []

  let last: Request | undefined
  // A caller that joined the request of a page gets that page all the same.
  request.abandon = (reason) => {
    for (const [page, action] of responses.splice(0)) {
      if (page.callers > 0) {
        settle(page, action)
      } else {
        drop(page, reason)
      }
    }
    if (last && last.callers > 0) {
      last.collect = undefined
    } else if (last) {
      drop(last, reason)
    }
  }

  // Readers are notified once for all responses of a task, so they never see a part of the list. The list itself comes
  // last: its response removes whatever is older than its request.
  const finish = (): void => {
    last = undefined
    for (let next = responses.shift(); next; next = responses.shift()) {
      settle(...next)
    }
    request.isWhole = !request.isOutdated
    settle(request, first)
  }

  /** Fetches the next page that remains. It may be named by the response before it: `value`, of `endpoint` with `args`. */
  const fetchNext = (
    value: unknown,
    { endpoint: by, args: byArgs }: Pick<SetResponseAction, 'endpoint' | 'args'>,
  ): void => {
    const page = request.isOutdated ? undefined : remaining.shift()
    const named = page && (page.isBefore || getNextPage) ? nextPage(by, value, byArgs)!(false) : undefined
    const next = page?.isBefore ? named!.previous : getNextPage ? named?.args : page?.args
    if (!page || !next) {
      if (remaining === before || request.isOutdated) {
        return finish()
      }
      // The pages before the list are named by the list itself, too.
      remaining = before
      return fetchNext(first.response, request)
    }
    const sent = (last = send((page.endpoint as EndpointInterface) ?? pageEndpoint(endpoint, args), next))
    sent.collect = (action) => {
      sent.collect = () => {}
      const { response, error } = action
      try {
        if (!error) {
          last = undefined
          responses.push([sent, action])
          return fetchNext(response, sent)
        }
        drop(sent, response)
        // Servers that count pages have no other word for the end.
        if (getNextPage || response?.status !== 404) {
          return drop(request, response)
        }
        fetchNext(value, { endpoint: by, args: byArgs })
      } catch (thrown) {
        drop(request, thrown)
        throw thrown
      }
    }
  }
  fetchNext(first.response, request)
  return true
}
