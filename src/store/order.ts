import type { Clock } from '../base/clock.ts'

/** A request open for longer than this holds no compaction back, in milliseconds. */
const MOST_HELD_BACK = 300_000
/** How many moments the store remembers the number of. */
const MOMENTS = 512

/** Order is a number, never a clock: requests take one when they are sent, and writes when they are committed. */
export interface Order {
  nextNumber(now?: number): number
  /** The number reached so far. */
  reached(): number
  /** The number reached at a time. A time before the remembered ones counts as older than all of them. */
  numberAt(time: number): number
  /** @param isShown its operation is shown while it is pending, which needs the order of fields until then */
  openRequest(isShown: boolean): number
  closeRequest(sent: number): void
  /** The number of the oldest open request: what is older than it cannot be overtaken any more. */
  horizon(): number
}

export function createOrder(clock: Clock): Order {
  let number = 0
  /** Open requests by number, with the time each was opened. Numbers grow, so the first is the oldest. */
  const open = new Map<number, number>()
  /** The last moments at which numbers were taken, and the number reached at each: a ring. */
  const times: number[] = []
  const numbers: number[] = []
  let last = -1
  const nextNumber = (now: number = clock.now()): number => {
    if (times[last] !== now) {
      last = (last + 1) % MOMENTS
      times[last] = now
    }
    return (numbers[last] = ++number)
  }
  return {
    nextNumber,
    reached: () => number,
    numberAt: (time) => {
      for (let i = 0; i < times.length; i++) {
        const at = (last - i + MOMENTS) % MOMENTS
        if (times[at]! <= time) {
          return numbers[at]!
        }
      }
      return 0
    },
    openRequest: (isShown) => {
      const now = clock.now()
      const sent = nextNumber(now)
      open.set(sent, isShown ? Infinity : now)
      return sent
    },
    closeRequest: (sent) => void open.delete(sent),
    horizon: () => {
      for (const [sent, since] of open) {
        if (clock.now() - since <= MOST_HELD_BACK) {
          return sent
        }
      }
      return Infinity
    },
  }
}
