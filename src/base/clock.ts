import { isObject } from './equal.ts'

/** Where a store gets its time from. A test passes its own and drives a day in a second. */
export interface Clock {
  /** Wall time, in epoch milliseconds. */
  now(): number
  /** Milliseconds since any fixed moment, which nobody can set. Durations are measured with it, else with `now()`. */
  monotonic?(): number | undefined
  setTimeout(run: () => void, delay: number): unknown
  clearTimeout(timer: unknown): void
}

/** The clock of the platform. Timers are looked up at call time, so that fake timers work. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => (globalThis as { performance?: Performance }).performance?.now(),
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

/** The time of a store. */
export interface StoreClock extends Clock {
  /** By how many milliseconds it runs ahead of the wall clock; 0 below a second, which the precision of both explains. */
  ahead(): number
}

/**
 * The same clock with a time that never goes back: it starts as wall time and follows the monotonic source. Most browsers
 * stop that source while the machine sleeps, so a wall clock further ahead of it than ever before counts as time that
 * passed. Without such a source time stands still while the wall clock steps back.
 */
export function steady(clock: Clock): StoreClock {
  if ('ahead' in clock) {
    return clock as StoreClock
  }
  let last = -Infinity
  /** Added to the time of the source. */
  let added = -Infinity
  let lastWall: number | undefined
  let time = 0
  const now = (): number => {
    const wall = clock.now()
    // The monotonic source takes a microsecond in browsers, and a page of ten thousand readers reads the time often.
    if (wall === lastWall) {
      return time
    }
    lastWall = wall
    const ran = clock.monotonic?.()
    const source = ran ?? wall
    added = Math.max(added, wall - source, last - source)
    last = source + added
    return (time = ran === undefined ? last : Math.round(last))
  }
  return {
    now,
    ahead: () => {
      const ahead = now() - clock.now()
      return Math.abs(ahead) < 1_000 ? 0 : ahead
    },
    setTimeout: (run, delay) => clock.setTimeout(run, delay),
    clearTimeout: (timer) => clock.clearTimeout(timer),
  }
}

/** Resolved once, so that a wait for nothing allocates nothing. */
export const NOW: Promise<void> = /* @__PURE__ */ Promise.resolve()

/** Runs it once the code that runs now is over. Fake timers may take `queueMicrotask` over, but no promise. */
export function soon(run: () => void): void {
  void NOW.then(run)
}

/** A timer that can end early. */
export function pause(clock: Clock, milliseconds: number): { readonly promise: Promise<void>; wake(): void } {
  let wake!: () => void
  const promise = new Promise<void>((resolve) => {
    const timer = clock.setTimeout(resolve, milliseconds)
    wake = () => {
      clock.clearTimeout(timer)
      resolve()
    }
  })
  return { promise, wake }
}

/** A promise with the functions that settle it. */
export function deferred<T = any>(): {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
} {
  let resolve!: (value: T) => void, reject!: (error: unknown) => void
  const promise = new Promise<T>((...settle) => ([resolve, reject] = settle))
  return { promise, resolve, reject }
}
