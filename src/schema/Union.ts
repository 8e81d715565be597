import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { Denormalize, EntityClass, SchemaArgs } from './Denormalize.ts'
import type { Attribute, AttributeOf, Tagged } from './polymorphic.ts'
import {
  markOwn,
  type IDenormalizeDelegate,
  type INormalizeDelegate,
  type IQueryDelegate,
  type Visit,
} from './Schema.ts'

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
    markOwn(Union)
  }

  normalize(
    input: any,
    parent: any,
    key: string | undefined,
    args: readonly any[],
    visit: Visit,
    delegate: INormalizeDelegate,
  ): unknown {
    return delegate.take(this, input, parent, key, args, visit)
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return delegate.give(this, input)
  }

  queryKey(
    args: readonly any[],
    unvisit: (schema: unknown, args: readonly any[]) => any,
    delegate: IQueryDelegate,
  ): Tagged | undefined {
    return delegate.findMember(this, args, unvisit)
  }
}
