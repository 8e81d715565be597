import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ApiMap } from './Api.ts'
import { convert, LIBRARIES, type Library } from './convert.ts'
import { diff } from './diff.ts'
import { MigrateError } from './errors.ts'
import type { Note } from './Pass.ts'
import { Project } from './Project.ts'

const HELP = `Moves an app to Restitch.

  restitch-migrate tanstack-query|swr|rtk-query|data-client src/

  --dry            writes nothing, and prints a diff
  --map, -m FILE   a JSON of requests and endpoints that you have: { "GET /todos/:id": { "endpoint": "Todos.get", "from": "src/api/todos.ts" } }
  --out, -o FILE   the module for entities and resources; without it resources.ts in the folder
  --help, -h
`

/** The command: returns the exit code. `print` and `warn` receive the output. */
export function run(
  args: readonly string[],
  {
    folder = process.cwd(),
    print,
    warn,
  }: { folder?: string; print: (text: string) => void; warn: (text: string) => void },
): number {
  try {
    return runCommand(args, folder, print)
  } catch (error) {
    if (error instanceof MigrateError) {
      warn(error.message)
      return 2
    }
    throw error
  }
}

function runCommand(args: readonly string[], folder: string, print: (text: string) => void): number {
  const { values, positionals } = parse(args)
  if (values.help) {
    print(HELP)
    return 0
  }
  const [library, ...places] = positionals
  if (library === undefined || !(library in LIBRARIES)) {
    throw new MigrateError(
      `The first word is the library: ${Object.keys(LIBRARIES).join(', ')}. See restitch-migrate --help.`,
    )
  }
  if (places.length === 0) {
    throw new MigrateError(`The command needs a folder: restitch-migrate ${library} src/`)
  }
  const project = Project.read(places.map((place) => resolve(folder, place)))
  const { files, notes } = convert(library as Library, project, {
    map: values.map === undefined ? undefined : readMap(folder, values.map),
    out: values.out === undefined ? undefined : resolve(folder, values.out),
  })
  const name = (path: string): string => relative(folder, path).replaceAll('\\', '/')
  for (const [path, text] of files) {
    if (values.dry) {
      print(diff(name(path), project.files.get(path)?.text ?? '', text))
    } else {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  }
  print(report(notes, files.size, name, values.dry ?? false))
  return 0
}

const HOOK = /^use[A-Z]/

function report(notes: readonly Note[], files: number, name: (path: string) => string, isDry: boolean): string {
  const lines: string[] = []
  const titles = {
    converted: 'converted',
    note: 'changed on the way',
    decide: 'for you to decide',
    left: 'left as it is',
  }
  for (const kind of ['converted', 'note', 'decide', 'left'] as const) {
    const own = notes.filter((note) => note.kind === kind)
    if (own.length > 0) {
      lines.push(
        `${titles[kind]}:`,
        ...own.map((note) => `  ${name(note.file)}:${note.line}  ${note.what}: ${note.text}`),
      )
    }
  }
  const hooks = notes.filter(({ kind, what }) => HOOK.test(what) && (kind === 'converted' || kind === 'left'))
  const converted = hooks.filter(({ kind }) => kind === 'converted').length
  const share = hooks.length === 0 ? '' : `${converted} of ${hooks.length} hooks converted; `
  lines.push(`${share}${files} ${files === 1 ? 'file' : 'files'} ${isDry ? 'would change' : 'changed'}`)
  return lines.join('\n')
}

// The type of the result follows from the options.
function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        dry: { type: 'boolean' },
        map: { type: 'string', short: 'm' },
        out: { type: 'string', short: 'o' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new MigrateError(`${(error as Error).message} See restitch-migrate --help.`)
  }
}

function readMap(folder: string, path: string): ApiMap {
  let map: unknown
  try {
    map = JSON.parse(readFileSync(resolve(folder, path), 'utf8'))
  } catch (error) {
    throw new MigrateError(`${path} is not a JSON file that can be read: ${(error as Error).message}`)
  }
  const entries = typeof map === 'object' && map !== null ? Object.entries(map) : []
  return Object.fromEntries(
    entries.map(([operation, entry]) => {
      const { endpoint, from } = (entry ?? {}) as { endpoint?: unknown; from?: unknown }
      if (!/^[A-Z]+ \S+$/.test(operation) || typeof endpoint !== 'string' || typeof from !== 'string') {
        throw new MigrateError(
          `${path}: "${operation}" is not a method and a path with { "endpoint": "Todos.get", "from": "src/api/todos.ts" }.`,
        )
      }
      return [operation, { endpoint, from: from.startsWith('.') || from.includes('/') ? resolve(folder, from) : from }]
    }),
  )
}
