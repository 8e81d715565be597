/** JSON in which the order of an object's members makes no difference. */
export function stableKey(value: unknown): string {
  return isSorted(value) ? JSON.stringify(value) : JSON.stringify(value, sortMembers)
}

/** Most arguments are: then JSON does it all by itself, which is many times as fast. */
function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isSorted)
  if ('toJSON' in value) return false
  let last = ''
  for (const name in value) {
    if (name < last || !isSorted((value as Record<string, unknown>)[name])) return false
    last = name
  }
  return true
}

function sortMembers(_: string, value: unknown): unknown {
  return !value || typeof value !== 'object' || Array.isArray(value) ? value : Object.fromEntries(sortedPairs(value))
}

/** The members of an object by name. */
export function sortedPairs(value: { readonly [name: string]: any }): [string, any][] {
  return Object.keys(value)
    .sort()
    .map((name) => [name, value[name]])
}
