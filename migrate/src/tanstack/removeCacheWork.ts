import type * as t from '@babel/types'
import { Unconvertible } from '../errors.ts'
import type { Pass } from '../Pass.ts'
import { bare, isFunction } from '../syntax.ts'
import type { ClientCall } from './findClientCalls.ts'
import { CACHE_METHODS } from './library.ts'
import type { Mutation } from './readMutation.ts'
import type { Query } from './readQuery.ts'
import { isWithin, showsEntity, targetsOf } from './targets.ts'
import { writeClientCall } from './writeClientCall.ts'

export interface CacheWork {
  /** True if nothing else happens. */
  readonly isAll: boolean
  readonly removed: readonly t.Node[]
}

/** A callback of a mutation, and all that says whether the store does its work. */
interface Callback {
  readonly pass: Pass
  readonly mutation: Mutation
  readonly fn: t.Function
  readonly calls: readonly ClientCall[]
  readonly queries: readonly Query[]
  /** The entity whose lists the store keeps right after this mutation. */
  readonly entity: string | undefined
}

/** Finds the cache work of a callback that the store makes pointless, and writes the rest with a controller. */
export function removeCacheWork(
  pass: Pass,
  mutation: Mutation,
  fn: t.Function,
  clientCalls: readonly ClientCall[],
  queries: readonly Query[],
): CacheWork {
  const { file, operation } = mutation
  const calls = clientCalls.filter((call) => call.file === file && isWithin(call.path.node, fn))
  // Only an endpoint of a resource is known to bring a new record into its lists.
  const isMember = pass.api.resources.some(({ operations }) =>
    [...operations.values()].some(({ key }) => key === operation),
  )
  const entity = isMember ? pass.api.places.get(operation)?.entity : undefined
  const callback: Callback = { pass, mutation, fn, calls, queries, entity }
  if (fn.body.type !== 'BlockStatement') {
    const isAll = isCacheExpression(callback, fn.body)
    if (isAll) {
      noteDeleted(callback, fn.body)
    } else {
      calls.forEach((call) => writeClientCall(pass, call, queries, entity))
    }
    return { isAll, removed: [] }
  }
  const removed = fn.body.body.filter((statement) => isCacheStatement(callback, statement))
  removed.forEach((node) => noteDeleted(callback, node))
  const left = calls.filter((call) => !removed.some((node) => isWithin(call.path.node, node)))
  const write = left.find(({ method }) => CACHE_METHODS.test(method) && !/^(?:invalidate|refetch)/.test(method))
  if (write && targetsOf(pass, write, queries).touched.length > 0) {
    throw new Unconvertible(`${write.method} in a callback writes more than the response`)
  }
  left.forEach((call) => writeClientCall(pass, call, queries, entity))
  return { isAll: removed.length === fn.body.body.length, removed }
}

/** The report names every call that goes. */
function noteDeleted({ pass, mutation, calls }: Callback, within: t.Node): void {
  for (const { path, method } of calls) {
    if (isWithin(path.node, within) && method !== 'cancelQueries') {
      pass.note('note', mutation.file, path.node, method, 'deleted: the store keeps what it reaches right')
    }
  }
}

function isCacheStatement(callback: Callback, statement: t.Statement): boolean {
  switch (statement.type) {
    case 'ExpressionStatement':
      return isCacheExpression(callback, statement.expression)
    case 'ReturnStatement':
      return isCacheExpression(callback, statement.argument)
    case 'IfStatement': {
      const inner = statementsOf(statement.consequent)
      return !statement.alternate && inner.length > 0 && inner.every((one) => isCacheStatement(callback, one))
    }
    case 'ForOfStatement':
      return statementsOf(statement.body).every((one) => isCacheStatement(callback, one))
    case 'VariableDeclaration':
      return statement.declarations.every(({ init }) => isCacheExpression(callback, init))
    default:
      return false
  }
}

function statementsOf(statement: t.Statement): readonly t.Statement[] {
  return statement.type === 'BlockStatement' ? statement.body : [statement]
}

function isCacheExpression(callback: Callback, expression: t.Node | null | undefined): boolean {
  const node = bare(expression)
  switch (node?.type) {
    case 'AwaitExpression':
      return isCacheExpression(callback, node.argument)
    case 'UnaryExpression':
      return node.operator === 'void' && isCacheExpression(callback, node.argument)
    case 'LogicalExpression':
      return isCacheExpression(callback, node.right)
    case 'CallExpression':
    case 'OptionalCallExpression':
      return isCacheCall(callback, node)
    default:
      return false
  }
}

function isCacheCall(callback: Callback, node: t.CallExpression | t.OptionalCallExpression): boolean {
  const call = callback.calls.find(({ path }) => path.node === node)
  if (call) {
    return isPointless(callback, call)
  }
  const callee = callback.mutation.file.code(node.callee)
  const [first] = node.arguments
  if (callee === 'Promise.all' && first?.type === 'ArrayExpression') {
    return first.elements.every((item) => isCacheExpression(callback, item))
  }
  if (callee.endsWith('.forEach') && isFunction(first)) {
    return first.body.type === 'BlockStatement'
      ? first.body.body.every((statement) => isCacheStatement(callback, statement))
      : isCacheExpression(callback, first.body)
  }
  return false
}

/** Whether the store does the same without the call. */
function isPointless({ pass, mutation, fn, queries, entity }: Callback, call: ClientCall): boolean {
  const { touched, others, isUnknown } = targetsOf(pass, call, queries)
  const [, value] = call.path.node.arguments
  const [response] = fn.params
  const isFree = !isUnknown && others.length === 0
  // The store has the records of every response, whatever endpoint it comes from.
  if (
    call.method === 'setQueryData' &&
    response?.type === 'Identifier' &&
    value?.type === 'Identifier' &&
    value.name === response.name
  ) {
    const written = pass.api.places.get(mutation.operation)?.entity
    return isFree && touched.every((query) => showsEntity(pass, query, written))
  }
  // A rollback writes what onMutate remembered, under keys that it remembered.
  if (isUnknown && mutation.isOptimistic && call.method.startsWith('set')) {
    return true
  }
  return isFree && touched.every((query) => showsEntity(pass, query, entity))
}
