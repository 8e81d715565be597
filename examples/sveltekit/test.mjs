// Runs the example with the package as it would be published: `node examples/sveltekit/test.mjs`.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installAll, installPacked } from '../../scripts/pack.mjs'
import { testLoaders } from '../testLoaders.mjs'

const here = import.meta.dirname
const vite = join(here, 'node_modules/vite/bin/vite.js')
const run = (args, cwd = here) => execFileSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

if (!process.argv.includes('--built')) {
  run(['scripts/build.mjs'], join(here, '../..'))
}
if (!existsSync(join(here, 'node_modules/@sveltejs/kit'))) {
  installAll(here, '--ignore-scripts')
}
installPacked(here)

console.log('vite build')
run([vite, 'build', '--logLevel', 'error'])
run([join(here, 'node_modules/svelte-check/bin/svelte-check'), '--tsconfig', './tsconfig.json', '--fail-on-warnings'])
await testLoaders({
  name: 'sveltekit',
  folder: here,
  commands: {
    start: () => ['build/index.js'],
    dev: (port) => [vite, 'dev', '--port', String(port), '--strictPort'],
  },
})
