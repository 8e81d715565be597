import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import { fail } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import type { IDenormalizeDelegate, INormalizeDelegate, Visit } from './Schema.ts'

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

/** The schema of the items of arrays, maps and lists. With an attribute it is a Union: the schemas are its members. */
export interface Choice {
  readonly schema: any
  readonly attribute?: Attribute | undefined
}

/** The members by which a Union handles an item. Others call it through them: an app without a Union does not bundle it. */
export interface UnionChoice extends Choice {
  readonly isUnion: true
  tag(value: unknown, parent: unknown, key: string | undefined, visit: Visit, place?: number): unknown
  denormalize(value: unknown, delegate: IDenormalizeDelegate): unknown
  invalidate(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    pkOf: (Member: any) => string,
    delegate: INormalizeDelegate,
  ): unknown
}

/** Makes a choice; a Union stands for its members. */
export function choice(schema: any): Choice {
  return schema?.isUnion ? schema : { schema }
}

/** True for an Invalidate: the value says which record was deleted. */
export function isInvalidate(schema: unknown): schema is { readonly choice: Choice } {
  return isObject(schema) && 'isInvalidate' in schema
}

const choices = new WeakMap<readonly unknown[], Choice>()

/** The item schema of `[X]`, computed once for each array; `[]` has plain items. */
export function listChoice(schema: readonly unknown[]): Choice {
  return recall(choices, schema, () => {
    if (!DEV || schema.length < 2) {
      return choice(schema[0])
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
  of: Choice,
  value: unknown,
  parent: unknown,
  key: string | undefined,
  visit: Visit,
  place?: number,
): unknown {
  return of.attribute === undefined
    ? visit(of.schema, value, parent, key, place)
    : (of as UnionChoice).tag(value, parent, key, visit, place)
}

/** Reads one value back. */
export function denormalizeChoice(of: Choice, value: unknown, delegate: IDenormalizeDelegate): unknown {
  return of.attribute === undefined
    ? delegate.unvisit(of.schema, value)
    : (of as UnionChoice).denormalize(value, delegate)
}

/** The name of the member, as text; `undefined` where the value does not say. */
export function chosen(attribute: Attribute, value: unknown, parent?: unknown, key?: string): string | undefined {
  const name: unknown =
    typeof attribute === 'function' ? attribute(value, parent, key) : (value as Record<string, unknown>)[attribute]
  // Inherited members are not names, and neither are objects, whose text may be anything.
  return name === undefined || typeof name === 'object' || typeof name === 'function' ? undefined : String(name)
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
