import { asBefore, isObject } from '../base/equal.ts'
import { listAt } from '../lists/ListRow.ts'
import { tableOf } from '../lists/tableOf.ts'
import { markOrigin } from '../rows/origin.ts'
import type { Node } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { ListClass } from '../schema/ListClass.ts'
import type { ListReader } from './code.ts'
import type { Reader } from './denormalize.ts'
import { findNode } from './nodes.ts'
import { readItems } from './readItems.ts'
import { variant } from './recordNodes.ts'

export const listReader: ListReader = {
  node: (reader, collection, pk) =>
    findNode(reader, tableOf(reader.tables, collection).row(pk), 'list', collection, variant(reader, collection)),
  read(reader, node, old, before) {
    const value = readList(reader, node, old, before)
    if (isObject(value) && value !== old) {
      markOrigin(value, node.source as Row)
    }
    return value
  },
}

function readList(reader: Reader, node: Node, old: unknown, before: unknown): unknown {
  const { schema, seen, source } = node
  const { isMap, cacheWith, orderOf } = schema as ListClass
  const order = isMap ? undefined : orderOf?.(listAt(source as Row)?.keyArgs ?? {})
  if (typeof seen !== 'object' || !(order || isMap)) {
    return readItems(reader, node, cacheWith.choice, old, before)
  }
  const items: any = cacheWith.denormalize(seen, reader.delegate)
  if (order) {
    reader.finishParts()
    items.sort(order)
  }
  return asBefore(old, items)
}
