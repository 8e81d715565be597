import { isObject } from './equal.ts'

/** JSON in which the order of an object's members makes no difference. */
export function stableKey(value: unknown): string {
  // Without a function it takes a quarter of the time, and most arguments have no members.
  const isFlat = Array.isArray(value) && !value.some(isObject)
  return JSON.stringify(value, isFlat ? undefined : sortMembers)
}

function sortMembers(_: string, value: unknown): unknown {
  return !isObject(value) || Array.isArray(value) ? value : Object.fromEntries(sortedPairs(value))
}

/** The members of an object by name. */
export function sortedPairs(value: { readonly [name: string]: any }): [string, any][] {
  return Object.keys(value)
    .sort()
    .map((name) => [name, value[name]])
}
