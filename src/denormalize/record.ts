import { DEV } from '../base/env.ts'
import { put } from '../base/equal.ts'
import { isStandIn } from '../base/standIn.ts'
import { warnOnce } from '../base/warn.ts'
import type { Slot } from '../normalize/tables.ts'
import { assignFields, type Entity } from '../schema/Entity.ts'
import { type Choice, isTagged } from '../schema/polymorphic.ts'
import { INVALID, isEntity } from '../schema/Schema.ts'
import type { Reader } from './denormalize.ts'
import { DIRTY, type Node } from './memo.ts'
import { childNode } from './nodes.ts'
import { isReference, shapeOf } from './shape.ts'
import { unvisit } from './unvisit.ts'

/** Sets the relations and converted fields of a record. */
export function fillRecord(reader: Reader, node: Node): void {
  const { value: record, source, seen, schema: Class } = node
  if (record === INVALID) {
    // An invalid record depends on those that made it so.
    needs(reader, node).forEach((needed) => reader.get(needed))
  }
  if (record === undefined || record === INVALID) {
    return
  }
  const isDeep = reader.depth > 0
  if (DEV && !isDeep) {
    warnOnce(
      `Reading stopped at the maxEntityDepth of "${Class.key}"; deeper relations hold ids. Use Lazy for them.`,
      'error',
    )
  }
  for (const name in Class.schema) {
    const raw = own(seen, name)
    const member: unknown = Class.schema[name]
    if (raw === null || raw === undefined || (!isDeep && (typeof member !== 'function' || isEntity(member)))) {
      continue
    }
    reader.frame.field = name
    let value: unknown = unvisit(reader, member, raw)
    if (value === undefined && isReference(member)) {
      value = Class.defaults[name]
    }
    if (value === INVALID) {
      value = undefined
    }
    if (shapeOf(Class as typeof Entity).hasGetters) {
      assignFields(record as object, { [name]: value })
    } else {
      put(record as object, name, value)
    }
  }
  const { pk } = source as Slot
  if (isStandIn(pk)) {
    Object.defineProperty(record, 'pk', { value: () => pk, configurable: true })
  }
  if (DEV) {
    Object.freeze(record)
  }
}

/**
 * A record is shown unless it was deleted, its class refuses it, or one that it needs is not shown: of all that can be reached
 * that way none may be missing.
 */
export function isShown(reader: Reader, node: Node): boolean {
  const { judged } = reader
  if (isRefused(node.schema as typeof Entity, node.seen)) {
    return false
  }
  // Records met on the way count as shown until the contrary is found; `by[i]` needs `met[i]`.
  const met = [node]
  const by = [-1]
  for (let i = judged.has(node) ? 1 : 0; i < met.length; i++) {
    for (const needed of needs(reader, met[i]!)) {
      if (isMissing(reader, needed)) {
        met.forEach((one) => judged.delete(one))
        for (let at = i; at >= 0; at = by[at]!) {
          judged.set(met[at]!, false)
        }
        return false
      }
      if (needed.flags & DIRTY && !judged.has(needed)) {
        judged.set(needed, true)
        met.push(needed)
        by.push(i)
      }
    }
  }
  return judged.get(node) ?? true
}

function isMissing({ judged, row }: Reader, node: Node): boolean {
  return node.flags & DIRTY
    ? judged.get(node) === false || isRefused(node.schema as typeof Entity, row(node.source as Slot))
    : node.value === INVALID
}

/** True for a record that was deleted, or that its class refuses. */
function isRefused(Class: typeof Entity, value: unknown): boolean {
  if (typeof value !== 'object') {
    return value === INVALID
  }
  const { validate } = Class
  return validate !== undefined && !('~standard' in validate) && !!validate.call(Class as never, value)
}

/** The records without which a record is not shown. */
function needs(reader: Reader, node: Node): Node[] {
  const value = reader.row(node.source as Slot)
  const out: Node[] = []
  for (const name of typeof value === 'object' ? shapeOf(node.schema as typeof Entity).required : []) {
    let pk: any = own(value, name)
    let Child: any = node.schema.schema[name]
    if (isTagged(pk, (Child as Choice).schema as object)) {
      Child = Child.schema[pk.schema]
      pk = pk.id
    }
    if (typeof pk === 'string' && isEntity(Child)) {
      out.push(childNode(reader, Child as never, pk))
    }
  }
  return out
}

function own(row: unknown, name: string): unknown {
  return Object.hasOwn(row as object, name) ? (row as Record<string, unknown>)[name] : undefined
}
