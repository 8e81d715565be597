// Runs every check and ends with `N passed, N failed, N skipped`: the tests of vitest, and one for each other step.
// A step that fails shows its output and the others go on; what needs the build is skipped when the build failed.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'

const REPORT = '.cache/vitest.json'
const BROWSER_REPORT = '.cache/vitest-browser.json'
const REACT18_REPORT = '.cache/vitest-react18.json'
const DEMO_REPORT = '.cache/vitest-demo.json'
// Some tools colour their output whatever they are told.
// oxlint-disable-next-line no-control-regex
const ANSI = /\u001B\[[\d;]*m/g
const TSC_5_4 = 'node tests/types-5.4/node_modules/typescript/bin/tsc'

// Two lanes run side by side. `show` prints the output of a passing step too.
const SOURCES = [
  { name: 'format', run: 'oxfmt --check .' },
  { name: 'lint', run: 'oxlint --deny-warnings --format=unix' },
  { name: 'types 7.0', run: 'tsc -p tsconfig.json' },
  { name: 'types, demo', run: 'tsc -p demo/tsconfig.json' },
  { name: 'layers', run: 'node scripts/layers.mjs', show: true },
  { name: 'lock', run: 'node scripts/lock.mjs', show: true },
  { name: 'docs', run: 'node scripts/docs.mjs', show: true },
  {
    name: 'tests',
    run: `vitest run --reporter=dot --reporter=json --outputFile.json=${REPORT}`,
    count: countTests(REPORT),
  },
  {
    name: 'tests, React 18',
    run: `vitest run --config vitest.react18.config.ts --reporter=dot --reporter=json --outputFile.json=${REACT18_REPORT}`,
    count: countTests(REACT18_REPORT),
  },
  // In the same lane: a browser beside the tests would make both slow.
  {
    name: 'browser tests',
    run: `vitest run --config vitest.browser.config.ts --reporter=dot --reporter=json --outputFile.json=${BROWSER_REPORT}`,
    count: countTests(BROWSER_REPORT),
  },
  {
    name: 'demo',
    run: `vitest run --config demo/vitest.config.ts --reporter=dot --reporter=json --outputFile.json=../${DEMO_REPORT}`,
    count: countTests(DEMO_REPORT),
  },
]
const PACKAGE = [
  { name: 'types 5.4', run: `${TSC_5_4} -p tests/types-5.4/tsconfig.json` },
  { name: 'unused', run: 'knip' },
  { name: 'build', run: 'node scripts/build.mjs' },
  { name: 'api', run: 'node scripts/api.mjs', needs: 'build', show: true },
  { name: 'built types 7.0', run: 'tsc -p tests/types-5.4/tsconfig.consumer.json', needs: 'build' },
  { name: 'built types 5.4', run: `${TSC_5_4} -p tests/types-5.4/tsconfig.consumer.json`, needs: 'build' },
  { name: 'emitted types', run: 'node tests/emit/test.mjs', needs: 'build', show: true },
  { name: 'size', run: 'node scripts/size.mjs', needs: 'build', show: true },
  { name: 'bundlers', run: 'node scripts/bundlers.mjs', needs: 'build', show: true },
  { name: 'publint', run: 'publint --strict', needs: 'build' },
  { name: 'attw', run: 'attw --pack . --profile esm-only', needs: 'build' },
]
// Information: it reads the titles of the tests and never fails.
const LAST = [{ name: 'rules', run: 'node scripts/rules.mjs', show: true }]

const total = { passed: 0, failed: 0, skipped: 0 }
const failed = new Set()
mkdirSync('.cache', { recursive: true })
for (const report of [REPORT, BROWSER_REPORT, REACT18_REPORT, DEMO_REPORT]) {
  rmSync(report, { force: true })
}
await Promise.all([runLane(SOURCES), runLane(PACKAGE)])
await runLane(LAST)
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0

async function runLane(steps) {
  for (const step of steps) {
    if (failed.has(step.needs)) {
      total.skipped += 1
      console.log(`skip  ${step.name}: "${step.needs}" failed`)
      continue
    }
    const start = performance.now()
    const { code, output } = await runCommand(step.run)
    const counts = step.count?.(code) ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
    for (const key of Object.keys(total)) {
      total[key] += counts[key]
    }
    if (counts.failed > 0) {
      failed.add(step.name)
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const note = step.count ? `  ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped` : ''
    console.log(`${counts.failed > 0 ? 'FAIL' : 'ok  '}  ${step.name.padEnd(16)}${seconds.padStart(6)}s${note}`)
    if (counts.failed > 0 || step.show) {
      console.log(output.trim().replaceAll(ANSI, '').replace(/^/gm, '      '))
    }
  }
}

function runCommand(command) {
  const env = {
    ...process.env,
    NO_COLOR: '1',
    PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`,
  }
  return new Promise((done) => {
    const child = spawn(command, { env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (data) => (output += data))
    child.stderr.on('data', (data) => (output += data))
    child.on('error', (error) => (output += error.message))
    child.on('close', (code) => done({ code: code ?? 1, output }))
  })
}

// A file that cannot be loaded has no tests to count, so a non-zero exit is a failure of its own. No tests at all are one
// that was skipped: there is no browser.
function countTests(file) {
  return (code) => {
    const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = report
    const failed = code !== 0 && numFailedTests === 0 ? 1 : numFailedTests
    const skipped = numPendingTests + numTodoTests
    return { passed: numPassedTests, failed, skipped: numPassedTests + failed + skipped === 0 ? 1 : skipped }
  }
}
