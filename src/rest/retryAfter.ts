/** The longest `Retry-After` that is respected, in milliseconds. */
const LONGEST = 300_000

/**
 * When the server allows the next request, according to the `Retry-After` of an error; 0 without one.
 *
 * @param date when the error was received
 * @param ahead by how much store time runs ahead of the wall clock, by which a server names a date
 */
export function retryAfter(error: unknown, date: number, ahead: number): number {
  const { headers } = (error as { response?: Partial<Response> | null } | undefined)?.response ?? {}
  const text = typeof headers?.get === 'function' ? headers.get('retry-after') : null
  if (text === null) {
    return 0
  }
  const time = Number.isNaN(Number(text)) ? Date.parse(text) + ahead : date + Number(text) * 1000
  return Math.min(time, date + LONGEST) || 0
}
