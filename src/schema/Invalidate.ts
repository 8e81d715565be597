import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { show } from '../base/show.ts'
import type { Collection } from './Collection.ts'
import type { Denormalize } from './Denormalize.ts'
import { type Entity, usablePk } from './Entity.ts'
import { type Attribute, type Choice, choice, chosen, denormalizeChoice } from './polymorphic.ts'
import { isEntity, type IDenormalizeDelegate, type INormalizeDelegate, type Visit } from './Schema.ts'

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
  readonly choice: Choice

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
    if (attribute === undefined) return invalidateOne(schema as typeof Entity, input, parent, key, args, delegate)
    const name = typeof input === 'object' ? chosen(attribute, input, parent, key) : undefined
    const members = schema as Record<string, typeof Entity>
    if (name !== undefined && Object.hasOwn(members, name))
      return { id: invalidateOne(members[name]!, input, parent, key, args, delegate), schema: name }
    // Only a key came back: the record is where it was stored.
    for (const [member, Member] of Object.entries(members)) {
      const pk = pkOf(Member, input, parent, key, args)
      if (delegate.getEntity(Member.key, pk) === undefined) continue
      delegate.invalidate(Member, pk)
      return { id: pk, schema: member }
    }
    return input
  }

  /** What a delete comes to for its caller: an instance made from the answer, since the store has none any more. */
  instance(value: any, result?: any): unknown {
    const { schema, attribute } = this.choice
    const isObject = typeof value === 'object' && value !== null
    const name = String(attribute !== undefined && isObject ? chosen(attribute, value) : result?.schema)
    const Member: unknown =
      attribute === undefined ? schema : Object.hasOwn(schema as object, name) ? schema[name] : undefined
    if (!isEntity(Member)) return value
    return (Member as unknown as typeof Entity).fromJS.call(
      Member as never,
      isObject ? (value as object) : { id: value },
    )
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return denormalizeChoice(this.choice, input, delegate)
  }

  queryKey(): undefined {
    return undefined
  }
}

function invalidateOne(
  Member: typeof Entity,
  input: any,
  parent: any,
  key: string | undefined,
  args: readonly any[],
  delegate: INormalizeDelegate,
): string {
  const pk = pkOf(Member, input, parent, key, args)
  delegate.invalidate(Member, pk)
  return pk
}

function pkOf(Member: typeof Entity, input: any, parent: any, key: string | undefined, args: readonly any[]): string {
  const pk =
    typeof input === 'object'
      ? usablePk(Member.pk(Member.process(input, parent, key, args) ?? input, parent, key, args))
      : usablePk(input)
  if (pk === undefined)
    throw fail(
      'invalidate-missing-pk',
      Member.key,
      DEV &&
        `Missing usable primary key: the answer does not say which "${Member.key}" to take out. It was ${show(input)}.`,
      Error,
      { status: 400, refused: true },
    )
  return pk
}
