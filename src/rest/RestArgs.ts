import type { StandardSchemaV1 } from '../base/standardSchema.ts'
import type { Get, InputOf, OutputOf } from '../endpoint/EndpointOptions.ts'
import type { AnyParams, PathArgs } from '../path/PathArgs.ts'
import type { Wire } from '../schema/Denormalize.ts'
import type { PartialRestGenerics } from './RestOptions.ts'

/**
 * The arguments of a RestEndpoint.
 *
 * @example
 * type Args = RestArgs<{ path: '/users/:id'; method: 'PUT' }> // [params: { id: string | number }, body: any]
 * @see docs/api/RestEndpoint.md#restargs
 */
export type RestArgs<O extends PartialRestGenerics> = 0 extends 1 & O ? any : Args<Params<O>, Body<O>>

/** The resolved value of a direct call: typed by `process`, `validateResponse`, `content` or the schema. */
export type RestResult<O, P = unknown> = unknown extends P
  ? keyof O & ('process' | 'validateResponse' | 'parseResponse' | 'content') extends never
    ? 'schema' extends keyof O
      ? Wire<O['schema']>
      : any
    : O extends { readonly process: (...args: never) => infer R }
      ? Awaited<R>
      : O extends { readonly validateResponse: infer V extends StandardSchemaV1 }
        ? OutputOf<V>
        : 'content' extends keyof O
          ? Read<O>
          : 'schema' extends keyof O
            ? Wire<O['schema']>
            : any
  : Awaited<P>

/** The first argument of `process`. */
export type RestParsed<O> = O extends { readonly validateResponse: infer V extends StandardSchemaV1 }
  ? OutputOf<V>
  : Read<O>

/** The parsed body: the result of an overridden `parseResponse`, else the type that `content` names. */
type Read<O> = O extends { readonly parseResponse: (...args: never) => infer R }
  ? Awaited<R>
  : O extends { readonly content: infer C extends keyof ContentMap }
    ? ContentMap[C]
    : any

/** Method of an endpoint: as given, else POST where a side effect is declared, else GET. */
export type MethodOf<O> = 'method' extends keyof O
  ? O['method']
  : O extends { readonly sideEffect: true }
    ? 'POST'
    : 'GET'

/** `true` for every method but GET, HEAD and OPTIONS, unless the endpoint says otherwise. */
export type SideEffectOf<O> = 'sideEffect' extends keyof O
  ? O['sideEffect']
  : 'method' extends keyof O
    ? 0 extends 1 & O
      ? any
      : Uppercase<O['method'] & string> extends SafeMethod
        ? undefined
        : true
    : undefined

/** The options of an endpoint that was made by `extend()`; a new method determines again whether there is a side effect. */
export type Merge<O, X> = keyof X extends never
  ? O
  : 0 extends 1 & O
    ? any
    : {
        [K in keyof X | Exclude<keyof O, X extends { readonly method: {} } ? 'sideEffect' : never>]: K extends keyof X
          ? K extends 'method'
            ? // It has a default, so `undefined` counts as not given.
              [X[K]] extends [undefined]
              ? MethodOf<O>
              : X[K]
            : X[K]
          : O[K & keyof O]
      }

export interface ContentMap {
  blob: Blob
  text: string
  arrayBuffer: ArrayBuffer
  stream: ReadableStream<Uint8Array>
}

type SafeMethod = 'GET' | 'HEAD' | 'OPTIONS'

/** The same members: through `infer`, so that messages show the shape and not the name of an alias. */
export type Flat<T> = T extends infer U ? { [K in keyof U]: U[K] } : never

/** No argument. */
type None = typeof NONE
declare const NONE: unique symbol

type Body<O> = 'method' extends keyof O
  ? BodyOf<O, Uppercase<O['method'] & string>>
  : O extends { readonly sideEffect: true }
    ? BodyOf<O, 'POST'>
    : None

type BodyOf<O, M> = 'body' extends keyof O
  ? 0 extends 1 & O['body']
    ? any
    : [O['body']] extends [undefined]
      ? None
      : M extends SafeMethod
        ? None
        : O['body']
  : M extends SafeMethod | 'DELETE'
    ? None
    : O extends { readonly validateBody: infer V extends StandardSchemaV1 }
      ? InputOf<V>
      : any

// PathArgs stands as an argument, never as a branch: only then does the compiler remember what it gave before.
type Params<O extends PartialRestGenerics> = Join<
  Get<O, 'searchParams', undefined>,
  Narrowed<O, PathArgs<O['path'] & string>>
>

/** The parameters of a path, with the types that `params` gives some of them. */
type Narrowed<O, P> = 'params' extends keyof O ? NarrowedBy<O['params'], P> : P

type NarrowedBy<N, P> = [N] extends [undefined]
  ? P
  : unknown extends P
    ? P
    : { [K in keyof P]: K extends keyof N ? N[K] | Extract<P[K], undefined> : P[K] }

type Join<S, P> = [S] extends [undefined]
  ? 0 extends 1 & S
    ? Flat<AnyParams & P>
    : P
  : unknown extends P
    ? S
    : Flat<NonNullable<S> & P> | (undefined extends S ? P : never)

type Args<P, B> = [B] extends [None] ? (0 extends 1 & B ? ParamsAndBody<P, B> : ParamArgs<P>) : ParamsAndBody<P, B>

type ParamsAndBody<P, B> = unknown extends P
  ? undefined extends B
    ? 0 extends 1 & B
      ? [body: B]
      : [body?: B]
    : [body: B]
  : IsOptional<P> extends true
    ? [body: B] | [params: P, body: B]
    : [params: P, body: B]

/** The arguments as a function in the options gets them: one that takes fewer of them fits no union of tuples. */
export type GivenArgs<A extends readonly unknown[]> = number extends A['length']
  ? A
  : [1 | 2] extends [A['length']]
    ? [paramsOrBody: A[0], body?: A extends readonly [unknown, infer B] ? B : never]
    : A

/** The arguments that the list was asked with, or one of its pages. */
export type AskedArgs<O extends PartialRestGenerics> = 0 extends 1 & O
  ? any
  : O extends { readonly paginationField: infer F extends string }
    ? ParamArgs<Join<Asked<Get<O, 'searchParams', undefined>, F>, Narrowed<O, PathArgs<O['path'] & string>>>>
    : GivenArgs<RestArgs<O>>

type Asked<S, F extends string> = Flat<
  ([S] extends [undefined] ? unknown : NonNullable<S>) & { readonly [K in F]?: string | number }
>

type ParamArgs<P> = unknown extends P ? [] : IsOptional<P> extends true ? [params?: P | undefined] : [params: P]

type IsOptional<P> = {} extends P ? true : undefined extends P ? true : false

export type UrlArgs<O extends PartialRestGenerics> = 0 extends 1 & O ? any : ParamArgs<Params<O>>
