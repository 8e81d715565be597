import type { Clock } from '../base/clock.ts'

/** How many moments the store remembers the number of. */
const MOMENTS = 512

/** Order is a number, never a clock: requests take one when they are sent, and writes one more when they are committed. */
export interface Order {
  nextNumber(now?: number): number
  /** The number reached so far. */
  reached(): number
  /** The number reached at a time. A time before the remembered ones counts as older than all of them. */
  numberAt(time: number): number
}

export function createOrder(clock: Clock): Order {
  let number = 0
  /** The last moments at which numbers were taken, and the number reached at each: a ring. */
  const times: number[] = []
  const numbers: number[] = []
  let last = -1
  return {
    nextNumber: (now = clock.now()) => {
      if (times[last] !== now) {
        last = (last + 1) % MOMENTS
        times[last] = now
      }
      return (numbers[last] = ++number)
    },
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
  }
}
