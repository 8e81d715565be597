// Changes the code of a folder a little at a time, and sees whether its tests fail: npm run mutate -- path rest
// Slow; results are kept in .cache/mutation, so that a second run tries only changes near to what was edited.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { EQUIVALENT } from './equivalent.mjs'

const RECORD = 'tests/mutation/scores.json'
const folders = process.argv.slice(2)
if (folders.length === 0) {
  console.error('Which folders of src/? npm run mutate -- path rest')
  process.exit(1)
}
mkdirSync('.cache/mutation', { recursive: true })
const scores = JSON.parse(readFileSync(RECORD, 'utf8'))
for (const folder of folders) {
  const report = run(folder)
  scores[folder] = { ...report.score, date: new Date().toISOString().slice(0, 10), commit: headCommit() }
  console.log(`\n${folder}: ${report.lines.length} survivors\n${report.lines.join('\n')}`)
  writeFileSync(RECORD, `${JSON.stringify(scores, null, 2)}\n`)
}
console.table(scores)

function run(folder) {
  const result = `.cache/mutation/${folder}.json`
  const options = {
    testRunner: 'vitest',
    vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
    mutate: [`src/${folder}/**/*.ts`, '!src/**/*.test.ts', '!src/**/*.test-d.ts', '!src/**/cases.ts'],
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: `.cache/mutation/${folder}.incremental.json`,
    ignorePatterns: ['/.cache', '/demo', '/docs', '/examples', '/bench', '/dist', '/api', '/reports'],
    ignoreStatic: true,
    // What the texts of errors say is checked by their codes; every word of them is not.
    mutator: { excludedMutations: ['StringLiteral'] },
    tempDirName: '.cache/stryker',
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: result },
    concurrency: 1,
    timeoutMS: 60_000,
    timeoutFactor: 6,
    allowConsoleColors: false,
    // It would rewrite the configuration with the compiler's API, which TypeScript 7 does not have.
    tsconfigFile: 'none',
  }
  const file = `.cache/mutation/${folder}.config.json`
  writeFileSync(file, JSON.stringify(options, null, 2))
  // Files that cannot be loaded would only be left out.
  start(folder, 'node_modules/vitest/vitest.mjs', 'run', '--config', options.vitest.configFile, '--reporter=dot')
  start(folder, 'tests/mutation/node_modules/@stryker-mutator/core/bin/stryker.js', 'run', file)
  return judge(JSON.parse(readFileSync(result, 'utf8')))
}

function start(folder, ...args) {
  const env = { ...process.env, RESTITCH_MUTATE: folder, RESTITCH_EFFORT: 'least' }
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
  if (status !== 0) {
    process.exit(status ?? 1)
  }
}

/** A mutant that no test can notice is left out, if it is named with a reason. */
function judge({ files }) {
  const score = { killed: 0, survived: 0, uncovered: 0, equivalent: 0 }
  const lines = []
  for (const [file, { source, mutants }] of Object.entries(files)) {
    for (const { status, location, replacement, mutatorName } of mutants) {
      const text = textAt(source, location)
      if (status === 'Killed' || status === 'Timeout') {
        score.killed += 1
      } else if (status === 'Survived' || status === 'NoCoverage') {
        const isEquivalent = EQUIVALENT.some(
          (one) => file.endsWith(one.file) && one.code === text && one.becomes === replacement,
        )
        score[isEquivalent ? 'equivalent' : status === 'Survived' ? 'survived' : 'uncovered'] += 1
        if (!isEquivalent) {
          lines.push(`${file}:${location.start.line} ${mutatorName} (${status})\n    ${text}\n    ${replacement}`)
        }
      }
    }
  }
  const all = score.killed + score.survived + score.uncovered
  return { lines, score: { score: Number(((100 * score.killed) / all).toFixed(1)), ...score } }
}

function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1)
  lines[0] = lines[0].slice(start.column - 1)
  return lines.join('\n')
}

function headCommit() {
  return spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
}
