/** A server is not obeyed for longer than this, in milliseconds. */
const LONGEST = 300_000

/**
 * From when on the server wants to be asked again, as it said with a failure at a time; 0 when it did not.
 *
 * @param ahead by how much store time runs ahead of the wall clock, by which a server names a date
 */
export function retryAfter(error: unknown, date: number, ahead: number): number {
  const { headers } = (error as { response?: Partial<Response> | null } | undefined)?.response ?? {}
  const text = typeof headers?.get === 'function' ? headers.get('retry-after') : null
  if (text === null) {
    return 0
  }
  const at = Number.isNaN(Number(text)) ? Date.parse(text) + ahead : date + Number(text) * 1000
  return Math.min(at, date + LONGEST) || 0
}
