import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, createLogger, createServer, type InlineConfig, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openapi } from '../src/vite.ts'
import { type Json, json, object, ref, text } from './describe.ts'

let folder = ''
let server: ViteDevServer | undefined
beforeEach(() => {
  const work = fileURLToPath(new URL('../../.cache/openapi/', import.meta.url))
  mkdirSync(work, { recursive: true })
  folder = mkdtempSync(join(work, 'plugin-'))
  write('src/main.ts', `import { Cats } from './api/cats'\nconsole.log(Cats.get)\n`)
  write(
    'restitch.openapi.ts',
    `import { defineConfig } from 'restitch-openapi'\nexport default defineConfig({ input: 'openapi.json', output: 'src/api' })\n`,
  )
})
afterEach(async () => {
  await server?.close()
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

function write(name: string, content: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), content)
}
function describe(field: string): void {
  const parameters: Json[] = [{ name: 'id', in: 'path', required: true, schema: text }]
  const paths = { '/cats/{id}': { get: json(ref('Cat'), { parameters }) } }
  const components = { schemas: { Cat: object({ id: text, [field]: text }) } }
  const info = { title: 'Cats', version: '1' }
  write('openapi.json', JSON.stringify({ openapi: '3.1.0', info, paths, components }))
}

/** A project with the plugin, and a function that waits for a line of Vite's log. */
function project(): { config: InlineConfig; until: (part: string) => Promise<void> } {
  const lines: string[] = []
  let notify = (): void => {}
  const add = (line: string): void => {
    lines.push(line)
    notify()
  }
  const config: InlineConfig = {
    root: folder,
    configFile: false,
    cacheDir: join(folder, 'vite'),
    plugins: [openapi({ folder })],
    customLogger: { ...createLogger('silent'), info: add, error: add },
    resolve: {
      alias: { restitch: fileURLToPath(new URL('../../src/index.ts', import.meta.url)) },
      conditions: ['restitch-source', 'module', 'browser', 'development|production'],
    },
    server: { host: '127.0.0.1', port: 0, ws: false, fs: { strict: false } },
    optimizeDeps: { noDiscovery: true },
    build: { write: false, rollupOptions: { input: join(folder, 'src/main.ts') } },
  }
  const until = (part: string): Promise<void> =>
    new Promise((resolve) => {
      notify = () => {
        const index = lines.findIndex((line) => line.includes(part))
        if (index >= 0) {
          lines.splice(0, index + 1)
          resolve()
        }
      }
      notify()
    })
  return { config, until }
}
async function serve(config: InlineConfig): Promise<(path: string) => Promise<string>> {
  server = await createServer(config)
  const { watcher } = server
  // The watcher does not see changes from before it is ready.
  if (!Object(watcher)._readyEmitted) {
    await new Promise<void>((resolve) => watcher.once('ready', resolve))
  }
  await server.listen()
  const { port } = server.httpServer!.address() as AddressInfo
  return async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
}

test('a build has the code of its description', async () => {
  describe('name')
  const output = await build(project().config)
  expect(JSON.stringify(output)).toContain('/cats/:id')
  expect(readFileSync(join(folder, 'src/api/entities/Cat.ts'), 'utf8')).toContain(`name: string | undefined`)
})

test('a build fails if the description is wrong', async () => {
  write('openapi.json', '{')
  const { config, until } = project()
  await expect(build(config)).rejects.toThrow('restitch-openapi failed. See above.')
  await until('neither JSON nor YAML')
})

test('a server writes the code before the first request, and again when the description or the configuration changes', async () => {
  describe('name')
  const { config, until } = project()
  const get = await serve(config)
  await until('3 files added')
  expect(await get('/src/api/entities/Cat.ts')).toContain('name = undefined')
  describe('toy')
  await until('1 file changed')
  expect(readFileSync(join(folder, 'src/api/entities/Cat.ts'), 'utf8')).toContain('toy: string')
  write('restitch.openapi.ts', `export default { input: 'openapi.json', output: 'src/api', names: { Cat: 'Lion' } }\n`)
  await until('2 files changed')
  expect(await get('/src/api/cats.ts')).toContain('schema: Lion')
})

test('a server goes on after a fault, also if the first run has one', async () => {
  write('openapi.json', '{')
  const { config, until } = project()
  const get = await serve(config)
  await until('neither JSON nor YAML')
  describe('name')
  await until('3 files added')
  expect(await get('/src/api/cats.ts')).toContain('/cats/:id')
  write('openapi.json', '{')
  await until('neither JSON nor YAML')
  describe('toy')
  await until('1 file changed')
})
