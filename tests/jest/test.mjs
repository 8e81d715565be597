// Runs the test tools under jest, with the package as it would be published.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPacked } from '../../scripts/pack.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const home = join(here, '../..')
const run = (command, args, cwd = here, stdio = ['ignore', 'ignore', 'inherit']) =>
  execFileSync(command, args, { cwd, stdio })

if (!existsSync(join(here, 'node_modules/jest'))) {
  run('npm', ['ci', '--no-audit', '--no-fund'])
}
if (!process.argv.includes('--built')) {
  run(process.execPath, ['scripts/build.mjs'], home)
}
installPacked(here)
// A module is linked by Node, and for that jest needs the flag.
const jest = join(here, 'node_modules/jest/bin/jest.js')
try {
  run(process.execPath, ['--experimental-vm-modules', '--no-warnings', jest, '--ci'], here, 'inherit')
} catch ({ status }) {
  process.exitCode = status ?? 1
}
