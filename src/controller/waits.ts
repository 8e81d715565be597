import type { Clock } from '../base/clock.ts'
import { signalsOf } from '../endpoint/signals.ts'
import type { Target } from './read.ts'

/** Milliseconds in which a binding renders a reader once its data has arrived. */
const GRACE = 1_000

/** Readers that wait for a key and are not mounted yet. Another object for each time of waiting. */
export interface Wait {
  /** The endpoints they read by, one for each signal. */
  readonly targets: ReadonlyMap<AbortSignal | undefined, Target>
  /** When the data arrived; `Infinity` before. */
  settledAt: number
}

/**
 * Remembers which keys readers wait for. A reader that waited shows the response, even if it is stale already. It may be
 * rendered long after, when another reader beside it has its data, too. A reader that left and comes back looks the same,
 * except that nobody has waited for a while.
 */
export interface Waits {
  get(key: string): Wait | undefined
  /** A reader that is not mounted waits. */
  add(key: string, target: Target): void
  /** Forgets the readers of a key: they are mounted, or did not come. */
  delete(key: string): void
  /** A reader, mounted or not, waits for a key. */
  begin(key: string): void
  /** The data of a key has arrived, or failed to. */
  end(key: string): void
  /** Returns true for data that arrived at `settledAt` if readers have waited ever since, without a pause. */
  isCurrent(settledAt: number): boolean
}

export function createWaits(clock: Clock): Waits {
  const waits = new Map<string, Wait>()
  /** Keys whose data has not arrived. */
  const pending = new Set<string>()
  /** The current time of waiting, or the last one. */
  let beganAt = Number.NEGATIVE_INFINITY
  let endedAt = Number.NEGATIVE_INFINITY
  const isPauseOver = (): boolean => pending.size === 0 && clock.now() - endedAt > GRACE
  return {
    get: (key) => waits.get(key),
    add(key, target) {
      const targets = new Map(waits.get(key)?.targets).set(signalsOf(target)[0], target)
      waits.set(key, { targets, settledAt: Infinity })
    },
    delete: (key) => void waits.delete(key),
    begin(key) {
      if (isPauseOver()) {
        beganAt = clock.now()
      }
      pending.add(key)
    },
    end(key) {
      if (pending.delete(key)) {
        endedAt = clock.now()
      }
      const wait = waits.get(key)
      if (wait) {
        wait.settledAt = clock.now()
      }
    },
    isCurrent: (settledAt) => !isPauseOver() && settledAt + GRACE >= beganAt,
  }
}
