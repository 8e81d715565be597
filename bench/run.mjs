// Prints what the store costs beside code written by hand for each job, and beside other libraries.
//   npm run bench -- [--only set-one] [--rounds 9] [--peer name=folder] [--subject limit] [--browser] [--profile subject]
import { execSync, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { figuresOfBench } from '../scripts/figures.mjs'
import { recordFigures } from '../scripts/record.mjs'
import { ROWS as BROWSER_ROWS } from './browser/rows.mjs'
import { digits, median, NOISE, table, times } from './format.mjs'
import { ROWS } from './rows.mjs'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const LANES = availableParallelism()
const SLOW = new Set(['apollo', 'graphcache', 'normalizr', 'query-core', 'rtk-entity', 'rtk-query', 'tanstack-db'])
const OWN = new Set(['restitch', 'limit'])
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '9' },
    peer: { type: 'string', multiple: true, default: [] },
    browser: { type: 'boolean', default: false },
    profile: { type: 'string' },
    subject: { type: 'string', multiple: true },
  },
})
const isAsked = ({ name }) => options.only?.some((only) => name === only || name.startsWith(`${only}-`))
const rows = ROWS.filter((row) => isAsked(row) ?? !options.browser)
// They need a browser, so they run only on request.
const browserRows = BROWSER_ROWS.filter((row) => isAsked(row) ?? options.browser)
if (rows.length + browserRows.length === 0) {
  const names = [...ROWS, ...BROWSER_ROWS].map(({ name }) => name)
  console.error(`no such row; there are ${names.join(', ')}`)
  process.exit(1)
}

install()
const faults = []
const notes = []
const subjects = findSubjects()
if (rows.length > 0) {
  await runNode()
}
if (browserRows.length > 0) {
  const { runBrowser } = await import('./browser/run.mjs')
  faults.push(...(await runBrowser(browserRows, { ...options, rounds: Number(options.rounds) })))
}
for (const note of notes) {
  console.log(note)
}
for (const fault of faults) {
  console.error(fault)
}
process.exitCode = faults.length > 0 ? 1 : 0

async function runNode() {
  await bundle()
  const lines = []
  for (const row of rows) {
    const bySize = []
    for (const size of row.sizes) {
      bySize.push({ size, results: await measure(row, size) })
    }
    lines.push(...describe(row, bySize))
  }
  print(lines)
  if (!options.only && !options.subject) {
    recordFigures('bench', figuresOfBench(lines.map(summarize)))
  }
}

/** A row of `npm run quality`: ours beside its goal and beside the quickest of the others. */
function summarize({ row, name, results, growths }) {
  const ours = results.get('restitch')
  const model = results.get(row.goal.against ?? 'limit')
  const others = [...results].filter(([peer]) => !OWN.has(peer)).toSorted(([, a], [, b]) => a.cost - b.cost)
  const [best] = others
  return {
    name,
    cost: ours && format(row, ours.cost),
    ratio: ours && model && !row.bytes ? ours.cost / model.cost : undefined,
    goal: describeGoal(row.goal, row),
    growth: growths.get('restitch'),
    best: best && ours ? { name: best[0], ratio: ours.cost / best[1].cost } : undefined,
    misses: findMisses(row, results, growths.get('restitch')),
  }
}

// As scripts/setup.mjs does: the stamp lies inside node_modules, which `npm ci` empties first.
function install() {
  const stamp = join(HERE, 'node_modules/.restitch-setup')
  const hash = createHash('sha256')
    .update(readFileSync(join(HERE, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) {
    return
  }
  console.error('bench: npm ci')
  execSync('npm ci --no-audit --no-fund', { cwd: HERE, stdio: ['ignore', 2, 2] })
  writeFileSync(stamp, hash)
}

async function bundle() {
  await build({
    entryPoints: [join(HERE, 'entry.ts')],
    outfile: join(HERE, '.cache/restitch.mjs'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['restitch-source'],
    minifySyntax: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
}

function findSubjects() {
  const known = readdirSync(join(HERE, 'subjects')).map((file) => file.replace(/\.mjs$/, ''))
  const names = [...OWN, ...known.filter((name) => !OWN.has(name))]
  const given = options.peer.map((peer) => peer.split('='))
  return [
    ...names.map((name) => [name, join(HERE, 'subjects', `${name}.mjs`)]),
    ...given.map(([name, folder]) => [name, join(resolve(folder), 'index.mjs')]),
  ]
    .filter(([name]) => OWN.has(name) || (options.subject?.includes(name) ?? true))
    .map(([name, file]) => ({ name, file: pathToFileURL(file).href }))
}

/** All subjects of one row at one size, a round of each in turn. */
async function measure(row, size) {
  const running = []
  // Some need minutes to fill a store of 100,000.
  const able = subjects.filter(({ name }) => size <= 10_000 || !SLOW.has(name))
  // Only rounds are timed, so getting ready can share the machine.
  for (let at = 0; at < able.length; at += LANES) {
    running.push(...(await Promise.all(able.slice(at, at + LANES).map((subject) => open(subject, row, size)))).flat())
  }
  await compare(row, size, running)
  for (let round = 0; round < (row.bytes ? 1 : Number(options.rounds)); round++) {
    for (const subject of running) {
      // A second in one round says enough after three of them.
      if (round >= 3 && subject.wall / round > 1000) {
        continue
      }
      const { cost, wall, note } = await ask(subject.child, 'round')
      subject.costs.push(cost)
      subject.wall += wall
      subject.note = note
    }
  }
  for (const { child } of running) {
    child.kill()
  }
  console.error(`${row.name} ${size}: ${running.length} subjects, ${Math.round(performance.now() / 1000)} s`)
  return new Map(running.map(({ name, costs, note }) => [name, { cost: median(costs), note }]))
}

/** Starts a subject; gives nothing when it has no such row. */
async function open({ name, file }, row, size) {
  const child = fork(join(HERE, 'child.mjs'), [file, row.name, String(size)], {
    execArgv: ['--expose-gc', '--max-old-space-size=8192'],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 'pipe', 'ipc'],
  })
  let output = ''
  child.stderr.on('data', (data) => (output += data))
  const first = await reply(child)
  if (!first.missing && !first.failed) {
    return [{ name, child, ...first, costs: [], wall: 0 }]
  }
  const error = output.match(/^\w*Error.*/m)?.[0] ?? 'the process ended'
  if (first.failed) {
    ;(OWN.has(name) ? faults : notes).push(`${row.name} ${size}: ${name} failed: ${error}`)
  }
  child.kill()
  return []
}

function ask(child, message) {
  child.send(message)
  return reply(child)
}

function reply(child) {
  return new Promise((done) => {
    const end = (message) => {
      child.off('exit', fail)
      child.off('message', end)
      done(message)
    }
    const fail = () => end({ failed: true })
    child.once('exit', fail)
    child.once('message', end)
  })
}

async function compare(row, size, running) {
  const [model] = running
  for (const { name, shown, child } of running) {
    if (shown === model.shown) {
      continue
    }
    const [other, text] = [await ask(child, 'show'), await ask(model.child, 'show')]
    const at = Math.max(0, [...text].findIndex((letter, i) => letter !== other[i]) - 60)
    const [found, expected] = [other, text].map((all) => all.slice(at, at + 120))
    faults.push(`${row.name} ${size}: ${name} shows\n  ${found}\nand ${model.name}\n  ${expected}`)
  }
}

/** One line for each size, or for 10,000 alone. */
function describe(row, bySize) {
  const main = bySize.find(({ size }) => size === 10_000) ?? bySize.at(-1)
  const growths = new Map(subjects.map(({ name }) => [name, growthOf(name, bySize)]))
  return (row.every ? bySize : [main]).map(({ size, results }) => ({
    row,
    name: row.every ? `${row.name}-${short(size)}` : row.name,
    results,
    growths,
  }))
}

/** The exponent between the smallest and the largest size a subject was measured at. */
function growthOf(name, bySize) {
  const points = bySize.filter(({ results }) => results.get(name)?.cost > 0)
  const [least, most] = [points[0], points.at(-1)]
  if (least === most) {
    return undefined
  }
  const [a, b] = [least, most].map(({ results }) => results.get(name).cost)
  return Math.log(b / a) / Math.log(most.size / least.size)
}

function print(lines) {
  const version = `Node ${process.versions.node}, ${process.arch}`
  console.log(`\nCPU time of one run, median of ${options.rounds} rounds, 10k records unless said; ${version}\n`)
  table([
    ['row', 'work', 'limit', 'restitch', 'ratio', 'goal', 'growth', 'goal', ''],
    ...lines.map(({ row, name, results, growths }) => {
      const ours = results.get('restitch')
      const limit = results.get('limit')
      const model = results.get(row.goal.against ?? 'limit')
      const growth = growths.get('restitch')
      const misses = findMisses(row, results, growth)
      return [
        name,
        row.title,
        limit ? format(row, limit.cost) : '-',
        ours ? format(row, ours.cost) : '-',
        ours && model && !row.bytes ? times(ours.cost / model.cost) : '-',
        describeGoal(row.goal, row),
        growth === undefined ? '-' : growth.toFixed(2),
        row.goal.growth ?? '-',
        misses.length > 0 ? `missed: ${misses.join(', ')}` : '',
      ]
    }),
  ])
  const peers = subjects.map(({ name }) => name).filter((name) => !OWN.has(name))
  const { dependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))
  const versions = Object.entries(dependencies).map((entry) => entry.join(' '))
  console.log(`\nThe others: cost, times the limit, growth exponent (${versions.join(', ')})\n`)
  table([
    ['row', ...peers],
    ...lines.map(({ row, name, results, growths }) => [
      name,
      ...peers.map((peer) => {
        const result = results.get(peer)
        if (!result) {
          return '-'
        }
        const limit = results.get('limit')
        const growth = growths.get(peer)
        return [
          format(row, result.cost),
          limit && !row.bytes && times(result.cost / limit.cost),
          growth !== undefined && `^${growth.toFixed(1)}`,
          result.note !== undefined && `(${digits(result.note)} ${row.unit})`,
        ]
          .filter(Boolean)
          .join(' ')
      }),
    ]),
  ])
}

function findMisses({ goal, unit }, results, growth) {
  const ours = results.get('restitch')
  if (!ours) {
    return []
  }
  const against = results.get(goal.against ?? 'limit')
  const peer = results.get(goal.peer?.[0])
  return [
    goal.times !== undefined && against && ours.cost > against.cost * goal.times * NOISE && 'cost',
    goal.most !== undefined && ours.cost > goal.most * NOISE && 'cost',
    peer && ours.cost > peer.cost * goal.peer[1] * NOISE && goal.peer[0],
    goal.growth !== undefined && growth > goal.growth + 0.1 && 'growth',
    goal.note !== undefined && ours.note > goal.note && `${digits(ours.note)} ${unit}`,
  ].filter(Boolean)
}

function describeGoal({ times: most, against, most: cost, peer }, row) {
  if (most === undefined && cost === undefined) {
    return '-'
  }
  const goal = most === undefined ? format(row, cost) : `${most}x${against ? ` ${against}` : ''}`
  return peer ? `${goal}, ${peer[1]}x ${peer[0]}` : goal
}

function format({ bytes }, cost) {
  if (bytes) {
    return `${Math.round(cost)} B`
  }
  if (cost >= 1000) {
    return `${digits(cost / 1000)} ms`
  }
  return cost >= 1 ? `${digits(cost)} us` : `${digits(cost * 1000)} ns`
}

function short(size) {
  return size >= 1000 ? `${size / 1000}k` : String(size)
}
