import { isObject } from '../base/equal.ts'

interface HasPk {
  pk(value: any, parent?: any, key?: string, args?: readonly any[]): string | number | undefined
}

/** The primary key as the store keeps it; `undefined` where a value cannot be one. */
export function usablePk(pk: unknown): string | undefined {
  // An object has no text of its own: all of them would be one record.
  const text = typeof pk === 'object' || typeof pk === 'function' || pk !== pk ? '' : String(pk)
  return text === 'undefined' ? undefined : text || undefined
}

/** The primary key that arguments name, if they do. They are no record: `pk` may find less in them than it needs. */
export function argsPk(Class: HasPk, args: readonly any[]): string | undefined {
  const first: unknown = args[0]
  if (typeof first === 'string' || typeof first === 'number') {
    return usablePk(first)
  }
  if (!isObject(first)) {
    return undefined
  }
  try {
    const pk = usablePk(Class.pk(first, undefined, '', args))
    // A composite of which a part was not given; unless that is what was given.
    return pk?.includes('undefined') && !Object.values(first).includes(pk) ? undefined : pk
  } catch {
    return undefined
  }
}

/** For advice: the field that holds the primary key, where a single one does. */
export function keyField(Class: HasPk & { readonly defaults?: unknown }): string | undefined {
  const names = Object.keys(Object(Class.defaults) as object)
  return names.find((name) => argsPk(Class, [{ [name]: 'x' }]) === 'x')
}
