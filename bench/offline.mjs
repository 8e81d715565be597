// Kills browsers that write, with this library and with others: node bench/offline.mjs [--seeds 25] [--from 1] [--only urql] [--story] [--write]
// The programme is the one of tests/outbox/kills.mjs, on a plainer server. `--write` puts the figures into reports/offline.md.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const HERE = import.meta.dirname
const ROOT = resolve(HERE, '..')
process.chdir(ROOT)
execFileSync(process.execPath, [join(ROOT, 'scripts/setup.mjs'), '--only', '.', 'bench'], { stdio: 'inherit' })
// Only now they are installed.
const { build } = await import('esbuild')
const { play, playUsers } = await import('../tests/outbox/kills/run.mjs')
const { addUp, record } = await import('../tests/outbox/kills/reportOf.mjs')

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '25' },
    from: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    story: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const versionOf = (name) => JSON.parse(readFileSync(join(HERE, 'node_modules', name, 'package.json'), 'utf8')).version
const DB = join(HERE, 'node_modules/@tanstack/offline-transactions/node_modules/@tanstack/db')
const SUBJECTS = {
  restitch: { title: 'restitch', file: 'tests/outbox/kills/app.ts' },
  reference: { title: 'the reference', file: 'tests/outbox/kills/reference.ts' },
  tanstackQuery: {
    title: `TanStack Query ${versionOf('@tanstack/query-core')}, persisted mutations`,
    file: 'bench/offline/tanstackQuery.mjs',
  },
  tanstackDb: {
    title: `TanStack DB ${JSON.parse(readFileSync(join(DB, 'package.json'), 'utf8')).version}, offline-transactions ${versionOf('@tanstack/offline-transactions')}`,
    file: 'bench/offline/tanstackDb.mjs',
    // The version that offline-transactions is made for.
    alias: { '@tanstack/db': DB },
  },
  urql: {
    title: `urql, Graphcache ${versionOf('@urql/exchange-graphcache')}, offlineExchange`,
    file: 'bench/offline/urql.mjs',
  },
}

for (const [name, { title, file, alias }] of Object.entries(SUBJECTS)) {
  if (values.only && !values.only.includes(name)) {
    continue
  }
  const script = await scriptOf(name, file, alias)
  const users = await playUsers(script)
  const figures = { title, users, tabs: { 1: await playAll(name, script, 1), 2: await playAll(name, script, 2) } }
  console.log(`${title}: a change of a user who signs out: ${users}`)
  if (values.write) {
    record((all) => {
      all.peers = { seeds: Number(values.seeds), subjects: { ...all.peers?.subjects, [name]: figures } }
      const { subjects } = all.peers
      all.peers.subjects = Object.fromEntries(
        Object.keys(SUBJECTS).flatMap((one) => (subjects[one] ? [[one, subjects[one]]] : [])),
      )
    })
  }
}
process.exit(0)

async function scriptOf(name, file, alias = {}) {
  const outfile = `.cache/outbox/bench-${name}.js`
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    format: 'iife',
    conditions: ['restitch-source'],
    nodePaths: [join(HERE, 'node_modules')],
    alias,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return readFileSync(outfile)
}

/** Plays all seeds. Returns how many changes were lost or made twice, and how many runs have gone wrong otherwise. */
async function playAll(name, script, tabs) {
  const total = { runs: 0, kills: 0, owed: 0, lost: 0, twice: 0, order: 0, screen: 0 }
  const from = Number(values.from)
  for (let seed = from; seed < from + Number(values.seeds); seed++) {
    const played = await play(seed, script, '', { tabs }).catch((error) => {
      // The browser did not start, or lost its connection: nothing is known of the library.
      console.log(`${name}, run ${seed} was not played: ${error.message}`)
    })
    if (played) {
      const { faults, counts, owed, story } = played
      const of = (pattern) => faults.filter((one) => pattern.test(one)).length
      addUp(total, { runs: 1, kills: counts.kills, owed, lost: of(/ is lost$/), twice: of(/ was made \d+ times$/) })
      addUp(total, { order: Math.min(1, of(/ has \S+ before /)), screen: Math.min(1, of(/^the screen/)) })
      if (values.story && faults.length > 0) {
        console.log(`run ${seed}: ${faults.join('; ')}\n${story}`)
      }
    }
  }
  console.log(`${name}, ${tabs} tab(s): ${JSON.stringify(total)}`)
  return total
}
