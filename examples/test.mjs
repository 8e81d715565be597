// Installs the packed library in the examples, checks their types, and runs their tests in Chromium:
// `npm run test:apps`, or of some of them `npm run test:apps -- crud feed`.
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
const names = process.argv.slice(2)
// These have their own dependencies and tests.
const FRAMEWORKS = ['nextjs', 'react-router-ssr', 'nuxt', 'sveltekit', 'solidstart', 'angular']
const apps = names.filter((name) => !FRAMEWORKS.includes(name))

run('examples/install.mjs')
run('node_modules/typescript/bin/tsc', '-p', 'examples/tsconfig.json')
run('examples/node_modules/vue-tsc/bin/vue-tsc.js', '-p', 'examples/vue')
run(
  'examples/node_modules/svelte-check/bin/svelte-check',
  '--workspace',
  'examples/svelte',
  '--tsconfig',
  './tsconfig.json',
)
if (names.length === 0 || apps.length > 0) {
  const filters = apps.map((name) => `${name}/`)
  run('node_modules/vitest/vitest.mjs', 'run', '--config', 'examples/vitest.config.ts', ...filters)
}
for (const name of FRAMEWORKS.filter((name) => names.length === 0 || names.includes(name))) {
  run(`examples/${name}/test.mjs`, '--built')
}

function run(...args) {
  try {
    execFileSync(process.execPath, args, { cwd: home, stdio: 'inherit' })
  } catch ({ status }) {
    // The failed step has printed its reason.
    process.exit(status ?? 1)
  }
}
