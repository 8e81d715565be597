import { denormalizeItems } from '../schema/Array.ts'
import type { Collection } from './Collection.ts'
import type { Denormalize, Normalize } from '../schema/Denormalize.ts'
import type { Entity } from './Entity.ts'
import { usablePk } from '../schema/pk.ts'
import { denormalizeChoice, normalizeChoice } from '../schema/polymorphic.ts'
import {
  type IDenormalizeDelegate,
  type INormalizeDelegate,
  isEntity,
  type ListChange,
  type Visit,
} from '../schema/Schema.ts'

/** How items are placed in a list. */
export type Merge = (existing: any, incoming: any) => any
/** Creates the test that the key object of a stored list has to pass. */
export type MakeFilter = (...args: any[]) => (key: Record<string, any>) => boolean

/**
 * The schema that `push`, `unshift`, `remove` and `move` of a Collection are: an endpoint that has it changes which records its lists hold.
 *
 * @example
 * const add: CollectionAdder<typeof Todo> = new Collection([Todo]).push
 * @see docs/api/Collection.md#collectionadder-collectionassigner
 */
export class CollectionAdder<I = any> {
  declare readonly _out: Denormalize<I>
  declare readonly _in: I | I[]
  declare readonly _normal: Normalize<I>
  declare readonly collection: Collection
  declare readonly kind: ListChange['kind']
  declare readonly merge: Merge | undefined
  declare readonly filter: MakeFilter | undefined
  /** Only what leaves can be named by a bare key. */
  declare readonly acceptsKey: boolean

  constructor(collection: any, kind: ListChange['kind'], merge: Merge | undefined, filter?: MakeFilter) {
    this.collection = collection as Collection
    this.kind = kind
    this.merge = merge
    this.filter = filter
    this.acceptsKey = kind === 'remove'
  }

  /** @internal */
  parts(): readonly unknown[] {
    return [this.collection]
  }

  /** Adds items to lists, removes them or moves them. */
  normalize(
    input: any,
    parent: any,
    key: string | undefined,
    args: readonly any[],
    visit: Visit,
    delegate: INormalizeDelegate,
  ): unknown {
    const { collection, kind, merge, filter, acceptsKey } = this
    const { cacheWith } = collection
    const item = cacheWith.choice
    const isMap = takesMap(this) && !(acceptsKey && isRecord(item.schema, input, parent, key, args))
    const one = (value: unknown): unknown => normalizeChoice(item, value, parent, key, visit)
    const run = (): any =>
      isMap ? visit(cacheWith, input, parent, key) : Array.isArray(input) ? input.map(one) : one(input)
    const items: any = acceptsKey ? run() : delegate.create(run)
    const members = isMap || Array.isArray(items) ? items : [items]
    delegate.changeLists({ collection, kind, merge, filter, items: members, args, item })
    return items
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    const { cacheWith } = this.collection
    if (Array.isArray(input)) {
      return denormalizeItems(cacheWith.choice, input, delegate)
    }
    return takesMap(this) && typeof input === 'object'
      ? cacheWith.denormalize(input, delegate)
      : denormalizeChoice(cacheWith.choice, input, delegate)
  }

  queryKey(): undefined {
    return undefined
  }
}

/**
 * The schema that `assign` of a Collection over Values is: an endpoint that has it adds entries to a map.
 *
 * @example
 * const assign: CollectionAssigner<Values<typeof User>> = new Collection(new Values(User)).assign
 * @see docs/api/Collection.md#collectionadder-collectionassigner
 */
export interface CollectionAssigner<S = any> extends Omit<CollectionAdder, '_out' | '_in' | '_normal'> {
  readonly _out: Denormalize<S>
  readonly _in: S
  readonly _normal: Normalize<S>
}

/** Maps are keyed; `move` always receives items. */
function takesMap({ collection, kind }: CollectionAdder): boolean {
  return collection.isMap && kind !== 'move'
}

/** An item to remove from a map may come as an entry, or as a record. */
function isRecord(
  schema: unknown,
  input: unknown,
  ...rest: [parent: any, key: string | undefined, args: any]
): boolean {
  try {
    return isEntity(schema) && usablePk((schema as unknown as typeof Entity).pk(input, ...rest)) !== undefined
  } catch {
    return false
  }
}
