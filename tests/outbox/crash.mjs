// Runs the model of the outbox on many random schedules, and on all pairs of events of the small scripts:
// node tests/outbox/crash.mjs --schedules 100000 [--from 1]
import { build } from 'esbuild'

const option = (name, usual) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? usual : Number(process.argv[at + 1])
}

const outfile = '.cache/outbox/schedules.mjs'
await build({
  entryPoints: ['tests/outbox/schedules.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  conditions: ['restitch-source'],
  logLevel: 'warning',
})
const { faultsOf, fixed, random, SCRIPTS } = await import(new URL(`../../${outfile}`, import.meta.url))

const from = option('--from', 1)
const schedules = option('--schedules', 100_000)
let count = 0
let faulty = 0

async function check(name, scripts, schedule) {
  count++
  const faults = await faultsOf(scripts, schedule)
  if (faults.length > 0) {
    faulty++
    process.stdout.write(`${name}: ${faults.join('; ')}\n`)
  }
}

const FATES = ['killed before', 'killed after', 'lost']
const events = schedules < 10_000 ? 0 : Infinity
for (const [i, scripts] of SCRIPTS.entries()) {
  for (const knowsKeys of [true, false]) {
    const usual = fixed(new Map(), knowsKeys)
    await check(`script ${i}`, scripts, usual)
    for (let first = 0; first < Math.min(usual.count, events); first++) {
      for (const fate of FATES) {
        const once = fixed(new Map([[first, fate]]), knowsKeys)
        await check(`script ${i}, ${first} ${fate}`, scripts, once)
        for (let second = first + 1; second < once.count; second++) {
          for (const other of FATES) {
            const fates = new Map([
              [first, fate],
              [second, other],
            ])
            await check(`script ${i}, ${first} ${fate}, ${second} ${other}`, scripts, fixed(fates, knowsKeys))
          }
        }
      }
    }
  }
}
const pairs = count
for (let seed = from; seed < from + schedules; seed++) {
  const { scripts, schedule } = random(seed)
  await check(`seed ${seed}`, scripts, schedule)
  if ((seed - from + 1) % 10_000 === 0) {
    process.stdout.write(`${seed - from + 1} random schedules, ${faulty} with faults\n`)
  }
}
process.stdout.write(`${pairs} schedules of the small scripts, ${schedules} random ones: ${faulty} with faults\n`)
process.exitCode = faulty > 0 ? 1 : 0
