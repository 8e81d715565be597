import type { Rule } from 'eslint'
import { nameOf, type Node, unwrap } from '../ast.ts'
import { createRule } from '../createRule.ts'

const HOOKS = new Set([
  'useSuspense',
  'useDLE',
  'useLive',
  'useCache',
  'useFetch',
  'useSubscription',
  'useInfinite',
  'useInfiniteDLE',
])

/** A hook whose arguments are not known yet takes `null`, and sends nothing. */
export const noNonNullArgs: Rule.RuleModule = createRule({
  name: 'no-non-null-args',
  description: 'Pass `null` to a hook while its arguments are missing, instead of `id!`.',
  type: 'problem',
  hasSuggestions: true,
  messages: {
    missing:
      '`{{text}}` hides that the value may be missing: {{hook}} then throws, or sends a request without it. Pass `null` instead of the arguments until it is there.',
    suggestNull: 'Pass `{{replacement}}`.',
  },
  visit: (names, context) => ({
    CallExpression(node) {
      const hook = names.calleeOf(node)
      const args: Node | undefined = node['arguments'][1]
      if (hook === undefined || !HOOKS.has(hook) || args?.type !== 'ObjectExpression') {
        return
      }
      const pretended = (args['properties'] as Node[]).filter(
        (property) => property.type === 'Property' && isPretended(property),
      )
      if (pretended.length === 0) {
        return
      }
      const textOf = (below: Node): string => names.source.getText(below as never)
      const missing = pretended.map((property) => `${textOf(valueOf(property['value']))} == null`)
      const replacement = `${missing.join(' || ')} ? null : ${replaceIn(textOf, args, pretended)}`
      for (const property of pretended) {
        context.report({
          node: property['value'],
          messageId: 'missing',
          data: { text: textOf(property['value']), hook },
          suggest: [
            {
              messageId: 'suggestNull',
              data: { replacement },
              fix: (fixer) => fixer.replaceTextRange(args.range, replacement),
            },
          ],
        })
      }
    },
  }),
})

/** `id: id!`, and `id: id ?? ''`: no record has an empty id. */
function isPretended(property: Node): boolean {
  const { value } = property as unknown as { value: Node }
  const isSimple = /^(?:Identifier|MemberExpression)$/.test(unwrap(valueOf(value)).type)
  if (value.type === 'TSNonNullExpression') {
    return isSimple
  }
  const isFallback = value.type === 'LogicalExpression' && value['operator'] !== '&&' && value['right'].value === ''
  return isSimple && isFallback && /^id$|Id$/.test(nameOf(property) ?? '')
}

function valueOf(node: Node): Node {
  return node.type === 'TSNonNullExpression'
    ? node['expression']
    : node.type === 'LogicalExpression'
      ? node['left']
      : node
}

function replaceIn(textOf: (node: Node) => string, args: Node, pretended: readonly Node[]): string {
  let text = textOf(args)
  for (const property of pretended.toReversed()) {
    const value = textOf(valueOf(property['value']))
    const short = value === nameOf(property) ? value : `${textOf(property['key'])}: ${value}`
    text = `${text.slice(0, property.range[0] - args.range[0])}${short}${text.slice(property.range[1] - args.range[0])}`
  }
  return text
}
