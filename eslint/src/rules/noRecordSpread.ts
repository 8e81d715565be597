import type { Rule } from 'eslint'
import type { Node } from '../ast.ts'
import { isControllerCall } from '../controllers.ts'
import { createRule } from '../createRule.ts'
import { kindOf } from '../records.ts'

/** A spread of a record writes all its fields, as they were when it was read, over those that have changed since then. */
export const noRecordSpread: Rule.RuleModule = createRule({
  name: 'no-record-spread',
  description: 'Do not spread a record into `controller.set`.',
  type: 'problem',
  hasSuggestions: true,
  messages: {
    spread:
      '`...{{record}}` writes every field of the record as it was when you read it, so a field that has changed since then gets its old value back. Pass only the fields that change, or a function: `(current) => ({ ...current, … })`.',
    suggestRemove: 'Remove `...{{record}}`.',
  },
  visit: (names, context) => ({
    CallExpression(node) {
      const value: Node | undefined = node['arguments'].at(-1)
      if (value?.type !== 'ObjectExpression' || !isControllerCall(names, node, ['set', 'setResponse'])) {
        return
      }
      const members: Node[] = value['properties']
      for (const [index, member] of members.entries()) {
        if (member.type !== 'SpreadElement' || kindOf(names, member['argument']) !== 'stored') {
          continue
        }
        const data = { record: names.source.getText(member['argument']) }
        const next = members[index + 1]
        // A response has to be whole.
        const isRemovable = next && isControllerCall(names, node, ['set'])
        context.report({
          node: member,
          messageId: 'spread',
          data,
          suggest: isRemovable
            ? [
                {
                  messageId: 'suggestRemove',
                  data,
                  fix: (fixer) => fixer.removeRange([member.range[0], next.range[0]]),
                },
              ]
            : [],
        })
      }
    },
  }),
})
