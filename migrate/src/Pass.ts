import type * as t from '@babel/types'
import { Api, type ApiMap, type Place, type Use } from './Api.ts'
import { Unconvertible } from './errors.ts'
import { Output } from './Output.ts'
import type { Project, SourceFile } from './Project.ts'
import type { NodePath } from './syntax.ts'
import { type Entry, print, printEntry, type Value } from './values.ts'

/** One line of the report. */
export interface Note {
  readonly kind: 'converted' | 'left' | 'decide' | 'note'
  readonly file: string
  readonly line: number
  readonly what: string
  readonly text: string
}

/** A change of the text of a file. */
export interface FileEdit {
  readonly file: SourceFile
  readonly start: number
  readonly end: number
  readonly text: string
}

export const GUIDE = 'https://unpkg.com/restitch/docs/guide/migrate.md'

/** One attempt to convert everything but what earlier attempts could not. */
export class Pass {
  readonly project: Project
  readonly api: Api
  readonly output: Output
  readonly oldLibrary: RegExp
  readonly target: string
  readonly notes: Note[] = []
  /** Code that stays on the old library, by file and position, with the reason. */
  readonly excluded: Map<string, string>
  hasChanged = false
  /** True if an earlier attempt showed that the old library is still needed. */
  keepsProvider = false

  constructor(
    project: Project,
    oldLibrary: RegExp,
    map: ApiMap,
    excluded: Map<string, string>,
    target: string,
    unwritable?: ReadonlyMap<string, string>,
  ) {
    this.project = project
    this.oldLibrary = oldLibrary
    this.excluded = excluded
    this.target = target
    const taken = new Set<string>()
    for (const file of project.files.values()) {
      Object.keys(file.program.scope.bindings).forEach((name) => taken.add(name))
      file.program.traverse({
        Scope(path) {
          Object.keys(path.scope.bindings).forEach((name) => taken.add(name))
        },
      })
    }
    this.api = new Api(project, map, taken, unwritable)
    this.output = new Output(project, oldLibrary)
  }

  idOf(file: SourceFile, node: t.Node): string {
    return `${file.path}:${node.start}`
  }

  isExcluded(file: SourceFile, node: t.Node): boolean {
    return this.excluded.has(this.idOf(file, node))
  }

  exclude(file: SourceFile, node: t.Node, reason: string): void {
    const id = this.idOf(file, node)
    if (!this.excluded.has(id)) {
      this.excluded.set(id, reason)
      this.hasChanged = true
    }
  }

  /** Runs a step for one piece of code; a pattern that is not known leaves that piece as it is. */
  attempt<T>(file: SourceFile, node: t.Node, step: () => T): T | undefined {
    if (this.isExcluded(file, node)) {
      return undefined
    }
    try {
      return step()
    } catch (error) {
      if (error instanceof Unconvertible) {
        this.exclude(file, node, error.message)
        return undefined
      }
      throw error
    }
  }

  note(kind: Note['kind'], file: SourceFile, node: t.Node, what: string, text: string): void {
    const line = file.line(node)
    if (
      !this.notes.some(
        (note) => note.file === file.path && note.line === line && note.what === what && note.text === text,
      )
    ) {
      this.notes.push({ kind, file: file.path, line, what, text })
    }
  }

  /** Calls of the functions that the old library exports. */
  callsOf(pattern: RegExp = this.oldLibrary): { file: SourceFile; path: NodePath<t.CallExpression>; name: string }[] {
    const calls: { file: SourceFile; path: NodePath<t.CallExpression>; name: string }[] = []
    for (const file of this.project.files.values()) {
      for (const binding of Object.values(file.program.scope.bindings)) {
        const found = this.project.importOf(file, binding)
        if (!found || !pattern.test(found.from)) {
          continue
        }
        for (const reference of binding.referencePaths) {
          const { parentPath } = reference
          if (parentPath?.isCallExpression() && parentPath.node.callee === reference.node) {
            calls.push({ file, path: parentPath, name: found.name })
          }
        }
      }
    }
    return calls
  }

  /** Imports a hook of ours, under another name where its own is taken, and returns the name. */
  hook(file: SourceFile, name: string): string {
    const binding = file.program.scope.getBinding(name)
    const found = binding && this.project.importOf(file, binding)
    const isFree =
      !binding ||
      (found && this.oldLibrary.test(found.from) && !this.isStillUsed(file, name)) ||
      found?.from === 'restitch/react'
    const local = isFree ? name : name.startsWith('use') ? `useRestitch${name.slice(3)}` : `Restitch${name}`
    this.output.import(file, 'restitch/react', local === name ? name : `${name} as ${local}`)
    return local
  }

  isStillUsed(file: SourceFile, name: string): boolean {
    const binding = file.program.scope.getBinding(name)
    return (binding?.referencePaths ?? []).some(({ parent }) => this.isExcluded(file, parent))
  }

  placeOf(use: Use): Place {
    return this.api.places.get(use.operation)!
  }

  /** The code of an endpoint, imported. */
  endpoint(file: SourceFile, place: Place): string {
    this.output.import(file, this.project.specifier(file.path, place.from ?? this.target), place.importName)
    return place.code
  }

  /** The arguments of an endpoint at a place. */
  args(use: Use, file: SourceFile): string[] {
    const place = this.placeOf(use)
    const entries: Entry[] = [
      ...use.params.map((value, index) => ({ name: place.params[index] ?? 'id', value: plain(value) })),
      ...use.search
        .filter(({ value }) => !(value.kind === 'literal' && value.value === undefined))
        .map(({ name, value }) => ({ name, value: plain(value) })),
    ]
    const args: string[] = []
    if (entries.length > 0) {
      const [only] = entries
      args.push(
        entries.length === 1 && only!.name === undefined
          ? print(only!.value, { file })
          : `{ ${entries.map((entry) => printEntry(entry, { file })).join(', ')} }`,
      )
    }
    if (use.body !== undefined) {
      args.push(print(use.body, { file }))
    }
    return args
  }
}

/** A parameter as it is: `${id}` is `id`. */
function plain(value: Value): Value {
  if (value.kind === 'text') {
    const parts = value.parts.filter((part) => !(part.kind === 'literal' && part.value === ''))
    return parts.length === 1 ? plain(parts[0]!) : value
  }
  return value
}
