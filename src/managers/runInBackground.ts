import { loadBackground } from '#background'
import type { Clock } from '../base/clock.ts'
import type * as background from './background.ts'

/** How long to wait before code that could not be loaded is requested again, in milliseconds. */
const WAIT = 60_000

/**
 * Starts something whose code browsers load later; returns the function that ends it.
 *
 * @param begin starts it, and returns the function that ends it
 */
export function runInBackground(clock: Clock, begin: (code: typeof background) => () => void): () => void {
  let isOver = false
  let end: (() => void) | undefined
  const load = (): void => {
    if (!isOver) {
      loadBackground(
        (code) => {
          end = isOver ? end : begin(code)
        },
        () => clock.setTimeout(load, WAIT),
      )
    }
  }
  load()
  return () => {
    isOver = true
    end?.()
  }
}
