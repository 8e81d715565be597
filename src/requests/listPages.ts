import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { List, ListPage } from '../lists/List.ts'
import { allItems } from '../lists/items.ts'
import { FIRST, pagesToFetch } from '../lists/pages.ts'
import { type Node, nodesOf } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { AllTables, ListRow, ListTable } from '../lists/ListRow.ts'
import { listIn } from '../schema/listIn.ts'
import type { ListClass } from '../schema/ListClass.ts'
import { listPk } from '../lists/listKey.ts'

/** The stored list that an endpoint names. */
export function listRow(
  { tables }: AllTables,
  { schema }: EndpointInterface,
  args: readonly any[],
): ListRow | undefined {
  const found = listIn(schema) as ListClass | undefined
  return (
    found &&
    (tables.get(found.key) as ListTable | undefined)?.byPk.get(
      listPk(found, found.writeKey(undefined, undefined, args, false)),
    )
  )
}

/** Its state. */
export function listState(tables: AllTables, endpoint: EndpointInterface, args: readonly any[]): List | undefined {
  return listRow(tables, endpoint, args)?.list
}

/** The loaded pages of a list, without the list itself. */
export function pagesOf(tables: AllTables, endpoint: EndpointInterface, args: readonly any[]): readonly ListPage[] {
  return listState(tables, endpoint, args)?.pages.filter(({ id }) => id !== FIRST) ?? []
}

/**
 * The pages to fetch again for a result that is in doubt, by their ids; `undefined` if anything else of it is in doubt. A doubt is about
 * pages where they may have moved, and where they have a record in doubt.
 *
 * @param node that of the result
 */
export function pagesInDoubt(
  tables: AllTables,
  endpoint: EndpointInterface,
  args: readonly any[],
  node: Node,
): ReadonlySet<string> | undefined {
  const row = listRow(tables, endpoint, args)
  const result = node.source as Row
  const since = result.meta?.sent ?? Infinity
  const isOld = ({ doubt }: Pick<Node, 'doubt'>): boolean => doubt.at > since
  // The rows of a restored state say what was in doubt.
  const { marked } = result
  const isMarked = marked.at > since && marked.reason !== 'restored'
  if (!row?.list || row.list.pages.length < 2 || isMarked) {
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
