import type { Rule } from 'eslint'
import { findAround, isFunction, type Node } from '../ast.ts'
import { runsInRender } from '../components.ts'
import { createRule } from '../createRule.ts'
import { isServerModule } from '../servers.ts'

const FUNCTIONS = new Set(['createResource', 'createRestitch', 'createStore', 'entity', 'EntityMixin', 'resource'])
const CLASSES = new Set([
  'All',
  'Collection',
  'Controller',
  'Endpoint',
  'ExtendableEndpoint',
  'GQLEndpoint',
  'Invalidate',
  'Lazy',
  'Query',
  'RestEndpoint',
  'Scalar',
  'Union',
  'Values',
])
const BASES = new Set([...CLASSES, 'Entity', 'GQLEntity'])
// The browser and the server both need these.
const SHARED = new Set(['createResource', 'entity', 'EntityMixin', 'GQLEndpoint', 'resource', 'RestEndpoint'])

/** Entities, endpoints and stores are compared by identity, so they are made once, in a module that all can import. */
export const declareOutsideComponents: Rule.RuleModule = createRule({
  name: 'declare-outside-components',
  description: 'Make entities, resources, endpoints and stores in modules, not in components or server modules.',
  type: 'problem',
  messages: {
    component:
      '{{what}} is made again for each render, and the store sees another one each time. Move it out of the component, to the top of a module.',
    server:
      "{{what}} is in a module with 'use server', which exports nothing but async functions, so components cannot use it. Move it to a module of its own.",
  },
  visit(names, context) {
    const reported = new WeakSet<Node>()
    const isServer = isServerModule(names.source)
    const check = (node: Node, what: string, isShared: boolean): void => {
      // `new Query(new All(Todo))` is one mistake.
      if (findAround(node, (around) => reported.has(around))) {
        return
      }
      if (runsInRender(names, node)) {
        reported.add(node)
        context.report({ node: node, messageId: 'component', data: { what } })
      } else if (isServer && isShared && !findAround(node, isFunction)) {
        context.report({ node: node, messageId: 'server', data: { what } })
      }
    }
    const checkClass = (node: Node): void => {
      const base = names.baseOf(node)
      if (base !== undefined && BASES.has(base)) {
        check(node, `The class ${node['id']?.name ?? `that extends ${base}`}`, base !== 'Controller')
      }
    }
    return {
      CallExpression(node) {
        const callee = names.calleeOf(node)
        if (callee !== undefined && FUNCTIONS.has(callee)) {
          check(node, `\`${callee}()\``, SHARED.has(callee))
        }
      },
      NewExpression(node) {
        const callee = names.calleeOf(node)
        if (callee !== undefined && CLASSES.has(callee)) {
          check(node, `\`new ${callee}()\``, SHARED.has(callee))
        }
      },
      ClassDeclaration: checkClass,
      ClassExpression: checkClass,
    }
  },
})
