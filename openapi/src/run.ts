import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from './config.ts'
import { OpenApiError } from './errors.ts'
import { generate } from './generate.ts'
import { findImportExtension, loadConfig } from './loadConfig.ts'
import { compareFiles, type Difference, writeFiles } from './output.ts'
import { readDescription } from './readDescription.ts'
import { Report } from './Report.ts'

const HELP = `Writes Restitch entities and resources from an OpenAPI description.

  restitch-openapi <file or URL> --out src/api

  --out, -o FOLDER     where to write; own files in it are left alone
  --header, -H TEXT    a header for a remote description: "Authorization: Bearer …"; may be repeated
  --config, -c FILE    the configuration; without it restitch.openapi.ts, if there is one
  --check              writes nothing, and ends with 1 if the files are not what would be written
  --report             prints everything that was inferred, not only what is unsure or left out
  --lenient            goes on if the description has faults
  --help, -h
`

/** The command: returns the exit code. `print` and `warn` receive the output. */
export async function run(
  args: readonly string[],
  {
    folder = process.cwd(),
    print,
    warn,
  }: { folder?: string; print: (text: string) => void; warn: (text: string) => void },
): Promise<number> {
  try {
    return await runCommand(args, folder, print)
  } catch (error) {
    if (error instanceof OpenApiError) {
      warn(error.message)
      return 2
    }
    throw error
  }
}

async function runCommand(args: readonly string[], folder: string, print: (text: string) => void): Promise<number> {
  const { values, positionals } = parse(args)
  if (values.help) {
    print(HELP)
    return 0
  }
  const config = await loadConfig(folder, values.config)
  const input = positionals[0] ?? config.input
  const output = values.out ?? config.output
  if (input === undefined || output === undefined || positionals.length > 1) {
    const missing =
      input === undefined ? 'a description' : output === undefined ? 'a folder to write to' : 'one description'
    throw new OpenApiError(`The command needs ${missing}: restitch-openapi openapi.yaml --out src/api`)
  }
  const source = /^https?:\/\//.test(input) ? input : resolve(folder, input)
  const target = resolve(folder, output)
  const report = new Report()
  const description = await readDescription(source, {
    headers: { ...config.headers, ...readHeaders(values.header ?? []) },
    lenient: values.lenient ?? config.lenient,
    onFault: (fault) => report.add('unsure', 'fault', 'description', 'used as it is', fault),
  })
  const importExtension = config.importExtension ?? findImportExtension(target)
  const generated = generate(description, { ...config, importExtension }, report)
  const files = await format(generated.files, config)
  const { counts } = generated
  const table = report.print(values.report ?? false)
  if (values.check) {
    return check(compareFiles(target, files), output, print)
  }
  const difference = writeFiles(target, files)
  if (table !== '') {
    print(`${table}\n`)
  }
  const share = counts.operations === 0 ? 100 : Math.floor((counts.covered / counts.operations) * 1000) / 10
  print(
    `${counts.covered} of ${counts.operations} operations (${share} %), ${counts.entities} entities in ${counts.tables} tables, ${counts.resources} resources`,
  )
  print(`${output}: ${describe(difference) || 'nothing changed'}`)
  return 0
}

// The type of the result follows from the options.
function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        out: { type: 'string', short: 'o' },
        header: { type: 'string', short: 'H', multiple: true },
        config: { type: 'string', short: 'c' },
        check: { type: 'boolean' },
        report: { type: 'boolean' },
        lenient: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new OpenApiError(`${(error as Error).message} See restitch-openapi --help.`)
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
    .map(([count, what]) => `${count} ${count === 1 ? 'file' : 'files'} ${what}`)
    .join(', ')
}
