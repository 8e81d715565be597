import type { Controller } from '../controller/Controller.ts'

/** Makes the random part of intervals and delays the average one: a test that lets five seconds pass has passed a poll of five seconds. */
export function withoutChance(controller: Controller): void {
  Object.assign(controller, { random: () => 0.5 })
}
