import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { type Clock, steady, systemClock } from './clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

function clockOf(times: readonly number[]): Clock {
  let at = 0
  return { now: () => times[at++]!, setTimeout: () => 0, clearTimeout: () => {} }
}

function read(times: readonly number[]): number[] {
  const clock = steady(clockOf(times))
  return times.map(() => clock.now())
}

test.each([
  [
    [10, 20, 30],
    [10, 20, 30],
  ],
  [
    [10, 10],
    [10, 10],
  ],
  [
    [100, 40, 50, 60],
    [100, 160, 170, 180],
  ],
  [
    [100, 40, 30, 35],
    [100, 160, 170, 175],
  ],
  [
    [100, 40, 500],
    [100, 160, 620],
  ],
])('ST-21 a clock that shows %j is read as %j', (times, seen) => {
  expect(read(times)).toEqual(seen)
})

test('ST-21 store time never decreases, and every step of the clock is one forward', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (times) => {
      const seen = read(times)
      for (let i = 1; i < seen.length; i++) {
        expect(seen[i]! - seen[i - 1]!).toBe(Math.abs(times[i]! - times[i - 1]!))
      }
    }),
  )
})

test('ST-21 a clock that was set back is behind by twice as much', () => {
  let wall = 1_000_000
  const clock = steady({ ...clockOf([]), now: () => wall })
  expect([clock.now(), clock.ahead()]).toEqual([1_000_000, 0])
  wall -= 400_000
  expect([clock.ahead(), clock.now()]).toEqual([800_000, 1_400_000])
  wall += 5
  expect([clock.now(), clock.ahead()]).toEqual([1_400_005, 800_000])
})

test('ST-21 a store takes the clock of another as it is', () => {
  const clock = steady(systemClock)
  expect(steady(clock)).toBe(clock)
})

test('STO-1 ST-21 timers of the wrapped clock are those of the clock', () => {
  const calls: unknown[] = []
  const clock = steady({
    now: () => 0,
    setTimeout: (run, delay) => {
      calls.push(run, delay)
      return 'timer'
    },
    clearTimeout: (timer) => void calls.push(timer),
  })
  const run = (): void => {}
  clock.clearTimeout(clock.setTimeout(run, 5))
  expect(calls).toEqual([run, 5, 'timer'])
})

test('STO-1 the clock of the platform follows fake timers', () => {
  vi.useFakeTimers({ now: 1_000 })
  const seen: number[] = []
  systemClock.setTimeout(() => seen.push(systemClock.now()), 500)
  systemClock.clearTimeout(systemClock.setTimeout(() => seen.push(-1), 600))
  vi.advanceTimersByTime(1_000)
  expect(seen).toEqual([1_500])
})

test('STO-1 its timers do not keep a process of Node alive, and work where a timer is a number', () => {
  const timer = systemClock.setTimeout(() => {}, 1_000_000) as NodeJS.Timeout
  expect(timer.hasRef()).toBe(false)
  systemClock.clearTimeout(timer)
  vi.stubGlobal('setTimeout', () => 7)
  expect(systemClock.setTimeout(() => {}, 1)).toBe(7)
  vi.unstubAllGlobals()
})
