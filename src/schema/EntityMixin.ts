import { Entity, type EntityStatics } from './Entity.ts'

type AnyClass = abstract new (...args: any[]) => any

/** What `EntityMixin` takes beside the class: a primary key, a table name, and any other static of `Entity`. */
export interface EntityOptions {
  readonly pk?: string | ((value: any, parent?: any, key?: string) => string | number | undefined)
  readonly key?: string
  readonly schema?: EntityStatics['schema']
  readonly [name: string]: unknown
}

/**
 * Gives any class the powers of an Entity.
 *
 * @example
 * class UserRecord { id = ''; name = '' }
 * const User = EntityMixin(UserRecord, { key: 'User' })
 * @see docs/api/EntityMixin.md
 */
export function EntityMixin<C extends AnyClass>(
  Base: C,
  options: EntityOptions = {},
): C & EntityStatics & (abstract new (...args: any[]) => Entity) {
  abstract class Mixed extends (Base as AnyClass) {}
  const { pk, key, schema, ...statics } = options
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(Entity)))
    if (name !== 'prototype' && name !== 'length' && name !== 'name' && !(name in Base && name !== 'toString'))
      Object.defineProperty(Mixed, name, member)
  define(Mixed, 'name', Base.name)
  if (key !== undefined) define(Mixed, 'key', key)
  define(Mixed, 'schema', schema ?? (Base as { schema?: unknown }).schema ?? {})
  for (const [name, value] of Object.entries(statics)) define(Mixed, name, value)
  const own: unknown = (Base.prototype as { pk?: unknown }).pk
  if (pk !== undefined || typeof own !== 'function') define(Mixed.prototype as object, 'pk', pkMethod(pk))
  return Mixed as never
}

function pkMethod(pk: EntityOptions['pk'] = 'id'): (this: any, parent?: any, key?: string) => unknown {
  if (typeof pk === 'string') return pk === 'id' ? Entity.prototype.pk : function () { return this[pk] } // prettier-ignore
  return function (parent, key) {
    return pk(this, parent, key)
  }
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false })
}
