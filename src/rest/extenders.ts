import { define } from '../base/define.ts'
import { settle } from '../endpoint/BaseEndpoint.ts'
import { type Extensible, findList, once } from '../lists/extensible.ts'
import type { AnyParams } from '../path/PathArgs.ts'
import type { CollectionItem, Schema, SchemaInput } from '../schema/Denormalize.ts'
import type { Flat, Merge, RestArgs } from './RestArgs.ts'
import type { RestInstance } from './RestInstance.ts'
import type { PartialRestGenerics } from './RestOptions.ts'

/** Gives the members that follow from the Collection in the schema: `push`, `unshift`, `assign`, `remove`, `move`, `getPage`. */
export function defineExtenders(prototype: object): void {
  const member = (name: string, make: (endpoint: Extensible) => unknown): object =>
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: Extensible) {
        return once(settle(this), name, make)
      },
      set(this: object, value: unknown) {
        define(this, name, value)
      },
    })
  for (const [index, name] of ['push', 'unshift', 'assign', 'remove', 'move'].entries()) {
    // The first three create what they add.
    const adds = index < 3
    member(name, (endpoint) =>
      endpoint.extend({
        method: adds ? 'POST' : 'PATCH',
        schema: findList(endpoint, name)[name],
        name: `${endpoint.name}.${adds ? 'create' : 'partialUpdate'}`,
        ...(name === 'move' && endpoint.movePath !== undefined && { path: endpoint.movePath }),
      }),
    )
  }
  member('getPage', (endpoint) => endpoint.paginationField && endpoint.paginated(endpoint.paginationField))
}

/** The Collection that the extenders of an endpoint use; `never` where its schema has none. */
export type ListOf<S> = S extends { readonly moveWith: unknown }
  ? S
  : S extends readonly unknown[] | ((...args: never) => unknown) | (abstract new (...args: never) => unknown)
    ? never
    : S extends { readonly _in: unknown }
      ? S extends
          | { readonly schema: infer I; process(...args: never): unknown }
          | { readonly schema: infer I; define(more: never): void }
        ? ListOf<I>
        : never
      : S extends object
        ? { [K in keyof S]: ListOf<S[K]> }[keyof S]
        : never

/** The type of a list extender: an endpoint if the schema has a Collection of the right kind. W: members added by the endpoint's class. */
export type ListMember<O extends PartialRestGenerics, P, N extends keyof Methods, W = unknown> = 0 extends 1 & O
  ? any
  : 'schema' extends keyof O
    ? Change<O, P, N, ListOf<O['schema']>, W>
    : NoMember<N>

interface Methods {
  push: 'POST'
  unshift: 'POST'
  assign: 'POST'
  remove: 'PATCH'
  move: 'PATCH'
}

type Change<O extends PartialRestGenerics, P, N extends keyof Methods, C, W> = [C] extends [never]
  ? NoMember<N>
  : C extends { readonly [K in N]: infer A extends Schema & object }
    ? RestInstance<
        Merge<
          O,
          { method: Methods[N]; schema: A } & (N extends 'move'
            ? O extends { readonly movePath: infer M extends string }
              ? { path: M }
              : {}
            : {}) &
            ChangeBody<O, N, C>
        >,
        P
      > &
        W
    : NoMember<N>

/** The body of an extender: the declared one, else the fields of an item, or of several. */
type ChangeBody<O, N extends keyof Methods, C> = 'body' extends keyof O
  ? Methods[N] extends 'PATCH'
    ? { body: PartialBody<O['body']> }
    : {}
  : 'validateBody' extends keyof O
    ? {}
    : C extends { readonly _in: infer S }
      ? Flat<SchemaInput<CollectionItem<S>>> extends infer I
        ? { body: FormData | (N extends 'assign' ? { readonly [key: string]: I } : I | readonly I[]) }
        : {}
      : {}

/** The type of `getPage`: an endpoint whose arguments name a page; `undefined` without `paginationField`. */
export type PageMember<O extends PartialRestGenerics, P, W = unknown> = 0 extends 1 & O
  ? any
  : O extends { readonly paginationField: infer F extends string }
    ? [ListOf<O['schema']>] extends [never]
      ? NoMember<'getPage'>
      : PageEndpoint<O, P, { readonly [K in F]: string | number }> & W
    : undefined

/** The type of `paginated`, if the schema has a Collection. */
export type Paginated<O extends PartialRestGenerics, P, W = unknown> = 0 extends 1 & O
  ? any
  : 'schema' extends keyof O
    ? [ListOf<O['schema']>] extends [never]
      ? NoMember<'paginated'>
      : <F extends string = never, A extends object = { readonly [K in F]: string | number }>(
          cursor: F | ((params: A) => BaseArgs<RestArgs<O>>),
        ) => PageEndpoint<O, P, A> & W
    : NoMember<'paginated'>

/** The arguments of the list, all its path parameters among them; where it has none, what is left of the page's. */
type BaseArgs<A extends readonly unknown[]> = A extends readonly [] ? readonly unknown[] : readonly [...A]

type PageEndpoint<O extends PartialRestGenerics, P, Q> = RestInstance<
  Merge<O, { searchParams: ('searchParams' extends keyof O ? Given<O['searchParams']> : unknown) & Q }>,
  P
>

// `any`: a resource that declares no searchParams takes every query parameter.
type Given<S> = 0 extends 1 & S ? AnyParams : [S] extends [undefined] ? unknown : NonNullable<S>

export type PartialBody<B> = B extends FormData ? B : Partial<B>

/** Stands where reading throws; the compiler shows `reason`. */
interface NoMember<N extends string> {
  readonly reason: `${N} needs a Collection that has it in the schema`
}
