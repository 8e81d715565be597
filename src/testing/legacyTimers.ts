import { vi } from 'vitest'

/** Fake timers as those that jest calls legacy: the date goes on by itself, and a timer without a delay is due in the same turn. */
export function stubLegacyTimers(limit = 1_000): {
  advanceTimersByTime(milliseconds: number): void
  runOnlyPendingTimers(): void
  runAllTimers(): void
  readonly pending: number
} {
  let now = 0
  let last = 0
  const timers = new Map<number, { at: number; run: () => void }>()
  const setTimeout = (run: () => void, delay: unknown = 0): number => {
    timers.set(++last, { at: now + (Number(delay) || 0), run })
    return last
  }
  const clearTimeout = (timer: number): void => void timers.delete(timer)
  Object.assign(setTimeout, { _isMockFunction: true })
  vi.stubGlobal('setTimeout', setTimeout)
  vi.stubGlobal('clearTimeout', clearTimeout)
  const runUntil = (end: number): void => {
    for (let runs = 0; ; runs++) {
      const [next] = [...timers].filter(([, { at }]) => at <= end).toSorted(([, a], [, b]) => a.at - b.at)
      if (!next) {
        now = Math.max(now, Number.isFinite(end) ? end : now)
        return
      }
      if (runs > limit) {
        throw new Error(`Ran ${limit} timers, and there are still more`)
      }
      timers.delete(next[0])
      now = Math.max(now, next[1].at)
      next[1].run()
    }
  }
  return {
    advanceTimersByTime: (milliseconds) => runUntil(now + milliseconds),
    runOnlyPendingTimers() {
      for (const [timer, { run }] of Array.from(timers)) {
        if (timers.delete(timer)) {
          run()
        }
      }
    },
    runAllTimers: () => runUntil(Infinity),
    get pending() {
      return timers.size
    },
  }
}
