import { expect, test } from 'vitest'
import { retryAfter } from './backoff.ts'

const NOW = Date.UTC(2030, 0, 1)
const failure = (header: string): unknown => ({ response: new Response('', { headers: { 'retry-after': header } }) })

test.each([
  ['seconds', '20', 0, 20_000],
  ['seconds, of a store whose time runs ahead', '20', 3_600_000, 20_000],
  ['a date', new Date(NOW + 20_000).toUTCString(), 0, 20_000],
  [
    'a date, for a store whose time runs ahead of the wall clock',
    new Date(NOW + 20_000).toUTCString(),
    3_600_000,
    20_000,
  ],
])('NET-16 ST-21 %s', (_name, header, ahead, wait) => {
  const now = NOW + ahead
  expect(retryAfter(failure(header), now, ahead) - now).toBe(wait)
})
