// How many requests a fleet of clients sends because of one cause: one event, one deploy, one outage, the end of a rate limit.
// node bench/fleet.mjs [--clients 1000] [--seed 1] [--only swr] [--scenario event] [--write]
// Time is virtual and a seed decides everything, so the figures are the same on every machine. `--write` puts them into reports/fleet.md.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const HERE = import.meta.dirname
const ROOT = resolve(HERE, '..')
execFileSync(process.execPath, [join(ROOT, 'scripts/setup.mjs'), '--only', '.', 'bench'], { stdio: 'inherit' })
const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    scenario: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
  },
})
// Only now they are installed.
const [{ build }, { Window }] = await Promise.all([import('esbuild'), import('happy-dom')])
const window = new Window({ url: 'http://fleet.test/' })
globalThis.window = window
globalThis.document = window.document
globalThis.requestAnimationFrame = () => {}
globalThis.addEventListener ??= () => {}
globalThis.removeEventListener ??= () => {}

const file = join(ROOT, '.cache/fleet.mjs')
await build({
  entryPoints: [join(HERE, 'fleet/main.mjs')],
  outfile: file,
  bundle: true,
  format: 'esm',
  platform: 'node',
  conditions: ['restitch-source'],
  nodePaths: [join(HERE, 'node_modules')],
  alias: {
    restitch: join(ROOT, 'src/index.ts'),
    'restitch/live': join(ROOT, 'src/live/index.ts'),
    react: join(HERE, 'node_modules/react'),
    'react-dom': join(HERE, 'node_modules/react-dom'),
  },
  define: { 'process.env.NODE_ENV': '"production"' },
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  logLevel: 'error',
})
const { APPS, CAUSE, play } = await import(pathToFileURL(file))
const PEERS = {
  tanstack: ['TanStack Query', '@tanstack/query-core'],
  swr: ['SWR', 'swr'],
  rtk: ['RTK Query', '@reduxjs/toolkit'],
}
const NAMES = { restitch: 'restitch', spread: 'restitch, `spread: 10_000`' }

/** The rows: a scenario, what is counted, from when on, until when, and whether at most in a second or in all. */
const S = 1_000
const ROWS = [
  ['quiet: one poll every ten seconds', 'quiet', most('GET', CAUSE)],
  ['**one event** changes a record of the sorted list', 'event', most('GET', CAUSE)],
  ['the same, four of five pages hidden: GETs in all', 'hidden', sum('GET', CAUSE)],
  ['**a deploy** drops all live connections: GETs', 'deploy', most('GET', CAUSE)],
  ['the same: connections', 'deploy', most('connection', CAUSE)],
  ['**an outage** of a minute (503): at most in a second', 'outage', most('GET', CAUSE, CAUSE + 60 * S)],
  ['the same: in all (a quiet minute: 6)', 'outage', sum('GET', CAUSE, CAUSE + 60 * S)],
  ['the same: connections', 'outage', most('connection', CAUSE, CAUSE + 60 * S)],
  ['the minutes after it: GETs', 'outage', most('GET', CAUSE + 60 * S)],
  ['the same: connections', 'outage', most('connection', CAUSE + 60 * S)],
  ['**a rate limit** of 30 s (429) ends, `Retry-After` in seconds', 'limitSeconds', most('GET', CAUSE + 30 * S)],
  ['the same, as a date', 'limitDate', most('GET', CAUSE + 30 * S)],
  ['during it: in all', 'limitSeconds', sum('GET', CAUSE, CAUSE + 30 * S)],
  ['**all pages reload** in one second: polls of the next minutes', 'reload', most('GET', 5 * S)],
]
/** Whole hours take long, and differ little from client to client: a twentieth of the clients plays them. */
const HOUR = 3_600 * S
const HOURS = [
  ['the page is seen, an event every 30 seconds', 'hour', sum('GET', CAUSE, CAUSE + HOUR)],
  ['it is hidden', 'hiddenHour', sum('GET', CAUSE, CAUSE + HOUR)],
  [
    'it is seen, an event every second (five minutes, times 12)',
    'burst',
    times(12, sum('GET', CAUSE, CAUSE + HOUR / 12)),
  ],
]
const chosen = Object.keys(APPS).filter((name) => options.only?.includes(name) ?? true)
const isChosen = ([, scenario]) => options.scenario?.includes(scenario) ?? true
const rows = ROWS.filter(isChosen)
const hours = HOURS.filter(isChosen)
const clients = Number(options.clients)
const seed = Number(options.seed)
/** The requests of all clients in each second, by scenario and app. */
const counts = {}
for (const scenario of new Set([...rows, ...hours].map(([, name]) => name))) {
  for (const app of chosen) {
    const count = { GET: [], connection: [] }
    counts[`${scenario} ${app}`] = count
    for (let number = 0; number < sizeOf(scenario); number++) {
      await play(app, scenario, seed, number, (kind, time) => {
        const second = Math.floor(time / S)
        count[kind][second] = (count[kind][second] ?? 0) + 1
      })
    }
  }
}
const tables = [tableOf(rows, 2), tableOf(hours, 3)]
console.log(tables.join('\n\n'))
if (options.write) {
  const text = readFileSync(join(HERE, 'fleet/report.md'), 'utf8')
  mkdirSync(join(ROOT, 'reports'), { recursive: true })
  writeFileSync(
    join(ROOT, 'reports/fleet.md'),
    text
      .replace('CLIENTS', Number(options.clients).toLocaleString('en'))
      .replace('SEED', options.seed)
      .replace('TABLE', () => tables[0])
      .replace('HOURS', () => tables[1]),
  )
}
// Libraries keep timers.
process.exit()

function sizeOf(scenario) {
  return HOURS.some(([, name]) => name === scenario) ? Math.ceil(clients / 20) : clients
}

/** The figures of one client, with so many digits that count. */
function tableOf(all, digits) {
  return [
    `| | ${chosen.map(nameOf).join(' | ')} |`,
    `|---|${chosen.map(() => '---').join('|')}|`,
    ...all.map(([title, scenario, figure]) => {
      const figures = chosen.map((app) => figure(counts[`${scenario} ${app}`]) / sizeOf(scenario))
      return `| ${title} | ${figures.map((one) => String(Number(one.toPrecision(digits)))).join(' | ')} |`
    }),
  ].join('\n')
}

function times(factor, figure) {
  return (count) => factor * figure(count)
}

function most(kind, from, to = Infinity) {
  return (count) => Math.max(0, ...secondsOf(count[kind], from, to))
}

function sum(kind, from, to = Infinity) {
  return (count) => secondsOf(count[kind], from, to).reduce((all, one) => all + one, 0)
}

function secondsOf(seconds, from, to) {
  return Array.from(seconds, (one = 0) => one).slice(from / S, to / S)
}

function nameOf(app) {
  const [name, dependency] = PEERS[app] ?? [NAMES[app]]
  return dependency
    ? `${name} ${JSON.parse(readFileSync(join(HERE, 'node_modules', dependency, 'package.json'), 'utf8')).version}`
    : name
}
