// Bundles the simulator with the sources it tests, and runs it: npm run simulate -- --steps 5000000 --seed 1
// With --fault NAME a fault is planted into the sources first; with --mode production they are what users ship.
import { build } from './build.mjs'

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
await import(await build({ entry: 'main.ts', fault, mode }))
