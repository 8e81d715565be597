import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from './config.ts'
import { OpenApiError } from './errors.ts'
import { generate, type Generated } from './generate.ts'
import { configFile, findImportExtension, loadConfig } from './loadConfig.ts'
import { compareFiles, type Difference, writeFiles } from './output.ts'
import { readDescription } from './readDescription.ts'
import { Report } from './Report.ts'
import { suggest } from './suggest.ts'
import { watchFiles } from './watchFiles.ts'
import { writeNames } from './writeNames.ts'

const HELP = `Writes Restitch entities and resources from an OpenAPI description.

  restitch-openapi <file or URL> --out src/api

  --out, -o FOLDER     where to write; own files in it are left alone
  --header, -H TEXT    a header for a remote description: "Authorization: Bearer …"; may be repeated
  --config, -c FILE    the configuration; without it restitch.openapi.ts, if there is one
  --check              writes nothing, and ends with 1 if the files are not what would be written
  --watch              writes again when the description or the configuration changes
  --report             prints everything that was inferred, not only what is unsure or left out
  --lenient            goes on if the description has faults
  --external           "$ref" may lead to other hosts, and to files outside the folder of the description
  --force              writes over the code of another description
  --import-extension E the end of import paths: js for ESM in Node, ts, or none
  --mocks              writes mocks.ts: typed factories, and fixtures for restitch/mock and MSW
  --types FILE         declares the names of the description, which then types restitch.openapi.ts
  --map FILE           writes a JSON map of URLs to endpoints
  --help, -h
`

const OPTIONS = {
  out: { type: 'string', short: 'o' },
  header: { type: 'string', short: 'H', multiple: true },
  config: { type: 'string', short: 'c' },
  check: { type: 'boolean' },
  watch: { type: 'boolean' },
  report: { type: 'boolean' },
  lenient: { type: 'boolean' },
  external: { type: 'boolean' },
  force: { type: 'boolean' },
  'import-extension': { type: 'string' },
  mocks: { type: 'boolean' },
  types: { type: 'string' },
  map: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** The command: returns the exit code. `print` and `warn` receive the output. */
export async function run(
  args: readonly string[],
  {
    folder = process.cwd(),
    print,
    warn,
    signal,
    onFile,
  }: {
    folder?: string
    print: (text: string) => void
    warn: (text: string) => void
    /** Ends `--watch`. */
    signal?: AbortSignal
    /** Receives each file that is read. */
    onFile?: (file: string) => void
  },
): Promise<number> {
  try {
    const { values, positionals } = parse(args)
    const once = (): Promise<Done> => runCommand(values, positionals, folder, print, onFile)
    return values.watch && !values.check && !values.help
      ? await watchFiles(once, warn, print, signal)
      : (await once()).code
  } catch (error) {
    if (error instanceof OpenApiError) {
      warn(error.message)
      return 2
    }
    throw error
  }
}

/** The result of one run: the exit code, and the files that it depends on. */
export interface Done {
  readonly code: number
  readonly files: readonly string[]
}

async function runCommand(
  values: Values,
  positionals: readonly string[],
  folder: string,
  print: (text: string) => void,
  onFile: (file: string) => void = () => {},
): Promise<Done> {
  if (values.help) {
    print(HELP)
    return { code: 0, files: [] }
  }
  const files: string[] = []
  const use = (file: string): void => {
    files.push(file)
    onFile(file)
  }
  configFile(folder, values.config).forEach(use)
  const config = await loadConfig(folder, values.config)
  const input = positionals[0] ?? config.input
  const output = values.out ?? config.output
  if (input === undefined || output === undefined || positionals.length > 1) {
    const missing =
      input === undefined ? 'a description' : output === undefined ? 'a folder to write to' : 'one description'
    throw new OpenApiError(`The command needs ${missing}: restitch-openapi openapi.yaml --out src/api`)
  }
  const source = /^https?:\/\//.test(input) ? input : resolve(folder, input)
  // A description that cannot be read may be put right.
  if (source === resolve(source)) {
    onFile(source)
  }
  const target = resolve(folder, output)
  const report = new Report()
  const description = await readDescription(source, {
    headers: { ...config.headers, ...readHeaders(values.header ?? []) },
    lenient: values.lenient ?? config.lenient,
    external: values.external ?? config.external,
    onFile: use,
    onFault: (fault) => report.add('unsure', 'fault', 'description', 'used as it is', fault),
  })
  const importExtension =
    readExtension(values['import-extension']) ?? config.importExtension ?? findImportExtension(target)
  const mocks = values.mocks ?? config.mocks ?? false
  const generated = generate(description, { ...config, importExtension, mocks }, report)
  const texts = await format(generated.files, config)
  const { counts } = generated
  const table = report.print(values.report ?? false)
  const [types, map] = [values.types ?? config.types, values.map ?? config.map]
  if (types !== undefined) {
    checkTypes(types, folder)
  }
  const extras = new Map([
    ...(types === undefined ? [] : [[types, writeNames(generated.names)] as const]),
    ...(map === undefined ? [] : [[map, mapText(generated, relative(folder, target))] as const]),
  ])
  if (values.check) {
    return { code: check(withExtras(compareFiles(target, texts), extras, folder), output, print), files }
  }
  const difference = writeFiles(target, texts, values.force ?? config.force)
  for (const [file, text] of extras) {
    writeText(resolve(folder, file), text)
  }
  if (table !== '') {
    print(`${table}\n`)
  }
  const share = counts.operations === 0 ? 100 : Math.floor((counts.covered / counts.operations) * 1000) / 10
  print(
    `${counts.covered} of ${countOf(counts.operations, 'operation')} (${share} %), ${countOf(counts.entities, 'entity', 'entities')} in ${countOf(counts.tables, 'table')}, ${countOf(counts.resources, 'resource')}`,
  )
  print(`${output}: ${describe(difference) || 'nothing changed'}`)
  return { code: 0, files }
}

/** The compiler leaves out `x.d.ts` where it finds `x.ts`, so the configuration would be checked against nothing. */
function checkTypes(types: string, folder: string): void {
  const [, stem, kind] = /^(.*)\.d\.([mc]?ts)$/.exec(types) ?? []
  if (stem === undefined || existsSync(resolve(folder, `${stem}.${kind}`))) {
    const why =
      stem === undefined ? 'is no declaration file' : `is left out by TypeScript beside "${basename(stem)}.${kind}"`
    throw new OpenApiError(`The file of --types, "${types}", ${why}. Use another name: --types openapi-names.d.ts`)
  }
}

function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** The map that restitch-migrate reads: each URL, its endpoint, and the file that has it, from the current folder. */
function mapText({ map }: Generated, output: string): string {
  const from = (file: string): string => {
    const path = `${join(output, file).replaceAll('\\', '/')}.ts`
    return path.includes('/') ? path : `./${path}`
  }
  const entries = [...map].map(([url, { endpoint, file }]) => [url, { endpoint, from: from(file) }] as const)
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}

/** The difference with the files of --types and --map in it. */
function withExtras(difference: Difference, extras: ReadonlyMap<string, string>, folder: string): Difference {
  const has = (file: string): boolean => existsSync(resolve(folder, file))
  const names = [...extras].filter(([file, text]) => readText(resolve(folder, file)) !== text).map(([file]) => file)
  return {
    ...difference,
    added: [...difference.added, ...names.filter((file) => !has(file))],
    changed: [...difference.changed, ...names.filter(has)],
  }
}

function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : undefined
}

/** Writes a file, unless it has that text already. */
function writeText(file: string, text: string): void {
  if (readText(file) !== text) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

const EXTENSIONS: Readonly<Record<string, '' | '.js' | '.ts'>> = {
  js: '.js',
  '.js': '.js',
  ts: '.ts',
  '.ts': '.ts',
  none: '',
}

function readExtension(text: string | undefined): '' | '.js' | '.ts' | undefined {
  const extension = text === undefined ? undefined : EXTENSIONS[text]
  if (text !== undefined && extension === undefined) {
    throw new OpenApiError(`"${text}" is no end of import paths. Use --import-extension js, ts or none.`)
  }
  return extension
}

type Values = ReturnType<typeof parse>['values']

// The type of the result follows from the options.
function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  } catch (error) {
    const [, option] = /^Unknown option '(--?[^' ]+)/.exec((error as Error).message) ?? []
    if (option === undefined) {
      throw new OpenApiError(`${(error as Error).message}. See restitch-openapi --help.`)
    }
    const known = Object.keys(OPTIONS).map((name) => `--${name}`)
    throw new OpenApiError(
      `The command has no option "${option}".${suggest(option, known)} See restitch-openapi --help.`,
    )
  }
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      if (at < 1) {
        throw new OpenApiError(
          `"${line}" is not a header. Write a name, a colon and a value: "Authorization: Bearer …".`,
        )
      }
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}

async function format(files: ReadonlyMap<string, string>, config: Config): Promise<ReadonlyMap<string, string>> {
  if (config.format === undefined) {
    return files
  }
  const formatted = new Map<string, string>()
  for (const [file, text] of files) {
    formatted.set(file, await config.format(text, file))
  }
  return formatted
}

function check(difference: Difference, output: string, print: (text: string) => void): number {
  const changes = describe(difference)
  if (changes === '') {
    print(`${output} is what the description says`)
    return 0
  }
  const names = [...difference.added, ...difference.changed, ...difference.removed]
  const shown = names.slice(0, 20).map((name) => `  ${name}`)
  print(
    [
      `${output} is not what the description says: ${changes}. Run restitch-openapi again, and commit the result.`,
      ...shown,
      ...(names.length > shown.length ? [`  … and ${names.length - shown.length} more`] : []),
    ].join('\n'),
  )
  return 1
}

function describe({ added, changed, removed }: Difference): string {
  const parts = [
    [added.length, 'added'],
    [changed.length, 'changed'],
    [removed.length, 'removed'],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${countOf(count, 'file')} ${what}`)
    .join(', ')
}
