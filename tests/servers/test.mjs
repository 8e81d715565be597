// Writes to servers of others with the package as it would be published, and compares every list and total with a fresh GET.
// `node tests/servers/test.mjs feathers` for one of them.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPacked } from '../../scripts/pack.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const home = join(here, '../..')
const names = process.argv.slice(2).filter((name) => !name.startsWith('--'))

if (!existsSync(join(here, 'node_modules/json-server'))) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] })
}
if (!process.argv.includes('--built')) {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] })
}
installPacked(here)

// The package can be imported from here on.
const { check } = await import('./check.mjs')
const apps = await import('./apps.mjs')
let failed = 0
for (const [name, describe] of Object.entries(apps)) {
  if (names.length === 0 || names.includes(name)) {
    failed += await check(name, describe)
  }
}
process.exitCode = failed > 0 ? 1 : 0
