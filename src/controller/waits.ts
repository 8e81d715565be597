import type { Clock } from '../base/clock.ts'
import { signalsOf } from '../endpoint/signals.ts'
import type { Target } from './read.ts'

/** Milliseconds in which a binding renders a reader once its data has arrived. */
const GRACE = 1_000

/** Readers that wait for a key and are not mounted yet. Another object each time they begin to wait. */
export interface Wait {
  /** The endpoints they read by, one for each signal. */
  readonly targets: ReadonlyMap<AbortSignal | undefined, Target>
  /** One of them has suspended: it cannot be mounted before the data arrives. */
  readonly suspends: boolean
  /** When the data arrived; `Infinity` before. */
  settledAt: number
}

/**
 * Remembers which keys readers wait for: `begin` when a reader fetches, `settle` when its data arrives, `mount` when it is mounted.
 *
 * The problem: a reader that suspends is not mounted, and may be rendered long after its data has arrived. By then the data may
 * be stale. A reader that waited for it shows it all the same; a reader that comes back to the screen fetches it again. Both
 * are new to the store. It tells them apart by whether anything was waiting all the time since the data arrived:
 *
 *      0 s  a name and posts suspend together
 *      1 s  the name arrives, and is fresh for 5 s; React still waits for the posts
 *     60 s  the posts arrive, and React renders both: hasWaitedSince(1 s) is true, and the name is shown
 *     90 s  the user comes back to the page: hasWaitedSince(1 s) is false, and the name is fetched again
 */
export interface Waits {
  get(key: string): Wait | undefined
  /** @param unmounted the endpoint of the reader, if it is not mounted */
  begin(key: string, unmounted?: Target, suspends?: boolean): void
  /** The data of a key has arrived, or failed to. */
  settle(key: string): void
  /** A reader of a key is mounted, and so are those that waited with it, unless they still suspend. */
  mount(key: string): void
  /** The readers of a key are mounted, or will not be. */
  forget(key: string): void
  /** True if readers, of any key, have waited since then without a pause. */
  hasWaitedSince(time: number): boolean
}

export function createWaits(clock: Clock): Waits {
  const waits = new Map<string, Wait>()
  /** Keys whose data has not arrived. */
  const unsettled = new Set<string>()
  // The last period of waiting. It goes on while a key is unsettled; a gap of at most GRACE does not end it.
  let beganAt = Number.NEGATIVE_INFINITY
  let endedAt = Number.NEGATIVE_INFINITY
  const isOver = (): boolean => unsettled.size === 0 && clock.now() - endedAt > GRACE
  return {
    get: (key) => waits.get(key),
    begin(key, unmounted, suspends = false) {
      if (unmounted) {
        const last = waits.get(key)
        const targets = new Map(last?.targets).set(signalsOf(unmounted)[0], unmounted)
        waits.set(key, { targets, suspends: suspends || last?.suspends === true, settledAt: Infinity })
      }
      if (isOver()) {
        beganAt = clock.now()
      }
      unsettled.add(key)
    },
    settle(key) {
      if (unsettled.delete(key)) {
        endedAt = clock.now()
      }
      const wait = waits.get(key)
      if (wait) {
        wait.settledAt = clock.now()
      }
    },
    mount(key) {
      const wait = waits.get(key)
      if (!wait?.suspends || wait.settledAt < Infinity) {
        waits.delete(key)
      }
    },
    forget: (key) => void waits.delete(key),
    hasWaitedSince: (time) => !isOver() && time + GRACE >= beganAt,
  }
}
