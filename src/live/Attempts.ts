import type { StoreClock } from '../base/clock.ts'
import { retryAfter } from '../managers/retryAfter.ts'

/** Milliseconds: the first and the longest delay, the longest that a server may set, and the shortest life of a good connection. */
const DELAY = 1_000
const LONGEST = 30_000
const LONGEST_ASKED = 3_600_000
export const STABLE = 5_000

/** When a connection that has ended is opened again. */
export class Attempts {
  /** The server allows no attempt before then (`Retry-After`). */
  allowedAt = 0
  #delay = DELAY
  #failures = 0

  /** The server says how long to wait before the first attempt (`retry:`). */
  setDelay(delay: number): void {
    this.#delay = Math.min(delay, LONGEST_ASKED)
  }

  /** The next delay is the first one again. */
  restart(): void {
    this.#failures = 0
  }

  /** True before the second failure in a row. */
  get isFirst(): boolean {
    return this.#failures === 0
  }

  /**
   * Milliseconds before the next attempt.
   *
   * @param spread a random part, since all connections end together
   */
  next(error: unknown, clock: StoreClock, random: () => number, spread: number): number {
    const now = clock.now()
    const after = retryAfter(error, now, clock.ahead(), random)
    this.allowedAt = after && now + after
    const longest = Math.max(LONGEST, this.#delay)
    const wait = Math.min(this.#delay * 2 ** this.#failures, longest) * (0.5 + random() / 2) + spread
    this.#failures += 1
    return Math.max(wait, after)
  }
}
