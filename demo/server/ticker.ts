import { createRandom } from './random.ts'

/** The minutes that builds took, second by second: it follows from the time alone, so nothing has to be stored. */
export function readTicker(now: number): { id: string; minutes: number; at: string; history: number[] } {
  const second = Math.floor(now / 1000)
  const history = Array.from({ length: 60 }, (_, index) => minutesAt(second - 59 + index))
  return { id: 'build', minutes: minutesAt(second), at: new Date(second * 1000).toISOString(), history }
}

function minutesAt(second: number): number {
  const slow = 12 * Math.sin(second / 97) + 6 * Math.sin(second / 31)
  return Math.round((42 + slow + 4 * createRandom(second)()) * 10) / 10
}
