import type { Slot } from '../normalize/tables.ts'
import type { Entity } from '../schema/Entity.ts'
import { type Choice, isTagged } from '../schema/polymorphic.ts'
import { INVALID, isEntity } from '../schema/Schema.ts'
import { childNode, type ReadContext, valueOf } from './context.ts'
import { DIRTY, type Node } from './memo.ts'
import { shapeOf } from './shape.ts'

/** A record is shown unless it is refused, or one that it needs is not there. */
export function isShown(context: ReadContext, node: Node): boolean {
  return !isRefused(node.schema as typeof Entity, node.seen) && isUsable(context, node)
}

/** True for a record that was deleted, or that its class refuses. */
function isRefused(Class: typeof Entity, value: unknown): boolean {
  if (typeof value !== 'object') {
    return value === INVALID
  }
  const { validate } = Class
  return validate !== undefined && !('~standard' in validate) && !!validate.call(Class as never, value)
}

function isGone(context: ReadContext, { flags, value, schema, source }: Node): boolean {
  return flags & DIRTY ? isRefused(schema as typeof Entity, valueOf(context, source as Slot)) : value === INVALID
}

/**
 * A record is usable unless one it needs is gone, or is itself not usable. Records that need each other are judged
 * together: all that can be reached, then what was found missing spreads back.
 */
function isUsable(context: ReadContext, node: Node): boolean {
  if (!hasNeeds(node)) {
    return true
  }
  const { usable } = context
  const known = usable.get(node)
  if (known !== undefined) {
    return known
  }
  const children = needs(context, node)
  let isPlain = true
  for (const child of children) {
    isPlain &&= !isGone(context, child) && ((child.flags & DIRTY) === 0 || !hasNeeds(child))
  }
  if (isPlain) {
    return true
  }
  const met = new Map([[node, children]])
  const bad = new Set<Node>()
  for (const below of met.values()) {
    for (const child of below) {
      if (usable.get(child) === false || isGone(context, child)) {
        bad.add(child)
      } else if (child.flags & DIRTY && !usable.has(child) && !met.has(child)) {
        met.set(child, needs(context, child))
      }
    }
  }
  const upwards = [...met].reverse()
  for (let size = 0; size < bad.size;) {
    size = bad.size
    for (const [one, below] of upwards) {
      if (below.some((child) => bad.has(child))) {
        bad.add(one)
      }
    }
  }
  for (const one of met.keys()) {
    usable.set(one, !bad.has(one))
  }
  return !bad.has(node)
}

function hasNeeds(node: Node): boolean {
  return shapeOf(node.schema as typeof Entity).required.length > 0
}

/** The records without which a record is not shown. */
export function needs(context: ReadContext, { schema: Class, source }: Node): Node[] {
  const value = valueOf(context, source as Slot)
  const out: Node[] = []
  if (typeof value === 'object') {
    for (const name of shapeOf(Class as typeof Entity).required) {
      let pk: any = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined
      let Child: any = Class.schema[name]
      if (!isEntity(Child)) {
        if (!isTagged(pk, (Child as Choice).schema)) {
          continue
        }
        Child = Child.schema[pk.schema]
        pk = pk.id
      }
      if (typeof pk === 'string') {
        out.push(childNode(context, Child as typeof Entity, pk))
      }
    }
  }
  return out
}
