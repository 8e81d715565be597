// Kills a real Chromium while its tabs write, one to three times, and starts it again on the same profile:
// node tests/outbox/kills.mjs --runs 500 [--from 1] [--minutes 60] [--spoil keys|memory|order|user] [--story]
// [--app reference] [--write]
//
// A change is owed when it was on the screen 300 ms before its tab ended, and saved: what a busy machine saves later is counted. At the end the
// server has made each change that is owed and was not taken back by its user, none twice, none of another user, those of a record in their order;
// the screens of all tabs show what the server has, and no database has anything of another user. `--spoil` plants a fault, which has to be found.
// `--app reference` plays a queue without a library, `--story` tells what has happened in a run with faults. `--write` adds the figures to those of
// reports/offline.json, and makes reports/offline.md; `--from 1` begins again.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { addUp, record } from './kills/reportOf.mjs'
import { play } from './kills/run.mjs'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
    app: { type: 'string', default: 'app' },
    spoil: { type: 'string', default: '' },
    story: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const { spoil } = values
const from = Number(values.from)
const until = Date.now() + Number(values.minutes) * 60_000

const outfile = `.cache/outbox/kill-${values.app}.js`
await build({
  entryPoints: [`tests/outbox/kills/${values.app}.ts`],
  outfile,
  bundle: true,
  format: 'iife',
  conditions: ['restitch-source'],
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'error',
})
const script = readFileSync(outfile)

const total = { runs: 0, faulty: 0, owed: 0, actions: {}, counts: {}, served: {} }

for (let seed = from; seed < from + Number(values.runs) && Date.now() < until; seed++) {
  const played = await play(seed, script, spoil).catch((error) => {
    // The browser did not start, or lost its connection: nothing is known of the library.
    process.stdout.write(`run ${seed} was not played: ${error.message}\n`)
  })
  if (!played) {
    continue
  }
  const { faults, owed, actions, counts, served, story } = played
  addUp(total, { runs: 1, owed, actions, counts, served })
  if (faults.length > 0) {
    total.faulty++
    process.stdout.write(`run ${seed}: ${faults.join('; ')}\n${values.story ? `${story}\n` : ''}`)
    if (spoil) {
      break
    }
  }
  if (total.runs % 25 === 0) {
    process.stdout.write(`${total.runs} runs, ${total.faulty} with faults\n`)
  }
}
process.stdout.write(
  `${total.runs} runs, ${total.counts.kills} kills, ${total.owed} changes owed: ${total.faulty} runs with faults\n`,
)
if (values.write && !spoil && values.app === 'app') {
  record((figures) => (figures.killed = addUp(from === 1 ? {} : (figures.killed ?? {}), total)))
}
process.exit(total.faulty > 0 === (spoil !== '') ? 0 : 1)
