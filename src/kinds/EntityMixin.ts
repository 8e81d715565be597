import { define } from '../base/define.ts'
import { Entity, type EntityStatics } from './Entity.ts'

type AnyClass = abstract new (...args: any[]) => any

/** Options of `EntityMixin`: a primary key, a table name, and any other static of `Entity`. */
export interface EntityOptions<V = any> {
  readonly pk?: (keyof V & string) | ((value: V, parent?: any, key?: string) => string | number | undefined)
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
  const { pk, ...statics } = options
  const own: { [name: string]: unknown } = Base as never
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(Entity))) {
    if (own[name] === undefined || name === 'toString') {
      Object.defineProperty(Mixed, name, member)
    }
  }
  for (const [name, value] of Object.entries({ name: Base.name, ...statics })) {
    if (value !== undefined) {
      define(Mixed, name, value, false)
    }
  }
  if (pk || typeof (Base.prototype as Partial<Entity>).pk !== 'function') {
    define(Mixed.prototype as object, 'pk', pkMethod(pk), false)
  }
  return Mixed as never
}

function pkMethod(pk: EntityOptions['pk'] = 'id'): (this: any, parent?: any, key?: string) => unknown {
  // Records whose key is the field `id` take a shorter way into the store; it is known by this method.
  if (pk === 'id') {
    return Entity.prototype.pk
  }
  return function (parent, key) {
    return typeof pk === 'function' ? pk(this, parent, key) : this[pk]
  }
}
