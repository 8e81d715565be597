import { DEV } from '../base/env.ts'
import { put } from '../base/equal.ts'
import { isStandIn } from '../base/standIn.ts'
import { warnOnce } from '../base/warn.ts'
import type { Slot } from '../normalize/tables.ts'
import { assignFields, type Entity } from '../schema/Entity.ts'
import { type Choice, isTagged } from '../schema/polymorphic.ts'
import { INVALID, isEntity } from '../schema/Schema.ts'
import { childNode, type ReadContext } from './context.ts'
import { isConverter } from './convert.ts'
import { DIRTY, type Node } from './memo.ts'
import { isReference, shapeOf } from './shape.ts'
import { unvisit } from './unvisit.ts'

/** Sets the relations and converted fields of a record. */
export function fillRecord(context: ReadContext, node: Node): void {
  const { value: record, source, seen, extra } = node
  if (record === undefined) {
    return
  }
  if (record === INVALID) {
    // An invalid record depends on those that made it so.
    needs(context, node).forEach((needed) => context.get(needed))
    return
  }
  const Class = node.schema as typeof Entity
  const { schema } = Class
  const { hasGetters } = shapeOf(Class)
  const isDeep = (extra?.depth ?? Infinity) > 0
  if (DEV && !isDeep) {
    warnOnce(
      `Reading stopped at the maxEntityDepth of "${Class.key}"; deeper relations hold ids. Use Lazy for them.`,
      'error',
    )
  }
  for (const name in schema) {
    const raw: unknown = Object.hasOwn(seen as object, name) ? (seen as Record<string, unknown>)[name] : undefined
    const member: unknown = schema[name]
    if (raw === null || raw === undefined || (!isDeep && !isConverter(member))) {
      continue
    }
    context.frame.field = name
    let value: unknown = unvisit(context, member, raw)
    if (value === undefined && isReference(member)) {
      value = (Class.defaults as Record<string, unknown>)[name]
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
  const { pk } = source as Slot
  if (isStandIn(pk)) {
    Object.defineProperty(record, 'pk', { value: () => pk, configurable: true })
  }
  if (DEV) {
    Object.freeze(record)
  }
}

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

function isMissing(context: ReadContext, { flags, value, schema, source }: Node): boolean {
  return flags & DIRTY ? isRefused(schema as typeof Entity, context.row(source as Slot).value) : value === INVALID
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
  let isUndisputed = true
  for (const child of children) {
    isUndisputed &&= !isMissing(context, child) && ((child.flags & DIRTY) === 0 || !hasNeeds(child))
  }
  if (isUndisputed) {
    return true
  }
  const met = new Map([[node, children]])
  const bad = new Set<Node>()
  for (const below of met.values()) {
    for (const child of below) {
      if (usable.get(child) === false || isMissing(context, child)) {
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
function needs(context: ReadContext, { schema: Class, source }: Node): Node[] {
  const value = context.row(source as Slot).value
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
