/** Replaces a deleted or invalidated record in its table. */
export const INVALID: unique symbol = Symbol('INVALID')
