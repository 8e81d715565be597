import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { FIRST, type ListPage, type List, nextOf, previousOf } from '../normalize/lists.ts'
import type { Tables } from '../normalize/tables.ts'
import { replaceList } from '../rest/extenders.ts'
import { isPage } from '../rest/paginate.ts'
import { type Collection, listPk } from '../schema/Collection.ts'
import { isEntity } from '../schema/Schema.ts'
import type { Call } from './actions.ts'

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

/**
 * How many pages of a list are loaded beside the list itself, and the arguments of the next one and the previous one: `undefined` at
 * either end, and while the list itself is not there.
 */
export function readPages(
  tables: Tables,
  endpoint: EndpointInterface,
  args: readonly any[],
): { loaded: number; next: readonly any[] | undefined; previous: readonly any[] | undefined } {
  const list = listState(tables, endpoint, args)
  return { loaded: pagesOf(list).length, next: list && nextOf(list), previous: list && previousOf(list) }
}

/** The loaded pages of a list that were requested before it. Later ones are as new as its response. */
export function olderPages(tables: Tables, { endpoint, args }: Call, sent: number): readonly ListPage[] {
  return isEntity(endpoint.schema) || isPage(endpoint) || endpoint.sideEffect
    ? []
    : pagesOf(listState(tables, endpoint, args)).filter((page) => page.sent < sent)
}
