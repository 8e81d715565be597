// How items are placed in a list.

/**
 * Places incoming items before the existing ones: for `moveWith` and `addWith`.
 *
 * @example
 * class Newest<S extends any[]> extends Collection<S> {
 *   constructor(schema: S) { super(schema); this.move = this.moveWith(unshift) }
 * }
 * @see docs/api/Collection.md#unshift
 */
export function unshift<T>(existing: readonly T[], incoming: readonly T[]): T[] {
  return [...incoming, ...existing]
}

/** Places incoming items after the existing ones; those already there keep their place. */
export function append<T>(existing: readonly T[], incoming: readonly T[]): T[] {
  return [...existing, ...incoming]
}

/** Sets the entries of a map. */
export function assign(existing: object, incoming: object): object {
  return { ...existing, ...incoming }
}
