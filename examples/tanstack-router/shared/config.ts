import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { InlineConfig, Plugin, PluginOption, PreviewServer, ViteDevServer } from 'vite'
import type { Middleware } from './api.ts'

/** The server side of an example: its routes, and WebSockets where it has some. */
export interface Api {
  readonly middleware: Middleware
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close?(): void
}

/** The Vite configuration of an example: the page, and its API on the same origin. */
export function defineExample(api: Api, framework: PluginOption): InlineConfig {
  return {
    plugins: [framework, serveApi(api)],
    cacheDir: '.cache/vite',
    build: { outDir: '.cache/page', emptyOutDir: true },
  }
}

function serveApi(api: Api): Plugin {
  const serve = ({ middlewares, httpServer }: ViteDevServer | PreviewServer) => {
    middlewares.use(api.middleware)
    const server = httpServer as Server | null
    server?.on('upgrade', (request, socket, head) => {
      // Vite has a WebSocket of its own.
      if (request.url?.startsWith('/api/')) {
        api.upgrade?.(request, socket, head)
      }
    })
  }
  return { name: 'api', configureServer: serve, configurePreviewServer: serve }
}
