import type { Normalize, QueryArgs, QueryEntries } from './Denormalize.ts'
import type { IDenormalizeDelegate, IQueryDelegate, SchemaClass, Visit } from './Schema.ts'

/** A question to the store. */
export interface Query<S = any, P = any> extends SchemaClass {
  readonly _out: P extends (...args: never) => infer R ? R : QueryEntries<S>
  readonly _in: S
  readonly _normal: Normalize<S>
  readonly _args: QueryArgs<S, P>
  readonly schema: S
  process(entries: any, ...args: any[]): any
}

/** The overload with `process` is the commoner one; without it the entries are the answer. */
export interface QueryConstructor {
  new <S, P extends (entries: QueryEntries<S>, ...args: any) => any>(schema: S, process: P): Query<S, P>
  new <S>(schema: S): Query<S, undefined>
  readonly prototype: Query
}

class QuerySchema implements SchemaClass {
  declare readonly schema: unknown
  declare readonly process: (entries: any, ...args: any[]) => any

  constructor(schema: unknown, process: (entries: any, ...args: any[]) => any = (entries) => entries as unknown) {
    this.schema = schema
    this.process = process
  }

  normalize(input: any, parent: any, key: string | undefined, _args: readonly any[], visit: Visit): unknown {
    return visit(this.schema, input, parent, key)
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    // Who reads knows queries, and runs `process`: it has to see to it that this finds whole values.
    return delegate.unvisit(this, input)
  }

  queryKey(
    args: readonly any[],
    unvisit: (schema: unknown, args: readonly any[]) => any,
    _delegate: IQueryDelegate,
  ): unknown {
    return unvisit(this.schema, args)
  }
}

/**
 * A question to the store: entries of a schema, and what to make of them. It sends no request.
 *
 * @example
 * const byName = new Query(new All(User), (users, { name }: { name: string }) => users.filter(u => u.name === name))
 * @see docs/api/Query.md
 */
export const Query: QueryConstructor = QuerySchema as never
