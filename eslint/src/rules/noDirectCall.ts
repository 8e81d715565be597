import type { Rule } from 'eslint'
import { nameOf, type Node, propertiesOf, unwrap, walk } from '../ast.ts'
import { isInComponent } from '../components.ts'
import { isController, isControllerCall } from '../controllers.ts'
import { createRule } from '../createRule.ts'
import type { Names } from '../Names.ts'

const HOOKS = new Set([
  'useSuspense',
  'useDLE',
  'useLive',
  'useCache',
  'useFetch',
  'useSubscription',
  'useInfinite',
  'useInfiniteDLE',
  'useMutation',
  'useUndoable',
])
const METHODS = ['fetch', 'fetchIfStale', 'expireAll', 'invalidate', 'invalidateAll', 'getResponse', 'setResponse']
const MEMBERS = new Set(['get', 'getList', 'create', 'update', 'partialUpdate', 'delete'])
const OF_LISTS = new Set(['push', 'unshift', 'assign', 'remove', 'move', 'getPage'])
// The response of a sign-in holds a token, which should not be in the store.
const SECRET = /auth(?!or)|login|logout|password|session|sign_?(?:in|out|up)|token/i

type Variable = NonNullable<ReturnType<Names['variableOf']>>
type Endpoints = Map<Variable, 'resource' | 'endpoint'>

/** An endpoint that is called sends a request and stores nothing, so no component sees the response. */
export const noDirectCall: Rule.RuleModule = createRule({
  name: 'no-direct-call',
  description: 'Do not call endpoints directly in components.',
  type: 'problem',
  hasSuggestions: true,
  messages: {
    call: '`{{endpoint}}()` sends a request and stores nothing: no component sees the response. Use a hook such as `useSuspense({{endpoint}}, …)` to read, and `useMutation({{endpoint}})` or `controller.fetch({{endpoint}}, …)` to write.',
    suggestFetch: 'Send it through the store: `{{controller}}.fetch({{endpoint}}, …)`.',
  },
  visit(names, context) {
    let endpoints: Endpoints | undefined
    return {
      CallExpression(node) {
        const callee = unwrap(node['callee'])
        const root = rootOf(callee)
        if (!root || SECRET.test(names.source.getText(callee as never)) || !isInComponent(names, node)) {
          return
        }
        endpoints ??= findEndpoints(names)
        const variable = names.variableOf(root)
        const kind = variable && endpoints.get(variable)
        if (!kind || !(kind === 'endpoint' ? callee === root : isMemberOfResource(callee))) {
          return
        }
        const endpoint = names.source.getText(callee as never)
        const controller = findController(names, node)
        const [first] = node['arguments']
        const data = { endpoint, controller: controller ?? '' }
        context.report({
          node: node,
          messageId: 'call',
          data,
          suggest: controller
            ? [
                {
                  messageId: 'suggestFetch',
                  data,
                  fix: (fixer) =>
                    fixer.replaceTextRange(
                      [node.range[0], first ? first.range[0] : node.range[1]],
                      `${controller}.fetch(${endpoint}${first ? ', ' : ')'}`,
                    ),
                },
              ]
            : [],
        })
      },
    }
  },
})

/** The names that this file declares or passes to hooks as an endpoint or a resource. */
function findEndpoints(names: Names): Endpoints {
  const found: Endpoints = new Map()
  const add = (identifier: Node | undefined, kind: 'resource' | 'endpoint'): void => {
    const variable = identifier?.type === 'Identifier' ? names.variableOf(identifier) : undefined
    if (variable && variable.defs.length === 1) {
      found.set(variable, kind)
    }
  }
  walk(names.source, names.source.ast, (node) => {
    if (node.type === 'VariableDeclarator' && node['init']) {
      const made = names.calleeOf(unwrap(node['init']))
      if (made === 'resource' || made === 'createResource') {
        add(node['id'], 'resource')
      } else if (made === 'RestEndpoint' && propertiesOf(unwrap(node['init'])['arguments'][0]).has('schema')) {
        add(node['id'], 'endpoint')
      }
    } else if (node.type === 'CallExpression' && node['arguments'].length > 0) {
      const isRead = HOOKS.has(names.calleeOf(node) ?? '') || isControllerCall(names, node, METHODS)
      const endpoint = unwrap(node['arguments'][0])
      if (isRead && endpoint.type === 'Identifier') {
        add(isParameter(names, endpoint) ? undefined : endpoint, 'endpoint')
      } else if (isRead && isMemberOfResource(endpoint)) {
        add(rootOf(endpoint), 'resource')
      }
    }
  })
  return found
}

/** `Todos.get`, `Todos.getList`, `Todos.getList.push`. */
function isMemberOfResource(node: Node): boolean {
  if (node.type !== 'MemberExpression') {
    return false
  }
  const { object } = node as unknown as { object: Node }
  return object.type === 'Identifier'
    ? MEMBERS.has(nameOf(node) ?? '')
    : OF_LISTS.has(nameOf(node) ?? '') && object.type === 'MemberExpression' && nameOf(object) === 'getList'
}

function rootOf(node: Node): Node | undefined {
  return node.type === 'MemberExpression' ? rootOf(node['object']) : node.type === 'Identifier' ? node : undefined
}

function isParameter(names: Names, identifier: Node): boolean {
  return names.declarationOf(identifier)?.type === 'Parameter'
}

/** The name of a Controller that is in scope. */
function findController(names: Names, node: Node): string | undefined {
  for (
    let scope = names.source.getScope(node as never) as ReturnType<Names['source']['getScope']> | null;
    scope;
    scope = scope.upper
  ) {
    for (const { name, identifiers } of scope.variables) {
      if (identifiers.length === 1 && isController(names, identifiers[0] as Node)) {
        return name
      }
    }
  }
  return undefined
}
