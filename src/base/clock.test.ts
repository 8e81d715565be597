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
    [100, 100, 110, 120],
  ],
  [
    [100, 40, 30, 35],
    [100, 100, 100, 105],
  ],
  [
    [100, 40, 500],
    [100, 100, 560],
  ],
])('ST-21 a clock that shows %j is read as %j', (times, seen) => {
  expect(read(times)).toEqual(seen)
})

test('ST-21 store time never decreases, and every step forward is a step of the clock', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (times) => {
      const seen = read(times)
      for (let i = 1; i < seen.length; i++) {
        expect(seen[i]! - seen[i - 1]!).toBe(Math.max(0, times[i]! - times[i - 1]!))
      }
    }),
  )
})

/** Each step: how long it takes, and by how much the wall clock is set during it. */
function pass(steps: readonly (readonly [elapsed: number, set: number])[], start = 1_000_000): number[] {
  let [wall, ran] = [start, 0]
  const clock = steady({ ...clockOf([]), now: () => wall, monotonic: () => ran })
  const first = clock.now()
  return steps.map(([elapsed, set]) => {
    ran += elapsed
    wall += elapsed + set
    return clock.now() - first
  })
}

test.each<[string, [number, number][], number[]]>([
  [
    'is left alone',
    [
      [10, 0],
      [600_000, 0],
    ],
    [10, 600_010],
  ],
  [
    'steps back after idle time',
    [
      [600_000, -3_600_000],
      [5, 0],
    ],
    [600_000, 600_005],
  ],
  [
    'steps back in many steps',
    [
      [10, -500],
      [10, -500],
      [10, -500],
    ],
    [10, 20, 30],
  ],
  [
    'steps back and is put right',
    [
      [10, -3_600_000],
      [10, 3_600_000],
    ],
    [10, 20],
  ],
  // Most browsers stop their monotonic source while the machine sleeps: then the wall clock alone knows of that time.
  [
    'jumps ahead, as after sleep',
    [
      [10, 3_600_000],
      [5, 0],
    ],
    [3_600_010, 3_600_015],
  ],
  [
    'jumps ahead and is put back',
    [
      [10, 3_600_000],
      [10, -3_600_000],
      [10, 0],
    ],
    [3_600_010, 3_600_020, 3_600_030],
  ],
  [
    'has fractions beside it',
    [
      [0.4, 0],
      [0.2, 0],
      [0.6, 0],
    ],
    [0, 1, 1],
  ],
])('ST-21 durations come from the monotonic source: the wall clock %s', (_name, steps, seen) => {
  expect(pass(steps)).toEqual(seen)
})

test('ST-21 property: store time never loses time, and gains only what the wall clock was ahead of all before', () => {
  const step = fc.tuple(fc.nat(1_000), fc.integer({ min: -10_000, max: 10_000 }))
  fc.assert(
    fc.property(fc.array(step, { minLength: 1 }), (steps) => {
      let [elapsed, set, most] = [0, 0, 0]
      for (const [i, now] of pass(steps).entries()) {
        elapsed += steps[i]![0]
        most = Math.max(most, (set += steps[i]![1]))
        expect(now).toBe(elapsed + most)
      }
    }),
  )
})

test('ST-21 a monotonic source that starts again, as with fake timers, goes on from where it was', () => {
  let [wall, ran] = [1_000_000, 50_000]
  const clock = steady({ ...clockOf([]), now: () => wall, monotonic: () => ran })
  const first = clock.now()
  wall = ran = 0
  expect(clock.now()).toBe(first)
  wall = ran = 7
  expect(clock.now()).toBe(first + 7)
  expect(clock.ahead()).toBe(first)
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

test('ST-21 the monotonic source is read once for each time of the wall clock', () => {
  let wall = 1000
  const monotonic = vi.fn(() => wall / 2 + 0.3)
  const clock = steady({ ...clockOf([]), now: () => wall, monotonic })
  expect([clock.now(), clock.now(), clock.ahead()]).toEqual([1000, 1000, 0])
  expect(monotonic).toHaveBeenCalledTimes(1)
  wall++
  expect([clock.now(), clock.now()]).toEqual([1001, 1001])
  expect(monotonic).toHaveBeenCalledTimes(2)
})
