import type { Clock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'

/** Somebody who wants to be told. */
export interface Listening {
  tell(): void
}

/** Rounds in which listeners may answer each other before it counts as a loop. */
const ROUNDS = 100

/**
 * Tells readers. A write in the caller's own stack is told before the call returns, the first time; whatever follows in
 * the same stretch of code, and every answer of the network, is told together in one microtask.
 */
export class Subscriptions {
  private waiting = new Set<Listening>()
  private queued = false
  private told = false
  private telling = false
  private readonly clock: Clock

  constructor(clock: Clock) {
    this.clock = clock
  }

  add(reader: Listening): void {
    this.waiting.add(reader)
  }

  /** A commit is complete. `own` says that it was made in the caller's stack. */
  flush(own: boolean): void {
    if (this.waiting.size === 0 || this.telling) return
    if (own && !this.told) {
      this.told = true
      queueMicrotask(() => {
        this.told = false
      })
      this.run()
    } else if (!this.queued) {
      this.queued = true
      queueMicrotask(() => this.run())
    }
  }

  private run(): void {
    this.queued = false
    this.telling = true
    for (let round = 0; this.waiting.size > 0; round++) {
      if (round === ROUNDS) {
        report(
          fail(
            'notify-loop',
            `${ROUNDS} rounds`,
            DEV &&
              `Listeners of the store kept writing to it for ${ROUNDS} rounds. One of them writes whenever it is told.`,
          ),
        )
        this.queued = true
        this.clock.setTimeout(() => this.run(), 0)
        break
      }
      const readers = this.waiting
      this.waiting = new Set()
      for (const reader of readers) {
        try {
          reader.tell()
        } catch (error) {
          report(error)
        }
      }
    }
    this.telling = false
  }
}

/** A listener that throws stops nobody else; its error goes where uncaught ones go. */
export function report(error: unknown): void {
  const { reportError } = globalThis as { reportError?: (error: unknown) => void }
  if (typeof reportError === 'function') reportError(error)
  else console.error(error)
}
