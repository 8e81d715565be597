import type { Rule } from 'eslint'
import { nameOf, type Node, outerOf, unwrap } from '../ast.ts'
import { createRule } from '../createRule.ts'
import type { Names } from '../Names.ts'
import { kindOf } from '../records.ts'

const OF_ARRAYS = new Set(['copyWithin', 'fill', 'pop', 'push', 'reverse', 'shift', 'sort', 'splice', 'unshift'])
const OF_DATES = /^set(?:UTC)?(?:Date|FullYear|Hours|Milliseconds|Minutes|Month|Seconds|Time)$/
const OF_OBJECT = new Set(['assign', 'defineProperties', 'defineProperty', 'setPrototypeOf'])

/** Records and lists of the store are shared by all components, so nothing may write to them. */
export const noRecordMutation: Rule.RuleModule = createRule({
  name: 'no-record-mutation',
  description: 'Do not write to records and lists that the store returned.',
  type: 'problem',
  fixable: true,
  messages: {
    assign:
      '`{{target}}` belongs to the store: every component that shows it gets the same object. Change it with a mutation, or with `controller.set`.',
    call: '`{{method}}` changes `{{target}}`, which belongs to the store. Copy it first, or change it with a mutation.',
  },
  visit(names, context) {
    const isStored = (node: Node): boolean => kindOf(names, node) === 'stored'
    const report = (node: Node, target: Node, method?: string, fix?: Rule.ReportFixer): void =>
      context.report({
        node: node,
        messageId: method ? 'call' : 'assign',
        data: { target: textOf(names, target), method: method ?? '' },
        ...(fix && { fix }),
      })
    const checkTarget = (node: Node): void => {
      const target = unwrap(node)
      if (target.type === 'MemberExpression' && isStored(target['object'])) {
        report(target, target['object'])
      }
    }
    return {
      AssignmentExpression: ({ left }) => checkTarget(left),
      UpdateExpression: ({ argument }) => checkTarget(argument),
      UnaryExpression: ({ operator, argument }) => operator === 'delete' && checkTarget(argument),
      CallExpression(node) {
        const callee = unwrap(node['callee'])
        const method = callee.type === 'MemberExpression' ? nameOf(callee) : undefined
        if (method === undefined) {
          return
        }
        const owner: Node = callee['object']
        const [first] = node['arguments']
        if (owner.type === 'Identifier' && owner['name'] === 'Object' && OF_OBJECT.has(method)) {
          if (first && first.type !== 'SpreadElement' && isStored(first)) {
            report(node, first, `Object.${method}`)
          }
        } else if ((OF_ARRAYS.has(method) || OF_DATES.test(method)) && isStored(owner)) {
          report(node, owner, method, copyFirst(names, node, owner, method))
        }
      },
    }
  },
})

/** `todos.sort()` as a value is `[...todos].sort()`. As a statement it was meant to change the list, so a person has to decide. */
function copyFirst(names: Names, node: Node, owner: Node, method: string): Rule.ReportFixer | undefined {
  const callee = unwrap(node['callee'])
  const isValue = outerOf(node).parent?.type !== 'ExpressionStatement'
  // `todos?.sort()` may be undefined, and a ref of Vue is no list.
  const isPlain = !callee['optional'] && owner.type !== 'AwaitExpression' && !textOf(names, owner).includes('?.')
  if (!isValue || !isPlain || (method !== 'sort' && method !== 'reverse')) {
    return undefined
  }
  return (fixer) => fixer.replaceTextRange(owner.range, `[...${textOf(names, owner)}]`)
}

function textOf({ source }: Names, node: Node): string {
  return source.getText(node as never)
}
