import type { Manager } from '../managers/Manager.ts'

/**
 * Makes the random part of intervals and delays the average one, and `spread` nothing: a test that lets five seconds pass has passed a
 * poll of five seconds, and what an event puts in doubt is fetched at once.
 */
export const withoutChance: Manager = {
  middleware(controller) {
    Object.assign(controller, { random: () => 0.5 })
    controller.core.spread ??= 0
    return (next) => next
  },
  cleanup() {},
}
