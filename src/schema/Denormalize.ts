/*
 * Types that follow a schema. The kinds of schema are recognised by the members below and by nothing else, so that this
 * file imports none of the classes. Members that start with `_` exist for the compiler only: the classes `declare` them,
 * and at run time they are not there.
 *
 *   _out     what reading gives
 *   _in      a plain schema (entity, array, object, union of these) of the same shape as the data that comes in
 *   _normal  what the store holds in its place
 *   _args    the arguments of a query; left out where the kind cannot be queried
 *
 * Entity                 no mark: static `key`, `schema`, `fromJS`, `process`, `merge` and the instance type make it one.
 *                        `static schema: { readonly [field: string]: Schema } = {}`
 * Collection<S, Args = DefaultArgs>
 *                        _out: Denormalize<S>   _in: S   _normal: string   _args: Args
 *                        push, unshift: S extends readonly unknown[] ? CollectionAdder<CollectionItem<S>> : undefined
 *                        assign: S extends readonly unknown[] ? undefined : CollectionAssigner<S>
 *                        remove, move: CollectionAdder<CollectionItem<S>>
 * CollectionAdder<I>     _out: Denormalize<I>   _in: I | I[]   _normal: Normalize<I>
 * CollectionAssigner<S>  _out: Denormalize<S>   _in: S   _normal: Normalize<S>
 * schema.Array<S>        _out: Denormalize<S>[]   _in: S[]   _normal: Normalize<S>[]
 * schema.Object<S>       _out: Denormalize<S>   _in: S   _normal: Normalize<S>   _args: SchemaArgs<S>
 * Values<S>              _out: { [key: string]: Denormalize<S> }   _in: { [key: string]: S }
 *                        _normal: { [key: string]: Normalize<S> }
 * Union<C>               _out: Denormalize<C[keyof C]>   _in: C[keyof C]   _normal: { id: string; schema: string }
 *                        _args: SchemaArgs<C[keyof C]>
 * All<S>                 _out: Denormalize<S>[]   _in: S[]   _normal: Normalize<S>[]   _args: readonly unknown[]
 * Invalidate<S>          _out: Denormalize<S> | undefined   _in: S | string | number   _normal: string
 * Query<S, P>            _out: P extends (...args: never) => infer R ? R : QueryEntries<S>   _in: S
 *                        _normal: Normalize<S>   _args: QueryArgs<S, P>
 *                        new <S, P extends (entries: QueryEntries<S>, ...args: any) => any>(schema: S, process: P)
 *                        new <S>(schema: S): Query<S, undefined>
 * Lazy<S>                _out: Normalize<S>   _in: S   _normal: Normalize<S>   query: LazyQuery<S>
 * LazyQuery<S>           _out: Denormalize<S>   _in: S   _normal: Normalize<S>   _args: LazyArgs<S>
 * Scalar                 _out: any   _in: any   _normal: unknown   _args: readonly unknown[]
 *
 * With a map of entities and an attribute, Values, All, Array, Collection and Invalidate take the member type
 * `C[keyof C]` for S.
 */

/** Anything that may stand as a schema. */
export type Schema = SchemaSimple | { readonly [member: string]: Schema } | readonly Schema[]

/** A schema that is no plain array and no plain object. */
export type SchemaSimple =
  | EntityClass
  | SchemaMark
  | CustomSchema
  | Converter
  | string
  | number
  | boolean
  | null
  | undefined

/** A function or class that turns the serialised value into the one to read. */
export type Converter = ((value: never) => unknown) | (abstract new (value: never) => unknown)

/** By these members the types know an Entity class. */
export interface EntityClass<T = unknown> {
  readonly prototype: T
  readonly key: string
  readonly schema: unknown
  // Comparing the signatures would cost the compiler time and tell nothing more.
  readonly fromJS: unknown
  readonly process: unknown
  readonly merge: unknown
}

/** By these members the types know every other kind of schema. */
export interface SchemaMark {
  readonly _out: unknown
  readonly _in: unknown
  readonly _normal: unknown
}

/** A schema of the user's own making; with the members of {@link SchemaMark} it is typed too. */
export interface CustomSchema {
  normalize(...args: never): unknown
  denormalize(...args: never): unknown
}

/** A schema that can be read without an endpoint. */
export type Queryable = EntityClass | QueryableMark | { readonly [member: string]: EntityClass | QueryableMark }

export interface QueryableMark extends SchemaMark {
  readonly _args: readonly unknown[]
}

/** The schema of the items of a list; `[]` says nothing of them. */
type Item<F> = [F] extends [never] ? undefined : F

/** The value of a schema whose data is in the store. */
export type Denormalize<S> = [S] extends [null | undefined]
  ? any
  : S extends EntityClass<infer T>
    ? T
    : S extends { readonly _out: infer T }
      ? T
      : S extends readonly (infer F)[]
        ? Denormalize<Item<F>>[]
        : S extends Converter
          ? Converted<S>
          : S extends object
            ? S extends CustomSchema
              ? any
              : { [K in keyof S]: Denormalize<S[K]> }
            : S

/** The value of a schema whose data may be missing. */
export type DenormalizeNullable<S> = [S] extends [null | undefined]
  ? any
  : S extends EntityClass | SchemaMark | readonly unknown[] | Converter
    ? Denormalize<S> | undefined
    : S extends object
      ? S extends CustomSchema
        ? any
        : { [K in keyof S]: DenormalizeNullable<S[K]> }
      : S

/** The normal form of a schema's value, as the store keeps it. */
export type Normalize<S> = [S] extends [null | undefined]
  ? any
  : S extends EntityClass
    ? string
    : S extends { readonly _normal: infer T }
      ? T
      : S extends readonly (infer F)[]
        ? Normalize<Item<F>>[]
        : S extends Converter
          ? Serialised<S>
          : S extends object
            ? S extends CustomSchema
              ? any
              : { [K in keyof S]: Normalize<S[K]> }
            : S

/** The normal form of a schema's value, which may be missing. */
export type NormalizeNullable<S> = [S] extends [null | undefined]
  ? any
  : S extends EntityClass | SchemaMark | readonly unknown[] | Converter
    ? Normalize<S> | undefined
    : S extends object
      ? S extends CustomSchema
        ? any
        : { [K in keyof S]: NormalizeNullable<S[K]> }
      : S

/** The arguments by which a schema is looked up in the store. */
export type SchemaArgs<S> =
  S extends EntityClass<infer T>
    ? [EntityFields<T> | string | number]
    : S extends { readonly _args: infer A extends readonly unknown[] }
      ? A
      : S extends object
        ? { [K in keyof S]: [] extends SchemaArgs<S[K]> ? never : SchemaArgs<S[K]> }[keyof S] extends never
          ? [ObjectArgs<S>?]
          : [ObjectArgs<S>]
        : never

/** The arguments of an object schema: those of all its members at once. */
export type ObjectArgs<S> = {
  [K in keyof S]: [SchemaArgs<S[K]>] extends [never]
    ? never
    : SchemaArgs<S[K]> extends readonly [(infer A)?, ...unknown[]]
      ? (value: A) => void
      : never
}[keyof S] extends (value: infer I) => void
  ? I
  : never

/** The data as it comes from the server, typed by the schema that will take it in. */
export type Wire<S> = [S] extends [null | undefined]
  ? any
  : S extends EntityClass
    ? string extends keyof S['schema']
      ? Json<S['prototype']>
      : JsonWith<S['prototype'], S['schema']>
    : S extends { readonly _in: infer I }
      ? Wire<I>
      : S extends readonly (infer F)[]
        ? Wire<Item<F>>[]
        : S extends Converter
          ? Serialised<S>
          : S extends object
            ? S extends CustomSchema
              ? any
              : { [K in keyof S]: Wire<S[K]> }
            : S

/** A value that may replace data from the server: fields may be missing, relations may be ids. */
export type SchemaInput<S> = [S] extends [null | undefined]
  ? any
  : S extends EntityClass<infer T>
    ? EntityInput<T>
    : S extends { readonly _in: infer I }
      ? SchemaInput<I>
      : S extends readonly (infer F)[]
        ? readonly SchemaInput<F>[]
        : S extends Converter
          ? Serialised<S> | Converted<S>
          : S extends object
            ? S extends CustomSchema
              ? any
              : { readonly [K in keyof S]?: SchemaInput<S[K]> | undefined }
            : S

/** The fields of an entity by which it may be looked up. */
export type EntityFields<T> = {
  readonly [K in keyof T as T[K] extends Method ? never : K]?:
    | (T[K] extends string | number ? T[K] | string | number : T[K])
    | undefined
}

/** The data of an entity as a user writes it: fields may be missing, relations may be objects or ids. */
export type EntityInput<T> = {
  readonly [K in keyof T as T[K] extends Method ? never : K]?:
    | (K extends KeyField ? FieldInput<T[K]> | KeyInput<T[K]> : FieldInput<T[K]>)
    | undefined
}

/** Fields that name a record: ids come as numbers and as text. */
type KeyField = 'id' | '_id' | 'pk' | `${string}Id` | `${string}_id`

type KeyInput<T> = T extends string ? (string extends T ? number : never) : T extends number ? string : never

/** The first argument of a Query's `process`. */
export type QueryEntries<S> = S extends EntityClass | SchemaMark
  ? Denormalize<S>
  : { [K in keyof S]: DenormalizeNullable<S[K]> }

/** The arguments of a Query: those its `process` names, else those of its schema. */
export type QueryArgs<S, P> = P extends (entries: never, ...args: infer A) => unknown
  ? A extends []
    ? SchemaArgs<S>
    : A
  : SchemaArgs<S>

/** The arguments of `lazy.query`: those of the inner schema, else the raw value of the field. */
export type LazyArgs<S> = S extends EntityClass | QueryableMark ? SchemaArgs<S> : [Normalize<S>]

/** The type of one item of a Collection. */
export type CollectionItem<S> = S extends readonly (infer F)[]
  ? F
  : S extends { readonly _in: readonly (infer F)[] }
    ? F
    : S extends { readonly _in: { readonly [key: string]: infer F } }
      ? F
      : never

/** The arguments of a list: path and query parameters, and a body where it is created through. */
export type DefaultArgs =
  | []
  | [params: { readonly [name: string]: any }]
  | [params: { readonly [name: string]: any }, body: any]

type Method = (...args: never) => unknown

// Key remapping instead of a union of keys: the compiler resolves a field only when it is used.
/** The fields of a record as the server sends them. A short name: hovers show it. */
export type Json<T> = { [K in keyof T as T[K] extends Method ? never : K]: T[K] }

/** The same, where F has schemas of some fields. */
type JsonWith<T, F> = { [K in keyof T as T[K] extends Method ? never : K]: K extends keyof F ? Wire<F[K]> : T[K] }

type FieldInput<T> = T extends Date
  ? Date | string | number
  : T extends { pk(...args: never): unknown }
    ? string | number | EntityInput<T>
    : T extends readonly (infer F)[]
      ? readonly FieldInput<F>[]
      : T extends Primitive | Method
        ? T
        : T extends object
          ? // Records in an object or a map.
            { readonly [K in keyof T]: FieldInput<T[K]> }
          : T

type Primitive = string | number | bigint | boolean | symbol | null | undefined

type Converted<C> = C extends NumberConstructor
  ? number
  : C extends StringConstructor
    ? string
    : C extends BooleanConstructor
      ? boolean
      : C extends abstract new (...args: never) => infer T
        ? T
        : C extends (...args: never) => infer T
          ? T
          : never

type Serialised<C> = C extends DateConstructor
  ? string | number
  : C extends (abstract new (value: infer V) => unknown) | ((value: infer V) => unknown)
    ? 0 extends 1 & V
      ? unknown
      : V
    : unknown
