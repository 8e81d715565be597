import type { AnyRow } from '../lists/ListRow.ts'
import { isObject, isPlain } from '../base/equal.ts'
import type { Controller } from '../controller/Controller.ts'
import type { SharedView } from '../views/SharedView.ts'
import { nodesOf } from '../rows/Node.ts'
import { nameOf } from '../explain/rowNames.ts'
import { top } from '../rows/overlay.ts'
import type { Row } from '../rows/Row.ts'
import { INVALID, isEntity, isList, membersOf } from '../schema/Schema.ts'

/** The schemas that have others inside, as far as the devtools look into them. */
interface Wrapper {
  readonly schema?: unknown
  readonly attribute?: unknown
  readonly choice?: unknown
}

/** The row that a stored value refers to. */
export function referenceOf(controller: Controller, schema: unknown, value: unknown): Row | undefined {
  if (schema === undefined || schema === null) {
    return undefined
  }
  const { tables } = controller.core.store.tables
  if (isEntity(schema) || isList(schema)) {
    const isKey = typeof value === 'string' || typeof value === 'number'
    return isKey ? tables.get(schema.key)?.byPk.get(String(value)) : undefined
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
export function schemaOf({ table, list, schema }: AnyRow, controller: Controller): unknown {
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

/** A stored value with the rows that it refers to in their places, for JSON. A row inside itself is its name. */
function expand(controller: Controller, schema: unknown, value: unknown, outer: ReadonlySet<Row> = new Set()): unknown {
  const row = referenceOf(controller, schema, value)
  if (row) {
    return outer.has(row) ? nameOf(row) : expandRow(controller, row, outer)
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown) => expand(controller, memberSchema(schema, ''), item, outer))
  }
  return isPlain(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, part]) => [
          name,
          expand(controller, memberSchema(schema, name), part, outer),
        ]),
      )
    : value
}

/** The value of a row, with the rows that it refers to in their places. */
export function expandRow(controller: Controller, row: Row, outer: ReadonlySet<Row> = new Set()): unknown {
  const value = top(row)
  return value === INVALID ? null : expand(controller, schemaOf(row, controller), value, new Set([...outer, row]))
}

/** The endpoint and arguments that a result was last read with. */
export function targetOf({ node }: Row): [target: object, args: readonly any[]] | undefined {
  for (const { aside } of node ? nodesOf(node) : []) {
    const view = aside?.view as SharedView | undefined
    if (view) {
      return [view.target, view.args]
    }
  }
  return undefined
}

/** True for values that a tree opens. */
export function hasMembers(value: unknown): value is object {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0
}
