import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { List, ListPage } from '../lists/List.ts'
import { FIRST } from '../lists/pages.ts'
import type { Tables } from '../normalize/tables.ts'
import { listIn } from '../rest/extenders.ts'
import { type Collection, listPk } from '../schema/Collection.ts'

/** The stored state of the list that an endpoint names. */
export function listState({ tables }: Tables, { schema }: EndpointInterface, args: readonly any[]): List | undefined {
  const found = listIn(schema) as Collection | undefined
  return (
    found && tables.get(found.key)?.slots.get(listPk(found, found.writeKey(undefined, undefined, args, false)))?.list
  )
}

/** The loaded pages of a list, without the list itself. */
export function pagesOf(tables: Tables, endpoint: EndpointInterface, args: readonly any[]): readonly ListPage[] {
  return listState(tables, endpoint, args)?.pages.filter(({ id }) => id !== FIRST) ?? []
}
