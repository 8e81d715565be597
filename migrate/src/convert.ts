import { join } from 'node:path'
import type { ApiMap } from './Api.ts'
import { convertDataClient, DATA_CLIENT } from './dataClient.ts'
import { brief, Unwritable } from './errors.ts'
import { Overlap } from './Output.ts'
import { type Note, Pass } from './Pass.ts'
import type { Project } from './Project.ts'
import { readEndpoints } from './readEndpoints.ts'
import { convertRtkQuery, RTK_QUERY } from './rtkQuery.ts'
import { convertSwr, SWR } from './swr.ts'
import { convertTanstack } from './tanstack/convertTanstack.ts'
import { TANSTACK } from './tanstack/library.ts'
import { writeApi } from './writeApi.ts'

export type Library = 'tanstack-query' | 'swr' | 'rtk-query' | 'data-client'

export const LIBRARIES: {
  readonly [name in Library]: { readonly modules: RegExp; readonly convert: (pass: Pass) => void }
} = {
  'tanstack-query': { modules: TANSTACK, convert: convertTanstack },
  swr: { modules: SWR, convert: convertSwr },
  'rtk-query': { modules: RTK_QUERY, convert: convertRtkQuery },
  'data-client': { modules: DATA_CLIENT, convert: convertDataClient },
}

export interface ConvertOptions {
  readonly map?: ApiMap | undefined
  /** The module of the endpoints, without its ending. */
  readonly out?: string | undefined
}

export interface Conversion {
  /** The new texts of files that change, by path. */
  readonly files: ReadonlyMap<string, string>
  readonly notes: readonly Note[]
}

/** Converts a project. It writes no file. */
export function convert(library: Library, project: Project, { map = {}, out }: ConvertOptions = {}): Conversion {
  const { modules, convert: step } = LIBRARIES[library]
  const excluded = new Map<string, string>()
  const isTyped = [...project.files.keys()].some((path) => /\.[mc]?tsx?$/.test(path))
  const first = out ?? join(project.root, `resources.${isTyped ? 'ts' : 'js'}`)
  const target = freeTarget(project, first)
  const known = project.files.has(first) ? readEndpoints(project, first) : { map: {}, entities: new Set<string>() }
  // An attempt that meets a pattern it does not know starts again without that piece, until nothing is new.
  let keepsProvider = false
  const unwritable = new Map<string, string>()
  for (;;) {
    const pass = new Pass(project, modules, { ...known.map, ...map }, excluded, target, unwritable)
    pass.keepsProvider = keepsProvider
    step(pass)
    if (pass.hasChanged) {
      continue
    }
    const files = new Map<string, string>()
    const { resources, endpoints, functions } = pass.api
    if (resources.length > 0 || endpoints.length > 0 || functions.size > 0) {
      try {
        const written = writeApi(project, pass.api, target, isTyped, { from: first, names: known.entities })
        written.exports.forEach((ref) => pass.output.export(ref))
        files.set(target, written.text)
      } catch (error) {
        if (!(error instanceof Unwritable)) {
          throw error
        }
        unwritable.set(error.operation, error.message)
        continue
      }
    }
    let texts: Map<string, string>
    try {
      texts = pass.output.finish()
    } catch (error) {
      if (!(error instanceof Overlap)) {
        throw error
      }
      const { file } = error
      pass
        .callsOf()
        .filter((call) => call.file === file)
        .forEach((call) => pass.exclude(file, call.path.node, 'its changes overlap with others'))
      if (!pass.hasChanged) {
        throw error
      }
      continue
    }
    texts.forEach((text, path) => files.set(path, text))
    if (
      !keepsProvider &&
      [...project.files.keys()].some((path) => needsProvider(files.get(path) ?? project.files.get(path)!.text, modules))
    ) {
      keepsProvider = true
      continue
    }
    noteLost(pass)
    const notes = [...pass.notes]
    for (const [id, reason] of excluded) {
      const [, path = '', start = ''] = /^(.*):(\d+)$/.exec(id)!
      const file = project.files.get(path)!
      notes.push({
        kind: 'left',
        file: path,
        line: file.text.slice(0, Number(start)).split('\n').length,
        what: /^[\w.]+/.exec(file.text.slice(Number(start)))?.[0] ?? '',
        text: reason,
      })
    }
    notes.push(...readRemains(project, files, modules, notes))
    for (const [path, reason] of project.broken) {
      notes.push({ kind: 'left', file: path, line: 1, what: 'file', text: `it does not parse: ${reason}` })
    }
    return { files, notes: notes.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1)) }
  }
}

/** Names what interceptors do, and the endpoints that were written do not. */
function noteLost(pass: Pass): void {
  const { resources, endpoints } = pass.api
  const operations = [
    ...resources.flatMap((one) => [...one.operations.values()]),
    ...endpoints.map((one) => one.operation),
  ]
  for (const { file, node } of operations.flatMap(({ lost }) => lost)) {
    pass.note(
      'decide',
      file,
      node,
      'interceptor',
      `the converted requests do not run ${brief(file.code(node))} See docs/guide/error-handling.md and docs/guide/adapt-your-api.md`,
    )
  }
}

/** Whether a module still uses hooks of the old library. */
function needsProvider(text: string, modules: RegExp): boolean {
  return importsOf(text, modules).some((names) => /\buse[A-Z]/.test(names))
}

/** The imports of a module from the old library, other than types. */
function importsOf(text: string, modules: RegExp): string[] {
  return [...text.matchAll(/^import (?!type\b)([^;'"]*?) from ['"]([^'"]+)['"]/gm)].flatMap(
    ([, names = '', from = '']) => (modules.test(from) ? [names.replaceAll(/[{}\s]+/g, ' ').trim()] : []),
  )
}

/** Whether an imported name occurs once more; types are no use of the library. */
function isUsed(text: string, name: string): boolean {
  const [local = ''] = /[\w$]*$/.exec(name)!
  return (
    local !== '' &&
    !name.startsWith('type ') &&
    text.split(new RegExp(`(?<![\\w$])${local.replaceAll('$', '\\$')}(?![\\w$])`)).length > 2
  )
}

/** Modules that still use the old library, where no other line of the report says so. */
function readRemains(
  project: Project,
  files: ReadonlyMap<string, string>,
  modules: RegExp,
  notes: readonly Note[],
): Note[] {
  return [...project.files].flatMap(([path, { text }]): Note[] => {
    const final = files.get(path) ?? text
    const names = importsOf(final, modules)
      .flatMap((list) => list.split(','))
      .map((name) => name.trim())
      .filter((name) => isUsed(final, name))
    const isSaid = notes.some(({ file, kind, what }) => file === path && kind === 'left' && what !== '')
    return names.length === 0 || isSaid
      ? []
      : [{ kind: 'left', file: path, line: 1, what: 'import', text: names.join(', ') }]
  })
}

function freeTarget(project: Project, path: string): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? path : path.replace(/(\.[jt]s)$/, `${number}$1`)
    if (!project.files.has(candidate)) {
      return candidate
    }
  }
}
