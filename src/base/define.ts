/** Sets an own member, even where the prototype has only a getter or something else of that name. */
export function define<T extends object>(target: T, name: PropertyKey, value: unknown, enumerable = true): T {
  return Object.defineProperty(target, name, { value, enumerable, configurable: true, writable: true })
}
