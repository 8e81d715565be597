import {
  AngularNodeAppEngine,
  createNodeRequestHandler,
  isMainModule,
  writeResponseToNodeResponse,
} from '@angular/ssr/node'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { serveApi } from './api'

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.ico': 'image/x-icon' }
const files = join(import.meta.dirname, '../browser')
const engine = new AngularNodeAppEngine()

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if ((await serveApi(request, response)) || (await serveFile(request, response))) {
    return
  }
  const page = await engine.handle(request)
  if (page) {
    await writeResponseToNodeResponse(page, response)
  } else {
    response.writeHead(404).end()
  }
}

async function serveFile({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const path = normalize(new URL(url, 'http://localhost').pathname)
  const type = TYPES[extname(path)]
  const content = type && (await readFile(join(files, path)).catch(() => undefined))
  if (!type || !content) {
    return false
  }
  response.writeHead(200, { 'content-type': type }).end(content)
  return true
}

if (isMainModule(import.meta.url)) {
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error(error)
      response.writeHead(500).end()
    })
  })
  server.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1')
}

export const reqHandler = createNodeRequestHandler(async (request, response, next) => {
  try {
    await serve(request, response)
  } catch (error) {
    next(error)
  }
})
