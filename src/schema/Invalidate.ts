import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { Denormalize, EntityClass, SchemaMark } from './Denormalize.ts'
import { type Attribute, type Choice, choice } from './polymorphic.ts'
import { markOwn, type IDenormalizeDelegate, type INormalizeDelegate, type Visit } from './Schema.ts'

/**
 * Takes records out of the store. A reader that needs one of them asks for it again; lists leave it out.
 *
 * @example
 * const removeUser = new RestEndpoint({ path: '/user/:id', method: 'DELETE', schema: new Invalidate(User) })
 * @see docs/api/Invalidate.md
 */
export class Invalidate<S extends EntityClass | SchemaMark = any> {
  declare readonly _out: Denormalize<S> | undefined
  declare readonly _in: S | string | number
  declare readonly _normal: string
  /** A bare primary key is enough. */
  readonly acceptsKey: true = true
  declare readonly choice: Choice

  constructor(schema: S)
  constructor(schema: { readonly [name: string]: S }, attribute: Attribute)
  constructor(schema: any, attribute?: Attribute) {
    if (!schema) {
      throw fail(
        'invalidate-entity',
        'Invalidate',
        DEV && 'Invalidate schema requires "entity" option. Give the Entity, Union or Collection to take out.',
      )
    }
    this.choice = choice(schema, attribute)
    markOwn(Invalidate)
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

  queryKey(): undefined {
    return undefined
  }
}
