// The cost of a write among many lists: node bench/manyLists.mjs [--lists 10000]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'

const at = process.argv.indexOf('--lists')
const LISTS = at < 0 ? 10_000 : Number(process.argv[at + 1])
const ROUNDS = 300
const { Collection, createStore, Entity, Endpoint } = await loadSources()

class Todo extends Entity {
  id = ''
  title = ''
  group = ''
  static key = 'Todo'
}
const todos = new Collection([Todo])
const list = new Endpoint(async () => [], { schema: todos, name: 'list' })
const one = new Endpoint(async () => ({}), { schema: Todo, name: 'one' })

/** Each workload gets a store with the lists, and the number of the round. */
const WORKLOADS = {
  'edit the title': (c, i) => c.set(Todo, { id: `${i}` }, { id: `${i}`, title: `x${i}`, group: `g${i}` }),
  'move to the next list': (c, i) => c.set(Todo, { id: `${i}` }, { id: `${i}`, title: '', group: `g${i + 1}` }),
  'move, after a read has changed the record': (c, i) => {
    c.setResponse(one, { id: `${i}` }, { id: `${i}`, title: `read`, group: `g${i}` })
    return () => c.set(Todo, { id: `${i}` }, { id: `${i}`, title: '', group: `g${i + 1}` })
  },
  'move, after two reads have changed the title': (c, i) => {
    c.setResponse(one, { id: `${i}` }, { id: `${i}`, title: 'r1', group: `g${i}` })
    c.setResponse(one, { id: `${i}` }, { id: `${i}`, title: 'r2', group: `g${i}` })
    return () => c.set(Todo, { id: `${i}` }, { id: `${i}`, title: '', group: `g${i + 1}` })
  },
  'move, after two reads have moved the record': (c, i) => {
    c.setResponse(one, { id: `${i}` }, { id: `${i}`, title: `read`, group: `g${i + 2}` })
    c.setResponse(one, { id: `${i}` }, { id: `${i}`, title: `read`, group: `g${i + 3}` })
    return () => c.set(Todo, { id: `${i}` }, { id: `${i}`, title: '', group: `g${i + 1}` })
  },
  'an event brings a new record': (c, i) => c.set(Todo, { id: `n${i}` }, { id: `n${i}`, title: '', group: `g${i}` }),
  'push onto one list': (c, i) => c.set(todos.push, { group: `g${i}` }, { id: `p${i}`, title: '', group: `g${i}` }),
}

for (const [name, work] of Object.entries(WORKLOADS)) {
  const { controller } = createStore({ managers: [] })
  for (let i = 0; i < LISTS; i++) {
    controller.setResponse(list, { group: `g${i}` }, [{ id: `${i}`, title: '', group: `g${i}` }])
  }
  const times = []
  for (let i = 0; i < ROUNDS; i++) {
    let run = () => work(controller, i)
    if (name.includes('after')) {
      run = work(controller, i)
    }
    const start = performance.now()
    run()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  console.log(
    `${name.padEnd(46)} median ${times[ROUNDS / 2].toFixed(4)} ms, 95 % ${times[Math.floor(ROUNDS * 0.95)].toFixed(4)} ms`,
  )
}

async function loadSources() {
  const folder = mkdtempSync(join(tmpdir(), 'restitch-'))
  const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))
  const { outputFiles } = await esbuild.build({
    stdin: { contents: `export * from ${JSON.stringify(entry)}`, resolveDir: folder, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    conditions: ['restitch-source'],
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const file = join(folder, 'sources.mjs')
  writeFileSync(file, outputFiles[0].text)
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
