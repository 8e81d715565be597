import type { Rule } from 'eslint'
import type { Node } from './ast.ts'

/**
 * The same rule for a tree that it does not understand: it reports nothing, and never throws.
 * A parser may have nodes that no rule has seen, and a linter must not stop because of one file.
 */
export function guard(rule: Rule.RuleModule): Rule.RuleModule {
  return {
    ...rule,
    create(context) {
      const listeners = attempt(() => rule.create(context)) ?? {}
      return Object.fromEntries(
        Object.entries(listeners).map(([selector, listener]) => [
          selector,
          (node: Node) => attempt(() => (listener as (node: Node) => void)(node)),
        ]),
      )
    },
  }
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
