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
export interface Subscriptions {
  add(reader: { tell(): void }): void
  /** A commit is complete. `own` says that it was made in the caller's stack. */
  flush(own: boolean): void
  /** Notifies at once those that a microtask would notify. */
  hurry(): void
  /** Calls back when the readers of all writes so far have been notified. */
  after(call: () => void): void
  /** Resolves then. One promise serves all writes that notify together. */
  whenTold(): Promise<void>
  /** Notifies nobody until the returned function is called. */
  hold(): () => void
}

export function createSubscriptions(clock: Clock): Subscriptions {
  let waiting = new Set<{ tell(): void }>()
  /** Identifies the microtask, or timer, that will notify. */
  let queued: object | undefined
  let calls: (() => void)[] = []
  /** A write of the current task has notified in its own call. */
  let hasNotified = false
  /** Listeners are being called, or `hold` keeps them waiting. */
  let isBusy = false
  let promise: Promise<void> | undefined
  const run = (): void => {
    queued = undefined
    isBusy = true
    for (let round = 0; waiting.size > 0; round++) {
      if (round === ROUNDS) {
        if (DEV) {
          report(notifyLoop(ROUNDS))
        }
        queued = {}
        clock.setTimeout(run, 0)
        break
      }
      const readers = waiting
      waiting = new Set()
      for (const reader of readers) {
        try {
          reader.tell()
        } catch (error) {
          report(error)
        }
      }
    }
    isBusy = false
    if (queued !== undefined) {
      return
    }
    const due = calls
    calls = []
    promise = undefined
    for (const call of due) {
      call()
    }
  }
  /** @param isLater a microtask that is queued already would be too early */
  const flush = (own: boolean, isLater = false): void => {
    if (waiting.size === 0 || isBusy) {
      return
    }
    if (own && !hasNotified) {
      hasNotified = true
      soon(() => {
        hasNotified = false
      })
      run()
    } else if (queued === undefined || isLater) {
      const mine = (queued = {})
      soon(() => {
        if (queued === mine) {
          run()
        }
      })
    }
  }
  return {
    add: (reader) => void waiting.add(reader),
    flush,
    hurry: () => {
      if (queued !== undefined && !isBusy) {
        run()
      }
    },
    after: (call) => {
      if (queued === undefined) {
        call()
      } else {
        calls.push(call)
      }
    },
    whenTold: () => (queued === undefined ? NOW : (promise ??= new Promise((resolve) => calls.push(resolve)))),
    hold: () => {
      const wasBusy = isBusy
      isBusy = true
      return () => {
        isBusy = wasBusy
        flush(false, true)
      }
    },
  }
}
