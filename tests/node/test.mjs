// Runs the tests of the package with another Node: node tests/node/test.mjs 22 [paths]
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// All that runs in Node without a browser and without another tool; the rest would test the tools.
const TESTS = ['src', 'tests/spec', 'tests/ssr', 'tests/node']
const [version, ...paths] = process.argv.slice(2)
const node = `tests/node/node_modules/node-${version}-${process.platform}-${process.arch}/bin/node`
if (!existsSync(node)) {
  console.log(`no Node ${version} for ${process.platform} ${process.arch}: skipped`)
  process.exit(0)
}
console.log(`Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`)
const tests = paths.length > 0 ? paths : TESTS
const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...tests]
process.exitCode = spawnSync(node, args, { stdio: 'inherit' }).status ?? 1
