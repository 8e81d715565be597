import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { Budget } from './Budget.ts'

const USERS = 'GET https://api.test/users'
const down = { status: 503 } as never
const MINUTE = 60_000

/** After so many failures, one each second; the last one at 0. */
function after(failures: number, luck = 0.5): Budget {
  const budget = new Budget(() => {})
  for (let i = failures - 1; i >= 0; i--) {
    budget.fail(USERS, down, 100 * MINUTE - i * 1_000, () => luck)
  }
  return budget
}

const now = 100 * MINUTE

test.each([
  [0, 0],
  [3, 0],
  [4, 1 / 8],
  [5, 3 / 8],
  [6, 5 / 8],
  [7, 7 / 8],
  [8, 8 / 9],
  [10, 10 / 11],
  [50, 10 / 11],
])('NET-23 after %d failures in a row, %d of what the library sends waits', (failures, share) => {
  expect(after(failures, share - 0.001).allowedAt(USERS) > now).toBe(share > 0)
  expect(after(failures, share + 0.001).allowedAt(USERS)).toBe(0)
})

test('NET-23 a probe goes after 15 to 30 seconds, and makes the others wait again', () => {
  const budget = after(8, 0)
  expect(budget.allowedAt(USERS)).toBe(now + 15_000)
  budget.send('GET https://api.test/other', now + 15_000, () => 0.5)
  expect(budget.allowedAt(USERS)).toBe(now + 15_000 + 22_500)
})

test.each([
  ['GET https://api.test/users?a=https://other.test/', 'https://api.test'],
  ['POST http://[::1]:80/users', 'http://[::1]:80'],
  ['GET /users', ''],
  ['getUser [{"url":"https://other.test/"}]', ''],
  ['{ me { id } } {}', ''],
  ['', ''],
])('NET-23 the origin of %s is "%s"', (key, origin) => {
  const budget = new Budget(() => {})
  budget.fail(key, down, now, () => 0)
  expect([...budget.outages.keys()]).toEqual([origin])
})

test.each([
  [429, true],
  [500, true],
  [503, true],
  [599, true],
  [404, false],
  [400, false],
  [undefined, false],
])('NET-23 status %s counts as a failure of the server: %s', (status, isFailure) => {
  const budget = new Budget(() => {})
  budget.fail(USERS, { status } as never, now, () => 0)
  expect(budget.outages.size > 0).toBe(isFailure)
})

test('NET-23 a response ends it, if only a 404, and an error that says nothing of the server does not', () => {
  const budget = after(8, 0)
  budget.fail(USERS, {} as never, now, () => 0)
  expect(budget.allowedAt(USERS)).toBeGreaterThan(now)
  budget.fail(USERS, { status: 404 } as never, now, () => 0)
  expect(budget.allowedAt(USERS)).toBe(0)
})

test.each<[string, (budget: Budget) => void]>([
  ['a success', (budget) => budget.succeed('GET https://api.test/other')],
  ['a 404', (budget) => budget.fail(USERS, { status: 404 } as never, now, () => 0)],
  ['the connection that is back', (budget) => budget.clear()],
])('NET-23 what waits looks again, once, after %s', (_, end) => {
  const budget = after(8, 0)
  const looks: number[] = []
  const look = (): void => {
    looks.push(budget.allowedAt(USERS))
    budget.waiting.add(later)
  }
  const later = vi.fn()
  budget.waiting.add(look)
  end(budget)
  expect([looks, later.mock.calls.length]).toEqual([[0], 0])
  end(budget)
  expect(looks).toEqual([0])
})

test('NET-23 a success of another origin ends nothing', () => {
  const budget = after(8, 0)
  const look = vi.fn()
  budget.waiting.add(look)
  budget.succeed('GET https://other.test/users')
  expect(look).not.toHaveBeenCalled()
})

test('NET-23 failures are forgotten after two minutes', () => {
  const budget = after(7, 0)
  budget.fail(USERS, down, now + 2 * MINUTE + 1, () => 0)
  expect(budget.outage(USERS)).toMatchObject({ failures: 1, allowedAt: 0 })
})

test('NET-23 property: nothing waits for longer than 30 seconds, at any luck, and another origin for nothing', () => {
  const act = fc.tuple(fc.constantFrom('fail', 'send', 'succeed', 'clear'), fc.integer({ min: 0, max: 40_000 }))
  const lucks = fc.infiniteStream(fc.double({ min: 0, max: 0.999_999, noNaN: true }))
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), lucks, (acts, luck) => {
      const budget = new Budget(() => {})
      const random = (): number => luck.next().value
      let time = now
      for (const [what, wait] of acts) {
        time += wait
        if (what === 'fail') {
          budget.fail(USERS, down, time, random)
        } else if (what === 'send') {
          budget.send(USERS, time, random)
        } else if (what === 'succeed') {
          budget.succeed(USERS)
        } else {
          budget.clear()
        }
        expect(budget.allowedAt(USERS)).toBeLessThanOrEqual(time + 30_000)
        expect(budget.allowedAt('GET https://other.test/')).toBe(0)
      }
    }),
  )
})
