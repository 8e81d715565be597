// npm run simulate -- --steps 5000000 --seed 1 [--profile mixed] [--length 120] [--seeds 50] [--violations 1] [--shrink yes]
import { type ProfileName, PROFILES, type Step } from './profiles.ts'
import { replay, run, shrink } from './run.ts'
import type { Violation } from './world.ts'

const options = new Map<string, string>()
for (let i = 2; i < process.argv.length; i += 2) {
  options.set(process.argv[i]!.replace(/^--/, ''), process.argv[i + 1]!)
}
const number = (name: string, otherwise: number): number => Number(options.get(name) ?? otherwise)
const maxSteps = number('steps', 80_000)
const first = number('seed', 1)
/** Steps of the user in one run, not counting those of the network. */
const length = number('length', 120)
/** At most so many seeds are run. */
const seeds = number('seeds', Infinity)
/** The run ends after so many violations. */
const violations = number('violations', 1)
const profiles = (options.has('profile') ? [options.get('profile')] : Object.keys(PROFILES)) as ProfileName[]

const start = performance.now()
let taken = 0
let found = 0
let seed = first
if (options.has('runs')) {
  for (const [profile, number] of JSON.parse(options.get('runs')!) as [ProfileName, number][]) {
    seed = number
    await play(profile)
  }
}
let reported = 0
for (; taken < maxSteps && found < violations && seed < first + seeds; seed++) {
  for (const profile of profiles) {
    if (found < violations) {
      await play(profile)
    }
  }
  // Shows the progress of long runs.
  if (taken - reported >= 100_000) {
    print(`  ${(reported = taken)} steps, ${found} violations so far`)
  }
}
const seconds = ((performance.now() - start) / 1000).toFixed(1)
const cpu = process.cpuUsage().user / 1e6
print(
  `${taken} steps, seeds ${first} to ${seed - 1}, ${found} violations; ${seconds} s, ${Math.round(taken / cpu)} steps per second of one core`,
)
process.exitCode = found > 0 ? 1 : 0

/** For `npm run quality`. */
export const result: { steps: number; first: number; last: number; violations: number } = {
  steps: taken,
  first,
  last: seed - 1,
  violations: found,
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function play(profile: ProfileName): Promise<void> {
  const result = await run({ profile, seed, steps: length })
  taken += result.taken
  if (result.violation === undefined) {
    return
  }
  found++
  print(result.violation.message)
  print(`  npm run simulate -- --profile ${profile} --seed ${seed} --length ${length} --steps 1 --shrink yes`)
  if (options.has('shrink')) {
    await showShortest(profile, result.history!, result.violation)
  }
}

/** Prints the shortest history that violates the same invariant. */
async function showShortest(...[profile, history, found]: [ProfileName, readonly Step[], Violation]): Promise<void> {
  const short = await shrink(PROFILES[profile], seed, history, found)
  const lines: string[] = []
  const { violation } = await replay(PROFILES[profile], seed, short, (text) => lines.push(`    ${text}`))
  print(`${lines.join('\n')}\n  ${violation?.message}`)
}
