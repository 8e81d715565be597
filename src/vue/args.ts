import { type MaybeRefOrGetter, type Ref, toRaw, toValue } from 'vue'
import type { IfNull } from '../binding/args.ts'
import type { Fetched, Known } from '../controller/Controller.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'

/**
 * The arguments of a composable: those of the endpoint, each as a value, a ref or a getter, or `null`, which fetches nothing. A ref or a
 * getter is checked as strictly as a value: its misspelt members are errors.
 */
export type ComposableArgs<P extends readonly unknown[], A extends readonly unknown[]> =
  | readonly [...P]
  | (A & Reactive<P> & Exact<P, A>)

/** Each argument may be reactive, and the first one `null`. */
type Reactive<P extends readonly unknown[]> =
  | { readonly [I in keyof P]: MaybeRefOrGetter<I extends '0' ? P[I] | null : P[I]> }
  | readonly [MaybeRefOrGetter<null>]

/** Refuses members that an argument does not have. The compiler checks those of values, but not of what a getter returns. */
type Exact<P extends readonly unknown[], A extends readonly unknown[]> = {
  readonly [I in keyof A]: I extends keyof P ? ExactArg<P[I], A[I], Excess<P[I], Plain<A[I]>>> : A[I]
}
type ExactArg<P, G, N extends PropertyKey> = [N] extends [never]
  ? G
  : MaybeRefOrGetter<(P & { readonly [K in N]?: never }) | null>
type Excess<P, T> = unknown extends P
  ? never
  : T extends readonly unknown[]
    ? never
    : T extends object
      ? Exclude<keyof T, KeysOf<P>>
      : never
type KeysOf<P> = P extends unknown ? keyof P : never

/** The arguments without refs and getters. */
export type PlainArgs<A extends readonly unknown[]> = { readonly [I in keyof A]: Plain<A[I]> }
type Plain<T> = T extends Ref<infer V> ? V : T extends () => infer V ? V : T

/** The data of an endpoint; it may be missing where the arguments may be `null`. */
export type ComposableData<E extends EndpointInterface, A extends readonly unknown[]> = IfNull<
  PlainArgs<A>,
  Known<E>,
  Fetched<E>
>

/** The values of arguments now. Reactive objects are copied: a view keeps its arguments, and the app may change its own. */
export function valuesOf(args: readonly unknown[]): readonly any[] {
  return args.map((arg) => copy(toValue(arg)))
}

export function copy(value: any): any {
  const raw: unknown = toRaw(value)
  if (Array.isArray(raw)) {
    // Members of the proxy, so that a change of one is noticed.
    return value.map(copy)
  }
  return raw && Object.getPrototypeOf(raw) === Object.prototype
    ? Object.fromEntries(Object.entries(value as object).map(([name, member]) => [name, copy(member)]))
    : raw
}
