import { ArraySchema } from '../schema/Array.ts'
import type { Attribute } from '../schema/polymorphic.ts'
import { Union } from './Union.ts'

/**
 * A list of things, each of one kind or of several. `[User]` is short for `new schema.Array(User)`.
 *
 * @example
 * const feed = new schema.Array({ post: Post, link: Link }, 'type')
 * @see docs/api/schema.md
 */
export class MixedArray<S = any> extends ArraySchema<S> {
  constructor(schema: S)
  constructor(schema: { readonly [name: string]: S }, attribute: Attribute)
  constructor(schema: any, attribute?: Attribute) {
    super(attribute === undefined ? schema : new Union(schema, attribute))
  }
}
