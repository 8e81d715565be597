import { isObject } from '../base/equal.ts'
import type { Meta } from '../rows/Meta.ts'
import type { ArgumentKind } from './argumentKinds.ts'
import type { EntityClass } from './Denormalize.ts'

export { INVALID } from '../rows/INVALID.ts'

/** Normalises one nested value: `visit(User, value.author, value, 'author')` returns its normal form. */
export type Visit = (
  schema: unknown,
  value: unknown,
  parent: unknown,
  key: string | undefined,
  /** Its place in a list, for messages. */
  place?: number,
) => any

/** The members of a Collection by which its stored lists are found and changed. */
export interface ListSchema {
  readonly key: string
  readonly name: string | undefined
  /** False where membership may be found by field and value; true where only the filter itself can tell. */
  readonly ownFilter: boolean
  /** False where only its own adders, removers, movers and responses change the list. */
  readonly autoUpdate: boolean
  /** The kind of an argument of the list; `undefined` where nobody knows it. */
  argumentKind(name: string): ArgumentKind | undefined
  createCollectionFilter(...args: any[]): (key: Record<string, any>) => boolean
  merge(existing: any, incoming: any): any
  /** The arguments that name the list in a response, or in a field of a record. */
  writeKey(parent: any, key: string | undefined, args: readonly any[], nested: boolean): Record<string, any>
  readonly isMap: boolean
  /** Numbers beside the list that follow its changes. */
  readonly counts?: readonly string[] | undefined
  /** Tells the order of the items, where the server sorts by an argument. */
  readonly orderOf?: ((args: Record<string, any>) => ((a: any, b: any) => number) | undefined) | undefined
  /** Set for a list that treats a response as one of its pages. */
  readonly isPage?: boolean
  /** The page stands before the list. */
  readonly isBefore?: boolean
}

/** One change of membership, for every stored list whose arguments match. */
export interface ListChange {
  readonly collection: ListSchema
  /** The items that join or leave, in normal form; for maps by entry key. */
  readonly items: readonly unknown[] | Record<string, unknown>
  /** A move leaves the lists that the item matched, and joins those that it matches now. */
  readonly kind: 'add' | 'remove' | 'move'
  readonly args: readonly any[]
  /** How the items are placed: `(existing, incoming) => list`. */
  readonly merge?: ((existing: any, incoming: any) => any) | undefined
  readonly filter?: ((...args: any[]) => (key: Record<string, any>) => boolean) | undefined
  /** The entity of one item, for filters that look at its fields. */
  readonly item: unknown
}

/** The interface to which a schema writes while a response is normalised. */
export interface INormalizeDelegate {
  readonly args: readonly any[]
  readonly meta: Meta
  /** The record whose field is being normalised. */
  readonly owner: { readonly key: string; readonly pk: string } | undefined
  /** Merges a record into its table. */
  mergeEntity(schema: EntityClass, pk: string, incoming: object): void
  /** Replaces a record with a tombstone. */
  invalidate(schema: { readonly key: string }, pk: string): void
  /** The stored record, as it was before this response. */
  getEntity(key: string, pk: string): any
  /** Replaces a whole list, found by its key object. */
  writeList(collection: ListSchema, keyObject: Record<string, any>, items: any, nested: boolean): string
  /** Adds to, removes from or moves between the stored lists. */
  changeLists(change: ListChange): void
  /** Marks a stored list as gone. */
  invalidateList(collection: ListSchema, keyObject: Record<string, any>): string
  /** Normalises a creation: an optimistic record without a primary key gets a temporary one. */
  create<T>(run: () => T): T
  /** The pk of this list, if the store returned `value` when the list was read. */
  listReference(collection: ListSchema, value: unknown): string | undefined
  /**
   * Writes one cell of a Scalar.
   *
   * @param Class the record that it belongs to, if that is not being normalised
   */
  writeScalar(key: string, cell: string, value: object, Class?: EntityClass): void
}

/** The interface from which a schema reads. */
export interface IDenormalizeDelegate {
  readonly args: readonly any[]
  /** The value of a nested schema; `undefined` when missing, `INVALID` when deleted. */
  unvisit(schema: unknown, input: unknown): any
  /** Every stored record of an entity. */
  all(schema: EntityClass): any[]
  /** @internal The items of a stored list. */
  list(collection: ListSchema, pk: string): any
  /** @internal The reader itself, for live queries. */
  readonly reader: object
  /** @internal False where the value was inferred without a response, and the store has only a part of it. */
  isComplete(schema: unknown, value: unknown): boolean
  /** One cell of a Scalar. */
  cell(key: string, cell: string): any
}

/** The interface with which a schema looks for data of an endpoint that was never fetched. */
export interface IQueryDelegate {
  readonly args: readonly any[]
  /** The path of the endpoint; lists of another path do not count. */
  readonly path: string | undefined
  /** The stored record, or `undefined`. */
  getEntity(key: string, pk: string): any
  /** The primary key under which an index has `value`. */
  getIndex(schema: EntityClass, field: string, value: string): string | undefined
  /** True when a record of the entity was ever stored. */
  hasEntities(key: string): boolean
  /** True when the list is stored and answers questions of this path. */
  hasList(collection: ListSchema, pk: string): boolean
}

/** A schema that is neither an Entity nor a plain array, object or function. Write one to normalise data in your own way. */
export interface SchemaClass {
  /** True if a whole response may be something else than an object: a bare key, a text. */
  readonly acceptsKey?: boolean
  /** @internal The schemas that its value is read with. Only the kinds of this package have it. */
  parts?(): readonly unknown[]
  normalize(
    input: any,
    parent: any,
    key: string | undefined,
    args: readonly any[],
    visit: Visit,
    delegate: INormalizeDelegate,
  ): any
  denormalize(input: any, delegate: IDenormalizeDelegate): any
  queryKey(args: readonly any[], unvisit: (schema: unknown, args: readonly any[]) => any, delegate: IQueryDelegate): any
}

/** True for schemas of our own kinds and of the user's. */
export function isSchemaClass(schema: unknown): schema is SchemaClass {
  return isObject(schema) && typeof schema['normalize'] === 'function'
}

/** True for Entity classes, however they were made. */
export function isEntity(schema: unknown): schema is EntityClass {
  return typeof schema === 'function' && typeof (schema as { pk?: unknown }).pk === 'function'
}

/** True for the kinds of this package, which pass values on without looking into them; not for one whose reading an app overrides. */
export function isOwn(schema: SchemaClass): boolean {
  let kind = schema
  while (!Object.hasOwn(kind, 'denormalize')) {
    kind = Object.getPrototypeOf(kind) as SchemaClass
  }
  return Object.hasOwn(kind, 'parts')
}

/** The named members of an object schema, `undefined` for any other kind. */
export function membersOf(schema: unknown): Record<string, unknown> | undefined {
  if (Array.isArray(schema) || !isObject(schema)) {
    return undefined
  }
  return isSchemaClass(schema)
    ? 'isObject' in schema
      ? (schema as unknown as { schema: Record<string, unknown> }).schema
      : undefined
    : schema
}

/** True for a Collection. */
export function isList(schema: unknown): schema is ListSchema {
  return (schema as { cacheWith?: unknown } | undefined)?.cacheWith !== undefined
}

/** True for a Query, whose value may be anything. */
export function isQuery(schema: object): schema is { readonly schema: unknown; process(...args: any[]): any } {
  return 'process' in schema && typeof schema !== 'function'
}
