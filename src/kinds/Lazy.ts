import type { Denormalize, LazyArgs, Normalize } from '../schema/Denormalize.ts'
import type { IDenormalizeDelegate, IQueryDelegate, Visit } from '../schema/Schema.ts'

/**
 * A relation that is not read with its owner: the field holds keys, and `.query` resolves them on demand.
 *
 * @example
 * class Building extends Entity {
 *   id = ''
 *   rooms: string[] = []
 *   static override schema = { rooms: new Lazy([Room]) }
 * }
 * const rooms = useQuery(Building.schema.rooms.query, building.rooms)
 * @see docs/api/Lazy.md
 */
export class Lazy<S = any> {
  declare readonly _out: Normalize<S>
  declare readonly _in: S
  declare readonly _normal: Normalize<S>
  declare readonly schema: S
  /** Resolves what the field holds. */
  declare readonly query: LazyQuery<S>

  constructor(schema: S) {
    this.schema = schema
    this.query = new LazyQuery(schema)
  }

  /** @internal */
  parts(): readonly unknown[] {
    return []
  }

  normalize(input: any, parent: any, key: string | undefined, _args: readonly any[], visit: Visit): unknown {
    return visit(this.schema, input, parent, key)
  }

  denormalize(input: any): unknown {
    return input
  }

  queryKey(): undefined {
    return undefined
  }
}

/** The type of `lazy.query`: the inner schema, read with its own arguments or with the raw value of the field. */
export class LazyQuery<S = any> {
  declare readonly _out: Denormalize<S>
  declare readonly _in: S
  declare readonly _normal: Normalize<S>
  declare readonly _args: LazyArgs<S>
  declare readonly schema: S

  constructor(schema: S) {
    this.schema = schema
  }

  /** @internal */
  parts(): readonly unknown[] {
    return [this.schema]
  }

  normalize(input: any, parent: any, key: string | undefined, _args: readonly any[], visit: Visit): unknown {
    return visit(this.schema, input, parent, key)
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return delegate.unvisit(this.schema, input)
  }

  queryKey(
    args: readonly any[],
    unvisit: (schema: unknown, args: readonly any[]) => any,
    _delegate: IQueryDelegate,
  ): unknown {
    // Entities and Collections have a primary key; they are asked with arguments of their own.
    return typeof (this.schema as { pk?: unknown } | null)?.pk === 'function' ? unvisit(this.schema, args) : args[0]
  }
}
