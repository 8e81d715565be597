import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serve, type ServerType } from '@hono/node-server'
import { createApp } from './app.ts'
import { openDb } from './db.ts'
import { openBrowser } from './openBrowser.ts'
import { isSeeded, seed } from './seed.ts'

const DEFAULT_PORT = 4600

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    reset: { type: 'boolean', default: false },
    test: { type: 'boolean', default: false },
    'no-open': { type: 'boolean', default: false },
    data: { type: 'string', default: 'demo/.data' },
    page: { type: 'string', default: 'demo/.cache/page' },
  },
})
const chosen = values.port === undefined ? undefined : Number(values.port)
if (chosen !== undefined && !(Number.isInteger(chosen) && chosen >= 0 && chosen < 65_536)) {
  quit(`--port needs a number from 0 to 65535, and "${values.port}" is none.`)
}

const file = join(values.data, 'tracker.db')
mkdirSync(values.data, { recursive: true })
if (values.reset) {
  for (const end of ['', '-wal', '-shm']) {
    rmSync(file + end, { force: true })
  }
}
const db = openDb(file)
if (!isSeeded(db)) {
  seed(db, Date.now())
}

const app = createApp({ db, page: values.page, test: values.test })
listen(chosen ?? DEFAULT_PORT)

function listen(port: number): void {
  const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, (info) => {
    const address = `http://localhost:${info.port}`
    process.stdout.write(`The demo is at ${address}\n`)
    if (!values['no-open'] && !values.test) {
      openBrowser(address)
    }
  })
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') {
      throw error
    }
    if (chosen !== undefined) {
      quit(`Port ${port} is taken. Choose another with --port, or leave it out.`)
    }
    listen(port + 1)
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop(server))
  }
}

function stop(server: ServerType): void {
  if ('closeAllConnections' in server) {
    server.closeAllConnections()
  }
  server.close(() => {
    db.close()
    process.exit(0)
  })
}

function quit(message: string): never {
  console.error(message)
  process.exit(1)
}
