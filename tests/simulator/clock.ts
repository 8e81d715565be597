import type { Clock } from 'restitch'

interface Timer {
  readonly at: number
  readonly number: number
  readonly run: () => void
}

/** A clock that advances only when a test moves it. Its wall clock may be wrong by `skew`, and jump. */
export class VirtualClock implements Clock {
  /** Late enough that jumps back stay after 1970. */
  time = 1_700_000_000_000
  skew = 0
  private count = 0
  private readonly timers = new Map<number, Timer>()

  now(): number {
    return this.time + this.skew
  }

  setTimeout(run: () => void, delay: number): number {
    const number = ++this.count
    this.timers.set(number, { at: this.time + Math.max(0, delay || 0), number, run })
    return number
  }

  clearTimeout(timer: unknown): void {
    this.timers.delete(timer as number)
  }

  /** Runs the first timer that is due until then, and returns false if there is none. */
  runNext(until: number): boolean {
    let first: Timer | undefined
    for (const timer of this.timers.values()) {
      if (first === undefined || timer.at < first.at) {
        first = timer
      }
    }
    if (first === undefined || first.at > until) {
      return false
    }
    this.time = Math.max(this.time, first.at)
    this.timers.delete(first.number)
    first.run()
    return true
  }
}
