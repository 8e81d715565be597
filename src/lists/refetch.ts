// Which pages of a list are fetched again, and with which arguments.

import { type Node, nodesOf } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { ListClass } from '../schema/ListClass.ts'
import { allItems } from './items.ts'
import type { ListPage } from './List.ts'
import { listPk } from './listKey.ts'
import type { AllTables, FetchedPage, ListRow, ListTable, NextFetch, RefetchedList } from './ListRow.ts'
import { nextPage } from './nextPage.ts'
import { pagesToFetch } from './pages.ts'
import { pageEndpoint } from './paginate.ts'

/** The stored list that a Collection and the arguments of its endpoint name. */
export function findList({ tables }: AllTables, list: ListClass, args: readonly any[]): ListRow | undefined {
  const table = tables.get(list.key) as ListTable | undefined
  return table?.byPk.get(listPk(list, list.writeKey(undefined, undefined, args, false)))
}

/**
 * The pages to fetch again for a result that is in doubt, by their ids; `undefined` if anything else of it is in doubt. A doubt is about
 * pages where they may have moved, and where they have a record in doubt.
 *
 * @param node that of the result
 */
export function pagesInDoubt(row: ListRow, node: Node): ReadonlySet<string> | undefined {
  const result = node.source as Row
  const since = result.meta?.sent ?? Infinity
  const isOld = ({ doubt }: Pick<Node, 'doubt'>): boolean => doubt.at > since
  // The rows of a restored state say what was in doubt.
  const { marked } = result
  const isMarked = marked.at > since && marked.reason !== 'restored'
  if (!row.list || row.list.pages.length < 2 || isMarked) {
    return undefined
  }
  const { pages, tail } = row.list
  const found = new Set(isOld(row) ? row.doubt.pages : [])
  const isWhole = isOld(row) && row.doubt.pages === undefined
  const isElsewhere = node.deps.some((dep) => dep.source !== row && isOld(dep))
  if (isWhole || isElsewhere) {
    return undefined
  }
  for (const dep of (row.node ? nodesOf(row.node) : []).flatMap(({ deps }) => deps)) {
    if (isOld(dep)) {
      const { pk } = dep.source as Row
      const page = pages.find(({ items }) => allItems(items).some((item: any) => (item?.id ?? item) === pk))
      if (!page || tail.includes(pk)) {
        return undefined
      }
      found.add(page.id)
    }
  }
  return found.size > 0 ? pagesToFetch(row.list, found) : undefined
}

interface Paged {
  readonly maxPages?: number
  readonly getNextPage?: unknown
}

/** The page to fetch next, those after the list first, each from the list outwards; `undefined` when all are done. */
export function nextFetch(
  list: RefetchedList,
  older: readonly ListPage[],
  done: ReadonlySet<string>,
  fresh: readonly FetchedPage[],
): NextFetch | undefined {
  const { maxPages = Infinity, getNextPage } = list.endpoint as Paged
  const before = older.filter(({ isBefore }) => isBefore)
  const outwards = [...older.slice(before.length), ...before.reverse()]
  const isOver = list.isInvalidated || done.size >= maxPages - 1
  const page = isOver ? undefined : outwards.find(({ id }) => !done.has(id))
  return (
    page && {
      page,
      endpoint: (page.endpoint as object | undefined) ?? pageEndpoint(list.endpoint, list.args),
      args: argsOf(list, page, fresh),
      isCounted: !getNextPage,
    }
  )
}

/** The arguments of a page. The response of its neighbour, towards the list, may name them. */
function argsOf(
  list: RefetchedList,
  { isBefore, args }: ListPage,
  fresh: readonly FetchedPage[],
): readonly any[] | undefined {
  if (list.pages || (!isBefore && !(list.endpoint as Paged).getNextPage)) {
    return args
  }
  const { request, response } = [...fresh].reverse().find(({ page }) => !page || page.isBefore === isBefore)!
  const named = nextPage(request.endpoint, response, request.args)!(false)
  return isBefore ? named.previous : named.args
}
