import type { EntityInfo } from './Entities.ts'
import { objectDoc, print } from './print.ts'
import type { Scope, Types } from './Types.ts'

/** Where the generated files import from. */
export interface Layout {
  /** The end of import paths. */
  readonly extension: string
  /** The file of each table, without its end. */
  readonly entityFile: (table: string) => string
}

/** Collects what a generated file imports. */
export class FileScope implements Scope {
  readonly #file: string
  readonly #types: Types
  readonly #layout: Layout
  readonly #library = new Set<string>()
  readonly #helpers = new Set<string>()
  readonly #named = new Set<string>()
  /** By file: the classes, and whether they are used as values. */
  readonly #classes = new Map<string, Map<string, boolean>>()
  readonly #outside = new Set<string>()

  /** `file`: the path in the output folder, without its end. */
  constructor(file: string, types: Types, layout: Layout) {
    this.#file = file
    this.#types = types
    this.#layout = layout
  }

  useLibrary(...names: string[]): void {
    for (const name of names) {
      this.#library.add(name)
    }
  }

  useHelper(name: string): void {
    this.#helpers.add(name)
  }

  useType(name: string): void {
    this.#named.add(name)
  }

  /** Adds an import of a whole module: `import * as x from 'y'`. */
  useOutside(statement: string): void {
    this.#outside.add(statement)
  }

  useEntity(entity: EntityInfo, asValue: boolean): void {
    const file = this.#layout.entityFile(entity.table)
    if (file === this.#file) {
      return
    }
    const names = this.#classes.get(file) ?? new Map<string, boolean>()
    const name = this.#types.className(entity)
    names.set(name, asValue || (names.get(name) ?? false))
    this.#classes.set(file, names)
  }

  get helpers(): ReadonlySet<string> {
    return this.#helpers
  }

  /** The import statements that the code of the file needs. */
  print(code: string): string {
    const words = new Set(
      code.replaceAll(/\/\*\*[\s\S]*?\*\/|(?<!:)\/\/.*|'(?:[^'\\\n]|\\.)*'/g, '').match(/[\p{L}_$][\p{L}\p{N}_$]*/gu),
    )
    const isUsed = (name: string): boolean => words.has(name.replace('type ', ''))
    const only = (names: Iterable<string>): string[] => [...names].filter(isUsed)
    const lines = [
      ...[...this.#outside].filter((statement) => isUsed(/ as (\w+)/.exec(statement)?.[1] ?? '')),
      this.#line(only(this.#library), 'restitch', false),
      this.#line(only(this.#helpers), this.pathTo('api'), false),
      ...[...this.#classes]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([file, names]) => {
          const used = [...names].filter(([name]) => isUsed(name))
          const isType = used.every(([, asValue]) => !asValue)
          const items = used.map(([name, asValue]) => (asValue || isType ? name : `type ${name}`))
          return this.#line(items, this.pathTo(file), isType)
        }),
      this.#file === 'types' ? '' : this.#line(only(this.#named), this.pathTo('types'), true),
    ]
    const text = lines.filter((line) => line !== '').join('\n')
    return text === '' ? '' : `${text}\n\n`
  }

  #line(names: Iterable<string>, from: string, isType: boolean): string {
    const sorted = [...names].sort((a, b) => compare(a.replace('type ', ''), b.replace('type ', '')))
    if (sorted.length === 0) {
      return ''
    }
    const start = `import ${isType ? 'type ' : ''}`
    return sorted.length === 1
      ? `${start}{ ${sorted[0]} } from '${from}'`
      : print([start, objectDoc(sorted), ` from '${from}'`])
  }

  /** The path of another generated file, as this file imports it. */
  pathTo(file: string): string {
    const own = this.#file.split('/')
    const target = file.split('/')
    const shared = own.length > 1 && target.length > 1 && own[0] === target[0] ? 1 : 0
    const up = own.length - 1 - shared
    return `${up === 0 ? './' : '../'.repeat(up)}${target.slice(shared).join('/')}${this.#layout.extension}`
  }
}

function compare(a: string, b: string): number {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()]
  return x < y ? -1 : x > y ? 1 : a < b ? -1 : 1
}
