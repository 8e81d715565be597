import type { Rule } from 'eslint'
import { findAround, isFunction } from '../ast.ts'
import { createRule } from '../createRule.ts'
import { looksForBrowser, whyOnServer } from '../servers.ts'

const STORES = new Set(['createRestitch', 'createStore'])
// These are for servers alone, wherever they stand.
const SERVER_STORES = new Set(['createPersistedStore', 'createServerRestitch'])

/** One process of a server responds to many users; a store of a module would be the same for all of them. */
export const noSharedStore: Rule.RuleModule = createRule({
  name: 'no-shared-store',
  description: 'On a server, create a store for each request, never in a module.',
  type: 'problem',
  messages: {
    shared:
      'This module runs on a server ({{why}}), and all users of the process get this store: one sees the data of another. Call `{{callee}}()` in the function that handles a request, or in a component with `useState(() => {{callee}}())`.',
    server:
      '`{{callee}}()` at the top of a module makes one store for all users of the server: one sees the data of another. Call it in the function that handles a request.',
  },
  visit: (names, context) => ({
    CallExpression(node) {
      const callee = names.calleeOf(node)
      if (callee === undefined || findAround(node, isFunction)) {
        return
      }
      if (SERVER_STORES.has(callee)) {
        context.report({ node: node, messageId: 'server', data: { callee } })
        return
      }
      const why = STORES.has(callee) ? whyOnServer(names.source) : undefined
      const condition = findAround(node, ({ type }) =>
        /^(?:ConditionalExpression|IfStatement|LogicalExpression)$/.test(type),
      )
      if (why && !(condition && looksForBrowser(names.source, condition))) {
        context.report({ node: node, messageId: 'shared', data: { callee, why } })
      }
    },
  }),
})
