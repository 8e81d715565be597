// npm run fuzz -- --minutes 5 [--target "saved states"] [--seed 1]
import fc from 'fast-check'
import { TARGETS } from './targets.ts'

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

const print = (text: unknown): void => void process.stdout.write(`${String(text)}\n`)

const minutes = Number(option('minutes') ?? 1)
const targets = TARGETS.filter(({ name }) => name === (option('target') ?? name))
const first = Number(option('seed') ?? 1)
const ROUND = 2000
// Inputs are wrong on purpose, and development says so each time.
console.warn = console.error = () => {}

const runs = targets.map(({ name, input, check }) => ({ name, input, check, inputs: 0, faults: 0 }))
const end = Date.now() + minutes * 60_000
for (let seed = first; Date.now() < end && runs.every(({ faults }) => faults === 0); seed++) {
  for (const run of runs) {
    const { name, input, check } = run
    const property = fc.asyncProperty(input, async (value) => check(value))
    const { failed, counterexample, errorInstance, numRuns } = await fc.check(property, { seed, numRuns: ROUND })
    run.inputs += numRuns
    if (failed) {
      run.faults += 1
      print(`${name}, seed ${seed}: add this to tests/fuzz/corpus.ts\n  ${fc.stringify(counterexample?.[0])}`)
      print(errorInstance instanceof Error ? errorInstance.stack : errorInstance)
      process.exitCode = 1
    }
  }
}
for (const { name, inputs, faults } of runs) {
  print(`${String(inputs).padStart(9)} inputs, ${faults} faults: ${name}`)
}

/** For `npm run quality`. */
export const results: { name: string; inputs: number; faults: number }[] = runs
