import type { Run, Stage, Step } from './Stage.ts'

/** One identifier, or the members of one object without defaults: a function with these parameters cannot see a second argument. */
const ONE_PARAMETER = /^(?:function\s*[\w$]*\s*)?\(?\s*(?:[\w$]*|\{[^{}()=]*\})\s*\)?\s*(?:=>|\{)/

/** False for a function that cannot see the arguments of a query. */
export function usesArgs(run: Run): boolean {
  const text = String(run)
  return run.length > 1 || !ONE_PARAMETER.test(text) || /\barguments\b|\[native code\]/.test(text)
}

/** An operator. */
export function step(
  name: string,
  seesArgs: boolean,
  make: (parent: Stage, args: readonly any[]) => Stage,
  isLast = false,
): any {
  const made: Step = { name, usesArgs: seesArgs, isLast, make }
  return made
}
