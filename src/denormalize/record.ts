import { DEV } from '../base/env.ts'
import { put } from '../base/equal.ts'
import { isStandIn } from '../base/standIn.ts'
import { warnOnce } from '../base/warn.ts'
import type { Slot } from '../normalize/tables.ts'
import { assignFields, type Entity } from '../schema/Entity.ts'
import { INVALID } from '../schema/Schema.ts'
import type { ReadContext } from './context.ts'
import { isConverter } from './convert.ts'
import type { Node } from './memo.ts'
import { isReference, shapeOf } from './shape.ts'
import { unvisit } from './unvisit.ts'
import { needs } from './usable.ts'

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
