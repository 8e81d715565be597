import { isObject } from '../base/equal.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Slot } from '../normalize/tables.ts'
import { isEntity, isList, membersOf } from '../schema/Schema.ts'

/** The schemas that have others inside, as far as the devtools look into them. */
interface Wrapper {
  readonly schema?: unknown
  readonly attribute?: unknown
  readonly choice?: unknown
}

/** The row that a stored value refers to. */
export function referenceOf(controller: Controller, schema: unknown, value: unknown): Slot | undefined {
  if (schema === undefined || schema === null) {
    return undefined
  }
  const { tables } = controller.core.store.tables
  if (isEntity(schema) || isList(schema)) {
    const isKey = typeof value === 'string' || typeof value === 'number'
    return isKey ? tables.get(schema.key)?.slots.get(String(value)) : undefined
  }
  const { schema: inner, attribute, choice } = schema as Wrapper
  if (attribute !== undefined) {
    const { id, schema: name } = Object(value) as { id?: unknown; schema?: string }
    return name === undefined ? undefined : referenceOf(controller, (inner as Record<string, unknown>)[name], id)
  }
  // Lazy, Query and Invalidate hold what their inner schema holds.
  return choice === undefined && !membersOf(schema) && !Array.isArray(schema)
    ? referenceOf(controller, inner, value)
    : undefined
}

/** The schema of a member of a stored value. */
export function memberSchema(schema: unknown, name: string): unknown {
  if (schema === undefined || schema === null) {
    return undefined
  }
  if (Array.isArray(schema)) {
    return schema[0] as unknown
  }
  if (isEntity(schema)) {
    return (schema as { schema?: Record<string, unknown> }).schema?.[name]
  }
  const members = membersOf(schema)
  if (members) {
    return members[name]
  }
  const { schema: inner, attribute, choice } = schema as Wrapper
  if (choice !== undefined) {
    const { schema: item, attribute: by } = choice as Wrapper
    return by === undefined ? item : choice
  }
  return attribute === undefined ? memberSchema(inner, name) : undefined
}

/** The schema that a row is stored with. */
export function schemaOf({ table, list, schema }: Slot, controller: Controller): unknown {
  if (schema !== undefined || table.key === '') {
    return schema
  }
  if (table.entity !== undefined) {
    return table.entity
  }
  const collection = list?.collection as { readonly cacheWith?: unknown } | undefined
  // A list that was restored knows only the name of its entity.
  const held = table.holds.length === 1 ? controller.core.store.tables.tables.get(table.holds[0]!)?.entity : undefined
  return collection?.cacheWith ?? (held && [held])
}

/** True for values that a tree opens. */
export function hasMembers(value: unknown): value is object {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0
}
