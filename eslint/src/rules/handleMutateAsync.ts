import type { Rule } from 'eslint'
import { isFunction, nameOf, type Node, outerOf, unwrap } from '../ast.ts'
import { isInComponent } from '../components.ts'
import { isControllerCall } from '../controllers.ts'
import { createRule } from '../createRule.ts'
import type { Names } from '../Names.ts'

/** The promise of a mutation rejects when the request fails, so something has to look at it. */
export const handleMutateAsync: Rule.RuleModule = createRule({
  name: 'handle-mutate-async',
  description: 'Await `mutateAsync` and `controller.fetch`, or catch their errors.',
  type: 'problem',
  fixable: true,
  messages: {
    mutateAsync:
      'Nothing handles the promise of `mutateAsync`: if the request fails, its error is uncaught. Use `mutate`, which never throws, or await the promise in a `try`.',
    fetch:
      'Nothing handles the promise of `controller.fetch`: if the request fails, its error is uncaught. Await it in a `try`, add `.catch()`, or use `mutate` of `useMutation`.',
  },
  visit: (names, context) => ({
    CallExpression(node) {
      if (!isFloating(node)) {
        return
      }
      const mutateAsync = findMutateAsync(names, node)
      if (mutateAsync) {
        const isWhole = outerOf(node).parent?.type !== 'MemberExpression'
        context.report({
          node: node,
          messageId: 'mutateAsync',
          ...(isWhole &&
            mutateAsync.mutate && {
              fix: (fixer) => fixer.replaceTextRange(mutateAsync.name.range, mutateAsync.mutate!),
            }),
        })
      } else if (isControllerCall(names, node, ['fetch']) && isInComponent(names, node)) {
        context.report({ node: node, messageId: 'fetch' })
      }
    },
  }),
})

/** Whether the promise of a call is a statement of its own, or the result of a handler of an element such as `<button>`. */
function isFloating(node: Node): boolean {
  const { parent } = outerOf(node)
  if (parent?.type === 'MemberExpression') {
    const method = nameOf(parent)
    const call = outerOf(parent).parent
    const isChained = call?.type === 'CallExpression' && unwrap(call['callee']) === parent
    const isOpen = method === 'finally' || (method === 'then' && isChained && call['arguments'].length === 1)
    return isChained && isOpen && isFloating(call)
  }
  if (parent?.type === 'ExpressionStatement') {
    return true
  }
  return parent?.type === 'ArrowFunctionExpression' && parent['body'] === outerOf(node) && isHandler(parent)
}

/** A handler of a component may well be awaited by it; one of an element is not. */
function isHandler(node: Node): boolean {
  const attribute = node.parent?.type === 'JSXExpressionContainer' ? node.parent.parent : undefined
  return (
    isFunction(node) &&
    attribute?.type === 'JSXAttribute' &&
    /^on[A-Z]/.test(attribute['name'].name) &&
    /^[a-z]/.test(attribute.parent?.['name'].name ?? '')
  )
}

/** The name `mutateAsync` in a call, and what the call would need to be one of `mutate`. */
function findMutateAsync(names: Names, node: Node): { name: Node; mutate: string | undefined } | undefined {
  const callee = unwrap(node['callee'])
  if (callee.type === 'MemberExpression' && nameOf(callee) === 'mutateAsync') {
    const declaration = callee['object'].type === 'Identifier' ? names.declarationOf(callee['object']) : undefined
    const isMutation = declaration?.node['id'] === declaration?.name && isUseMutation(names, declaration?.node['init'])
    return isMutation ? { name: callee['property'], mutate: callee['computed'] ? undefined : 'mutate' } : undefined
  }
  const declaration = callee.type === 'Identifier' ? names.declarationOf(callee) : undefined
  if (
    !declaration ||
    declaration.node['id']?.type !== 'ObjectPattern' ||
    !isUseMutation(names, declaration.node['init'])
  ) {
    return undefined
  }
  const properties: Node[] = declaration.node['id'].properties
  const own = properties.find(({ value }) => value === declaration.name)
  if (!own || nameOf(own) !== 'mutateAsync') {
    return undefined
  }
  const mutate = properties.find((property) => nameOf(property) === 'mutate' && property['value'].type === 'Identifier')
  return { name: callee, mutate: mutate?.['value'].name }
}

function isUseMutation(names: Names, node: Node | null | undefined): boolean {
  return !!node && names.calleeOf(unwrap(node)) === 'useMutation'
}
