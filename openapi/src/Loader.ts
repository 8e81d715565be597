import { existsSync, realpathSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { BaseResolver, type Document, ResolveError, Source } from '@redocly/openapi-core'

/** The files that a description may read. */
export interface LoaderOptions {
  readonly headers: Readonly<Record<string, string>>
  /** `$ref` may lead to other hosts, and to files outside the folder of the description. */
  readonly external: boolean
  /** How long a remote file may take, in milliseconds. */
  readonly timeout: number
}

const MOST_REDIRECTS = 10
/** A file whose aliases stand for more values than this is an attack: GitHub's description has a million in all. */
const MOST_NODES = 5_000_000

export const isRemote = (source: string): boolean => /^https?:\/\//.test(source)

/** Reads the files of a description, and no others. */
export class Loader extends BaseResolver {
  readonly #root: string
  readonly #options: LoaderOptions

  constructor(root: string, options: LoaderOptions) {
    super()
    this.#root = isRemote(root) ? root : resolve(root)
    this.#options = options
  }

  override async loadExternalRef(file: string): Promise<Source> {
    if (file !== this.#root) {
      this.#allow(file)
    }
    return isRemote(file) ? this.#fetch(file) : super.loadExternalRef(file)
  }

  override parseDocument(source: Source, isRoot?: boolean): Document {
    const document = super.parseDocument(source, isRoot)
    if (countNodes(document.parsed, new Map()) > MOST_NODES) {
      throw new ResolveError(
        new Error(
          `its aliases stand for more than ${MOST_NODES.toLocaleString('en')} values. Write them out, or remove them`,
        ),
      )
    }
    return document
  }

  /** Refuses a file that a reference should not reach. */
  #allow(file: string): void {
    if (this.#options.external) {
      return
    }
    const isHost = isRemote(file)
    const isAllowed = isHost ? isRemote(this.#root) && originOf(file) === originOf(this.#root) : this.#isInside(file)
    if (!isAllowed) {
      const where = isHost ? `another host, ${originOf(file)}` : `a file outside the folder of the description, ${file}`
      throw new ResolveError(new Error(`it leads to ${where}. Pass --external to allow that`))
    }
  }

  #isInside(file: string): boolean {
    if (isRemote(this.#root)) {
      return false
    }
    // A link leads where it leads.
    const real = (path: string): string => (existsSync(path) ? realpathSync(path) : path)
    const path = relative(real(dirname(this.#root)), real(file))
    return path !== '..' && !path.startsWith(`..${sep}`) && resolve(path) !== path
  }

  /** Headers go to the origin of the description alone, also when it redirects. */
  async #fetch(file: string): Promise<Source> {
    const { headers, timeout } = this.#options
    const signal = AbortSignal.timeout(timeout)
    let url = file
    try {
      for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
        const isOwn = originOf(url) === originOf(this.#root)
        const response = await fetch(url, { redirect: 'manual', signal, headers: isOwn ? headers : {} })
        const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
        if (location === null) {
          if (!response.ok) {
            throw new Error(`${response.status} ${response.statusText}`.trim())
          }
          return new Source(file, await response.text(), response.headers.get('content-type') ?? undefined)
        }
        url = new URL(location, url).href
        // The description itself may have moved.
        if (file !== this.#root) {
          this.#allow(url)
        }
      }
      throw new Error(`it redirects more than ${MOST_REDIRECTS} times`)
    } catch (error) {
      if (error instanceof ResolveError) {
        throw error
      }
      const isLate = (error as Error).name === 'TimeoutError'
      throw new ResolveError(isLate ? new Error(`no response in ${timeout / 1000} s`) : (error as Error))
    }
  }
}

function originOf(url: string): string {
  return new URL(url).origin
}

/** The number of values in a document, each as often as it is used. An alias that contains itself has no end. */
function countNodes(node: unknown, counts: Map<object, number>): number {
  if (typeof node !== 'object' || node === null) {
    return 1
  }
  const known = counts.get(node)
  if (known !== undefined) {
    return known
  }
  counts.set(node, Infinity)
  let count = 1
  for (const child of Object.values(node)) {
    count += countNodes(child, counts)
  }
  counts.set(node, count)
  return count
}
