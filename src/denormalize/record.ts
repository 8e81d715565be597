import { DEV } from '../base/env.ts'
import { put } from '../base/equal.ts'
import { isStandIn } from '../base/standIn.ts'
import { markOrigin } from '../normalize/origin.ts'
import type { Slot } from '../normalize/tables.ts'
import { assignFields, type Entity } from '../schema/Entity.ts'
import { type Choice, isTagged } from '../schema/polymorphic.ts'
import { INVALID, isEntity } from '../schema/Schema.ts'
import type { Reader } from './denormalize.ts'
import { DIRTY, type Node, NONE } from './memo.ts'
import { childNode, isReference, shapeOf } from './nodes.ts'
import { unvisit } from './unvisit.ts'

/** An instance with the fields of its row; relations are set later. */
export function instantiate({ schema: Class, seen, source }: Node): object {
  const instance: object = new Class()
  // First, while the engine still makes room in the object for what comes.
  markOrigin(instance, source as Slot)
  if (shapeOf(Class as typeof Entity).hasGetters || (seen as any)['__proto__'] !== Object.prototype) {
    assignFields(instance, seen as object)
  } else {
    Object.assign(instance, seen)
  }
  return instance
}

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
  const { hasGetters } = shapeOf(Class as typeof Entity)
  for (const name in Class.schema) {
    const raw: unknown = (seen as Record<string, unknown>)[name]
    const member: unknown = Class.schema[name]
    // A function is inherited: `constructor`, `toString`.
    if (raw === null || raw === undefined || typeof raw === 'function') {
      continue
    }
    reader.field = name
    let value: unknown = unvisit(reader, member, raw)
    if (value === undefined && isReference(member)) {
      value = Class.defaults[name]
    }
    if (value === INVALID) {
      value = undefined
    }
    if (hasGetters) {
      assignFields(record as object, { [name]: value })
    } else {
      put(record as object, name, value)
    }
  }
  const { pk, pending } = source as Slot
  if (pending !== undefined && isStandIn(pk)) {
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
  // Most records need none, or one that others have needed before.
  if (isRefused(reader, node)) {
    return false
  }
  if (needs(reader, node).every((needed) => isKnown(reader, needed))) {
    return true
  }
  // Each with the one that needs it.
  const met = new Map<Node, Node | undefined>([[node, undefined]])
  for (const [one] of met) {
    const known = isKnown(reader, one)
    if (!(known ?? !isRefused(reader, one))) {
      for (let at: Node | undefined = one; at !== undefined; at = met.get(at)) {
        judged.set(at, false)
      }
      return false
    }
    for (const needed of known ? [] : needs(reader, one)) {
      if (!met.has(needed)) {
        met.set(needed, one)
      }
    }
  }
  met.forEach((_, one) => judged.set(one, true))
  return true
}

/** Whether a record is shown, where this run has found out or nothing has changed since the last one. */
function isKnown({ judged }: Reader, node: Node): boolean | undefined {
  return node.flags & DIRTY ? judged.get(node) : node.value !== INVALID
}

/** True for a record that was deleted, or that its class refuses. */
function isRefused({ row }: Reader, { schema: Class, source }: Node): boolean {
  const value = row(source as Slot)
  if (typeof value !== 'object') {
    return value === INVALID
  }
  const { validate } = Class
  return validate !== undefined && !('~standard' in validate) && !!validate.call(Class, value)
}

/** The records without which a record is not shown. */
function needs(reader: Reader, node: Node): readonly Node[] {
  const { required } = shapeOf(node.schema as typeof Entity)
  const value = reader.row(node.source as Slot)
  if (required.length === 0 || typeof value !== 'object') {
    return NONE
  }
  const out: Node[] = []
  for (const name of required) {
    let pk: any = (value as any)[name]
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
