/** A value, or a function that returns it, such as a signal of Solid. */
export type MaybeGetter<T> = T | (() => T)

/**
 * The arguments of a reader in a framework with signals: those of the endpoint, each as a value or a getter, or `null`, which fetches nothing.
 * A getter is checked as strictly as a value: its misspelt members are errors.
 */
export type GetterArgs<P extends readonly unknown[], A extends readonly unknown[]> =
  | readonly [...P]
  | (A & Getters<P> & Exact<P, A>)

/** Each argument may be a getter, and the first one `null`. */
type Getters<P extends readonly unknown[]> =
  | { readonly [I in keyof P]: MaybeGetter<I extends '0' ? P[I] | null : P[I]> }
  | readonly [MaybeGetter<null>]

/** Refuses members that an argument does not have. The compiler checks those of values, but not of what a getter returns. */
type Exact<P extends readonly unknown[], A extends readonly unknown[]> = {
  readonly [I in keyof A]: I extends keyof P ? ExactArg<P[I], A[I], Excess<P[I], Plain<A[I]>>> : A[I]
}
type ExactArg<P, G, N extends PropertyKey> = [N] extends [never]
  ? G
  : MaybeGetter<(P & { readonly [K in N]?: never }) | null>
type Excess<P, T> = unknown extends P
  ? never
  : T extends readonly unknown[]
    ? never
    : T extends object
      ? Exclude<keyof T, KeysOf<P>>
      : never
type KeysOf<P> = P extends unknown ? keyof P : never

/** The arguments without getters. */
export type PlainGetterArgs<A extends readonly unknown[]> = { readonly [I in keyof A]: Plain<A[I]> }
type Plain<T> = T extends () => infer V ? V : T

/** The values of arguments now. */
export function valuesOf(args: readonly unknown[]): readonly any[] {
  return args.map((arg) => plainOf(typeof arg === 'function' ? (arg as () => unknown)() : arg))
}

/** The reads of now: an array, or a function that returns it. */
export function plainReads(reads: MaybeGetter<readonly (readonly any[])[]>): readonly (readonly [any, ...any[]])[] {
  return (typeof reads === 'function' ? reads() : reads).map(plainRead)
}

function plainRead([target, ...args]: readonly any[]): readonly [any, ...any[]] {
  return [target, ...valuesOf(args)]
}

/** A copy of arrays and plain objects: a view keeps its arguments, and those of an app may be proxies that it changes. */
export function plainOf(value: any): any {
  if (Array.isArray(value)) {
    return value.map(plainOf)
  }
  return value && Object.getPrototypeOf(value) === Object.prototype
    ? Object.fromEntries(Object.entries(value as object).map(([name, member]) => [name, plainOf(member)]))
    : value
}
