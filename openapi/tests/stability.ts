import type { Description } from '../src/Description.ts'
import { generate } from '../src/index.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const

/** An operation of a description, as `GET /pets`. */
export interface Place {
  readonly path: string
  readonly method: (typeof METHODS)[number]
}

type Files = ReadonlyMap<string, readonly string[]>

export function placesOf({ paths = {} }: Description): Place[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item?.[method] === undefined ? [] : [{ path, method }])),
  )
}

/**
 * Generates the code of a description without an operation and with it, and returns the declarations that are there without it, and not
 * as they were with it. `undefined` if the operation decides what an entity or a resource is, so that there is more to change.
 */
export function changesOf(description: Description, { path, method }: Place, full: Files): string[] | undefined {
  const { [method]: _, ...others } = description.paths![path]!
  const less = declarationsOf({ ...description, paths: { ...description.paths, [path]: others } })
  const operation = `${method.toUpperCase()} ${path}`
  const own = [...full.values()].flat().find((code) => operationsIn(code).includes(operation))!
  const isKept = [...less.values()].flat().some((code) => nameOf(code) === nameOf(own))
  const isResource = own.includes(`- \`get\`: ${operation}`) || (own.includes(`: ${operation}`) && !isKept)
  const changed = [...less].flatMap(([file, declarations]) => {
    const all = full.get(file) ?? []
    let at = 0
    // In the same order, too: a declaration that moves is a change.
    return declarations.flatMap((code) => {
      const found = all.indexOf(code, at)
      at = found < 0 ? at : found + 1
      const isOwn = nameOf(code) === nameOf(own) || isNear(path, code)
      return found < 0 && !isOwn ? [`${file}: ${nameOf(code)}`] : []
    })
  })
  const isDecisive = isResource || classesOf(full).join() !== classesOf(less).join()
  return isDecisive && changed.length > 0 ? undefined : changed
}

/** The declarations of each file, without imports and without `api.ts`, whose helpers are those that are used. */
export function declarationsOf(description: Description): Files {
  const { files } = generate(description, {})
  return new Map(
    [...files]
      .filter(([file]) => file !== 'api.ts')
      .map(([file, text]) => {
        const code = text.replace(/^\/\/.*\n/, '').replaceAll(/^import [\s\S]*? from '.*'\n/gm, '')
        return [file, code.split(/\n\n(?=\S)/).map((part) => part.trim())]
      }),
  )
}

function classesOf(files: Files): string[] {
  return [...files].flatMap(([file, code]) =>
    file.startsWith('entities/') ? code.filter((part) => /^export class/m.test(part)).map(nameOf) : [],
  )
}

/** True for an operation on the path, on its items, or on the collection: the records of one join or leave the list of the other. */
function isNear(path: string, code: string): boolean {
  const collectionOf = (place: string): string => place.replace(/\/\{[^/]+\}$/, '')
  return operationsIn(code).some((operation) => collectionOf(operation.split(' ')[1]!) === collectionOf(path))
}

/** The operations that the comments of a declaration name. */
function operationsIn(code: string): string[] {
  const text = code.replaceAll(/\n\s*\* /g, ' ')
  return [...text.matchAll(/(?:` ?|: )((?:GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH) \/[^\s`,]*)/g)].map(
    ([, found]) => found!,
  )
}

function nameOf(code: string): string {
  return /^(?:export |abstract )*(?:const|let|class|interface|type) \w+/m.exec(code)?.[0] ?? code.slice(0, 80)
}
