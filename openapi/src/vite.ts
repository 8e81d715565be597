import { run } from './run.ts'

/** The part of a Vite plugin that is used. */
export interface OpenApiPlugin {
  readonly name: string
  readonly buildStart: () => Promise<void>
  readonly configureServer: (server: { httpServer?: { on(event: 'close', run: () => void): unknown } | null }) => void
}

/**
 * A Vite plugin that writes the code before a build, and again when the description changes while Vite serves. It reads restitch.openapi.ts.
 *
 * @example
 * export default defineConfig({ plugins: [openapi()] })
 */
export function openapi({
  args = [],
  folder = process.cwd(),
}: { args?: readonly string[]; folder?: string } = {}): OpenApiPlugin {
  const print = (text: string): void => void process.stdout.write(`${text}\n`)
  let isServing = false
  return {
    name: 'restitch-openapi',
    async buildStart() {
      if (isServing) {
        return
      }
      const code = await run(args, { folder, print, warn: print })
      if (code !== 0) {
        throw new Error('restitch-openapi failed. See above.')
      }
    },
    configureServer(server) {
      isServing = true
      const end = new AbortController()
      server.httpServer?.on('close', () => end.abort())
      void run([...args, '--watch'], { folder, print, warn: print, signal: end.signal })
    },
  }
}
