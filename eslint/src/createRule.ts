import type { Rule } from 'eslint'
import type { Context, Node } from './ast.ts'
import { type Names, readNames } from './Names.ts'

/** The parts that a rule is made from. */
export interface RuleParts {
  name: string
  description: string
  type: 'problem' | 'suggestion'
  fixable?: true
  hasSuggestions?: true
  messages: Record<string, string>
  /** Called for each file that imports from the library. */
  visit(names: Names, context: Context): Record<string, (node: Node) => void>
}

/** A rule for ESLint and oxlint, whose messages end with the address of its page. */
export function createRule(parts: RuleParts): Rule.RuleModule {
  const { name, description, type, fixable, hasSuggestions, visit } = parts
  const url = urlOf(name)
  const isSuggestion = (id: string): boolean => id.startsWith('suggest')
  const messages = Object.entries(parts.messages).map(([id, text]) => [id, isSuggestion(id) ? text : `${text} ${url}`])
  return {
    meta: {
      type,
      docs: { description, url, recommended: true },
      ...(fixable && { fixable: 'code' }),
      ...(hasSuggestions && { hasSuggestions }),
      schema: [],
      messages: Object.fromEntries(messages),
    },
    create(context) {
      const names = readNames(context)
      return names ? visit(names, context) : {}
    },
  }
}

/** The package contains the pages, and unpkg serves every published package. */
function urlOf(name: string): string {
  return `https://unpkg.com/eslint-plugin-restitch/docs/${name}.md`
}
