import { getConfig, waitFor as waitForReal } from '@testing-library/react'
import { DEV } from '../base/env.ts'

/** How long to wait, in milliseconds; fake timers are moved on by as much. */
export interface WaitOptions {
  readonly timeout?: number | undefined
  readonly interval?: number | undefined
}

/** Resolves once the callback no longer throws. */
export function waitFor<T>(callback: () => T | Promise<T>, options: WaitOptions = {}): Promise<T> {
  const clock = fakeClock()
  // The testing library moves on the fake timers of a global `jest`, and no others.
  if (!clock || 'jest' in globalThis) {
    const given = Object.entries(options).filter(([, value]) => value !== undefined)
    return withoutAct(() => waitForReal(callback, Object.fromEntries(given)))
  }
  const { timeout = getConfig().asyncUtilTimeout, interval = 50 } = options
  return withoutAct(async () => {
    // Most of what is waited for is there at the next turn.
    for (let waited = 0, step = 0; ; waited += step, step = interval) {
      try {
        return await callback()
      } catch (error) {
        // The timers of another test are not moved on.
        if (waited >= timeout || fakeClock() !== clock) {
          throw error
        }
      }
      await clock.tickAsync(step)
    }
  })
}

/** Resolves when the number of updates has changed. */
export function waitForUpdate(count: () => number, wait: typeof waitFor, options?: WaitOptions): Promise<void> {
  const before = count()
  return wait(() => {
    if (count() === before) {
      throw new Error(DEV ? 'Nothing was rendered within the time to wait. Raise "timeout".' : 'timeout')
    }
  }, options)
}

/** Waits as long as there is something to wait for. */
export function waitDuring(pending: () => Promise<unknown> | undefined): Promise<void> {
  const clock = fakeClock()
  return withoutAct(async () => {
    for (let all = pending(); all && fakeClock() === clock; all = pending()) {
      await (clock ? clock.tickAsync(50) : all)
    }
  })
}

interface FakeClock {
  tickAsync(milliseconds: number): Promise<unknown>
}

/** The clock behind the timers of jest and vitest, when they are fake. */
function fakeClock(): FakeClock | undefined {
  return (globalThis.setTimeout as { clock?: FakeClock }).clock
}

const globals = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined }
let running = 0
let before: boolean | undefined

/**
 * Lets React render on its own while a function runs. An open `act` scope would hold back all other updates, and
 * those of later tests if it is not awaited.
 */
async function withoutAct<T>(run: () => Promise<T>): Promise<T> {
  const end = leaveAct()
  try {
    return await run()
  } finally {
    end()
  }
}

/** From here on React renders without `act`, until the returned function is called. */
export function leaveAct(): () => void {
  if (running++ === 0) {
    before = globals.IS_REACT_ACT_ENVIRONMENT
  }
  globals.IS_REACT_ACT_ENVIRONMENT = false
  return () => {
    // Several may wait at the same time, and end in any order.
    if (--running === 0) {
      globals.IS_REACT_ACT_ENVIRONMENT = before
    }
  }
}

/** True while something waits. */
export const isWaiting = (): boolean => running > 0
