// Runs the example with the package as it would be published: `node examples/solidstart/test.mjs`.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installAll, installPacked } from '../../scripts/pack.mjs'
import { testLoaders } from '../testLoaders.mjs'

const here = import.meta.dirname
const vinxi = join(here, 'node_modules/vinxi/bin/cli.mjs')
const run = (args, cwd = here) => execFileSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

if (!process.argv.includes('--built')) {
  run(['scripts/build.mjs'], join(here, '../..'))
}
if (!existsSync(join(here, 'node_modules/@solidjs/start'))) {
  installAll(here, '--ignore-scripts')
}
installPacked(here)

console.log('vinxi build')
run([vinxi, 'build'])
run([join(here, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'])
await testLoaders({
  name: 'solidstart',
  folder: here,
  commands: {
    start: () => ['.output/server/index.mjs'],
    dev: (port) => [vinxi, 'dev', '--port', String(port)],
  },
})
