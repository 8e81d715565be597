import { isObject } from './equal.ts'

/** Where a store gets its time from. A test passes its own and drives a day in a second. */
export interface Clock {
  now(): number
  setTimeout(run: () => void, delay: number): unknown
  clearTimeout(timer: unknown): void
}

/** The clock of the platform. Timers are looked up at call time, so that fake timers work. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(run, delay) {
    const timer: unknown = globalThis.setTimeout(run, delay)
    // In Node a timer keeps the process alive; a cache is no reason to.
    if (isObject(timer) && 'unref' in timer) {
      ;(timer as { unref(): void }).unref()
    }
    return timer
  },
  clearTimeout: (timer) => globalThis.clearTimeout(timer as number),
}

/** The same clock, except that its time never goes back: a step back is added to all that follows. */
export function steady(clock: Clock): Clock {
  let last = Number.NEGATIVE_INFINITY
  let added = 0
  return {
    now() {
      const now = clock.now() + added
      if (now < last) {
        added += last - now
      } else {
        last = now
      }
      return last
    },
    setTimeout: (run, delay) => clock.setTimeout(run, delay),
    clearTimeout: (timer) => clock.clearTimeout(timer),
  }
}

/** What is there already. */
export const NOW: Promise<void> = /* @__PURE__ */ Promise.resolve()

/** Runs it once the code that runs now is over. Fake timers may take `queueMicrotask` over, but no promise. */
export function soon(run: () => void): void {
  void NOW.then(run)
}
