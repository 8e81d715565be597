// Bundles the simulator with the sources and runs it: npm run simulate -- --steps 5000000 --seed 1
// --fault NAME first plants a fault into the sources; --mode production tests the production build.
import { figuresOfSimulation } from '../../scripts/figures.mjs'
import { recordFigures } from '../../scripts/record.mjs'
import { build } from './build.mjs'

// Shorter runs are not recorded.
const FEWEST_STEPS = 50_000

function take(option) {
  const at = process.argv.indexOf(option)
  return at < 0 ? undefined : process.argv.splice(at, 2)[1]
}

const name = take('--fault')
const mode = take('--mode')
const { FAULTS } = await import(await build({ entry: 'planted.ts' }))
const fault = FAULTS.find((one) => one.name === name)
if (name !== undefined && fault === undefined) {
  throw new Error(`No fault is called "${name}"`)
}
const { result } = await import(await build({ entry: 'main.ts', fault, mode }))
if (fault === undefined && (result.steps >= FEWEST_STEPS || result.violations > 0)) {
  recordFigures('simulator', figuresOfSimulation(result))
}
