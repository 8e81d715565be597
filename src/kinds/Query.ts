import { DEV } from '../base/env.ts'
import { refusal } from '../base/errors.ts'
import type { Normalize, QueryArgs, QueryEntries } from '../schema/Denormalize.ts'
import { type Choice, choiceKey } from '../schema/polymorphic.ts'
import {
  type IDenormalizeDelegate,
  INVALID,
  type IQueryDelegate,
  isQuery,
  type SchemaClass,
  type Visit,
} from '../schema/Schema.ts'

/** A question to the store. */
export interface Query<S = any, P = any> extends SchemaClass {
  readonly _out: P extends (...args: never) => infer R ? R : QueryEntries<S>
  readonly _in: S
  readonly _normal: Normalize<S>
  readonly _args: QueryArgs<S, P>
  readonly schema: S
  process(entries: any, ...args: any[]): any
}

/** The overload with `process` is more common; without it the result is the entries. */
export interface QueryConstructor {
  new <S, P extends (entries: QueryEntries<S>, ...args: any) => any>(schema: S, run: P): Query<S, P>
  new <S>(schema: S): Query<S, undefined>
  readonly prototype: Query
}

class QuerySchema implements SchemaClass {
  declare readonly schema: unknown
  declare readonly process: (entries: any, ...args: any[]) => any

  constructor(schema: unknown, run: (entries: any, ...args: any[]) => any = (entries) => entries as unknown) {
    this.schema = schema
    this.process = run
  }

  normalize(input: any, parent: any, key: string | undefined, _args: readonly any[], visit: Visit): unknown {
    return visit(this.schema, input, parent, key)
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    const entries: unknown = delegate.unvisit(this.schema, input)
    // Without a response the store may have a part of the data: `process` is written for the whole.
    if (entries === undefined || entries === INVALID || !delegate.isComplete(this.schema, entries)) {
      return undefined
    }
    try {
      return this.process(entries, ...delegate.args)
    } catch (cause) {
      const name = schemaName(this)
      throw refusal('query-failed', name, DEV && `The process of a Query over "${name}" threw: ${String(cause)}.`, {
        cause,
      })
    }
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

/** The name of a schema in messages. */
function schemaName(schema: any): string {
  if (isQuery(schema as object)) {
    return schemaName(schema.schema)
  }
  const { key, choice } = schema as { key?: unknown; choice?: Choice }
  if (typeof key === 'string') {
    return key
  }
  return choice === undefined ? Object.keys(schema.schema ?? schema).join(', ') : choiceKey(choice)
}
