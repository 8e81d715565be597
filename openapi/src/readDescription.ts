import { relative } from 'node:path'
import {
  type BaseResolver,
  bundle,
  createConfig,
  getLineColLocation,
  lint,
  type NormalizedProblem,
  ResolveError,
  type Source,
  YamlParseError,
} from '@redocly/openapi-core'
import type { Description } from './Description.ts'
import { OpenApiError } from './errors.ts'
import { findLoop } from './findLoop.ts'
import { isRemote, Loader } from './Loader.ts'
import { repair } from './repair.ts'

export interface ReadOptions {
  /** Headers for remote files, such as `{ Authorization: 'Bearer …' }`; they are sent to the host of the description alone. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** `$ref` may lead to other hosts, and to files outside the folder of the description. */
  readonly external?: boolean | undefined
  /** How long a remote file may take, in milliseconds; 30,000 by default. */
  readonly timeout?: number | undefined
  /** Receives each local file that is read. */
  readonly onFile?: ((file: string) => void) | undefined
  /** Goes on in spite of faults; `onFault` receives each. */
  readonly lenient?: boolean | undefined
  readonly onFault?: ((fault: string) => void) | undefined
}

/** A remote file that has not come by then does not come. */
const TIMEOUT = 30_000
/** More faults than these are counted, not listed. */
const MOST_FAULTS = 10

/** Reads a description, joins its files into one document, and checks it against the rules of its version. */
export async function readDescription(source: string, options: ReadOptions = {}): Promise<Description> {
  const { headers = {}, lenient, onFault, onFile, external = false, timeout = TIMEOUT } = options
  const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } })
  const externalRefResolver = new Loader(source, { headers, external, timeout })
  const { parsed: root, source: text } = await readRoot(externalRefResolver, source)
  const check = (description: Description, placeOf: (pointer: string) => string): void => {
    const fault = findLoop(description, placeOf)
    if (fault !== undefined && !lenient) {
      throw fault
    }
    if (fault !== undefined) {
      onFault?.(fault.message)
    }
  }
  check(root, (pointer) => {
    const { start } = getLineColLocation({ source: text, pointer, reportOnKey: true })
    return `${nameOfFile(source)}:${start.line}:${start.col} (${pointer})`
  })
  const problems = await lint({ ref: source, config, externalRefResolver }).catch((error: unknown) => {
    throw new OpenApiError(`The description "${source}" cannot be resolved: ${(error as Error).message}.`)
  })
  const faults = problems.filter(({ severity, ignored }) => severity === 'error' && !ignored)
  if (faults.length > 0 && !lenient) {
    throw invalid(source, faults)
  }
  for (const fault of faults) {
    onFault?.(describe(fault))
  }
  for (const file of externalRefResolver.getFiles()) {
    if (!isRemote(file)) {
      onFile?.(file)
    }
  }
  // A single file needs no joining.
  if (externalRefResolver.getFiles().size <= 1) {
    return repair(root, lenient ? (onFault ?? (() => {})) : undefined)
  }
  const { bundle: document } = await bundle({ ref: source, config, externalRefResolver })
  const joined = document.parsed as Description
  check(joined, (pointer) => `${nameOfFile(source)} (${pointer})`)
  return repair(joined, lenient ? (onFault ?? (() => {})) : undefined)
}

/** Reads the first file: the rules describe no faults of a file that cannot be parsed, or that is no OpenAPI. */
async function readRoot(
  resolver: BaseResolver,
  source: string,
): Promise<{ readonly parsed: Description; readonly source: Source }> {
  const document = await resolver.resolveDocument<unknown>(null, source, true).catch((error: unknown) => error as Error)
  if (document instanceof YamlParseError) {
    throw new OpenApiError(
      `The description is neither JSON nor YAML: ${document.originalError.message.split('\n')[0]}.`,
      [`${source}:${document.line}:${document.col}`],
    )
  }
  if (document instanceof Error) {
    const reason = document instanceof ResolveError ? document.originalError : document
    const advice = isRemote(source)
      ? 'Check the address, and pass --header "Authorization: Bearer …" if it needs a token.'
      : 'Check the path.'
    throw new OpenApiError(`The description "${source}" cannot be read: ${reason.message}. ${advice}`)
  }
  const { openapi, swagger } = Object(document.parsed) as { openapi?: unknown; swagger?: unknown }
  if (swagger !== undefined) {
    throw new OpenApiError(
      `The description is Swagger ${String(swagger)}; OpenAPI 3.0 and 3.1 are supported. Convert it first, for example with converter.swagger.io.`,
      [`${source}#/swagger`],
    )
  }
  if (typeof openapi !== 'string' || !/^3\.[01]\./.test(openapi)) {
    throw new OpenApiError(
      openapi === undefined
        ? 'The file is not an OpenAPI description: it has no member "openapi".'
        : `OpenAPI ${JSON.stringify(openapi)} is not supported; 3.0 and 3.1 are.`,
      [openapi === undefined ? source : `${source}#/openapi`],
    )
  }
  return { parsed: document.parsed as Description, source: document.source }
}

function nameOfFile(file: string): string {
  return isRemote(file) ? file : relative('', file)
}

function invalid(source: string, faults: readonly NormalizedProblem[]): OpenApiError {
  // A file that cannot be parsed is a fault for each reference to it.
  const all = [...new Set(faults.map(describe))]
  const shown = all.slice(0, MOST_FAULTS)
  const more = all.length > shown.length ? [`… and ${all.length - shown.length} more`] : []
  return new OpenApiError(
    `The description "${source}" is not valid OpenAPI: ${all.length === 1 ? 'one fault' : `${all.length} faults`}. Correct it, or pass --lenient to go on.`,
    [...shown, ...more],
  )
}

function describe(fault: NormalizedProblem): string {
  const [location] = fault.location
  const message = fault.message.replaceAll('`', '"').trim()
  if (location === undefined) {
    return message
  }
  const { start } = getLineColLocation(location)
  const file = location.source.absoluteRef
  return `${nameOfFile(file)}:${start.line}:${start.col} (${location.pointer ?? '#/'}): ${message}`
}
