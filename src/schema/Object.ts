import { isObject, put } from '../base/equal.ts'
import type { Denormalize, Normalize, SchemaArgs } from './Denormalize.ts'
import { INVALID, type IDenormalizeDelegate, type IQueryDelegate, type Visit } from './Schema.ts'

/**
 * An object with named members. `{ user: User }` is short for `new schema.Object({ user: User })`.
 *
 * @example
 * const answer = new schema.Object({ results: [User], total: 0 })
 * @see docs/api/schema.md
 */
export class ObjectSchema<S extends object = any> {
  declare readonly _out: Denormalize<S>
  declare readonly _in: S
  declare readonly _normal: Normalize<S>
  declare readonly _args: SchemaArgs<S>
  readonly isObject: true = true
  declare schema: S

  constructor(schema: S) {
    this.schema = schema
  }

  /** @internal */
  parts(): readonly unknown[] {
    return [this.schema]
  }

  /** Adds members. */
  define(more: object): void {
    this.schema = { ...this.schema, ...more }
  }

  // A plain object is a schema, too: the functions below serve both.
  normalize(input: any, parent: any, key: string | undefined, _args: readonly any[], visit: Visit): unknown {
    return visit(this.schema, input, parent, key)
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return delegate.unvisit(this.schema, input)
  }

  queryKey(args: readonly any[], unvisit: (schema: unknown, args: readonly any[]) => any, _: IQueryDelegate): unknown {
    return unvisit(this.schema, args)
  }
}

/** Normalises the named members and keeps the others. A member that becomes `undefined` is dropped. */
export function normalizeMembers(schema: object, input: any, visit: Visit): unknown {
  if (!isObject(input)) {
    return input
  }
  const out: Record<string, unknown> = { ...input }
  for (const name of Object.keys(schema)) {
    if (!Object.hasOwn(input, name)) {
      continue
    }
    const value: unknown = visit((schema as Record<string, unknown>)[name], out[name], input, name)
    if (value === undefined) {
      delete out[name]
    } else {
      put(out, name, value)
    }
  }
  return out
}

/** Reads the members back. One that was deleted makes the whole deleted. */
export function denormalizeMembers(schema: object, input: any, delegate: IDenormalizeDelegate): unknown {
  if (!isObject(input)) {
    return input
  }
  const out: Record<string, unknown> = { ...input }
  for (const name of Object.keys(schema)) {
    const member = (schema as Record<string, unknown>)[name]
    const value: unknown = Object.hasOwn(out, name) ? delegate.unvisit(member, out[name]) : undefined
    if (value === INVALID) {
      return INVALID
    }
    // A member that is no schema is its own default.
    const absent = value === undefined && member !== null && typeof member !== 'object' && typeof member !== 'function'
    if (absent || Object.hasOwn(out, name)) {
      put(out, name, absent ? member : value)
    }
  }
  return out
}

/** Looks up each member with the same arguments; a default is its own value. */
export function queryMembers(
  schema: object,
  args: readonly any[],
  unvisit: (schema: unknown, args: readonly any[]) => any,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, unvisit(member, args)]))
}
