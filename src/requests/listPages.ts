import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { List, ListPage } from '../lists/List.ts'
import type { AllTables, ListCode, ListRow } from '../lists/ListRow.ts'
import { FIRST } from '../lists/pages.ts'
import type { Node } from '../rows/Node.ts'
import type { ListClass } from '../schema/ListClass.ts'
import { listIn } from '../schema/listIn.ts'

/** The code that the Collection of an endpoint has brought; `undefined` where it has none. */
export function listCodeOf({ schema }: EndpointInterface): ListCode | undefined {
  return (listIn(schema) as ListClass | undefined)?.code as ListCode | undefined
}

/** The stored list that an endpoint names. */
export function listRow(tables: AllTables, endpoint: EndpointInterface, args: readonly any[]): ListRow | undefined {
  return listCodeOf(endpoint)?.find(tables, listIn(endpoint.schema) as unknown as ListClass, args)
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
 * The pages to fetch again for a result that is in doubt, by their ids; `undefined` if anything else of it is in doubt.
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
  return row && listCodeOf(endpoint)!.pagesInDoubt(row, node)
}
