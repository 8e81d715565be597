import { describe, expect, test } from 'vitest'
import { TestClock } from '../testing/TestClock.ts'
import { endpoint } from '../testing/endpoints.ts'
import { createAttempts, retryAfter, TRIES } from './attempts.ts'
import { createDriver, type Driver } from './driver.ts'

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

test.each<[string, unknown]>([
  ['no error', undefined],
  ['an error without a response', new Error('no')],
  ['a response that is null', { response: null }],
  ['a response without headers', { response: {} }],
  ['headers as a plain object', { response: { headers: { 'retry-after': '20' } } }],
  ['no Retry-After', { response: new Response('') }],
  ['neither seconds nor a date', failure('soon')],
])('NET-16 there is no time to wait for: %s', (_name, error) => {
  expect(retryAfter(error, NOW, 0)).toBe(0)
})

test.each(['301', 'Fri, 31 Dec 2055 23:59:59 GMT'])('NET-16 %s: five minutes at most', (header) => {
  expect(retryAfter(failure(header), NOW, 0)).toBe(NOW + 300_000)
})

describe('the limits of a key', () => {
  const get: any = endpoint('get', undefined)
  const KEY = get.key()
  const open = (): { driver: Driver; attempts: ReturnType<typeof createAttempts>; waits: () => number } => {
    const driver = createDriver(new TestClock(NOW))
    const attempts = createAttempts(driver.store)
    return { driver, attempts, waits: () => Math.max(0, attempts.retryAt(KEY) - NOW) / 1_000 }
  }

  test('NET-17 three requests, each key on its own, until a usable response or a reset', () => {
    const { driver, attempts } = open()
    const tries = (key: string): number => [1, 2, 3, 4, 5].filter(() => attempts.addTry(key)).length
    expect([tries(KEY), tries(KEY), tries('other')]).toEqual([TRIES, 0, TRIES])
    attempts.resetTries(KEY)
    expect([tries(KEY), tries('other')]).toEqual([TRIES, 0])
    driver.reset()
    expect([tries(KEY), tries('other')]).toEqual([TRIES, TRIES])
    attempts.resetTries(KEY)
    attempts.exhaust(KEY)
    expect(tries(KEY)).toBe(0)
  })

  test.each<[string, (driver: Driver, attempts: ReturnType<typeof createAttempts>) => void, number]>([
    ['nothing', () => {}, 20],
    ['a response', (_, attempts) => attempts.onResponse(KEY, undefined, false), 0],
    ['the response of a page', (_, attempts) => attempts.onResponse(KEY, undefined, true), 20],
    ['a failure without Retry-After', (_, attempts) => attempts.onResponse(KEY, new Error('no'), false), 0],
    ['a failure with a longer one', (_, attempts) => attempts.onResponse(KEY, failure('60'), false), 60],
    ['a page with a longer one', (_, attempts) => attempts.onResponse(KEY, failure('60'), true), 60],
    ['a failure of another key', (_, attempts) => attempts.onResponse('other', failure('60'), false), 20],
    ['a stored error with a shorter one', (driver) => driver.setError(get, [], failure('10') as Error), 20],
    ['a stored error with a longer one', (driver) => driver.setError(get, [], failure('60') as Error), 60],
    ['a reset', (driver) => driver.reset(), 0],
  ])('NET-16 how long a key waits after a Retry-After of 20 s, and then %s', (_name, change, seconds) => {
    const { driver, attempts, waits } = open()
    expect(waits()).toBe(0)
    attempts.onResponse(KEY, failure('20'), false)
    expect(waits()).toBe(20)
    change(driver, attempts)
    expect(waits()).toBe(seconds)
  })
})
