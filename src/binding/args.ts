import type { Controller, Fetched, Known } from '../controller/Controller.ts'
import { isSkip } from '../requests/Reading.ts'
import type { EndpointInterface, ReadEndpoint, UnknownError } from '../endpoint/EndpointOptions.ts'
import { checkEndpoint } from './checkTarget.ts'
import type { EntityClass, Queryable, SchemaArgs } from '../schema/Denormalize.ts'

/**
 * The arguments of a hook: those of the endpoint, or `null`, which fetches nothing. `A` is inferred only to learn whether `null` is
 * possible; otherwise the endpoint's own arguments check the call, so that the compiler finds misspelt members and completes names.
 */
export type HookArgs<E extends EndpointInterface, A extends readonly unknown[]> =
  | readonly [...Parameters<E>]
  | (null extends A[0] ? A & NullableArgs<Parameters<E>> : never)

type NullableArgs<P extends readonly unknown[]> = P extends readonly [(infer F)?, ...infer R]
  ? R extends readonly []
    ? readonly [(F | null)?]
    : readonly [...P] | readonly [null]
  : readonly [...P] | readonly [null]

/** X where the arguments may be `null`, else Y. Arguments of type `any` are taken not to be: their author has turned the checks off. */
export type IfNull<A extends readonly unknown[], X, Y> = 0 extends 1 & A[0] ? Y : null extends A[0] ? X : Y

/** The data of an endpoint; it may be missing where the arguments may be `null`. */
export type DataOf<E extends EndpointInterface, A extends readonly unknown[]> = IfNull<A, Known<E>, Fetched<E>>

/** The key of the arguments; none for `null`. */
export function keyOf(endpoint: EndpointInterface, args: readonly any[]): string | undefined {
  checkEndpoint(endpoint)
  return isSkip(args) ? undefined : endpoint.key(...args)
}

/** A read among several: an endpoint and its arguments. */
export type Read = readonly [endpoint: ReadEndpoint, ...args: unknown[]]

/** The data of a read, with `loading` and `error`: once nothing is loading and nothing failed, it is there. */
export type DLEState<E extends ReadEndpoint, A extends readonly unknown[]> =
  | { readonly data: DataOf<E, A>; readonly loading: false; readonly error: undefined }
  | { readonly data: Known<E>; readonly loading: true; readonly error: undefined }
  | { readonly data: Known<E>; readonly loading: false; readonly error: UnknownError }

/** The data, `loading` and `error` of each read, in their order. */
export type DLEOfAll<Q extends readonly Read[]> = {
  readonly [K in keyof Q]: Q[K] extends readonly [infer E extends ReadEndpoint, ...infer A] ? DLEState<E, A> : never
}

/** The data of each read, in their order. */
export type DataOfAll<Q extends readonly Read[]> = {
  -readonly [K in keyof Q]: Q[K] extends readonly [infer E extends ReadEndpoint, ...infer A] ? DataOf<E, A> : never
}

/** The state of several reads, as one: once nothing is loading and nothing failed, all data is there. `states` has each read alone. */
export type DLEAll<Q extends readonly Read[]> = { readonly states: DLEOfAll<Q> } & (
  | { readonly data: DataOfAll<Q>; readonly loading: false; readonly error: undefined }
  | { readonly data: undefined; readonly loading: true; readonly error: undefined }
  | { readonly data: undefined; readonly loading: false; readonly error: UnknownError }
)

/** Reads whose arguments are those of their endpoints. */
export type CheckedReads<Q extends readonly Read[]> = { readonly [K in keyof Q]: CheckedRead<Q[K]> }

type CheckedRead<R> = R extends readonly [infer E extends ReadEndpoint, ...infer A]
  ? // Literals are inferred as constants, whose arrays are readonly: no argument of an endpoint has to be.
    true extends (A extends HookArgs<E, A> ? true : Mutable<A> extends HookArgs<E, A> ? true : false)
    ? Exact<A, Parameters<E>> extends infer X extends readonly unknown[]
      ? readonly [E, ...X]
      : never
    : readonly [E, ...HookArgs<E, A>]
  : never

/** A misspelt member is an error, as in a call of the endpoint. */
type Exact<A extends readonly unknown[], P extends readonly unknown[]> = {
  [I in keyof A]: I extends keyof P ? WithoutExcess<A[I], P[I]> : A[I]
}
type WithoutExcess<T, P> = unknown extends P
  ? T
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? T & { readonly [K in Exclude<keyof T, KeysOf<P>>]?: never }
      : T
type KeysOf<P> = P extends unknown ? keyof P : never

type Mutable<T> = T extends (...args: any) => unknown
  ? T
  : T extends readonly unknown[]
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T extends object
      ? { -readonly [K in keyof T]: Mutable<T[K]> }
      : T

/** The arguments of `useQuery`: those of the schema, or `null`. */
export type QueryArgs<S extends Queryable, A extends readonly unknown[]> =
  | (readonly [...SchemaArgs<S>] & OneField<S, A>)
  | readonly [null]

/** A record is found by at least one field: `{}` would find none. */
type OneField<S, A extends readonly unknown[]> =
  | (S extends EntityClass
      ? A[0] extends object
        ? keyof A[0] extends never
          ? NoField<'name at least one field of the record'>
          : unknown
        : unknown
      : unknown)
  // Never true: from this branch A is inferred.
  | ([A] extends [never] ? A : never)

/** Replaces arguments that name no record; the compiler shows `reason`. */
interface NoField<M extends string> {
  readonly reason: M
}

/**
 * An endpoint with what to show while it loads, in place of the endpoint alone.
 *
 * @example
 * const options: ReadOptions<typeof getPosts> = { endpoint: getPosts, keepPrevious: true }
 * @see docs/api/useDLE.md#readoptions
 */
export interface ReadOptions<E extends ReadEndpoint> {
  readonly endpoint: E
  /** Shows the data of the previous arguments until that of the new ones arrives. */
  readonly keepPrevious?: boolean | undefined
  /** Finds something to show until the data arrives, for example a summary in the store. */
  readonly placeholder?: ((controller: Controller) => Known<E> | undefined) | undefined
}

export function optionsOf<E extends ReadEndpoint>(given: E | ReadOptions<E>): ReadOptions<E> {
  // What is neither is refused as an endpoint.
  return typeof given === 'function' || !given?.endpoint ? { endpoint: given as E } : given
}
