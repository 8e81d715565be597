/** The longest `Retry-After` that is respected, in milliseconds. */
const LONGEST = 3_600_000

/**
 * Milliseconds for which a server wants no request, according to the `Retry-After` of its response, and up to half of that longer: it
 * tells many clients the same moment. 0 without one.
 *
 * @param error it may have a `response`
 * @param now when the error was received
 * @param ahead by how much store time runs ahead of the wall clock, by which a server names a date
 */
export function retryAfter(error: unknown, now: number, ahead: number, random: () => number): number {
  const { headers } = ((Object(error) as { response?: unknown }).response ?? {}) as Partial<Response>
  const text = typeof headers?.get === 'function' ? headers.get('retry-after') : null
  if (text === null) {
    return 0
  }
  // Parsers of dates make one of many texts; a date in a header has a time.
  const isDate = /\d:\d\d/.test(text)
  const asked = isDate ? Date.parse(text) + ahead - now : /^\d/.test(text) ? Number(text) * 1_000 : 0
  const wait = Math.min(asked, LONGEST)
  return wait > 0 ? wait + random() * Math.max(wait / 2, 1_000) : 0
}
