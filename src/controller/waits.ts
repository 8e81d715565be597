import type { Clock } from '../base/clock.ts'

/** Milliseconds in which a binding renders a reader once its data has come. */
const GRACE = 1_000

/**
 * Times of waiting. A reader that waited is shown what came, however short that is fresh. It may be rendered long after:
 * when another reader beside it has its data, too. One that left and comes back looks the same, except that nobody has
 * waited for a while.
 */
export interface Waits {
  begin(key: string): void
  end(key: string): void
  /** True for data that came at `settled` if readers have waited ever since, with no pause. */
  isCurrent(settled: number): boolean
}

export function createWaits(clock: Clock): Waits {
  /** Requests that readers wait for. */
  const keys = new Set<string>()
  /** The current time of waiting, or the last one. */
  let began = Number.NEGATIVE_INFINITY
  let ended = Number.NEGATIVE_INFINITY
  const isOver = (): boolean => keys.size === 0 && clock.now() - ended > GRACE
  return {
    begin(key) {
      if (isOver()) {
        began = clock.now()
      }
      keys.add(key)
    },
    end(key) {
      if (keys.delete(key)) {
        ended = clock.now()
      }
    },
    isCurrent: (settled) => !isOver() && settled + GRACE >= began,
  }
}
