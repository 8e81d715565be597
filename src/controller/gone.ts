import { isObject } from '../base/equal.ts'
import type { Entity } from '../schema/Entity.ts'
import type { Invalidate } from '../schema/Invalidate.ts'
import { chosen } from '../schema/polymorphic.ts'
import { isEntity } from '../schema/Schema.ts'

/** What a delete comes to for its caller: an instance made from the answer, since the store has none any more. */
export function instanceOfGone({ choice: { schema, attribute } }: Invalidate, value: any, result?: any): unknown {
  const whole = isObject(value)
  const name = String(attribute !== undefined && whole ? chosen(attribute, value) : result?.schema)
  const Member: unknown =
    attribute === undefined ? schema : Object.hasOwn(schema as object, name) ? schema[name] : undefined
  if (!isEntity(Member)) {
    return value
  }
  return (Member as unknown as typeof Entity).fromJS.call(Member as never, whole ? value : { id: value })
}
