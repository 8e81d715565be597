import { findAround, isFunction, nameOf, type Node, unwrap } from './ast.ts'
import { isControllerCall } from './controllers.ts'
import type { Names } from './Names.ts'

/**
 * The kind of an expression, as far as the file tells:
 * a value of the store, a list of one's own with such values in it, the state that a hook returns, or a tuple of values.
 */
export type Kind = 'stored' | 'copy' | 'state' | 'tuple' | 'states' | undefined

const HOOKS: Record<string, Kind> = {
  useSuspense: 'stored',
  useLive: 'stored',
  useCache: 'stored',
  useQuery: 'stored',
  useDLE: 'state',
  useInfinite: 'state',
  useInfiniteDLE: 'state',
  useMutation: 'state',
  useSuspenseAll: 'tuple',
  useDLEAll: 'states',
}
const COPYING = new Set(['filter', 'slice', 'concat', 'toSorted', 'toReversed', 'toSpliced', 'with'])
const PICKING = new Set(['find', 'findLast', 'at'])
const GROWING = new Set(['push', 'unshift', 'splice', 'fill'])
/** Methods of arrays that call a function with an item first. */
const VISITING = new Set([
  'every',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'flatMap',
  'forEach',
  'map',
  'some',
])
// A chain of variables that is longer than this is not followed.
const DEPTH = 20

/** Tells what an expression is. `undefined`: the rules say nothing about it. */
export function kindOf(names: Names, node: Node, depth = 0): Kind {
  if (depth > DEPTH) {
    return undefined
  }
  const at = unwrap(node)
  const look = (below: Node): Kind => kindOf(names, below, depth + 1)
  switch (at.type) {
    case 'Identifier':
      return kindOfVariable(names, at, depth)
    case 'MemberExpression':
      return kindOfMember(look(at['object']), at['computed'] ? undefined : nameOf(at))
    case 'AwaitExpression':
      return isControllerCall(names, at['argument'], ['fetch', 'fetchIfStale']) ? 'stored' : look(at['argument'])
    case 'CallExpression':
      return kindOfCall(names, at, look)
    case 'LogicalExpression':
      return look(at['left']) ?? (at['operator'] === '&&' ? look(at['right']) : undefined)
    case 'ConditionalExpression':
      return look(at['consequent']) ?? look(at['alternate'])
    case 'ArrayExpression': {
      const [item] = at['elements']
      const isCopy = at['elements'].length === 1 && item?.type === 'SpreadElement' && isList(look(item.argument))
      return isCopy ? 'copy' : undefined
    }
    default:
      return undefined
  }
}

function kindOfCall(names: Names, node: Node, look: (node: Node) => Kind): Kind {
  const hook = names.calleeOf(node)
  if (hook !== undefined) {
    return Object.hasOwn(HOOKS, hook) ? HOOKS[hook] : undefined
  }
  if (isControllerCall(names, node, ['get']) || isSnapshotRead(names, node)) {
    return 'stored'
  }
  const callee = unwrap(node['callee'])
  const method = callee.type === 'MemberExpression' ? nameOf(callee) : undefined
  if (method === undefined) {
    return undefined
  }
  const [first] = node['arguments']
  if (
    callee['object'].type === 'Identifier' &&
    ['Array.from', 'Object.values'].includes(`${callee['object'].name}.${method}`)
  ) {
    return node['arguments'].length === 1 && isList(look(first)) ? 'copy' : undefined
  }
  const kind = look(callee['object'])
  if (!isList(kind)) {
    return undefined
  }
  if (PICKING.has(method)) {
    return 'stored'
  }
  const isSame = method === 'sort' || method === 'reverse'
  return isSame ? kind : COPYING.has(method) ? 'copy' : undefined
}

function kindOfMember(kind: Kind, name: string | undefined): Kind {
  switch (kind) {
    case 'stored':
      return 'stored'
    case 'state':
      return name === 'data' || name === 'items' ? 'stored' : undefined
    // The items of a list have no names.
    case 'copy':
    case 'tuple':
      return name === undefined ? 'stored' : undefined
    case 'states':
      return name === undefined ? 'state' : undefined
    default:
      return undefined
  }
}

function kindOfVariable(names: Names, identifier: Node, depth: number): Kind {
  const declaration = names.declarationOf(identifier)
  if (!declaration) {
    return undefined
  }
  const { name, type, node } = declaration
  const kind =
    type === 'Variable'
      ? kindInPattern(node['id'], kindOfInit(names, node, depth), name)
      : type === 'Parameter'
        ? kindOfParameter(names, node, name, depth)
        : undefined
  return kind === 'copy' && isGrown(names, identifier) ? undefined : kind
}

function kindOfInit(names: Names, declarator: Node, depth: number): Kind {
  if (declarator['init']) {
    return kindOf(names, declarator['init'], depth + 1)
  }
  const loop = declarator.parent?.parent
  const isLoop = loop?.type === 'ForOfStatement' && loop['left'] === declarator.parent
  return isLoop ? kindOfMember(kindOf(names, loop['right'], depth + 1), undefined) : undefined
}

/** The first parameter of `todos.forEach((todo) => …)`, `new Query(…, (todos) => …)` and `controller.set(…, (todo) => …)`. */
function kindOfParameter(names: Names, node: Node, name: Node, depth: number): Kind {
  const call = isFunction(node) ? node.parent : undefined
  if (!call || (call.type !== 'CallExpression' && call.type !== 'NewExpression') || !call['arguments'].includes(node)) {
    return undefined
  }
  const [first] = node['params']
  const callee = unwrap(call['callee'])
  if (!first || !isWithin(name, first)) {
    return undefined
  }
  const isWhole =
    (call.type === 'NewExpression' && names.importOf(callee) === 'Query' && call['arguments'][1] === node) ||
    isControllerCall(names, call, ['set'])
  if (isWhole) {
    return kindInPattern(first, 'stored', name)
  }
  const method = callee.type === 'MemberExpression' ? nameOf(callee) : undefined
  if (method === undefined || !VISITING.has(method) || call['arguments'][0] !== node) {
    return undefined
  }
  const list = kindOf(names, callee['object'], depth + 1)
  return isList(list) ? kindInPattern(first, 'stored', name) : undefined
}

/** The kind of `target` in a pattern that takes a value of this kind apart. */
function kindInPattern(pattern: Node, kind: Kind, target: Node): Kind {
  if (kind === undefined || pattern === target) {
    return kind
  }
  switch (pattern.type) {
    case 'AssignmentPattern':
      return kindInPattern(pattern['left'], kind, target)
    case 'ObjectPattern': {
      const property = pattern['properties'].find((property: Node) => isWithin(target, property))
      return property?.type === 'Property'
        ? kindInPattern(property['value'], kindOfMember(kind, nameOf(property)), target)
        : undefined
    }
    case 'ArrayPattern': {
      const item = pattern['elements'].find((item: Node | null) => item && isWithin(target, item))
      if (item?.type === 'RestElement') {
        return kind === 'stored' && item.argument === target ? 'copy' : undefined
      }
      return item ? kindInPattern(item, kindOfMember(kind, undefined), target) : undefined
    }
    default:
      return undefined
  }
}

/** Whether something else is put into a list, so that its items need not be values of the store. */
function isGrown(names: Names, identifier: Node): boolean {
  return (names.variableOf(identifier)?.references ?? []).some((reference) => {
    const member = (reference.identifier as Node).parent
    if (member?.type !== 'MemberExpression' || member['object'] !== reference.identifier) {
      return false
    }
    const isWritten = member.parent?.type === 'AssignmentExpression' && member.parent['left'] === member
    return isWritten || GROWING.has(nameOf(member) ?? '')
  })
}

/** `snapshot.get(…)` in `getOptimisticResponse(snapshot, …)`. */
function isSnapshotRead(names: Names, node: Node): boolean {
  const callee = unwrap(node['callee'])
  if (callee.type !== 'MemberExpression' || nameOf(callee) !== 'get' || callee['object'].type !== 'Identifier') {
    return false
  }
  const declaration = names.declarationOf(callee['object'])
  const method = declaration?.type === 'Parameter' ? declaration.node : undefined
  const isFirst = method?.['params']?.[0] === declaration?.name
  const holder = method?.parent
  return isFirst && !!holder && nameOf(holder) === 'getOptimisticResponse'
}

function isList(kind: Kind): boolean {
  return kind === 'stored' || kind === 'copy'
}

function isWithin(node: Node, outer: Node): boolean {
  return node === outer || !!findAround(node, (around) => around === outer)
}
