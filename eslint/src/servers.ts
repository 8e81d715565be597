import type { SourceCode } from 'eslint'
import { type Node, walk } from './ast.ts'

const RENDERERS =
  /^(?:react-dom\/(?:server|static)(?:\..+)?|vue\/server-renderer|@vue\/server-renderer|server-only|next\/headers)$/

/** Whether all functions of a module are called from the browser and run on the server. */
export function isServerModule(source: SourceCode): boolean {
  return hasDirective(source, 'use server')
}

/** Why a module runs on a server that renders for many users. */
export function whyOnServer(source: SourceCode): string | undefined {
  const directive = ['use server', 'use client'].find((text) => hasDirective(source, text))
  if (directive) {
    return directive === 'use client'
      ? "the server renders components of modules with 'use client', too"
      : "it has 'use server'"
  }
  for (const node of source.ast.body as Node[]) {
    const from = node.type === 'ImportDeclaration' && node['importKind'] !== 'type' && String(node['source'].value)
    if (from && RENDERERS.test(from)) {
      return `it imports ${from}`
    }
  }
  return undefined
}

/** Whether an expression looks whether there is a browser: `typeof window === 'undefined' ? undefined : createStore()`. */
export function looksForBrowser(source: SourceCode, node: Node): boolean {
  return walk(
    source,
    node,
    (below) =>
      (below.type === 'UnaryExpression' && below['operator'] === 'typeof') ||
      (below.type === 'MetaProperty' && below['meta'].name === 'import'),
  )
}

function hasDirective(source: SourceCode, text: string): boolean {
  return (source.ast.body as Node[]).some(
    (node) =>
      node.type === 'ExpressionStatement' && node['expression'].type === 'Literal' && node['expression'].value === text,
  )
}
