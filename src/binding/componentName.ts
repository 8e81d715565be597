import { DEV } from '../base/env.ts'
import { naming } from '../explain/observers.ts'

/** A function with the name of a component, as browsers write it in a stack. Bundlers add a number to a name that two files have. */
const FRAME = /^\s*(?:at )?([A-Z][\w$]*)(?: \(|@)/
/** The constructor of a class. Compilers put a low line before the name of one that has static members. */
const CONSTRUCTOR = /^\s*(?:at new )?_?([A-Z][\w$]*)(?: \(|@)/

/**
 * The component that is being rendered, where the devtools need its name. Hooks begin with a small letter; constructors come with `new`.
 *
 * @param isClass components are classes
 */
export function componentName(isClass?: boolean): string | undefined {
  // Metro drops no unused export, so a function that only development calls is empty in production.
  return DEV && naming.isOn ? readComponentName(isClass) : undefined
}

/** The same for a message, where it need not be quick. */
export function readComponentName(isClass?: boolean): string | undefined {
  if (DEV) {
    // Only V8 has a limit.
    const limited = Error as { stackTraceLimit?: number | undefined }
    const { stackTraceLimit } = limited
    limited.stackTraceLimit = 40
    const { stack = '' } = new Error('trace')
    limited.stackTraceLimit = stackTraceLimit
    return stack
      .split('\n')
      .slice(1)
      .map((line) => (isClass ? CONSTRUCTOR : FRAME).exec(line)?.[1])
      .find((name) => name !== undefined)
      ?.replace(/\$\d+$/, '')
  }
  return undefined
}
