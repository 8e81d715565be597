/** Calls `use` with a value: at once, or when its promise resolves. */
export function when<T, R>(value: T | Promise<T>, use: (value: T) => R): R | Promise<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}
