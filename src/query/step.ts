import type { Step } from './Stage.ts'

/** An operator. */
export function step(name: string, seesArgs: boolean, make: Step['make'], more?: Partial<Step>): any {
  const made: Step = { name, usesArgs: seesArgs, make, ...more }
  return made
}
