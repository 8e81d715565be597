import { findAround, isFunction, nameOf, type Node, unwrap, walk } from './ast.ts'
import type { Names } from './Names.ts'

const known = new WeakMap<Node, boolean>()

/** Whether a function is a component or a hook: its body runs for each render. In Vue, `setup` runs for each instance. */
export function isComponent(names: Names, node: Node): boolean {
  const found = known.get(node) ?? decide(names, node)
  known.set(node, found)
  return found
}

/** Whether a node runs when a component renders, or in a function inside one. */
export function isInComponent(names: Names, node: Node): boolean {
  return (
    !!findAround(node, (around) => isFunction(around) && isComponent(names, around)) || isInScriptSetup(names, node)
  )
}

/** Whether a node runs each time a component renders or is set up; not in an effect, a handler or `useMemo`. */
export function runsInRender(names: Names, node: Node): boolean {
  const nearest = findAround(node, isFunction)
  return nearest ? isComponent(names, nearest) : isInScriptSetup(names, node)
}

function decide(names: Names, node: Node): boolean {
  const name = nameOfFunction(node)
  if (name === undefined) {
    return isSetup(node)
  }
  if (/^use[A-Z]/.test(name)) {
    return true
  }
  return (
    /^[A-Z]/.test(name) &&
    walk(names.source, node['body'], (below) => {
      const callee = below.type === 'CallExpression' && below['callee']
      return below.type.startsWith('JSX') || (callee?.type === 'Identifier' && /^use[A-Z]/.test(callee.name))
    })
  )
}

/** The name of a function, also if it is wrapped: `const Row = memo(forwardRef(() => …))`. */
function nameOfFunction(node: Node): string | undefined {
  if (node['id']) {
    return node['id'].name
  }
  let at = node
  while (at.parent?.type === 'CallExpression' && at.parent['arguments'][0] === at && isWrapper(at.parent['callee'])) {
    at = at.parent
  }
  const { parent } = at
  return parent?.type === 'VariableDeclarator' && parent['id'].type === 'Identifier' ? parent['id'].name : undefined
}

function isWrapper(callee: Node): boolean {
  const at = unwrap(callee)
  const name = at.type === 'MemberExpression' ? nameOf(at) : at['name']
  return name === 'memo' || name === 'forwardRef'
}

/** `defineComponent(() => …)` and `setup() { … }` of Vue. */
function isSetup(node: Node): boolean {
  const { parent } = node
  if (parent?.type === 'CallExpression') {
    return parent['callee'].name === 'defineComponent' && parent['arguments'][0] === node
  }
  const options = parent?.type === 'Property' && nameOf(parent) === 'setup' ? parent.parent : undefined
  const holder = options?.parent
  return holder?.type === 'ExportDefaultDeclaration' || holder?.['callee']?.name === 'defineComponent'
}

/** The top level of `<script setup>` runs for each instance of the component. */
function isInScriptSetup({ source, filename }: Names, node: Node): boolean {
  if (!filename.endsWith('.vue')) {
    return false
  }
  const tags = source.text.slice(0, node.range[0]).match(/<script\b[^>]*>/g)
  // oxlint shows the code of a script without its tags; a script with `setup` exports nothing.
  return tags
    ? /\ssetup\b/.test(tags.at(-1)!)
    : !(source.ast.body as Node[]).some(({ type }) => type.startsWith('Export'))
}
