import type * as t from '@babel/types'
import type { Use } from './Api.ts'
import { envelopeOf } from './Api.ts'
import { Unconvertible } from './errors.ts'
import type { FileEdit, Pass } from './Pass.ts'
import type { SourceFile } from './Project.ts'
import { type Member, rewriteSite, type Site, takenBy } from './result.ts'
import { bare, isFunction, nameOf, type NodePath } from './syntax.ts'
import { stringOf, type Value } from './values.ts'

const isPage = (value: Value): boolean => value.kind === 'code' && value.text === '$page'

/** Takes the page out of the arguments of a list, and keeps how the next page is found. */
export function readPages(pass: Pass, use: Use, next: Value | undefined, initial: Value | undefined): Use {
  const entry = use.search.find(
    ({ value }) =>
      isPage(value) ||
      (value.kind === 'choice' && isPage(value.yes)) ||
      (value.kind === 'text' && value.parts.some(isPage)),
  )
  if (
    entry?.name === undefined ||
    JSON.stringify([...use.params, ...use.search.filter((one) => one !== entry)], (key, value) =>
      key === 'file' || key === 'node' ? undefined : value,
    ).includes('$page')
  ) {
    throw new Unconvertible('the page is not a parameter of the query')
  }
  const operation = pass.api.operations.get(use.operation)!
  operation.pages = { field: entry.name, next: nextPage(next, entry.name, initial) }
  return { ...use, search: use.search.filter((one) => one !== entry) }
}

/** getNextPageParam as getNextPage, which the module of endpoints can contain. */
function nextPage(next: Value | undefined, field: string, initial: Value | undefined): string | undefined {
  if (next?.kind !== 'function' || next.node.type === 'ObjectMethod') {
    throw new Unconvertible('getNextPageParam is not a function that can be read')
  }
  const { node, file } = next
  const [last, all, param] = node.params
  const start = initial?.kind === 'literal' ? Number(initial.value ?? 0) : Number(stringOf(initial) ?? 0)
  const names = [last, all, param].map((one) => (one?.type === 'Identifier' ? one.name : undefined))
  if (last && !names[0]) {
    throw new Unconvertible('getNextPageParam takes its page apart')
  }
  const own = new Set(names)
  file.pathOf(node.body).traverse({
    Identifier(path) {
      const binding = path.scope.getBinding(path.node.name)
      if (
        path.isReferencedIdentifier() &&
        binding &&
        !own.has(path.node.name) &&
        !(binding.path.node.start! >= node.start! && binding.path.node.end! <= node.end!)
      ) {
        throw new Unconvertible('getNextPageParam uses names of its module')
      }
    },
  })
  let body = file.code(node.body)
  const page = `Number(args[0]?.${field} ?? ${start})`
  if (names[1]) {
    body = body.replaceAll(
      new RegExp(`\\b${names[1]}\\.length \\+ 1\\b`, 'g'),
      start === 1 ? `${page} + 1` : `${page} + 2`,
    )
    body = body.replaceAll(new RegExp(`\\b${names[1]}\\.length\\b`, 'g'), start === 0 ? `${page} + 1` : page)
    if (new RegExp(`\\b${names[1]}\\b`).test(body)) {
      throw new Unconvertible('getNextPageParam reads all pages')
    }
  }
  if (names[2]) {
    body = body.replaceAll(new RegExp(`\\b${names[2]}\\b`, 'g'), page)
  }
  const rest = body.includes('args[0]') ? (file.isTyped ? ', ...args: any[]' : ', ...args') : ''
  const isObject = node.body.type !== 'BlockStatement' && body.startsWith('{')
  return `(${names[0] ?? '_last'}${file.isTyped && rest ? ': any' : ''}${rest}) => ${isObject ? `(${body})` : body}`
}

/** `data.pages.flatMap((page) => page.items)` is `items`. */
export function rewriteItems(
  pass: Pass,
  sites: readonly Site[],
  use: Use,
  member: (name: string) => Member,
): FileEdit[] {
  const operation = pass.api.operations.get(use.operation)!
  const list = envelopeOf(pass.project, operation.shape)?.member
  if (operation.shape.kind === 'other' || (operation.shape.kind === 'object' && list === undefined)) {
    throw new Unconvertible('its pages have no type that says where the list is')
  }
  const edits: FileEdit[] = []
  for (const site of sites) {
    const own = (name: string): Member => (name === 'data' ? { name: 'items' } : member(name))
    edits.push(...rewriteSite(site, own).map((edit) => ({ file: site.file, ...edit })))
    if (site.kind === 'pattern') {
      const data = takenBy(site.node).find(({ name }) => name === 'data')
      const binding = data && site.scope.scope.getBinding(data.local)
      for (const reference of binding?.referencePaths ?? []) {
        edits.push(...rewriteData(site.file, reference, data!.local, list))
      }
    } else if (site.kind === 'member' && site.name === 'data') {
      const object = site.file.code(site.node.object)
      edits.push(...rewriteData(site.file, site.path, `${object}.items`, list))
    }
  }
  return edits
}

function rewriteData(file: SourceFile, data: NodePath, items: string, list: string | undefined): FileEdit[] {
  const pages = data.parentPath!
  const isRead = /^(?:UnaryExpression|LogicalExpression|ConditionalExpression|IfStatement)$/.test(pages.node.type)
  if (isRead) {
    return []
  }
  const property = 'property' in pages.node ? nameOf(pages.node.property) : undefined
  const use = pages.parentPath
  const call = use?.parentPath
  if (
    property !== 'pages' ||
    !use ||
    !use.node.type.includes('MemberExpression') ||
    !call ||
    !call.node.type.includes('CallExpression')
  ) {
    throw new Unconvertible('the pages of its data are used one by one')
  }
  const isOptional = file.code(call.node).startsWith(`${file.code(data.node)}?.`)
  const method = nameOf((use.node as t.MemberExpression).property)
  const [callback] = (call.node as t.CallExpression).arguments
  const whole = (text: string): FileEdit[] => [{ file, start: call.node.start!, end: call.node.end!, text }]
  if (method === 'flat' && list === undefined) {
    return whole(items)
  }
  if ((method === 'flatMap' || method === 'map') && isFunction(callback) && callback.params[0]?.type === 'Identifier') {
    const page = callback.params[0].name
    const listCode = list === undefined ? page : `${page}.${list}`
    const isList = (node: t.Node | null | undefined): boolean =>
      !!node && file.code(bare(node)).replaceAll(/[?!]/g, '') === listCode
    let body: t.Node | null | undefined = bare(callback.body)
    if (body?.type === 'BlockStatement' && body.body[0]?.type === 'ReturnStatement') {
      body = bare(body.body[0].argument)
    }
    if (method === 'flatMap' && isList(body)) {
      return whole(items)
    }
    // A fragment for each page, and the items inside it.
    const inner = mapInside(body)
    if (inner && isList((inner.callee as t.MemberExpression).object)) {
      const [first, last] = [inner.arguments[0]!, inner.arguments.at(-1)!]
      return [
        { file, start: call.node.start!, end: first.start!, text: `${items}${isOptional ? '?' : ''}.map(` },
        { file, start: last.end!, end: call.node.end!, text: ')' },
      ]
    }
  }
  throw new Unconvertible('the pages of its data are used one by one')
}

function mapInside(node: t.Node | null | undefined): t.CallExpression | undefined {
  if (
    node?.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    nameOf(node.callee.property) === 'map'
  ) {
    return node
  }
  if (node?.type === 'JSXElement' || node?.type === 'JSXFragment') {
    const children = node.children.filter((child) => !(child.type === 'JSXText' && child.value.trim() === ''))
    const [only] = children
    return children.length === 1 && only?.type === 'JSXExpressionContainer'
      ? mapInside(bare(only.expression))
      : undefined
  }
  return undefined
}
