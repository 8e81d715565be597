import type * as t from '@babel/types'
import { Unconvertible } from './errors.ts'
import type { Project, SourceFile } from './Project.ts'
import { isFunction, nameOf, type NodePath } from './syntax.ts'

/** A place that reads members of what a hook returns. */
export type Site =
  | { readonly kind: 'pattern'; readonly file: SourceFile; readonly node: t.ObjectPattern; readonly scope: NodePath }
  | {
      readonly kind: 'member'
      readonly file: SourceFile
      readonly node: t.MemberExpression | t.OptionalMemberExpression
      readonly path: NodePath
      readonly name: string
    }
  | { readonly kind: 'array'; readonly file: SourceFile; readonly node: t.ArrayPattern; readonly scope: NodePath }
  /** The result is not used. */
  | { readonly kind: 'none'; readonly file: SourceFile }

/** Finds every place that reads what a call of a hook returns, through custom hooks. */
export function readResult(project: Project, file: SourceFile, call: NodePath, depth = 0): Site[] {
  if (depth > 5) {
    throw new Unconvertible('its result passes through too many hooks')
  }
  let path = call
  while (
    path.parentPath &&
    /^(?:TSAsExpression|TSNonNullExpression|TSSatisfiesExpression|ParenthesizedExpression)$/.test(path.parent.type)
  ) {
    if (path.parent.type === 'TSAsExpression') {
      throw new Unconvertible('its result has a type assertion')
    }
    path = path.parentPath
  }
  const parentPath = path.parentPath!
  const { parent } = path
  switch (parent.type) {
    case 'ExpressionStatement':
      return [{ kind: 'none', file }]
    case 'VariableDeclarator': {
      if (parent.init !== path.node) {
        break
      }
      if (parent.id.type === 'ObjectPattern') {
        checkPattern(parent.id)
        return [{ kind: 'pattern', file, node: parent.id, scope: parentPath }]
      }
      if (parent.id.type === 'ArrayPattern') {
        return [{ kind: 'array', file, node: parent.id, scope: parentPath }]
      }
      if (parent.id.type === 'Identifier' && !parent.id.typeAnnotation) {
        const binding = parentPath.scope.getBinding(parent.id.name)
        if (!binding?.constant) {
          break
        }
        return binding.referencePaths.flatMap((reference) => readResult(project, file, reference, depth + 1))
      }
      break
    }
    case 'MemberExpression':
    case 'OptionalMemberExpression': {
      const name = parent.object === path.node ? nameOf(parent.property, parent.computed) : undefined
      if (name !== undefined) {
        return [{ kind: 'member', file, node: parent, path: parentPath, name }]
      }
      break
    }
    case 'ReturnStatement':
    case 'ArrowFunctionExpression': {
      const fn = parent.type === 'ReturnStatement' ? path.getFunctionParent() : parentPath
      if (!fn || (parent.type === 'ArrowFunctionExpression' && parent.body !== path.node)) {
        break
      }
      return usesOfHook(project, file, fn).flatMap((use) => readResult(project, use.file, use.path, depth + 1))
    }
    default:
  }
  throw new Unconvertible('its result is passed on as a whole')
}

/** All calls of a custom hook. */
export function usesOfHook(project: Project, file: SourceFile, fn: NodePath): { file: SourceFile; path: NodePath }[] {
  const node = fn.node
  if (!isFunction(node) || node.type === 'ObjectMethod') {
    throw new Unconvertible('its result is passed on as a whole')
  }
  if (node.returnType) {
    throw new Unconvertible(
      'the type of the hook that returns it is declared: delete the type, and run the codemod again',
    )
  }
  const returns = new Set<t.Node>()
  fn.traverse({
    ReturnStatement(path) {
      if (path.getFunctionParent() === fn) {
        returns.add(path.node)
      }
    },
  })
  const id =
    node.type === 'FunctionDeclaration' ? node.id : fn.parent.type === 'VariableDeclarator' ? fn.parent.id : undefined
  if (returns.size > 1 || id?.type !== 'Identifier' || !/^use[A-Z]/.test(id.name)) {
    throw new Unconvertible('its result is passed on as a whole')
  }
  const binding = (node.type === 'FunctionDeclaration' ? fn.parentPath! : fn.parentPath!).scope.getBinding(id.name)
  if (!binding) {
    throw new Unconvertible('its result is passed on as a whole')
  }
  const isTop = binding.scope.path.isProgram()
  const references = isTop
    ? project.referencesOf({ file, binding })
    : binding.referencePaths.map((path) => ({ file, path }))
  return references.flatMap((reference) => {
    const { parent, parentPath } = reference.path
    if (/^Export|^Import/.test(parent.type)) {
      return []
    }
    if (parent.type !== 'CallExpression' || parent.callee !== reference.path.node) {
      throw new Unconvertible(`"${id.name}" is passed on as a value`)
    }
    return [{ file: reference.file, path: parentPath! }]
  })
}

function checkPattern(pattern: t.ObjectPattern): void {
  for (const property of pattern.properties) {
    if (property.type === 'RestElement') {
      throw new Unconvertible('all members of its result are taken with "..."')
    }
    const value = property.value.type === 'AssignmentPattern' ? property.value.left : property.value
    if (nameOf(property.key, property.computed) === undefined || value.type !== 'Identifier') {
      throw new Unconvertible('its result is destructured more than once')
    }
  }
}

export interface Taken {
  readonly name: string
  readonly local: string
  /** With its default: `todos = []`. */
  readonly node: t.ObjectProperty
}

export function takenBy(pattern: t.ObjectPattern): Taken[] {
  return pattern.properties.map((property) => {
    const { key, value } = property as t.ObjectProperty
    const id = value.type === 'AssignmentPattern' ? value.left : value
    return { name: nameOf(key)!, local: (id as t.Identifier).name, node: property as t.ObjectProperty }
  })
}

/** How a member of the old result is written: another name, or an expression of members of the new one. */
export type Member =
  | { readonly name: string }
  | {
      readonly needs: readonly string[]
      readonly write: (member: (name: string) => string) => string
      /** The same where it is compared with a string. */
      readonly test?: (member: (name: string) => string, value: string) => string | undefined
    }

export interface Rewrite {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Writes the members that a place reads. `handled` are members with an edit of their own. */
export function rewriteSite(site: Site, members: (name: string, at: t.Node) => Member): Rewrite[] {
  if (site.kind === 'none' || site.kind === 'array') {
    return []
  }
  if (site.kind === 'member') {
    const member = members(site.name, site.node)
    if ('name' in member) {
      return [{ start: site.node.property.start!, end: site.node.property.end!, text: member.name }]
    }
    const object = site.file.code(site.node.object)
    return [writeComputed(site.path, member, (name) => `${object}.${name}`)]
  }
  const taken = takenBy(site.node)
  const parts = new Map<string, string>()
  const edits: Rewrite[] = []
  const locals = new Map<string, string>()
  for (const { name, local, node } of taken) {
    const member = members(name, node)
    if ('name' in member) {
      const { value } = node
      const fallback = value.type === 'AssignmentPattern' ? ` = ${site.file.code(value.right)}` : ''
      const text = member.name === local ? `${local}${fallback}` : `${member.name}: ${local}${fallback}`
      parts.set(text, text)
      locals.set(member.name, local)
    }
  }
  for (const { name, local, node } of taken) {
    const member = members(name, node)
    if ('name' in member) {
      continue
    }
    for (const need of member.needs) {
      if (!locals.has(need)) {
        const known = site.scope.scope.getBinding(need)
        const own =
          known && known.scope === site.scope.scope ? `${local}${need[0]!.toUpperCase()}${need.slice(1)}` : need
        locals.set(need, own)
        parts.set(need, own === need ? need : `${need}: ${own}`)
      }
    }
    const binding = site.scope.scope.getBinding(local)
    const at = (need: string): string => locals.get(need)!
    for (const reference of binding?.referencePaths ?? []) {
      const { parent } = reference
      if (parent.type === 'ObjectProperty' && parent.shorthand) {
        edits.push({ start: parent.start!, end: parent.end!, text: `${local}: ${member.write(at)}` })
      } else {
        edits.push(writeComputed(reference, member, at))
      }
    }
  }
  const type = site.node.typeAnnotation
  edits.push({
    start: site.node.start!,
    end: type ? type.start! : site.node.end!,
    text: `{ ${[...parts.values()].join(', ')} }`,
  })
  return edits
}

function writeComputed(
  path: NodePath,
  member: Exclude<Member, { name: string }>,
  at: (name: string) => string,
): Rewrite {
  const { parent } = path
  if (
    member.test &&
    parent.type === 'BinaryExpression' &&
    parent.left === path.node &&
    parent.right.type === 'StringLiteral'
  ) {
    const text = member.test(at, parent.right.value)
    if (text !== undefined && (parent.operator === '===' || parent.operator === '!==')) {
      const code = parent.operator === '===' ? text : `!(${text})`
      return { start: parent.start!, end: parent.end!, text: enclose(path.parentPath!, code) }
    }
  }
  return { start: path.node.start!, end: path.node.end!, text: enclose(path, member.write(at)) }
}

/** Parentheses, where the surrounding code needs them. */
function enclose({ parent, node }: NodePath, text: string): string {
  const isLoose = /\?|\|\|/.test(text)
  const isFree =
    /^[\w.$]+$/.test(text) ||
    /^(?:JSXExpressionContainer|IfStatement|VariableDeclarator|ReturnStatement)$/.test(parent.type) ||
    (parent.type === 'ConditionalExpression' && parent.test === node && !text.includes('?')) ||
    (parent.type === 'LogicalExpression' && !isLoose)
  return isFree ? text : `(${text})`
}
