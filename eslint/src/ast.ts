import type { Rule, SourceCode } from 'eslint'

/** A node of the syntax tree. Parsers differ in what they add, so each reader looks at the type first. */
// eslint and oxlint give nodes of TypeScript, JSX and Vue, which no type of ESLint names.
export type Node = { type: string; range: [number, number]; parent?: Node | null; [member: string]: any }

export type Context = Rule.RuleContext

/** Removes what changes the type of an expression and not its value: `(x as T)!` is `x`. */
export function unwrap(node: Node): Node {
  switch (node.type) {
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return unwrap(node['expression'])
    default:
      return node
  }
}

/** The parent, without the nodes that `unwrap` removes. */
export function outerOf(node: Node): Node {
  const { parent } = node
  return parent && unwrap(parent) !== parent ? outerOf(parent) : node
}

/** The name of a member or a property: `a.b`, `a['b']`, `{ b: 1 }`. */
export function nameOf(node: Node): string | undefined {
  const key: Node = node.type === 'MemberExpression' ? node['property'] : node['key']
  if (!key) {
    return undefined
  }
  if (key.type === 'Literal') {
    return String(key['value'])
  }
  return node['computed'] || key.type !== 'Identifier' ? undefined : key['name']
}

export function isFunction(node: Node): boolean {
  return (
    node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'
  )
}

export function isClass(node: Node): boolean {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression'
}

/** The nearest node around this one of which `test` is true. */
export function findAround(node: Node, test: (node: Node) => boolean): Node | undefined {
  for (let at = node.parent; at; at = at.parent) {
    if (test(at)) {
      return at
    }
  }
  return undefined
}

/** Calls `visit` for a node and all below it, until one call returns true. */
export function walk(source: SourceCode, node: Node, visit: (node: Node) => boolean | void): boolean {
  if (visit(node)) {
    return true
  }
  for (const key of source.visitorKeys[node.type] ?? []) {
    const below: unknown = node[key]
    for (const child of Array.isArray(below) ? below : [below]) {
      if (child && typeof child.type === 'string' && walk(source, child, visit)) {
        return true
      }
    }
  }
  return false
}

/** The properties of an object literal, by name; the last one wins. */
export function propertiesOf(node: Node | undefined): Map<string, Node> {
  const found = new Map<string, Node>()
  for (const property of node?.type === 'ObjectExpression' ? node['properties'] : []) {
    const name = property.type === 'Property' ? nameOf(property) : undefined
    if (name !== undefined) {
      found.set(name, property['value'])
    }
  }
  return found
}
