/** JSON in which the order of an object's members makes no difference. */
export function stableKey(value: unknown): string {
  return JSON.stringify(value, sortMembers)
}

function sortMembers(_: string, value: unknown): unknown {
  if (!value || typeof value !== 'object' || Array.isArray(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, (value as Record<string, unknown>)[name]]))
}
