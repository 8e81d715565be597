import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { Denormalize, EntityClass, QueryableMark } from '../schema/Denormalize.ts'
import type { Step } from './Stage.ts'

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
export interface Operator<In, Out, Args extends readonly unknown[], Result> extends Step {
  /** For the compiler alone. */
  readonly _takes: (value: In) => void
  readonly _gives: Out
  readonly _args: Args
  readonly _result: Result
}

/** The records of an input. */
export type ItemOf<S> =
  S extends EntityClass<infer T>
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
    : never

/** The arguments of an input. All records of a class need none. */
export type InputArgs<S> = S extends EntityClass
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
export type Input = EntityClass | EndpointInterface | QueryableMark
