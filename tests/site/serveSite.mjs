// Serves the site that `npm run docs:build` wrote, as a host of static files does.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'

export const SITE = '.cache/site'
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

export async function serveSite(port = 0) {
  const server = createServer(({ url }, response) => {
    const found = fileOf(new URL(url, 'http://x').pathname)
    const file = found ?? '404.html'
    response.writeHead(found ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    response.end(readFileSync(join(SITE, file)))
  })
  await new Promise((done) => server.listen(port, '127.0.0.1', done))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${server.address().port}`, close }
}

/** The file of an address, or `undefined`. */
export function fileOf(pathname) {
  const path = decodeURIComponent(pathname).slice(1)
  return [path, `${path}.html`, join(path, 'index.html')].find(
    (name) => existsSync(join(SITE, name)) && statSync(join(SITE, name)).isFile(),
  )
}
