import { nameOf, type Node, unwrap } from './ast.ts'
import type { Names } from './Names.ts'

/** Whether a node calls one of these methods of a Controller, which may be destructured: `fetch(getUser, { id })`. */
export function isControllerCall(names: Names, node: Node, methods: readonly string[]): boolean {
  const at = unwrap(node)
  return at.type === 'CallExpression' && methods.includes(controllerMethodOf(names, at) ?? '')
}

/** The method of a Controller that is called here. */
function controllerMethodOf(names: Names, call: Node): string | undefined {
  const callee = unwrap(call['callee'])
  if (callee.type === 'MemberExpression') {
    return isController(names, callee['object']) ? nameOf(callee) : undefined
  }
  if (callee.type !== 'Identifier') {
    return undefined
  }
  const declaration = names.declarationOf(callee)
  const { node, name } = declaration ?? {}
  if (
    declaration?.type !== 'Variable' ||
    node?.['id']?.type !== 'ObjectPattern' ||
    !isController(names, node['init'])
  ) {
    return undefined
  }
  const property = node['id'].properties.find(({ value }: Node) => value === name)
  return property && nameOf(property)
}

/** `useController()`, `createStore().controller`, and variables with these values. */
export function isController(names: Names, node: Node | null | undefined, depth = 0): boolean {
  if (!node || depth > 5) {
    return false
  }
  const at = unwrap(node)
  if (at.type === 'CallExpression') {
    return names.calleeOf(at) === 'useController'
  }
  if (at.type === 'MemberExpression') {
    return nameOf(at) === 'controller' && isStore(names, at['object'])
  }
  if (at.type !== 'Identifier') {
    return false
  }
  const declaration = names.declarationOf(at)
  if (declaration?.type !== 'Variable') {
    return false
  }
  const { id, init }: { id: Node; init?: Node } = declaration.node as never
  if (id.type === 'ObjectPattern') {
    const property = id['properties'].find(({ value }: Node) => value === declaration.name)
    return !!init && !!property && nameOf(property) === 'controller' && isStore(names, init)
  }
  return id === declaration.name && isController(names, init, depth + 1)
}

function isStore(names: Names, node: Node): boolean {
  const at = unwrap(node)
  if (at.type !== 'Identifier') {
    return names.calleeOf(at) === 'createStore'
  }
  const declaration = names.declarationOf(at)
  const init: Node | undefined = declaration?.type === 'Variable' ? declaration.node['init'] : undefined
  return !!init && declaration?.node['id'] === declaration?.name && names.calleeOf(init) === 'createStore'
}
