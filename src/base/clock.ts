/** Where a store gets its time from. A test passes its own and drives a day in a second. */
export interface Clock {
  /** Wall time, in epoch milliseconds. */
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
    ;(timer as { unref?(): void } | undefined)?.unref?.()
    return timer
  },
  clearTimeout: (timer) => globalThis.clearTimeout(timer as number),
}

/**
 * The clock of renders in which Next.js forbids `Date.now()`: what it prerenders may not depend on the time. It allows `performance`,
 * which does not follow the wall clock when that is set.
 */
export const renderClock: Clock = {
  ...systemClock,
  now: () => Math.round(performance.timeOrigin + performance.now()),
}

/** The same for `Math.random()`. It serves jitter, for which the digits after the microsecond are good enough. */
export const renderRandom = (): number => (performance.now() * 1_000) % 1

/** The time of a store. */
export interface StoreClock extends Clock {
  /** By how many milliseconds it runs ahead of the wall clock. */
  ahead(): number
}

/**
 * The same clock with a time that never goes back. How much time has passed while the wall clock was set back is unknown, and the store
 * may be idle for minutes: a step back counts as time that has passed, as a step forward does. At worst data is refetched too early.
 */
export function steady(clock: Clock): StoreClock {
  if ('ahead' in clock) {
    return clock as StoreClock
  }
  let last = -Infinity
  let ahead = 0
  const now = (): number => {
    const wall = clock.now()
    ahead += Math.max(0, last - wall) * 2
    last = wall
    return wall + ahead
  }
  return {
    now,
    ahead: () => now() - last,
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

/** Microtasks in which a binding renders: Svelte ends what is not read any more in one after that, and what ends with it in another. */
const TURNS_OF_A_RENDER = 4

/** Runs it once bindings have rendered a change. */
export async function afterRender(run: () => void): Promise<void> {
  for (let turn = 0; turn < TURNS_OF_A_RENDER; turn++) {
    await NOW
  }
  run()
}

/** Waits. `begin` receives the function that ends the waiting early. */
export function pause(clock: Clock, milliseconds: number, begin?: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(resolve, milliseconds)
    begin?.(() => {
      clock.clearTimeout(timer)
      resolve()
    })
  })
}

/** A promise with the functions that settle it. */
export interface Deferred<T = any> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

/** A promise with the functions that settle it. */
export function deferred<T = any>(): Deferred<T> {
  let resolve!: (value: T) => void, reject!: (error: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
