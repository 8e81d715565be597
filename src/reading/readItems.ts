import { asBefore } from '../base/equal.ts'
import type { Node } from '../rows/Node.ts'
import { denormalizeItems } from '../schema/Array.ts'
import type { Choice } from '../schema/polymorphic.ts'
import { isEntity } from '../schema/Schema.ts'
import { recordsOf } from './code.ts'
import type { Reader } from './denormalize.ts'

/** Reads a list of the items `node.seen`, which had the items `before`. */
export function readItems(reader: Reader, node: Node, choice: Choice, old: unknown, before: unknown): unknown {
  const { schema, attribute } = choice
  const isOfRecords = attribute === undefined && isEntity(schema)
  return (
    (isOfRecords ? recordsOf(schema).readKeys(reader, node, schema as never, old, before) : undefined) ??
    asBefore(old, denormalizeItems(choice, node.seen, reader.delegate))
  )
}
