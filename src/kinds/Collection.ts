import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import { fail, refusal } from '../base/errors.ts'
import { stableKey } from '../base/stableKey.ts'
import { keyObject, listPk } from '../lists/listKey.ts'
import { append, assign, unshift } from '../schema/merges.ts'
import { type ArgumentKind, type ArgumentKinds, declaredKind, kindByName, mayFilter } from '../schema/argumentKinds.ts'
import { ArraySchema } from '../schema/Array.ts'
import { CollectionAdder, type CollectionAssigner, type MakeFilter, type Merge } from './CollectionAdder.ts'
import type { CollectionItem, DefaultArgs, Denormalize } from '../schema/Denormalize.ts'
import { type Choice, choiceKey } from '../schema/polymorphic.ts'
import type { IDenormalizeDelegate, INormalizeDelegate, IQueryDelegate, Visit } from '../schema/Schema.ts'
import { listCode } from './listCode.ts'
import type { Values } from './Values.ts'

type Key = Record<string, any>
type NonFilter = readonly (string | RegExp | ((name: string) => boolean))[] | RegExp | ((name: string) => boolean)

/** The schemas that a Collection wraps: `[User]`, `new schema.Array(…)` or `new Values(…)`. */
export type InnerSchema = readonly any[] | { readonly choice: Choice; readonly _in: unknown }

/** The arguments of a list as it remembers them: numbers and booleans are text, as in a URL. */
type ListArgs<Args> = [Args] extends [readonly [(infer First)?]]
  ? { readonly [K in keyof First]: First[K] extends infer V ? (V extends number | boolean ? `${V}` : V) : never }
  : Readonly<Key>

/** Options of a Collection: which arguments identify the list, which of them filter it, and in which order it stands. */
export interface CollectionOptions<
  Args extends readonly any[] = DefaultArgs,
  Parent = any,
  Count extends string = any,
  Item = any,
> {
  /** The arguments that name the list; by default all members of the first one. */
  readonly argsKey?: (...args: Args) => Key
  /** The arguments of a list that stands in a field of an Entity. */
  readonly nestKey?: (parent: Parent, key: string) => Key
  /** The kinds of arguments, where their names do not say them: `{ context: 'shape', q: 'search' }`. It overrides every other rule. */
  readonly argumentKinds?: ArgumentKinds | undefined
  /**
   * Arguments that neither filter nor sort on the server. It replaces the names that are known by default (`sort`, `page`, `fields`…).
   */
  readonly nonFilterArgumentKeys?: NonFilter
  /** Replaces the whole test of which lists an item belongs to. */
  readonly createCollectionFilter?: MakeFilter
  /**
   * The order of the list with these arguments; without a function for them, that of the server. A record that joins stands in its
   * place at once, and the list is not refetched for its order.
   */
  readonly order?: (args: ListArgs<Args>) => ((a: Item, b: Item) => number) | undefined
  /** Keeps this list apart from others over the same entity with the same arguments. */
  readonly name?: string
  /** Numbers beside the list, such as `total` or `meta.total`, that follow what joins and leaves it. */
  readonly counts?: readonly Count[]
  /** `false`: writes of a record neither move it in and out of the list nor mark the list stale. */
  readonly autoUpdate?: boolean
}

/**
 * A list, or a map, with an identity: later responses add items to it, remove them, and move them between lists.
 *
 * @example
 * const getTodos = new RestEndpoint({ path: '/todos', searchParams: {} as { user?: string }, schema: new Collection([Todo]) })
 * @see docs/api/Collection.md
 */
export class Collection<
  S extends InnerSchema = any,
  Args extends readonly any[] = DefaultArgs,
  Parent = any,
  Count extends string = any,
> {
  declare readonly _out: Denormalize<S>
  declare readonly _in: S
  declare readonly _normal: string
  declare readonly _args: Args
  declare readonly _counts: Count
  /** The inner schema. */
  declare readonly cacheWith: ArraySchema | Values
  /** The table of all lists of this kind. */
  declare readonly key: string
  declare readonly name: string | undefined
  declare readonly isMap: boolean
  /** Numbers beside the list that follow its changes. */
  declare readonly counts: readonly Count[] | undefined
  /** Compares two items of the list with these arguments, where the app gives an order. */
  declare readonly orderOf: ((args: Key) => ((a: any, b: any) => number) | undefined) | undefined
  /** Appends what was created. */
  declare push: S extends readonly unknown[] ? CollectionAdder<CollectionItem<S>> : undefined
  /** Prepends what was created. */
  declare unshift: S extends readonly unknown[] ? CollectionAdder<CollectionItem<S>> : undefined
  /** Merges entries into a map. */
  declare assign: S extends readonly unknown[] ? undefined : CollectionAssigner<S>
  /** Takes items out of every matching list. */
  declare remove: CollectionAdder<CollectionItem<S>>
  /** Moves items from the lists they matched to the lists they match now. */
  declare move: CollectionAdder<CollectionItem<S>>
  /** @internal */
  declare readonly options: CollectionOptions<any, any>

  constructor(schema: S, options: CollectionOptions<Args, Parent, Count, Denormalize<CollectionItem<S>>> = {}) {
    this.options = options
    this.name = options.name
    this.counts = options.counts
    this.cacheWith = innerSchema(schema)
    const map = (this.isMap = this.cacheWith.isMap)
    const of = choiceKey(this.cacheWith.choice)
    this.key = map ? `{${of}}` : `[${of}]`
    if (options.createCollectionFilter) {
      this.createCollectionFilter = options.createCollectionFilter
    }
    if (options.order) {
      this.orderOf = options.order as never
    }
    if (map) {
      this.assign = new CollectionAdder(this, 'add', assign) as never
    } else {
      this.push = new CollectionAdder(this, 'add', append) as never
      this.unshift = new CollectionAdder(this, 'add', unshift) as never
    }
    this.remove = new CollectionAdder(this, 'remove', undefined)
    this.move = new CollectionAdder(this, 'move', map ? assign : append)
  }

  /** An adder that places items in a way of its own, and may match lists in a way of its own. */
  addWith(
    merge: Merge = this.isMap ? assign : append,
    createCollectionFilter?: MakeFilter,
  ): CollectionAdder<CollectionItem<S>> {
    return new CollectionAdder(this, 'add', merge, createCollectionFilter)
  }

  /** A mover that places items in a way of its own. */
  moveWith(merge: Merge): CollectionAdder<CollectionItem<S>> {
    return new CollectionAdder(this, 'move', merge)
  }

  /** True for an argument that does not filter the list. */
  nonFilterArgumentKeys(name: string): boolean {
    const keys = this.options.nonFilterArgumentKeys
    if (!keys) {
      return !mayFilter(kindByName(name, this.cacheWith.choice.schema))
    }
    return [keys].flat().some((test) =>
      typeof test === 'function'
        ? test(name)
        : // Unlike `test`, `search` does not go on where the last one ended.
          typeof test === 'string'
          ? test === name
          : name.search(test) >= 0,
    )
  }

  /** @internal The code of lists. The store gets it here, so that an app without lists does not carry it. */
  get code(): object {
    return listCode
  }

  /** False where only its own adders, removers, movers and responses change the list. */
  get autoUpdate(): boolean {
    return this.options.autoUpdate !== false
  }

  /** The kind of an argument of the list; `undefined` where nobody knows it, and the fields of the items have to tell. */
  argumentKind(name: string): ArgumentKind | undefined {
    const declared = declaredKind(this.options, name)
    if (declared) {
      return declared
    }
    const isFilter = !this.nonFilterArgumentKeys(name)
    // The app may declare all arguments that do not filter: then their names say nothing.
    const isByName =
      !this.options.nonFilterArgumentKeys && this.nonFilterArgumentKeys === Collection.prototype.nonFilterArgumentKeys
    return isFilter ? undefined : isByName ? kindByName(name) : 'shape'
  }

  /** Makes the test that a stored list's key object has to pass: every filtering argument is that of the item. */
  createCollectionFilter(...args: any[]): (key: Key) => boolean {
    return (key) =>
      Object.keys(key).every(
        (name) =>
          !mayFilter(this.argumentKind(name)) ||
          args.slice(0, 2).some((given) => stableKey(keyObject(given)[name]) === stableKey(key[name])),
      )
  }

  /** True where lists can only be found by asking the filter about each. */
  get ownFilter(): boolean {
    return this.createCollectionFilter !== Collection.prototype.createCollectionFilter
  }

  /** Combines a whole response with the stored list. */
  merge(_existing: any, incoming: any): any {
    return incoming
  }

  /** The primary key of the list that these arguments, or this parent, name. */
  pk(_value: any, parent: any, key: string | undefined, args: readonly any[]): string {
    return listPk(this, this.writeKey(parent, key, args, key !== undefined && key !== ''))
  }

  /** The key object of a list. */
  writeKey(parent: any, key: string | undefined, args: readonly any[], nested: boolean): Key {
    const { nestKey, argsKey } = this.options
    return keyObject(nested && nestKey ? nestKey(parent, key!) : argsKey ? argsKey(...args) : args[0])
  }

  /** Replaces a whole list. A value that was read from the store, or the key of a list, stands for that list. */
  normalize(
    input: any,
    parent: any,
    key: string | undefined,
    args: readonly any[],
    visit: Visit,
    delegate: INormalizeDelegate,
  ): string {
    const reference = typeof input === 'string' ? input : delegate.listReference(this, input)
    if (reference !== undefined) {
      return reference
    }
    if (typeof input !== 'object') {
      throw refusal(
        'list-wrong-kind',
        `${this.key} of ${key ?? 'response'}`,
        DEV && `A list of "${this.key}" was expected${key ? ` in "${key}"` : ''}, found ${typeof input}.`,
      )
    }
    const nested = delegate.owner !== undefined
    const at = this.writeKey(parent, key, args, nested)
    return delegate.writeList(this, at, visit(this.cacheWith, input, parent, key), nested)
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return typeof input === 'string' ? delegate.list(this, input) : this.cacheWith.denormalize(input, delegate)
  }

  /** @internal */
  parts(): readonly unknown[] {
    return [this.cacheWith]
  }

  queryKey(args: readonly any[], _unvisit: unknown, delegate: IQueryDelegate): string | undefined {
    const pk = listPk(this, this.writeKey(undefined, undefined, args, false))
    return delegate.hasList(this, pk) ? pk : undefined
  }

  toJSON(): { key: string; schema: unknown } {
    return { key: this.key, schema: this.cacheWith.choice.schema }
  }
}

function innerSchema(schema: unknown): ArraySchema | Values {
  // Values is known by its members: an app that has no map does not bundle it.
  if (isObject(schema) && 'isMap' in schema && 'choice' in schema) {
    return schema as unknown as ArraySchema | Values
  }
  if (DEV && !(Array.isArray(schema) && schema.length === 1)) {
    throw fail(
      'collection-schema',
      'Collection',
      'A Collection wraps a list of one schema, as in new Collection([User]), or Values.',
    )
  }
  return new ArraySchema((schema as readonly unknown[])[0])
}
