import { getConfig, waitFor as waitForReal } from '@testing-library/react'
import { DEV } from '../base/env.ts'

/** How long to wait, in milliseconds; fake timers are moved on by as much. */
export interface WaitOptions {
  readonly timeout?: number | undefined
  readonly interval?: number | undefined
}

/** How far a wait moves fake timers, in milliseconds: a request that never ends must not keep them running. */
const FARTHEST = 300_000
const STEP = 50

/** Resolves once the callback no longer throws. */
export function waitFor<T>(callback: () => T | Promise<T>, options: WaitOptions = {}): Promise<T> {
  const timers = currentTimers()
  // The testing library moves on the fake timers of a global `jest`, and no others.
  if (!isFake(timers) || (timers.clock && 'jest' in globalThis)) {
    const given = Object.entries(options).filter(([, value]) => value !== undefined)
    return withoutAct(() => waitForReal(callback, Object.fromEntries(given)))
  }
  const { timeout = getConfig().asyncUtilTimeout, interval = STEP } = options
  return withoutAct(async () => {
    // Most of what is waited for is there at the next turn.
    for (let waited = 0, step = 0; ; waited += step, step = interval) {
      try {
        return await callback()
      } catch (error) {
        // The timers of another test are not moved on.
        if (waited >= timeout || currentTimers() !== timers) {
          throw error
        }
      }
      if (!isDateFake()) {
        await realTurn(step)
      }
      await move(timers, step)
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
  const timers = currentTimers()
  return withoutAct(async () => {
    for (let moved = 0, all = pending(); all && currentTimers() === timers; all = pending()) {
      if (!isFake(timers) || moved >= FARTHEST) {
        await all
      } else {
        // While the date goes on by itself, so does a request: fake timers are moved only for what they hold back.
        await (isDateFake() ? undefined : Promise.race([all, realTurn(STEP)]))
        if (pending()) {
          await move(timers, STEP)
        }
        moved += STEP
      }
    }
  })
}

interface Timers {
  /** Of the fake timers that jest calls modern, and of those of vitest. */
  readonly clock?: { tickAsync(milliseconds: number): Promise<unknown> }
  /** Of those that jest calls legacy. */
  readonly _isMockFunction?: boolean
}

const timersAtLoad: Timers = globalThis.setTimeout as Timers

function currentTimers(): Timers {
  return globalThis.setTimeout as Timers
}

function isFake(timers: Timers): boolean {
  return timers.clock !== undefined || timers._isMockFunction === true || timers !== timersAtLoad
}

/** Legacy timers, and vitest with `toFake`, leave the date as it is. */
function isDateFake(): boolean {
  return (Date as { isFake?: boolean }).isFake === true
}

async function move({ clock }: Timers, milliseconds: number): Promise<void> {
  const { jest } = globalThis as { jest?: { advanceTimersByTime?(milliseconds: number): void } }
  if (clock) {
    await clock.tickAsync(milliseconds)
  } else {
    jest?.advanceTimersByTime?.(milliseconds)
  }
}

/** Lets the network and React go on, whatever timers are fake. */
async function realTurn(milliseconds: number): Promise<void> {
  const { clock, _isMockFunction } = timersAtLoad
  if (!clock && !_isMockFunction) {
    await new Promise((done) => (timersAtLoad as typeof setTimeout)(done, milliseconds))
  }
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
