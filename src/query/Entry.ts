import type { Reader } from '../denormalize/denormalize.ts'
import { shapeOf } from '../denormalize/nodes.ts'
import type { Node } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { isEntity } from '../schema/Schema.ts'

/** One record, or one group, on its way through the stages of a query. All stages of a query share it. */
export class Entry {
  /** The node of the record, or of the group. */
  readonly node: Node
  /** The content of the record's row, or a sign of the group. Stages compare it with what they have last looked at. */
  seen: unknown
  /** Its place in the input. */
  at: number
  /** Its primary key, or the name of its group: entries with equal sort keys are ordered by it. */
  readonly id: string
  /** The record refers to no others, so that functions can read nothing but its own row. */
  readonly isFlat: boolean

  constructor(
    node: Node,
    seen: unknown,
    at: number,
    id: string,
    isPlain: boolean = isFlat(node.schema as RecordClass),
  ) {
    this.node = node
    this.seen = seen
    this.at = at
    this.id = id
    this.isFlat = isPlain
  }

  /** The row of the record. */
  get row(): Row {
    return this.node.source as Row
  }

  /** The value for the result; the node that is being built depends on it. */
  value(reader: Reader): unknown {
    return reader.get(this.node)
  }

  /** The value for a function of the app. */
  whole(reader: Reader): unknown {
    return reader.whole(this.node)
  }
}

const flat = /* @__PURE__ */ new WeakMap<object, boolean>()

/** True for a class whose schema has converters at most. */
function isFlat(Class: RecordClass): boolean {
  // The shape belongs to the schema, which a class may replace.
  const shape = shapeOf(Class)
  let known = flat.get(shape)
  if (known === undefined) {
    known = Object.values(Class.schema).every((member) => typeof member === 'function' && !isEntity(member))
    flat.set(shape, known)
  }
  return known
}
