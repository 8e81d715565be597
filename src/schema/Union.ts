import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { Denormalize, EntityClass, SchemaArgs } from './Denormalize.ts'
import {
  type Attribute,
  type AttributeOf,
  chosen,
  denormalizeChoice,
  members,
  normalizeChoice,
  type Tagged,
} from './polymorphic.ts'
import type { IDenormalizeDelegate, Visit } from './Schema.ts'

/**
 * One of several entities; an attribute of the value says which.
 *
 * @example
 * const item = new Union({ post: Post, link: Link }, 'type')
 * @see docs/api/Union.md
 */
export class Union<C extends { readonly [name: string]: EntityClass } = any> {
  declare readonly _out: Denormalize<C[keyof C]>
  declare readonly _in: C[keyof C]
  declare readonly _normal: { id: string; schema: string }
  declare readonly _args: SchemaArgs<C[keyof C]>
  /** Arrays, maps and lists look through a union. */
  readonly isUnion: true = true
  declare readonly schema: C
  declare readonly attribute: Attribute

  constructor(schema: C, attribute: AttributeOf<C>) {
    if (attribute === undefined) {
      throw fail(
        'union-attribute',
        Object.keys(schema).join(', '),
        DEV &&
          'Expected option "schemaAttribute" not found on UnionSchema. Give the field that tells the members apart.',
      )
    }
    this.schema = schema
    this.attribute = attribute
  }

  /** @internal */
  parts(): readonly unknown[] {
    return members(this)
  }

  normalize(input: any, parent: any, key: string | undefined, _args: readonly any[], visit: Visit): unknown {
    return normalizeChoice(this, input, parent, key, visit)
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return denormalizeChoice(this, input, delegate)
  }

  /** The stored member that the arguments name. */
  queryKey(args: readonly any[], unvisit: (schema: unknown, args: readonly any[]) => any): Tagged | undefined {
    const { schema, attribute } = this
    const [first] = args
    if (first == null) {
      return undefined
    }
    let named: string | undefined
    try {
      if (typeof first === 'object') {
        named = chosen(attribute, first)
      }
    } catch {
      // A function that tells records apart may need more than the arguments contain.
    }
    for (const name of named === undefined ? Object.keys(schema) : [named]) {
      const id: unknown = Object.hasOwn(schema, name) ? unvisit(schema[name], args) : undefined
      if (id !== undefined) {
        return { id, schema: name }
      }
    }
    return undefined
  }
}
