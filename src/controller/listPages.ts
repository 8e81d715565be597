import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { ListState } from '../normalize/ListState.ts'
import { nextOf, pagesOf, previousOf } from '../normalize/pages.ts'
import type { Tables } from '../normalize/tables.ts'
import { replaceList } from '../rest/extenders.ts'
import { type Collection, listPk } from '../schema/Collection.ts'

/** What is known of the pages of a list. */
export interface Pages {
  /** How many pages are loaded beside the list itself. */
  readonly loaded: number
  /** The arguments of the next page; `undefined` at the end, and while the list itself is not there. */
  readonly next: readonly any[] | undefined
  /** The arguments of the previous page; `undefined` at the start. */
  readonly previous: readonly any[] | undefined
}

/** The stored state of the list that an endpoint names. */
export function listState(
  { tables }: Tables,
  { schema }: EndpointInterface,
  args: readonly any[],
): ListState | undefined {
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
