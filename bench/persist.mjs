// The cost of a database, in Chromium: a write of the page, the start with so many rows, and bytes.
//
//   node bench/persist.mjs [--write]
//
// `--write` puts the table into reports/persist.md. Times of a busy machine are worth little: the cost of a write is a difference of two
// stores in one page, which take turns.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { cpus, loadavg } from 'node:os'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { chromium } from 'playwright'
import { foldDev } from '../scripts/fold.mjs'
import { findChromium, LAUNCH_ARGS } from '../scripts/chromium.mjs'

const SIZES = [1_000, 10_000, 100_000]
/** In milliseconds and bytes. */
const GOALS = { write: 1, restore: 100, persist: 6_000, tabs: 3_000, without: 150 }
const WRITES = 300

const PAGE = `
import { Collection, createStore, Endpoint, Entity, getDefaultManagers } from 'restitch'
import { persist } from 'restitch/persist'
import { todo } from './bench/rows.mjs'
class User extends Entity { id = 0; name = ''; static key = 'User' }
class Todo extends Entity { id = 0; title = ''; static key = 'Todo'; static schema = { author: User } }
const getTodos = new Endpoint(async () => [], { name: 'getTodos', key: () => 'getTodos', schema: new Collection([Todo]) })
const open = (_, more = []) => createStore({ managers: [...more, ...getDefaultManagers()] })
const kept = (name) => persist({ name, onError: (error) => { throw error } })
const saved = (store, n) => new Promise((done) => { const look = () => store.persisted.rows >= n ? done() : setTimeout(look, 20); look() })
globalThis.fill = async (n) => {
  const store = open(n, [kept('bench' + n)])
  await store.persisted.ready
  await store.controller.setResponse(getTodos, Array.from({ length: n }, (_, i) => todo(i)))
  await saved(store, n + 102)
  const { bytes, rows } = store.persisted
  return { bytes, rows, quota: (await navigator.storage.estimate()).usage }
}
globalThis.restore = async (n) => {
  const start = performance.now()
  const store = open(n, [kept('bench' + n)])
  await store.persisted.ready
  const list = store.controller.getResponse(getTodos).data
  return { time: performance.now() - start, length: list.length }
}
globalThis.bare = async (n) => {
  const start = performance.now()
  const opening = indexedDB.open('bench' + n)
  await new Promise((done) => (opening.onsuccess = done))
  const rows = opening.result.transaction('rows').objectStore('rows')
  const keys = rows.getAllKeys()
  const values = rows.getAll()
  await new Promise((done) => (values.onsuccess = done))
  const read = performance.now()
  const all = values.result.map((text) => typeof text === 'string' && JSON.parse(text))
  opening.result.close()
  return { time: performance.now() - start, read: read - start, all: all.length }
}
globalThis.write = async (n, writes) => {
  const stores = [open(n), open(n, [kept('write' + n)])]
  await stores[1].persisted.ready
  const data = Array.from({ length: n }, (_, i) => todo(i))
  for (const { controller } of stores) await controller.setResponse(getTodos, data)
  await saved(stores[1], n)
  const times = [[], []]
  for (let i = 0; i < writes; i++) {
    for (const j of [0, 1]) {
      const start = performance.now()
      for (let k = 0; k < 10; k++) void stores[j].controller.set(Todo, { id: (i * 7919 + k) % n }, { id: (i * 7919 + k) % n, title: 'x' + i })
      times[j].push((performance.now() - start) / 10)
    }
    if (i % 10 === 0) await new Promise((done) => setTimeout(done, 5))
  }
  return times.map((all) => all.sort((a, b) => a - b)[writes / 2])
}
`
const USES = {
  without: `export { Endpoint, Entity, resource, RestEndpoint } from 'restitch'; export { AsyncBoundary, DataProvider, useController, useDLE, useMutation, useSuspense } from 'restitch/react'`,
  persist: `export { persist } from 'restitch/persist'`,
  tabs: `export { tabs } from 'restitch/tabs'`,
}

// As the build does, so that development code folds away.
const fold = {
  name: 'fold',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      return { contents: path.endsWith('/env.ts') ? text : foldDev(path, text), loader: 'ts' }
    })
  },
}

const bundle = async (contents, minify = true) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.', loader: 'js' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['restitch-source'],
    external: ['react', 'react-dom', 'react/*'],
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [fold],
    minify,
    write: false,
  })
  return outputFiles[0].text
}
const weigh = (text) => gzipSync(text, { level: 9 }).length

const lines = []
const say = (line) => {
  console.log(line)
  lines.push(line)
}
const row = (what, value, goal) => say(`| ${what} | ${value} | ${goal} |`)

const executablePath = await findChromium()
const app = await bundle(PAGE)
const server = createServer(({ url }, response) => {
  response.setHeader('content-type', url === '/app.js' ? 'text/javascript' : 'text/html')
  response.end(url === '/app.js' ? app : '<script type="module" src="/app.js"></script>')
})
await new Promise((done) => server.listen(0, '127.0.0.1', done))
const browser = await chromium.launch({ executablePath, args: LAUNCH_ARGS })
const page = await (await browser.newContext()).newPage()
const load = async () => {
  await page.goto(`http://127.0.0.1:${server.address().port}/`)
  await page.waitForFunction(() => globalThis.write)
}

say(`# What a database costs\n`)
say(
  `Chromium ${browser.version()} on ${cpus().length} cores, with a load of ${loadavg()[0].toFixed(1)}. Records are those of bench/rows.mjs, with an author of a hundred.\n`,
)
say('| what | measured | goal |\n| --- | --- | --- |')
await load()
const [plain, kept] = await page.evaluate(([n, writes]) => globalThis.write(n, writes), [10_000, WRITES])
row(
  'one write of the page, 10,000 records: with `persist`, without it',
  `${kept.toFixed(3)} ms, ${plain.toFixed(3)} ms`,
  `${GOALS.write} ms more`,
)
for (const n of SIZES) {
  await load()
  const { bytes, rows, quota } = await page.evaluate((size) => globalThis.fill(size), n)
  const times = []
  for (let i = 0; i < 5; i++) {
    await load()
    times.push((await page.evaluate((size) => globalThis.restore(size), n)).time)
  }
  const [, , median] = times.sort((a, b) => a - b)
  row(
    `start of a store with ${rows.toLocaleString('en')} rows: open, restore, read the list`,
    `${median.toFixed(0)} ms`,
    n === 10_000 ? `${GOALS.restore} ms` : '',
  )
  row(
    `their text; what the origin uses on disk by then`,
    `${(bytes / 1e6).toFixed(1)} MB; ${(quota / 1e6).toFixed(1)} MB`,
    '',
  )
}
await browser.close()
server.close()
const size = weigh(await bundle(USES.without))
for (const entry of ['persist', 'tabs']) {
  const more = weigh(await bundle(`${USES.without}; ${USES[entry]}`)) - size
  row(`bytes of \`restitch/${entry}\` in an app with \`resource\`, minified and gzipped`, more, GOALS[entry])
}
if (process.argv.includes('--write')) {
  writeFileSync('reports/persist.md', `${lines.join('\n')}\n`)
}
