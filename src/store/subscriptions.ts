import { notifyLoop } from '../advice/misuse.ts'
import { type Clock, NOW, soon } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { report } from '../base/report.ts'

/** Rounds in which listeners may react to each other before it counts as a loop. */
const ROUNDS = 100

/**
 * Notifies readers. The first synchronous write of a task notifies before its call returns; all further writes of the
 * task, and every response of the network, notify together in one microtask.
 */
export class Subscriptions {
  readonly #clock: Clock
  #waiting = new Set<{ tell(): void }>()
  /** Identifies the microtask, or timer, that will notify. */
  #queued: object | undefined
  /** Functions to call when the readers have been notified. */
  #calls: (() => void)[] = []
  /** A write of the current task has notified in its own call. */
  #hasNotified = false
  /** Listeners are being called, or `hold` keeps them waiting. */
  #isBusy = false
  #promise: Promise<void> | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(reader: { tell(): void }): void {
    this.#waiting.add(reader)
  }

  /** A commit is complete. `own` says that it was made in the caller's stack. */
  flush(own: boolean): void {
    this.#flush(own, false)
  }

  /** Notifies at once those that a microtask would notify. */
  hurry(): void {
    if (this.#queued !== undefined && !this.#isBusy) {
      this.#run()
    }
  }

  /** Calls back when the readers of all writes so far have been notified. */
  after(call: () => void): void {
    if (this.#queued === undefined) {
      call()
    } else {
      this.#calls.push(call)
    }
  }

  /** Resolves then. One promise serves all writes that notify together. */
  whenTold(): Promise<void> {
    return this.#queued === undefined ? NOW : (this.#promise ??= new Promise((resolve) => this.#calls.push(resolve)))
  }

  /** Notifies nobody until the returned function is called. */
  hold(): () => void {
    const wasBusy = this.#isBusy
    this.#isBusy = true
    return () => {
      this.#isBusy = wasBusy
      this.#flush(false, true)
    }
  }

  /** @param isLater a microtask that is queued already would be too early */
  #flush(own: boolean, isLater: boolean): void {
    if (this.#waiting.size === 0 || this.#isBusy) {
      return
    }
    if (own && !this.#hasNotified) {
      this.#hasNotified = true
      soon(() => (this.#hasNotified = false))
      this.#run()
    } else if (this.#queued === undefined || isLater) {
      const mine = (this.#queued = {})
      soon(() => {
        if (this.#queued === mine) {
          this.#run()
        }
      })
    }
  }

  #run(): void {
    this.#queued = undefined
    this.#isBusy = true
    for (let round = 0; this.#waiting.size > 0; round++) {
      if (round === ROUNDS) {
        if (DEV) {
          report(notifyLoop(ROUNDS))
        }
        this.#queued = {}
        this.#clock.setTimeout(() => this.#run(), 0)
        break
      }
      const readers = this.#waiting
      this.#waiting = new Set()
      readers.forEach(tell)
    }
    this.#isBusy = false
    if (this.#queued === undefined) {
      const due = this.#calls
      this.#calls = []
      this.#promise = undefined
      due.forEach((call) => call())
    }
  }
}

function tell(reader: { tell(): void }): void {
  try {
    reader.tell()
  } catch (error) {
    report(error)
  }
}
