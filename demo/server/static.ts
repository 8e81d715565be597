import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Api } from './api.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.map': 'application/json',
}

/** Serves the built page. Its files are read once: a path can only name one of them. */
export function addPage(app: Api, folder: string): void {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile()) {
      files.set(`/${relative(folder, file).split(sep).join('/')}`, readFileSync(file))
    }
  }
  app.get('*', (c) => {
    // A path of the app's own router is no file: the page is there to show it.
    const path = files.has(c.req.path) ? c.req.path : '/index.html'
    const data = files.get(path)
    if (!data || (path !== c.req.path && extname(c.req.path) !== '')) {
      return c.text('There is nothing here.', 404)
    }
    return c.body(data, 200, {
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  })
}
