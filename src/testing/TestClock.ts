import type { Clock } from '../base/clock.ts'

/**
 * A clock that stands still until a test moves it: set `time`, or let `pass()` run the timers that fall due.
 * @example
 * const clock = new TestClock()
 * const driver = createDriver(clock)
 * clock.time += 60_000 // later, without running timers
 * await clock.pass(1_000) // a second in which timers run
 */
export class TestClock implements Clock {
  time: number
  private timers: { readonly at: number; readonly run: () => void }[] = []
  constructor(time = 1_000_000) {
    this.time = time
  }
  now(): number {
    return this.time
  }
  setTimeout(run: () => void, delay: number): unknown {
    const timer = { at: this.time + delay, run }
    this.timers.push(timer)
    return timer
  }
  clearTimeout(timer: unknown): void {
    this.timers = this.timers.filter((other) => other !== timer)
  }
  /** The number of timers that are set. */
  get pending(): number {
    return this.timers.length
  }
  /** Moves the clock forward, runs the timers that fall due in their order, and waits for the promises they settle. */
  async pass(milliseconds = 0): Promise<void> {
    const end = this.time + milliseconds
    await tick()
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) {
        break
      }
      this.runTimer(next)
      await tick()
    }
    this.time = end
    await tick()
  }
  /** Moves the clock to the first timer and runs it, synchronously. */
  runNext(): void {
    const [next] = this.timers.toSorted((a, b) => a.at - b.at)
    if (next === undefined) {
      throw new Error('No timer is set')
    }
    this.runTimer(next)
  }
  private runTimer(timer: { readonly at: number; readonly run: () => void }): void {
    this.clearTimeout(timer)
    this.time = Math.max(this.time, timer.at)
    timer.run()
  }
}

/** Waits until all promise callbacks that are queued now have run, and those that they queue. */
export async function tick(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    await Promise.resolve()
  }
}
