import { DEV } from '../base/env.ts'
import { fail, refusal } from '../base/errors.ts'
import { show } from '../base/show.ts'
import type { Denormalize, EntityClass, SchemaMark } from '../schema/Denormalize.ts'
import type { Entity } from './Entity.ts'
import { keyField, usablePk } from '../schema/pk.ts'
import { type Choice, choice, denormalizeChoice, members, type UnionChoice } from '../schema/polymorphic.ts'
import { type IDenormalizeDelegate, type INormalizeDelegate, isList, type Visit } from '../schema/Schema.ts'

/**
 * Removes records from the store. A reader that needs one of them refetches it; lists omit it.
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
  /** @internal */
  readonly isInvalidate: true = true
  declare readonly choice: Choice

  constructor(schema: S) {
    if (DEV && !schema) {
      throw fail(
        'invalidate-entity',
        'Invalidate',
        'Invalidate schema requires "entity" option. Pass the Entity, Union or Collection to remove.',
      )
    }
    this.choice = choice(schema)
  }

  /** @internal */
  parts(): readonly unknown[] {
    return members(this.choice)
  }

  normalize(
    input: any,
    parent: any,
    key: string | undefined,
    args: readonly any[],
    _visit: Visit,
    delegate: INormalizeDelegate,
  ): unknown {
    const { schema, attribute } = this.choice
    if (isList(schema)) {
      return delegate.invalidateList(schema, schema.writeKey(parent, key, args, false))
    }
    const pkOf = (Member: typeof Entity): string => {
      const given =
        typeof input === 'object'
          ? Member.pk(Member.process(input, parent, key, args) ?? input, parent, key, args)
          : (input as string)
      const pk = usablePk(given)
      if (pk === undefined) {
        throw refusal(
          'invalidate-missing-pk',
          Member.key,
          DEV &&
            `Missing usable primary key: the response does not say which "${Member.key}" was deleted. It was ${show(input)}. ${adviseOnKey(Member, input)}`,
        )
      }
      return pk
    }
    if (attribute !== undefined) {
      return (this.choice as UnionChoice).invalidate(input, parent, key, pkOf, delegate)
    }
    const pk = pkOf(schema as typeof Entity)
    delegate.invalidate(schema as typeof Entity, pk)
    return pk
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return denormalizeChoice(this.choice, input, delegate)
  }

  queryKey(): undefined {
    return undefined
  }
}

/** A parameter of the path with another name than the field of the key is the commonest cause. */
function adviseOnKey(Member: typeof Entity, input: unknown): string | false {
  const field = DEV && keyField(Member)
  return (
    DEV &&
    (field && field !== 'id' && typeof input === 'object'
      ? `The key of "${Member.key}" is its field "${field}". Name the parameter of the path like it: "/:${field}".`
      : 'Take the id from the arguments: extend({ process: (_, params) => params }).')
  )
}
