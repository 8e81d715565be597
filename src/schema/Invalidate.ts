import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import { fail } from '../base/errors.ts'
import { show } from '../base/show.ts'
import type { Collection } from './Collection.ts'
import type { Denormalize } from './Denormalize.ts'
import { type Entity, usablePk } from './Entity.ts'
import { type Attribute, type Choice, choice, chosen, denormalizeChoice } from './polymorphic.ts'
import { isEntity, markOwn, type IDenormalizeDelegate, type INormalizeDelegate, type Visit } from './Schema.ts'

/**
 * Takes records out of the store. A reader that needs one of them asks for it again; lists leave it out.
 *
 * @example
 * const removeUser = new RestEndpoint({ path: '/user/:id', method: 'DELETE', schema: new Invalidate(User) })
 * @see docs/api/Invalidate.md
 */
export class Invalidate<S = any> {
  declare readonly _out: Denormalize<S>
  declare readonly _in: S | string | number
  declare readonly _normal: string
  /** A bare primary key is enough. */
  readonly acceptsKey: true = true
  declare readonly choice: Choice

  constructor(schema: S)
  constructor(schema: { readonly [name: string]: S }, attribute: Attribute)
  constructor(schema: any, attribute?: Attribute) {
    if (!schema)
      throw fail(
        'invalidate-entity',
        'Invalidate',
        DEV && 'Invalidate schema requires "entity" option. Give the Entity, Union or Collection to take out.',
      )
    this.choice = choice(schema, attribute)
    markOwn(Invalidate)
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
    if (typeof schema === 'object' && 'writeKey' in (schema as object)) {
      const list = schema as Collection
      return delegate.invalidateList(list, list.writeKey(parent, key, args, false))
    }
    const whole = typeof input === 'object'
    /** Takes the record out; `seek`: unless it is not there. */
    const take = (Member: typeof Entity, seek?: boolean): string | undefined => {
      const pk = usablePk(
        whole ? Member.pk(Member.process(input, parent, key, args) ?? input, parent, key, args) : input,
      )
      if (pk === undefined)
        throw fail(
          'invalidate-missing-pk',
          Member.key,
          DEV &&
            `Missing usable primary key: the answer does not say which "${Member.key}" to take out. It was ${show(input)}. Give the endpoint a process that returns its params: extend({ process: (_, params) => params }).`,
          Error,
          { status: 400, refused: true },
        )
      if (seek && delegate.getEntity(Member.key, pk) === undefined) return undefined
      delegate.invalidate(Member, pk)
      return pk
    }
    if (attribute === undefined) return take(schema as typeof Entity)
    const named = whole ? chosen(attribute, input, parent, key) : undefined
    const isNamed = named !== undefined && Object.hasOwn(schema as object, named)
    // Where only a key came back, the record is where it was stored.
    for (const name of isNamed ? [named] : Object.keys(schema as object)) {
      const id = take(schema[name] as typeof Entity, !isNamed)
      if (id !== undefined) return { id, schema: name }
    }
    return input
  }

  /** What a delete comes to for its caller: an instance made from the answer, since the store has none any more. */
  instance(value: any, result?: any): unknown {
    const { schema, attribute } = this.choice
    const whole = isObject(value)
    const name = String(attribute !== undefined && whole ? chosen(attribute, value) : result?.schema)
    const Member: unknown =
      attribute === undefined ? schema : Object.hasOwn(schema as object, name) ? schema[name] : undefined
    if (!isEntity(Member)) return value
    return (Member as unknown as typeof Entity).fromJS.call(Member as never, whole ? value : { id: value })
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return denormalizeChoice(this.choice, input, delegate)
  }

  queryKey(): undefined {
    return undefined
  }
}
