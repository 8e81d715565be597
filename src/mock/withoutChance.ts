import type { Manager } from '../managers/Manager.ts'

/** Makes the random part of intervals and delays the average one: a test that lets five seconds pass has passed a poll of five seconds. */
export const withoutChance: Manager = {
  middleware(controller) {
    Object.assign(controller, { random: () => 0.5 })
    return (next) => next
  },
  cleanup() {},
}
