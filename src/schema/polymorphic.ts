import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import { fail } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import { warnOnce } from '../base/warn.ts'
import { isEntity, type IDenormalizeDelegate, type Visit } from './Schema.ts'

/** The name of the member a value belongs to: a field, or a function. */
export type Attribute = string | ((value: any, parent: any, key: string | undefined) => any)

/** A field that at least one member declares, or a function; any name where the fields are not known. */
export type AttributeOf<C> = 0 extends 1 & C
  ? Attribute
  : [FieldOf<C[keyof C]>] extends [never]
    ? Attribute
    : FieldOf<C[keyof C]> | Exclude<Attribute, string>

type FieldOf<E> = E extends { readonly prototype: infer T }
  ? { [K in keyof T]: T[K] extends (...args: never) => unknown ? never : K }[keyof T] & string
  : never

/** A value that is one of several entities, as the store keeps it. */
export interface Tagged {
  readonly id: unknown
  readonly schema: string
}

/** One schema, or a map of them with the attribute that selects one: the items of arrays, maps, unions and lists. */
export interface Choice {
  readonly schema: any
  readonly attribute: Attribute | undefined
}

/** Makes a choice; a Union stands for its own map. */
export function choice(schema: unknown, attribute: Attribute | undefined): Choice {
  return attribute === undefined && isUnion(schema) ? schema : { schema, attribute }
}

/** True for a Union, known by its mark: an app that has none does not bundle it. */
function isUnion(schema: unknown): schema is Choice {
  return (schema as { isUnion?: unknown } | undefined)?.isUnion === true
}

const choices = new WeakMap<readonly unknown[], Choice>()

/** The item schema of `[X]`, computed once for each array; `[]` has plain items. */
export function listChoice(schema: readonly unknown[]): Choice {
  return recall(choices, schema, () => {
    if (!DEV || schema.length < 2) {
      return choice(schema[0], undefined)
    }
    throw fail(
      'array-schema',
      `[${schema.length}]`,
      `An array schema has one member, as in [User], or none for plain items; this one has ${schema.length}.`,
    )
  })
}

/** Normalises one value; of several possible kinds it keeps which one it was. */
export function normalizeChoice(
  { schema, attribute }: Choice,
  value: unknown,
  parent: unknown,
  key: string | undefined,
  visit: Visit,
  place?: number,
): unknown {
  if (attribute === undefined || value == null) {
    return visit(schema, value, parent, key, place)
  }
  // A stored reference that a reader passed back. If `schema` is the attribute, it is a record with no other field.
  if (isTagged(value, schema) && typeof value.id === 'string' && attribute !== 'schema') {
    return value
  }
  const name = chosen(attribute, value, parent, key) ?? classOf(schema, value)
  if (name === undefined || !Object.hasOwn(schema as object, name)) {
    if (DEV) {
      warnOnce(
        `A value with "${typeof attribute === 'string' ? attribute : 'attribute'}" = "${name}" belongs to none of ${Object.keys(schema as object).join(', ')}. It is kept as it came.`,
      )
    }
    return value
  }
  const id: unknown = visit(schema[name], value, parent, key, place)
  return id == null ? id : { id, schema: name }
}

/** Reads one value back. */
export function denormalizeChoice(
  { schema, attribute }: Choice,
  value: unknown,
  delegate: IDenormalizeDelegate,
): unknown {
  if (attribute === undefined) {
    return delegate.unvisit(schema, value)
  }
  return isTagged(value, schema) ? delegate.unvisit(schema[value.schema], value.id) : value
}

/** The name of the member, as text; `undefined` where the value does not say. */
export function chosen(attribute: Attribute, value: unknown, parent?: unknown, key?: string): string | undefined {
  const name: unknown =
    typeof attribute === 'function' ? attribute(value, parent, key) : (value as Record<string, unknown>)[attribute]
  // Inherited members are not names, and neither are objects, whose text may be anything.
  return name === undefined || typeof name === 'object' || typeof name === 'function' ? undefined : String(name)
}

/** An instance is known by its class, even if `process` took the attribute away. */
function classOf(schema: Record<string, unknown>, value: unknown): string | undefined {
  return Object.keys(schema).find((name) => isEntity(schema[name]) && value instanceof (schema[name] as never))
}

/** Recognises stored references by their shape, because reading may find raw values. */
export function isTagged(value: unknown, schema: object): value is Tagged {
  if (!isObject(value)) {
    return false
  }
  const { schema: name, id } = value as Partial<Tagged>
  return (
    typeof name === 'string' &&
    typeof id !== 'undefined' &&
    Object.keys(value).length === 2 &&
    Object.hasOwn(schema, name)
  )
}

/** The schemas among which is chosen. */
export function members({ schema, attribute }: Choice): unknown[] {
  return attribute === undefined ? [schema] : Object.values(schema as object)
}

/** The part of a table name that says what a list holds. */
export function choiceKey(of: Choice): string {
  return members(of)
    .map((member) => {
      const { key } = Object(member) as { key?: unknown }
      return typeof key === 'string' ? key : ''
    })
    .join(';')
}
