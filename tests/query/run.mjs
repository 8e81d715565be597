// npm run queries [histories] [seed]: live queries beside what their functions make of all records, through generated histories. Half of
// them with pieces so small that the few records of a history fill several.
import { spawnSync } from 'node:child_process'

const [histories = '100000', seed = '1'] = process.argv.slice(2)
const { status } = spawnSync('npx', ['vitest', 'run', 'tests/query/planted.test.ts', '-t', 'without one'], {
  stdio: 'inherit',
  env: { ...process.env, RESTITCH_QUERIES: histories, SEED: seed },
})
process.exit(status ?? 1)
