import { isObject } from '../base/equal.ts'
import type { Entity } from '../schema/Entity.ts'
import type { Invalidate } from '../schema/Invalidate.ts'
import { chosen } from '../schema/polymorphic.ts'
import { isEntity } from '../schema/Schema.ts'

/**
 * The value a delete resolves to: an instance made from the response, since the store no longer has the record; `undefined`
 * where the response has nothing to show, only an id or what the parameters said already.
 */
export function instanceOfGone(
  { choice: { schema, attribute } }: Invalidate,
  value: any,
  params: any,
  result?: any,
): unknown {
  const whole = isObject(value)
  const name = String(attribute !== undefined && whole ? chosen(attribute, value) : result?.schema)
  const Member: unknown =
    attribute === undefined ? schema : Object.hasOwn(schema as object, name) ? schema[name] : undefined
  if (whole && Object.entries(value).some(([field, part]) => String(part) !== String(params?.[field]))) {
    return isEntity(Member) ? (Member as unknown as typeof Entity).fromJS.call(Member as never, value) : value
  }
  return isEntity(Member) || attribute !== undefined ? undefined : value
}
