import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import type { Denormalize, EntityClass, SchemaArgs } from '../schema/Denormalize.ts'
import { type Attribute, type AttributeOf, chosen, isTagged, members, type Tagged } from '../schema/polymorphic.ts'
import { type IDenormalizeDelegate, type INormalizeDelegate, isEntity, type Visit } from '../schema/Schema.ts'

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
    return this.tag(input, parent, key, visit)
  }

  /** @internal Normalises a value, and keeps which member it was. `place`: its place in a list, for messages. */
  tag(value: any, parent: unknown, key: string | undefined, visit: Visit, place?: number): unknown {
    const { schema, attribute } = this
    // A stored reference that a reader passed back. If `schema` is the attribute, it is a record with no other field.
    if (value == null || (isTagged(value, schema) && typeof value.id === 'string' && attribute !== 'schema')) {
      return value
    }
    const name = chosen(attribute, value, parent, key) ?? classOf(schema, value)
    if (name === undefined || !Object.hasOwn(schema, name)) {
      if (DEV) {
        warnOnce(
          `A value with "${typeof attribute === 'string' ? attribute : 'attribute'}" = "${name}" belongs to none of ${Object.keys(schema).join(', ')}. It is kept as it came.`,
        )
      }
      return value
    }
    const id: unknown = visit(schema[name], value, parent, key, place)
    return id == null ? id : { id, schema: name }
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return isTagged(input, this.schema) ? delegate.unvisit(this.schema[input.schema], input.id) : input
  }

  /** @internal Removes a record from the store. */
  invalidate(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    pkOf: (Member: any) => string,
    delegate: INormalizeDelegate,
  ): unknown {
    const { schema, attribute } = this
    const named = typeof input === 'object' ? chosen(attribute, input, parent, key) : undefined
    const isNamed = named !== undefined && Object.hasOwn(schema, named)
    for (const name of isNamed ? [named] : Object.keys(schema)) {
      const Member = schema[name]!
      const id = pkOf(Member)
      // A bare key does not say which member it is: it is the one that is stored.
      if (isNamed || delegate.getEntity(Member.key, id) !== undefined) {
        delegate.invalidate(Member, id)
        return { id, schema: name }
      }
    }
    return input
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

/** An instance is known by its class, even if `process` took the attribute away. */
function classOf(schema: { readonly [name: string]: unknown }, value: unknown): string | undefined {
  return Object.keys(schema).find((name) => isEntity(schema[name]) && value instanceof (schema[name] as never))
}
