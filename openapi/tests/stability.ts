import type { Description } from '../src/Description.ts'
import { generate } from '../src/index.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const

/** An operation of a description, as `GET /pets`. */
export interface Place {
  readonly path: string
  readonly method: (typeof METHODS)[number]
}

/** The code of a description: its declarations by file, and the name of the endpoint of each operation. */
export interface Code {
  readonly declarations: ReadonlyMap<string, readonly string[]>
  readonly endpoints: ReadonlyMap<string, string>
}

export function placesOf({ paths = {} }: Description): Place[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item?.[method] === undefined ? [] : [{ path, method }])),
  )
}

/** The effect of a new operation on the code of the others. */
export interface Effect {
  readonly operation: string
  /**
   * It is the first of a resource, which the actions below join: `cancelOrder` becomes `Orders.cancelOrder`. If another path has the same
   * name, the shorter one keeps it.
   */
  readonly isFirst: boolean
  /** It decides what an entity is, or where the records of one live: their types and lists are others then. */
  readonly decides: boolean
  /**
   * Other endpoints that get another name. Those of the same path do not count, nor those of one resource whose paths have one and two
   * parameters at their end, `/files/{folder}` and `/files/{folder}/{name}`: a member is the one with the shorter path.
   */
  readonly renamed: readonly string[]
  /** Declarations that are there without it, and not as they were with it; those of its resource do not count. */
  readonly changed: readonly string[]
}

/** Generates the code of a description without an operation and with it, and compares. */
export function effectOf(description: Description, { path, method }: Place, full: Code): Effect {
  const { [method]: _, ...others } = description.paths![path]!
  const less = codeOf({ ...description, paths: { ...description.paths, [path]: others } })
  const operation = `${method.toUpperCase()} ${path}`
  const own = full.endpoints.get(operation)!
  const [file, name, member] = own.split('.')
  const isInResource = (endpoint: string): boolean => member !== undefined && endpoint.startsWith(`${file}.${name}.`)
  const renamed = [...less.endpoints].flatMap(([other, before]) => {
    const after = full.endpoints.get(other)!
    return before === after || isSameStem(path, other.split(' ')[1]!) ? [] : [`${before} → ${after}`]
  })
  const changed = [...less.declarations].flatMap(([own, declarations]) => {
    const all = full.declarations.get(own) ?? []
    let at = 0
    // In the same order, too: a declaration that moves is a change.
    return declarations.flatMap((code) => {
      const found = all.indexOf(code, at)
      at = found < 0 ? at : found + 1
      const isOwn = own === `${file}.ts` && new RegExp(` ${name}(?![a-z])`).test(nameOf(code))
      return found < 0 && !isOwn ? [`${own}: ${nameOf(code)}`] : []
    })
  })
  return {
    operation,
    isFirst:
      member !== undefined &&
      ![...less.endpoints].some(([other, before]) => isInResource(before) && isInResource(full.endpoints.get(other)!)),
    decides: member === 'get' || classesOf(full).join() !== classesOf(less).join(),
    renamed,
    changed,
  }
}

/** The declarations of each file are without imports, and without `api.ts`, whose helpers are those that are used. */
export function codeOf(description: Description): Code {
  const { files, endpoints } = generate(description, {})
  const declarations = [...files]
    .filter(([file]) => file !== 'api.ts')
    .map(([file, text]) => {
      const code = text.replace(/^\/\/.*\n/, '').replaceAll(/^import [\s\S]*? from '.*'\n/gm, '')
      return [file, code.split(/\n\n(?=\S)/).map((part) => part.trim())] as const
    })
  return { declarations: new Map(declarations), endpoints }
}

/** True for the same path, and for `/files`, `/files/{folder}` and `/files/{folder}/{name}`, but not for a collection and its items. */
function isSameStem(a: string, b: string): boolean {
  const stemOf = (path: string): string => path.replace(/(?:\/\{[^/]+\})*\/?$/, '')
  const depth = Math.max(...[a, b].map((path) => path.slice(stemOf(path).length).split('/').length - 1))
  return a === b || (stemOf(a) === stemOf(b) && depth > 1)
}

function classesOf({ declarations }: Code): string[] {
  return [...declarations].flatMap(([file, code]) =>
    file.startsWith('entities/') ? code.filter((part) => /^export class/m.test(part)).map(nameOf) : [],
  )
}

function nameOf(code: string): string {
  return /^(?:export |abstract )*(?:const|let|class|interface|type) \w+/m.exec(code)?.[0] ?? code.slice(0, 80)
}
