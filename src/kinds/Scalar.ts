import { DEV } from '../base/env.ts'
import { refusal } from '../base/errors.ts'
import type { EntityClass } from '../schema/Denormalize.ts'
import type { Entity } from './Entity.ts'
import { usablePk } from '../schema/pk.ts'
import { scalarTable } from '../schema/scalarTable.ts'
import type { IDenormalizeDelegate, INormalizeDelegate, IQueryDelegate, Visit } from '../schema/Schema.ts'

/** Options of a Scalar: a name, the argument that its value depends on, and outside an Entity the owner of the value. */
export interface ScalarOptions {
  readonly key: string
  readonly lens: (args: readonly any[]) => string | undefined
  readonly entity?: EntityClass
}

/**
 * A field whose value depends on an argument: a price in a currency, a share in a portfolio.
 *
 * @example
 * const price = new Scalar({ key: 'price', lens: ([{ currency }]) => currency })
 * @see docs/api/Scalar.md
 */
export class Scalar {
  declare readonly _out: any
  declare readonly _in: any
  declare readonly _normal: unknown
  declare readonly _args: readonly unknown[]
  declare readonly key: string
  declare readonly lens: (args: readonly any[]) => string | undefined
  declare readonly entity: EntityClass | undefined

  constructor(options: ScalarOptions) {
    Object.assign(this, options)
  }

  /** @internal */
  parts(): readonly unknown[] {
    return []
  }

  /** The primary key of the record a value outside an Entity belongs to. */
  entityPk(input: any, parent: any, key: string | undefined, args: readonly any[]): string | number | undefined {
    if (key !== undefined) {
      return key
    }
    return (this.entity as typeof Entity | undefined)?.pk(input, parent, key, args)
  }

  normalize(
    input: any,
    parent: any,
    key: string | undefined,
    args: readonly any[],
    _visit: Visit,
    delegate: INormalizeDelegate,
  ): unknown {
    if (isCell(input)) {
      return input
    }
    const lens = this.lens(args)
    if (lens === undefined) {
      throw refusal(
        'scalar-lens',
        this.key,
        DEV && `The lens of Scalar "${this.key}" gave nothing for these arguments, so its value has no place.`,
      )
    }
    const owner = key === undefined ? undefined : delegate.owner
    const entity = owner ?? this.entity
    const pk = owner ? owner.pk : entity && usablePk(this.entityPk(input, parent, key, args))
    if (!pk) {
      throw homeless(this.key, DEV && 'stands outside an Entity')
    }
    const field = owner ? key! : typeof input === 'object' ? null : 'value'
    delegate.writeScalar(
      this.key,
      cellOf(entity!.key, pk, lens),
      field === null ? { ...input } : { [field]: input as unknown },
      owner ? undefined : this.entity,
    )
    return [pk, field, entity!.key]
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    const lens = this.lens(delegate.args)
    if (lens === undefined || !isCell(input)) {
      return undefined
    }
    const [pk, field, entityKey] = input
    const cell: Record<string, unknown> | undefined = delegate.cell(this.key, cellOf(entityKey, pk, lens))
    return cell === undefined || field === null ? cell : cell[field]
  }

  queryKey(args: readonly any[], _unvisit: unknown, delegate: IQueryDelegate): unknown {
    const entity = this.entity as typeof Entity | undefined
    if (entity === undefined) {
      throw homeless(this.key, DEV && 'is read by itself')
    }
    const lens = this.lens(args)
    const [first] = args
    const pk = first && usablePk(entity.pk(first, undefined, '', args) ?? first.id)
    if (lens === undefined || !pk) {
      return undefined
    }
    const cell: object | undefined = delegate.getEntity(scalarTable(this.key), cellOf(entity.key, pk, lens))
    const [name = null, more] = Object.keys(cell ?? {})
    return cell && [pk, more === undefined ? name : null, entity.key]
  }
}

function homeless(key: string, how: string | false): Error {
  return refusal(
    'scalar-entity',
    key,
    DEV && `Scalar "${key}" ${how}, so it needs the option "entity" and a primary key.`,
  )
}

function cellOf(entityKey: string, pk: string, lens: string): string {
  return `${entityKey}|${pk}|${lens}`
}

function isCell(value: any): value is [string, string | null, string] {
  return Array.isArray(value) && value.length === 3 && typeof value[0] === 'string' && typeof value[2] === 'string'
}
