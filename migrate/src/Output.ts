import type * as t from '@babel/types'
import { type Project, type Ref, SourceFile } from './Project.ts'
import { bare, isFunction, type NodePath } from './syntax.ts'

export interface Edit {
  readonly file: SourceFile
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The changes of all files. They are applied together, or not at all. */
export class Output {
  readonly #project: Project
  readonly #edits = new Map<SourceFile, Edit[]>()
  readonly #imports = new Map<SourceFile, Map<string, Set<string>>>()
  readonly #oldLibrary: RegExp

  constructor(project: Project, oldLibrary: RegExp) {
    this.#project = project
    this.#oldLibrary = oldLibrary
  }

  edit(file: SourceFile, start: number, end: number, text: string): void {
    this.#edits.set(file, [...(this.#edits.get(file) ?? []), { file, start, end, text }])
  }

  replace(file: SourceFile, node: t.Node, text: string): void {
    this.edit(file, node.start!, node.end!, text)
  }

  /** Removes a statement with its line, or a property with its comma. */
  remove(file: SourceFile, node: t.Node): void {
    const { text } = file
    let [start, end] = [node.start!, node.end!]
    const rest = /^[ \t]*[,;]?/.exec(text.slice(end))![0]
    end += rest.length
    const before = /(?:^|\n)[ \t]*$/.exec(text.slice(0, start))
    const after = /^[ \t]*(?:\/\/[^\n]*)?\r?\n/.exec(text.slice(end))
    if (before && after) {
      start -= before[0].replace('\n', '').length
      end += after[0].length
    } else {
      const space = /^[ \t]+/.exec(text.slice(end))
      end += space?.[0].length ?? 0
    }
    this.edit(file, start, end, '')
  }

  import(file: SourceFile, from: string, name: string): void {
    const imports = this.#imports.get(file) ?? new Map<string, Set<string>>()
    imports.set(from, (imports.get(from) ?? new Set()).add(name))
    this.#imports.set(file, imports)
  }

  /** Makes a top-level name visible to other modules. */
  export({ file, name }: Ref): void {
    if (this.#project.exported(file, name)) {
      return
    }
    for (const statement of file.program.node.body) {
      const declared =
        statement.type === 'VariableDeclaration'
          ? statement.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : ''))
          : 'id' in statement && statement.id?.type === 'Identifier'
            ? [statement.id.name]
            : []
      if (
        declared.includes(name) &&
        !(this.#edits.get(file) ?? []).some((edit) => edit.start === statement.start && edit.text === 'export ')
      ) {
        this.edit(file, statement.start!, statement.start!, 'export ')
      }
    }
  }

  #write(file: SourceFile, edits: readonly Edit[], imports: ReadonlyMap<string, ReadonlySet<string>>): string {
    const names = new Set(
      [...imports.values()].flatMap((added) => [...added].map((name) => name.replace(/^.* as /, ''))),
    )
    const dropped = dropImports(file.path, applyEdits(file.text, edits), names, this.#oldLibrary)
    return tidy(file, addImports(file.path, dropped, imports), this.#oldLibrary)
  }

  /** The new texts of the files that change, by path. */
  finish(): Map<string, string> {
    const texts = new Map<string, string>()
    for (const file of this.#project.files.values()) {
      const edits = this.#edits.get(file) ?? []
      const imports = this.#imports.get(file)
      if (edits.length > 0 || imports) {
        texts.set(file.path, this.#write(file, edits, imports ?? new Map()))
      }
    }
    return texts
  }
}

/** Removes imports of the old library whose names the new one takes. */
function dropImports(path: string, text: string, names: ReadonlySet<string>, oldLibrary: RegExp): string {
  const file = new SourceFile(path, text)
  const edits: Edit[] = []
  for (const node of file.program.node.body) {
    if (node.type === 'ImportDeclaration' && oldLibrary.test(node.source.value)) {
      const kept = node.specifiers.filter((one) => !names.has(one.local.name))
      if (kept.length < node.specifiers.length) {
        const mark = file.code(node.source)[0]!
        const end = file.code(node).endsWith(';') ? ';' : ''
        const replacement =
          kept.length === 0
            ? ''
            : importText(
                kept.map((one) => file.code(one)),
                node,
                file,
                mark,
                end,
              )
        edits.push({
          file,
          start: node.start!,
          end: kept.length === 0 ? lineEnd(text, node.end!) : node.end!,
          text: replacement,
        })
      }
    }
  }
  return applyEdits(text, edits)
}

/** Two changes of one file that cannot both be made. */
export class Overlap extends Error {
  readonly file: SourceFile

  constructor(file: SourceFile) {
    super(`Two changes of ${file.path} overlap.`)
    this.file = file
  }
}

/** Applies edits. One inside another is part of it: the outer one removed that code, or contains it once. */
function applyEdits(text: string, edits: readonly Edit[]): string {
  const own = edits.filter(
    (edit, index) =>
      edits.findIndex((other) => other.start === edit.start && other.end === edit.end && other.text === edit.text) ===
      index,
  )
  const outerOf = (edit: Edit): Edit | undefined =>
    own
      .filter(
        (other) =>
          other !== edit &&
          other.start <= edit.start &&
          edit.end <= other.end &&
          other.end - other.start > edit.end - edit.start &&
          (edit.start > other.start || edit.end > edit.start) &&
          (edit.end < other.end || edit.end > edit.start),
      )
      .sort((a, b) => b.end - b.start - (a.end - a.start))[0]
  const texts = new Map(own.map((edit) => [edit, edit.text]))
  const kept = own.filter((edit) => {
    const outer = outerOf(edit)
    if (!outer) {
      return true
    }
    const slice = text.slice(edit.start, edit.end)
    const current = texts.get(outer)!
    if (slice.length > 2 && current.includes(slice)) {
      if (current.split(slice).length > 2) {
        throw new Overlap(edit.file)
      }
      texts.set(
        outer,
        current.replace(slice, () => edit.text),
      )
    }
    return false
  })
  const sorted = kept
    .map((edit) => ({ ...edit, text: texts.get(edit)! }))
    .sort((a, b) => a.start - b.start || a.end - b.end)
  let result = ''
  let at = 0
  for (const { file, start, end, text: replacement } of sorted) {
    if (start < at) {
      throw new Overlap(file)
    }
    result += text.slice(at, start) + replacement
    at = end
  }
  return result + text.slice(at)
}

function addImports(path: string, text: string, imports: ReadonlyMap<string, ReadonlySet<string>>): string {
  let result = text
  for (const [from, names] of imports) {
    const file = new SourceFile(path, result)
    const style = file.program.node.body.find((node) => node.type === 'ImportDeclaration')
    const mark = style && file.code(style).includes('"') ? '"' : "'"
    const end = style && !file.code(style).endsWith(';') ? '' : style ? ';' : ''
    const same = file.program.node.body.find(
      (node): node is t.ImportDeclaration =>
        node.type === 'ImportDeclaration' &&
        node.source.value === from &&
        node.importKind !== 'type' &&
        !node.specifiers.some((one) => one.type === 'ImportNamespaceSpecifier'),
    )
    const known = new Set(same?.specifiers.map((one) => file.code(one)))
    const added = [...names].filter((name) => !known.has(name))
    if (added.length === 0) {
      continue
    }
    if (same) {
      result =
        result.slice(0, same.start!) + importText([...known, ...added], same, file, mark, end) + result.slice(same.end!)
      continue
    }
    const line = `import { ${added.sort().join(', ')} } from ${mark}${from}${mark}${end}\n`
    const last = file.program.node.body.findLast((node) => node.type === 'ImportDeclaration')
    const directive = file.program.node.directives.at(-1)
    const at = last ? lineEnd(result, last.end!) : directive ? lineEnd(result, directive.end!) : 0
    result = result.slice(0, at) + line + result.slice(at)
  }
  return result
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

function importText(
  names: readonly string[],
  node: t.ImportDeclaration,
  file: SourceFile,
  mark: string,
  end: string,
): string {
  const defaults = node.specifiers.filter((one) => one.type === 'ImportDefaultSpecifier').map((one) => file.code(one))
  const named = names.filter((name) => !defaults.includes(name)).sort()
  const kept = defaults.filter((name) => names.includes(name))
  const kind = node.importKind === 'type' ? 'type ' : ''
  return `import ${kind}${[...kept, ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : [])].join(', ')} from ${mark}${node.source.value}${mark}${end}`
}

/** How often a name is used as a value or a type, apart from its declaration. */
function countUses(file: SourceFile): Map<string, number> {
  const uses = new Map<string, number>()
  const count = (path: NodePath): void => {
    const { node, parent } = path
    if (node.type !== 'Identifier' && node.type !== 'JSXIdentifier') {
      return
    }
    if (
      parent.type === 'ImportSpecifier' ||
      parent.type === 'ImportDefaultSpecifier' ||
      parent.type === 'ImportNamespaceSpecifier' ||
      ((parent.type === 'MemberExpression' || parent.type === 'OptionalMemberExpression') &&
        parent.property === node &&
        !parent.computed) ||
      ((parent.type === 'ObjectProperty' || parent.type === 'ObjectMethod') &&
        parent.key === node &&
        !parent.computed) ||
      (parent.type === 'ArrayPattern' && path.parentPath?.parent.type === 'VariableDeclarator') ||
      (parent.type === 'ObjectProperty' &&
        path.parentPath?.parent.type === 'ObjectPattern' &&
        path.parentPath.parentPath?.parent.type === 'VariableDeclarator' &&
        parent.value === node) ||
      (parent.type === 'TSPropertySignature' && parent.key === node) ||
      parent.type === 'JSXAttribute' ||
      (parent.type === 'JSXMemberExpression' && parent.property === node) ||
      ((parent.type === 'FunctionDeclaration' ||
        parent.type === 'VariableDeclarator' ||
        parent.type === 'TSInterfaceDeclaration' ||
        parent.type === 'TSTypeAliasDeclaration') &&
        parent.id === node)
    ) {
      return
    }
    uses.set(node.name, (uses.get(node.name) ?? 0) + 1)
  }
  file.program.traverse({ enter: count })
  return uses
}

/** Removes imports and local declarations that the changes left without a use. */
function tidy(before: SourceFile, text: string, oldLibrary: RegExp): string {
  const usedBefore = countUses(before)
  let result = text
  for (let round = 0; round < 12; round++) {
    const file = new SourceFile(before.path, result)
    const uses = countUses(file)
    const isLeft = (name: string): boolean => !uses.has(name) && usedBefore.has(name)
    const edits: Edit[] = []
    for (const node of file.program.node.body) {
      if (node.type === 'ImportDeclaration' && node.specifiers.length > 0) {
        const kept = node.specifiers.filter((one) => !isLeft(one.local.name))
        if (kept.length < node.specifiers.length) {
          const quoteMark = file.code(node.source)[0]!
          const replacement =
            kept.length === 0
              ? ''
              : importText(
                  kept.map((one) => file.code(one)),
                  node,
                  file,
                  quoteMark,
                  file.code(node).endsWith(';') ? ';' : '',
                )
          edits.push({
            file,
            start: node.start!,
            end: kept.length === 0 ? lineEnd(result, node.end!) : node.end!,
            text: replacement,
          })
        }
      }
    }
    const removeDeclaration = (path: NodePath<t.Node>): void => {
      const { node } = path
      if (
        node.type === 'FunctionDeclaration' &&
        node.id &&
        isLeft(node.id.name) &&
        path.parent.type !== 'ExportDefaultDeclaration' &&
        path.parent.type !== 'ExportNamedDeclaration'
      ) {
        edits.push(wholeLines(file, node))
        path.skip()
      } else if (node.type === 'VariableDeclaration' && node.declarations.length === 1) {
        const [declarator] = node.declarations
        const isExported = path.parent.type === 'ExportNamedDeclaration'
        const { id, init } = declarator!
        const names =
          id.type === 'ArrayPattern' ? id.elements.map((one) => (one?.type === 'Identifier' ? one.name : '')) : []
        if (names.length > 0 && names.every(isLeft) && init && /\bnew QueryClient\b/.test(file.code(init))) {
          edits.push(wholeLines(file, node))
          path.skip()
          return
        }
        if (id.type === 'ObjectPattern' && isOldLibraryCall(file, init, oldLibrary)) {
          const taken = id.properties.map((one) =>
            one.type === 'ObjectProperty' && one.value.type === 'Identifier' ? one.value.name : '',
          )
          if (taken.every(isLeft)) {
            edits.push(wholeLines(file, node))
            path.skip()
            return
          }
        }
        if (id.type !== 'Identifier') {
          return
        }
        const isOld = isOldLibraryCall(file, init, oldLibrary)
        // Several hooks of a module may each have a client of the same name.
        const isLocal = isOld && path.scope.path.type !== 'Program' && usedBefore.has(id.name)
        if (!isLeft(id.name) && !(isLocal && !path.scope.getBinding(id.name)!.referenced)) {
          return
        }
        if (isExported ? false : isOld || isPure(bare(init))) {
          edits.push(wholeLines(file, isExported ? path.parent : node))
          path.skip()
        }
      }
    }
    file.program.traverse({ enter: removeDeclaration })
    if (edits.length === 0) {
      break
    }
    result = applyEdits(result, edits)
  }
  return result
}

function wholeLines(file: SourceFile, node: t.Node): Edit {
  const { text } = file
  let start = node.start!
  for (const comment of [...(node.leadingComments ?? [])].reverse()) {
    if (/^\s*$/.test(text.slice(comment.end, start))) {
      start = comment.start!
    }
  }
  start -= /[ \t]*$/.exec(text.slice(0, start))![0].length
  let end = lineEnd(text, node.end!)
  if (/\n[ \t]*\n$/.test(text.slice(0, start)) && /^[ \t]*\n/.test(text.slice(end))) {
    end = lineEnd(text, end)
  }
  return { file, start, end, text: '' }
}

function isOldLibraryCall(file: SourceFile, init: t.Node | null | undefined, oldLibrary: RegExp): boolean {
  const node = bare(init)
  if (node?.type !== 'CallExpression' && node?.type !== 'NewExpression') {
    return false
  }
  const { callee } = node
  const binding = callee.type === 'Identifier' ? file.program.scope.getBinding(callee.name) : undefined
  const parent = binding?.path.parent
  return parent?.type === 'ImportDeclaration' && oldLibrary.test(parent.source.value)
}

function isPure(node: t.Node | null | undefined): boolean {
  if (!node || isFunction(node) || node.type.endsWith('Literal') || node.type === 'Identifier') {
    return true
  }
  if (node.type === 'ArrayExpression') {
    return node.elements.every((item) => isPure(bare(item)))
  }
  if (node.type === 'ObjectExpression') {
    return node.properties.every(
      (one) => one.type === 'ObjectMethod' || (one.type === 'ObjectProperty' && isPure(bare(one.value))),
    )
  }
  return false
}
