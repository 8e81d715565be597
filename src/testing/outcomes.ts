import { expect } from 'vitest'

export { deferred } from '../base/clock.ts'

/** The error that a function throws. The test fails if it throws none. */
export function catchError(run: () => unknown): any {
  try {
    run()
  } catch (error) {
    return error
  }
  return expect.fail('nothing was thrown')
}

/** The error that a promise rejects with, or that a function throws before or after it waits. The test fails if there is none. */
export async function rejectionOf(work: Promise<unknown> | (() => unknown)): Promise<any> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    return error
  }
  return expect.fail('it resolved')
}

/** Runs the event loop until a condition holds: for work of the network or the platform, which promises do not show. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((done) => setImmediate(done))
  }
}
