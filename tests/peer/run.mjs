// Runs the public tests of data-client against this package: `node tests/peer/run.mjs <checkout of reactive/data-client>`.
// Nothing of the checkout is part of this repository. `-- <part of a file name>` runs some of the files.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DIFFERENCES, INSIDES, SPECIFIED } from './differences.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [given, ...filters] = process.argv.slice(2).filter((arg) => arg !== '--')
if (!given || !existsSync(resolve(given, 'packages/react/src'))) {
  console.error('Usage: node tests/peer/run.mjs <checkout of reactive/data-client> [-- part of a file name]')
  process.exit(1)
}
const checkout = resolve(given)

/** The tests that use public names alone. Others test the insides of data-client, or React Native. */
const PACKAGES = {
  endpoint: ['src/__tests__/endpoint.ts'],
  rest: [
    'src/__tests__/RestEndpoint.ts',
    'src/__tests__/Resource.test.ts',
    'src/__tests__/resource-construction.test.ts',
    'src/__tests__/hookifyResource.ts',
  ],
  graphql: ['src/__tests__/gql.ts'],
  react: listOf(
    'react',
    /\/(__tests__)\//,
    /native|managers|hooks-endpoint|BackupLoading|provider|getDefaultManagers|backupboundary|endpoint-types/,
  ),
  vue: listOf('vue', /\/__tests__\//, /context\.test|index\.test/),
}

function listOf(name, pattern, without) {
  const files = execFileSync('git', ['ls-files', `packages/${name}/src`], { cwd: checkout, encoding: 'utf8' }).split(
    '\n',
  )
  return files
    .filter((file) => /\.tsx?$/.test(file) && pattern.test(file) && !without.test(file) && !file.includes('fixtures'))
    .map((file) => file.slice(`packages/${name}/`.length))
}

if (!existsSync(new URL('node_modules', import.meta.url))) {
  execFileSync('node', ['scripts/setup.mjs', '--only', 'tests/peer'], { cwd: root, stdio: 'inherit' })
}
const files = Object.entries(PACKAGES)
  .flatMap(([name, list]) => list.map((file) => `packages/${name}/${file}`))
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
const output = `${root}.cache/peer.json`
rmSync(output, { force: true })
spawnSync('npx', ['vitest', 'run', '--config', 'tests/peer/vitest.config.mjs'], {
  cwd: root,
  env: { ...process.env, PEER_CHECKOUT: checkout, PEER_FILES: files.join(',') },
  stdio: ['ignore', filters.length > 0 ? 'inherit' : 'ignore', 'inherit'],
})
report(JSON.parse(readFileSync(output, 'utf8')))

function report({ testResults }) {
  const sums = new Map()
  const failures = []
  const left = { inside: 0, specified: 0 }
  for (const { name, assertionResults, message } of testResults) {
    const file = relative(checkout, name)
    const sum = at(sums, file.split('/')[1])
    if (assertionResults.length === 0) {
      failures.push({ file, title: message.split('\n')[0] })
    }
    for (const { fullName, status, failureMessages } of assertionResults) {
      const reasonIn = (list) => list.find(([part, title]) => file.includes(part) && fullName.includes(title))?.[2]
      if (failureMessages.some((text) => text.includes('peer: inside')) || reasonIn(INSIDES)) {
        left.inside += 1
      } else if (status !== 'skipped' && reasonIn(SPECIFIED)) {
        left.specified += 1
      } else if (status === 'passed') {
        sum.passed += 1
      } else if (status === 'failed') {
        sum.failed += 1
        const reason = reasonIn(DIFFERENCES)
        failures.push({ file, title: fullName, message: failureMessages[0]?.split('\n')[0], reason })
      }
    }
  }
  for (const { file, title, message, reason } of failures) {
    console.log(reason ? `known    ${file} > ${title}: ${reason}` : `FAILED   ${file} > ${title}: ${message}`)
  }
  const share = ({ passed, failed }) =>
    `${passed} passed, ${failed} failed (${((100 * passed) / (passed + failed)).toFixed(1)} %)`
  const others = { passed: 0, failed: 0 }
  for (const [name, sum] of sums) {
    console.log(`${name.padEnd(10)} ${share(sum)}`)
    if (name !== 'vue') {
      others.passed += sum.passed
      others.failed += sum.failed
    }
  }
  console.log(
    `without Vue ${share(others)}; ${failures.filter(({ reason }) => reason).length} failures are documented differences`,
  )
  console.log(
    `Not counted: ${left.inside} tests that need the insides of data-client, ${left.specified} that expect something else than the specification`,
  )
}

function at(sums, name) {
  const sum = sums.get(name) ?? { passed: 0, failed: 0 }
  sums.set(name, sum)
  return sum
}
