// How many requests readers on the screen cost while the user writes, polls, or receives events: node bench/requests.mjs [--seeds 20]
// Time is virtual, so the numbers are the same on every machine. Each is the mean over the seeds, and none may exceed its goal.
import { fileURLToPath, pathToFileURL } from 'node:url'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as esbuild from 'esbuild'

const { Collection, createStore, Entity, RestEndpoint, resource } = await loadSources()

/** A workload: the readers on the screen, what happens when, and how many GETs it may cost. */
const WORKLOADS = [
  {
    name: 'typing: a PATCH of the title every 120 ms, 25 times; detail, list and sorted list',
    goal: 17,
    mounted: ({ get, list }) => [
      [get, { id: '1' }],
      [list, {}],
      [list, { sort: 'title' }],
    ],
    run: ({ every, patch }) => every(120, 25, (i) => patch('1', { title: `x${i}` })),
  },
  {
    name: 'dragging: 12 PATCHes of 3 records between two lists, every 150 ms',
    goal: 3,
    mounted: ({ list }) => [
      [list, { group: 'a' }],
      [list, { group: 'b' }],
      [list, {}],
    ],
    run: ({ every, patch }) => every(150, 12, (i) => patch(`${1 + (i % 3)}`, { group: i % 2 ? 'a' : 'b' })),
  },
  {
    name: 'creating 10 records, every 100 ms; two lists and a search',
    goal: 5,
    mounted: ({ list }) => [
      [list, { group: 'a' }],
      [list, {}],
      [list, { q: 'x' }],
    ],
    run: ({ every, create }) => every(100, 10, (i) => create({ group: 'a', title: `n${i}` })),
  },
  {
    name: 'polling every second, an edit every 700 ms, 15 s',
    goal: 19,
    mounted: ({ get, list }) => [
      [list, { group: 'a' }],
      [list, {}],
      [get, { id: '1' }],
    ],
    run: ({ every, patch, fetchList }) => {
      every(700, 21, (i) => patch('1', { title: `x${i}` }))
      every(1_000, 14, () => fetchList({}))
    },
  },
  {
    name: 'an event every 50 ms for 8 s, one poll every 2 s',
    goal: 6,
    mounted: ({ list }) => [[list, {}]],
    run: ({ every, event, fetchList }) => {
      every(50, 160, (i) => event('1', { title: `e${i}` }))
      every(2_000, 3, () => fetchList({}))
    },
  },
  {
    name: '20 events in 2 s on a sorted list of four loaded pages: GETs in the 4 s after they began',
    goal: 12,
    records: 12,
    pages: 4,
    mounted: ({ list }) => [[list, { sort: 'title' }]],
    run: ({ every, event }) => every(100, 20, (i) => event('1', { title: `e${i}` })),
    until: 4_500,
  },
]

const PAGE = 3
/** Milliseconds until it begins: by then the readers have their data. */
const START = 500
const at = process.argv.indexOf('--seeds')
const seeds = at < 0 ? 20 : Number(process.argv[at + 1])
let misses = 0
for (const workload of WORKLOADS) {
  let sum = 0
  for (let seed = 1; seed <= seeds; seed++) {
    sum += await play(workload, seed)
  }
  const mean = sum / seeds
  const isMissed = mean > workload.goal
  misses += isMissed ? 1 : 0
  process.stdout.write(
    `${mean.toFixed(1).padStart(6)}  goal ${String(workload.goal).padStart(2)}  ${isMissed ? 'MISSED ' : '       '}${workload.name}\n`,
  )
}
process.exitCode = misses > 0 ? 1 : 0

/** Plays a workload, and returns the number of its GETs. */
async function play({ mounted, run, records = 3, pages = 1, until = 60_000 }, seed) {
  const clock = createClock()
  const random = createRandom(seed)
  const server = createServer(records, pages > 1)
  let gets = 0
  const fetchResponse = (url, { method = 'GET', body } = {}) => {
    gets += method === 'GET' ? 1 : 0
    const { pathname, searchParams } = new URL(url)
    // 60 to 260 ms there and back, so that requests overtake each other.
    const half = () => 30 + random() * 100
    return new Promise((resolve) => {
      clock.setTimeout(() => {
        const value = server.handle(method, pathname, searchParams, body && JSON.parse(body))
        clock.setTimeout(() => resolve(respond(url, value)), half())
      }, half())
    })
  }
  class Todo extends Entity {
    id = ''
    title = ''
    group = ''
    body = ''
    static key = 'Todo'
  }
  const shared = { urlPrefix: 'http://bench', fetchResponse }
  const paging = pages > 1 ? { paginationField: 'cursor', getNextPage: ({ next }) => next } : {}
  const todos = resource({ path: '/todos/:id', schema: Todo, ...shared })
  const paged = new RestEndpoint({
    path: '/todos',
    schema: { items: new Collection([Todo]), next: undefined },
    searchParams: {},
    ...paging,
    ...shared,
  })
  const list = pages > 1 ? paged : todos.getList
  const { controller, ...store } = createStore({ clock, random })
  /** Runs everything that is due until then. */
  const pass = async (time) => {
    const end = clock.time + time
    do {
      await new Promise((done) => setImmediate(done))
    } while (clock.runNext(end))
    clock.time = end
  }
  const ends = mounted({ get: todos.get, list }).map(([endpoint, args]) =>
    store.view(endpoint, args).subscribe(() => {}),
  )
  if (pages > 1) {
    await pass(1_000)
    for (let page = 1; page < pages; page++) {
      void controller.fetch(list.getPage, { sort: 'title', cursor: server.cursorOf(page) })
      await pass(1_000)
    }
    gets = 0
  }
  run({
    every: (milliseconds, times, act) => {
      for (let i = 0; i < times; i++) {
        clock.setTimeout(() => act(i), START + i * milliseconds)
      }
    },
    patch: (id, fields) => void controller.fetch(todos.partialUpdate, { id }, fields),
    create: (fields) => void controller.fetch(todos.getList.push, {}, fields),
    fetchList: (args) => void controller.fetch(todos.getList, args),
    event: (id, fields) => {
      const { body: _body, ...row } = server.write(id, fields)
      clock.setTimeout(() => void controller.set(Todo, { id }, row), 20)
    },
  })
  await pass(until)
  const sum = gets
  ends.forEach((end) => end())
  store.stop()
  await pass(1_000)
  return sum
}

function createServer(count, isPaged) {
  const rows = new Map()
  for (let i = 1; i <= count; i++) {
    const id = String(i)
    rows.set(id, { id, group: i % 2 ? 'a' : 'b', title: `t${String(i).padStart(2, '0')}`, body: `b${i}` })
  }
  const find = ({ group, q = '', sort }) => {
    const found = [...rows.values()].filter((row) => (!group || row.group === group) && row.title.includes(q))
    return sort ? found.sort((a, b) => (a.title < b.title ? -1 : 1)) : found
  }
  const summary = ({ body: _body, ...row }) => row
  return {
    cursorOf: (page) => find({ sort: 'title' })[page * PAGE - 1].title,
    write(id, fields) {
      rows.set(id, { ...rows.get(id), ...fields, id })
      return rows.get(id)
    },
    handle(method, path, search, body) {
      const id = path.split('/')[2]
      if (method === 'POST') {
        return this.write(String(rows.size + 1), { body: '', ...body })
      }
      if (id !== undefined) {
        return method === 'GET' ? rows.get(id) : this.write(id, body)
      }
      const found = find(Object.fromEntries(search)).map(summary)
      if (!isPaged) {
        return found
      }
      const cursor = search.get('cursor')
      const from = cursor === null ? 0 : found.filter(({ title }) => title <= cursor).length
      const items = found.slice(from, from + PAGE)
      return { items, next: from + PAGE < found.length ? items.at(-1).title : undefined }
    },
  }
}

function createClock() {
  const timers = new Map()
  let count = 0
  return {
    time: 1_700_000_000_000,
    now() {
      return this.time
    },
    monotonic() {
      return this.time
    },
    setTimeout(run, delay) {
      timers.set(++count, { at: this.time + Math.max(0, delay || 0), run })
      return count
    },
    clearTimeout: (timer) => void timers.delete(timer),
    runNext(until) {
      let first
      for (const [number, { at }] of timers) {
        if (at <= until && (first === undefined || at < timers.get(first).at)) {
          first = number
        }
      }
      if (first === undefined) {
        return false
      }
      const { at, run } = timers.get(first)
      timers.delete(first)
      this.time = Math.max(this.time, at)
      run()
      return true
    },
  }
}

function createRandom(seed) {
  let state = Math.imul(seed, 2_654_435_761) >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function respond(url, value) {
  const text = JSON.stringify(value)
  const headers = { get: (name) => (name.toLowerCase() === 'content-type' ? 'application/json' : null) }
  const response = { ok: true, status: 200, statusText: '', url, redirected: false, headers }
  return Object.assign(response, {
    text: async () => text,
    json: async () => JSON.parse(text),
    clone: () => response,
  })
}

/** The library as an app bundles it, in production mode. */
async function loadSources() {
  const { outputFiles } = await esbuild.build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['restitch-source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  const folder = mkdtempSync(join(tmpdir(), 'restitch-requests-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'restitch.mjs')
  writeFileSync(file, outputFiles[0].text)
  return import(pathToFileURL(file).href)
}
