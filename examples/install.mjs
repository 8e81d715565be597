// Installs what the examples need, and the library as npm would: packed.
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPacked } from '../scripts/pack.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const run = (...args) => execFileSync(process.execPath, args, { cwd: dirname(here), stdio: 'inherit' })

run('scripts/setup.mjs', '--only', '.')
run('scripts/setup.mjs', '--only', 'examples')
run('scripts/build.mjs')
installPacked(here)
