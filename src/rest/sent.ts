/** Fields as they go to the server: dates and the like as text, as the response will have them. */
export function sent(fields: object): object {
  const text = (value: any): unknown => (typeof value?.toJSON === 'function' ? value.toJSON() : value)
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, text(value)]))
}
