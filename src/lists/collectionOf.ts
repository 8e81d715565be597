import type { ListClass } from '../schema/ListClass.ts'
import type { ListSchema } from '../schema/Schema.ts'
import type { Row } from '../rows/Row.ts'
import type { List } from './List.ts'

/** False where only its own responses, adders, removers and movers change a list (`autoUpdate: false`). */
export function followsWrites({ collection }: List): boolean {
  return collection?.autoUpdate !== false
}

/** The Collection of a restored list is that of its reader. */
export function withCollection(row: Pick<Row, 'node'>, list: List): List {
  const schema = list.collection ? undefined : (row.node?.schema as ListSchema | undefined)
  return schema?.createCollectionFilter ? { ...list, collection: schema, meaning: undefined } : list
}

/** A record as an item of a list; `undefined` where that is not known, as of a restored list. */
export function itemFor({ collection }: List, { key, pk }: Row): unknown {
  const of = (collection as ListClass | undefined)?.cacheWith?.choice
  if (of?.attribute === undefined) {
    return of && pk
  }
  const name = Object.keys(of.schema as object).find((one) => of.schema[one].key === key)
  return name && { id: pk, schema: name }
}
