import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { Denormalize, EntityClass, QueryableMark } from '../schema/Denormalize.ts'

/**
 * A query that is kept up to date record by record: what `query()` returns. It is a schema to read, as a Query is.
 *
 * @example
 * const read = (open: LiveQuery<Todo[], []>) => controller.get(open)
 * @see docs/api/LiveQuery.md
 */
export interface LiveQuery<Result = any, Args extends readonly unknown[] = readonly any[]> extends QueryableMark {
  readonly _out: Result
  readonly _in: unknown
  readonly _normal: unknown
  readonly _args: Args
}

/**
 * One step of a query: it takes records, or groups, and hands records, groups or a value on.
 *
 * @example
 * const open: Operator<Todo, Todo, [], Todo[]> = where((todo) => !todo.done)
 * @see docs/api/LiveQuery.md#operator
 */
export interface Operator<In, Out, Args extends readonly unknown[], Result> {
  /** For the compiler alone. */
  readonly _takes: (value: In) => void
  readonly _gives: Out
  readonly _args: Args
  readonly _result: Result
}

/**
 * An operator that returns a number, or another value, of many records. Several in an object are one step.
 *
 * @example
 * const open: TotalOperator<Todo, [], number> = count((todo) => !todo.done)
 * @see docs/api/LiveQuery.md#totaloperator
 */
export interface TotalOperator<In, Args extends readonly unknown[], Result> extends Operator<
  In,
  NoRecords<'totals return one value: nothing can follow them'>,
  Args,
  Result
> {
  /** For the compiler alone. */
  readonly _total: true
}

/** The records of a query that has none. What it says is part of the messages of the compiler. */
export interface NoRecords<M extends string> {
  readonly _says: M
}

/**
 * A group of records with one key.
 *
 * @example
 * const sizeOf = ({ records }: Group<string, Todo>) => records.length
 * @see docs/api/LiveQuery.md#group
 */
export interface Group<K, T> {
  readonly key: K
  readonly records: readonly T[]
}

/** The records that totals see: those of a group, where they follow `groupBy`. */
export type Totalled<T> = T extends Group<any, infer R> ? R : T

/** Totals by name. */
export interface TotalsBy<T> {
  readonly [name: string]: TotalOperator<Totalled<T>, any, any>
}

/** True for totals by name. An operator, and the bound of what is not given, are none. */
type IsTotals<O> = O extends Operator<any, any, any, any> ? false : string extends keyof O ? false : true

type Results<O> = { readonly [K in keyof O]: O[K] extends TotalOperator<any, any, infer R> ? R : never }

/** The input of the step after `T`: `O` are totals, or the type of an operator, which says it itself. */
export type Next<T, O> =
  IsTotals<O> extends true
    ? T extends Group<infer K, any>
      ? // Written out, as the messages of the compiler show it.
        {
          readonly [N in 'key' | keyof O]: N extends keyof O
            ? O[N] extends TotalOperator<any, any, infer R>
              ? R
              : never
            : K
        }
      : NoRecords<'totals return one value: nothing can follow them'>
    : T

/** The result of a query that ends with this step; `R` is that of the step before. */
export type ResultOf<T, O, R> = IsTotals<O> extends true ? (T extends Group<any, any> ? Next<T, O>[] : Results<O>) : R

/** The arguments of totals: all of them see all. */
export type TotalArgs<O> = IsTotals<O> extends true ? AllOf<ArgsIn<O[keyof O]>> : []
type AllOf<F> = [F] extends [never]
  ? []
  : [F] extends [(args: infer A) => void]
    ? A extends readonly unknown[]
      ? A
      : []
    : []
type ArgsIn<O> =
  // Without a function, such as `count()`, nothing is known of them.
  O extends TotalOperator<any, infer A, any>
    ? 0 extends 1 & A
      ? never
      : A extends readonly []
        ? never
        : (args: A) => void
    : never

/**
 * The list of an input, by other arguments than those of the query: what `from()` returns.
 *
 * @example
 * const all: From<typeof UserResource.getList, []> = from(UserResource.getList, () => [])
 * @see docs/api/LiveQuery.md#from
 */
export interface From<S, A extends readonly unknown[]> {
  readonly _from: S
  readonly _fromArgs: A
}

/** The records of an input. */
export type ItemOf<S> =
  S extends From<infer I, any>
    ? ItemOf<I>
    : S extends EntityClass<infer T>
      ? T
      : S extends EndpointInterface
        ? Items<Denormalize<S['schema']>>
        : S extends { readonly _out: infer T }
          ? S extends { readonly isUnion: true }
            ? T
            : Items<T>
          : never

/** The items of the first list in a value. */
type Items<T> = T extends readonly (infer I)[]
  ? I
  : T extends object
    ? { [K in keyof T]: T[K] extends readonly (infer I)[] ? I : never }[keyof T]
    : NoRecords<'the input is one value, without records'>

/** The arguments of an input. All records of a class need none. */
export type InputArgs<S> =
  S extends From<any, infer A>
    ? A
    : S extends EntityClass
      ? []
      : S extends EndpointInterface
        ? Parameters<S>
        : S extends { readonly isUnion: true }
          ? []
          : S extends { readonly _args: infer A extends readonly unknown[] }
            ? A
            : []

/** The arguments of two parts of a query: both see all of them. */
export type Both<A extends readonly unknown[], B extends readonly unknown[]> = A extends readonly []
  ? B
  : B extends readonly []
    ? A
    : A extends readonly [(infer X)?, ...infer R]
      ? B extends readonly [(infer Y)?, ...infer Q]
        ? [X & Y, ...(R extends readonly [] ? Q : R)]
        : A
      : A

/** The input of a query. */
export type Input = EntityClass | EndpointInterface | QueryableMark | From<any, any>
