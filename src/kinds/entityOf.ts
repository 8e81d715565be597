import { DEV } from '../base/env.ts'
import { copyPlain, freezePlain } from '../base/equal.ts'
import { Entity, type EntityStatics } from './Entity.ts'
import { EntityMixin, type EntityOptions } from './EntityMixin.ts'

/**
 * Declares an Entity without writing a class: the fields with their defaults give its type.
 *
 * @example
 * const User = entity('User', { id: '', name: '' })
 * @see docs/api/Entity.md
 */
export function entity<F extends object>(
  key: string,
  fields: F,
  options: EntityOptions<NoInfer<F>> & { readonly key?: never } = {},
): EntityStatics & (new () => F & Entity) & { readonly prototype: F & Entity } {
  // All instances share their defaults, so nobody may change them.
  const defaults = copyPlain(fields) as F
  if (DEV) {
    freezePlain(defaults)
  }
  class Fields extends (Entity as unknown as new () => Entity) {
    constructor() {
      super()
      Object.assign(this, defaults)
    }
  }
  return EntityMixin(Fields, { ...options, key, name: key }) as never
}
