import { resolve } from 'node:path'
import { run } from './run.ts'

interface Logger {
  info(text: string): void
  error(text: string): void
}

interface Watcher {
  add(files: string[]): unknown
  on(event: 'change' | 'add', run: (file: string) => void): unknown
}

/** The part of a Vite plugin that is used. */
export interface OpenApiPlugin {
  readonly name: string
  readonly configResolved: (config: { logger: Logger }) => void
  readonly configureServer: (server: { watcher: Watcher }) => void
  readonly buildStart: (this: { addWatchFile(file: string): void }) => Promise<void>
}

/**
 * A Vite plugin that writes the code before a build, and again when the description or `restitch.openapi.ts` changes while Vite serves.
 *
 * @example
 * export default defineConfig({ plugins: [openapi()] })
 */
export function openapi({
  args = [],
  folder = process.cwd(),
}: { args?: readonly string[]; folder?: string } = {}): OpenApiPlugin {
  const files = new Set<string>()
  let logger: Logger | undefined
  let watcher: Watcher | undefined
  /** The end of the last run: one at a time. */
  let last: Promise<unknown> = Promise.resolve()
  const write = async (): Promise<boolean> => {
    try {
      const print = (text: string): void => logger?.info(text)
      const warn = (text: string): void => logger?.error(text)
      return (await run(args, { folder, print, warn, onFile: (file) => files.add(resolve(file)) })) === 0
    } catch (error) {
      logger?.error(String(error))
      return false
    } finally {
      watcher?.add([...files])
    }
  }
  return {
    name: 'restitch-openapi',
    configResolved(config) {
      ;({ logger } = config)
    },
    configureServer(server) {
      ;({ watcher } = server)
      const change = (file: string): void => {
        if (files.has(resolve(file))) {
          last = last.then(write)
        }
      }
      watcher.on('change', change)
      watcher.on('add', change)
    },
    async buildStart() {
      const isDone = await write()
      // A server goes on, and tries again after the next change.
      if (!isDone && watcher === undefined) {
        throw new Error('restitch-openapi failed. See above.')
      }
      for (const file of files) {
        this.addWatchFile(file)
      }
    },
  }
}
