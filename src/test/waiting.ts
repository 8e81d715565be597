import { DEV } from '../base/env.ts'
import { act } from '@testing-library/react'

/** How long to wait, in milliseconds; fake timers are moved on by as much. */
export interface WaitOptions {
  readonly timeout?: number | undefined
  readonly interval?: number | undefined
}

/** Waits for what is on the screen, whatever kind of timers there are. */
export interface Waiting {
  /** Something on the screen has changed. */
  tell(): void
  waitFor<T>(callback: () => T | Promise<T>, options?: WaitOptions): Promise<T>
  waitForNextUpdate(options?: WaitOptions): Promise<void>
  /** Waits as long as there is something to wait for. */
  during(pending: () => Promise<unknown> | undefined): Promise<void>
}

export function createWaiting(): Waiting {
  let updates = 0

  /** Lets time pass, and the screen follow. */
  const pass = (milliseconds: number): Promise<void> =>
    act(async () => {
      await (fakeClock()?.tickAsync(milliseconds) ?? new Promise((done) => setTimeout(done, milliseconds)))
    })

  const waitFor: Waiting['waitFor'] = async (callback, { timeout = 1_000, interval = 50 } = {}) => {
    // Most of what is waited for is there at the next turn.
    for (let waited = 0, step = 0; ; waited += step, step = interval) {
      try {
        return await callback()
      } catch (error) {
        if (waited >= timeout) {
          throw error
        }
      }
      await pass(step)
    }
  }

  return {
    tell() {
      updates++
    },
    waitFor,
    waitForNextUpdate(options) {
      const before = updates
      return waitFor(() => {
        if (updates === before) {
          throw new Error(DEV ? 'Nothing was rendered within the time to wait. Raise "timeout".' : 'timeout')
        }
      }, options)
    },
    async during(pending) {
      for (let all = pending(); all; all = pending()) {
        const clock = fakeClock()
        await act(async () => void (await (clock ? clock.tickAsync(50) : all)))
      }
    },
  }
}

interface FakeClock {
  tickAsync(milliseconds: number): Promise<unknown>
}

/** The clock behind the timers of jest and vitest, when they are fake. */
function fakeClock(): FakeClock | undefined {
  return (globalThis.setTimeout as { clock?: FakeClock }).clock
}
