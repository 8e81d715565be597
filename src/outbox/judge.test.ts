import { expect, test } from 'vitest'
import { delayOf, judge, type Verdict } from './judge.ts'

const PORTAL = 'portal'

test.each<[method: string, status: number | undefined, was: 'first' | 'unknown' | typeof PORTAL, Verdict]>([
  ['PATCH', undefined, 'first', 'unknown'],
  ['PATCH', 200, 'first', 'done'],
  ['PATCH', 204, 'unknown', 'done'],
  ['PATCH', 200, PORTAL, 'unknown'],
  ['PATCH', 302, 'first', 'unknown'],
  ['PATCH', 400, 'first', 'refused'],
  ['PATCH', 403, PORTAL, 'unknown'],
  ['PATCH', 401, 'first', 'unsigned'],
  ['PATCH', 404, 'unknown', 'refused'],
  ['DELETE', 404, 'first', 'refused'],
  ['DELETE', 404, 'unknown', 'done'],
  ['delete', 410, 'unknown', 'done'],
  ['PUT', 409, 'first', 'crossed'],
  ['PUT', 412, 'unknown', 'crossed'],
  ['POST', 408, 'first', 'unknown'],
  ['POST', 425, 'first', 'unknown'],
  ['POST', 429, 'first', 'unknown'],
  ['POST', 422, 'unknown', 'refused'],
  ['POST', 500, 'first', 'unknown'],
  ['POST', 511, 'first', 'unknown'],
])('OUT-6 %s %s, %s: %s', (method, status, was, verdict) => {
  expect(judge({ method, status, isReadable: was !== PORTAL, wasUnknown: was === 'unknown' })).toBe(verdict)
})

test('OUT-6 delays grow, differ, and have an end', () => {
  const delays = [1, 2, 3, 20].map((attempts) => [delayOf(attempts, () => 0), delayOf(attempts, () => 1)])
  expect(delays).toEqual([
    [500, 1_000],
    [1_000, 2_000],
    [2_000, 4_000],
    [150_000, 300_000],
  ])
})
