import { parse, type ParserPlugin } from '@babel/parser'
import traverseModule, { type Binding, type NodePath } from '@babel/traverse'
import type * as t from '@babel/types'

export type { Binding, NodePath }

// A CommonJS module: Node gives it as `default`, bundlers and Vitest give its own default.
const { default: inner = traverseModule } = traverseModule as { default?: unknown }
const traverse = inner as typeof traverseModule.default

/** Parses a module and returns the path of its program, with all scopes. Throws a SyntaxError. */
export function parseModule(file: string, text: string): NodePath<t.Program> {
  const plugins: ParserPlugin[] = [
    'decorators-legacy',
    'explicitResourceManagement',
    ...(/\.[mc]?tsx?$/.test(file) ? (['typescript'] as const) : []),
    // In a .ts file, `<T>x` is an assertion.
    ...(/\.[mc]?ts$/.test(file) ? [] : (['jsx'] as const)),
  ]
  const ast = parse(text, { sourceType: 'module', plugins })
  let program: NodePath<t.Program> | undefined
  traverse(ast, {
    Program(path) {
      program = path
    },
  })
  return program!
}

/** The node inside `x as T`, `x!`, `(x)`, `x satisfies T` and `await x`. */
export function bare<T extends t.Node | null | undefined>(node: T): t.Node | Exclude<T, t.Node> {
  let at: t.Node | null | undefined = node
  while (
    at?.type === 'TSAsExpression' ||
    at?.type === 'TSNonNullExpression' ||
    at?.type === 'TSSatisfiesExpression' ||
    at?.type === 'ParenthesizedExpression' ||
    at?.type === 'TSInstantiationExpression'
  ) {
    at = at.expression
  }
  return at as t.Node
}

export type FunctionNode = t.ArrowFunctionExpression | t.FunctionExpression | t.FunctionDeclaration | t.ObjectMethod

export function isFunction(node: t.Node | null | undefined): node is FunctionNode {
  return (
    node?.type === 'ArrowFunctionExpression' ||
    node?.type === 'FunctionExpression' ||
    node?.type === 'FunctionDeclaration' ||
    node?.type === 'ObjectMethod'
  )
}

/** The name of a property or member, unless it is computed. */
export function nameOf(key: t.Node, computed = false): string | undefined {
  if (key.type === 'StringLiteral') {
    return key.value
  }
  return !computed && key.type === 'Identifier' ? key.name : undefined
}
