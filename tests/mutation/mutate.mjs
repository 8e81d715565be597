// Changes the code of a folder a little at a time, and sees whether a test fails:
//   npm run mutate -- path rest                         every mutant
//   npm run mutate -- store --sample 80 --seed 1        80 of them, chosen at random
//   npm run mutate -- store --tests src/store/a.test.ts  the survivors so far, with the tests of one file
// Each mutant runs the tests of its own folder that reach it. The survivors then run those of all other folders (`OTHERS`), unless
// you add --near. Results are kept in .cache/mutation while the code of the folder is the same: an interrupted run continues, and after
// a change of tests only the survivors run again.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { EQUIVALENT } from './equivalent.mjs'
import { isSurvivor, nameMutant, readResults, textAt } from './mutant.mjs'

/** Tests that use the folders together. Those of the frameworks are not among them: their first run does not end under Stryker. */
const OTHERS = [
  ...[
    'rows',
    'schema',
    'records',
    'lists',
    'writing',
    'kinds',
    'store',
    'reading',
    'requests',
    'views',
    'controller',
    'client',
    'managers',
  ].map((name) => `src/${name}`),
  'tests/spec',
]
const RECORD = 'tests/mutation/scores.json'
const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    near: { type: 'boolean', default: false },
    tests: { type: 'string', multiple: true },
  },
})
if (folders.length === 0) {
  console.error('Which folders of src/? npm run mutate -- path rest [--sample 80 --seed 1]')
  process.exit(1)
}
const outdated = EQUIVALENT.filter(
  ({ file, code, line = code }) => file && !(existsSync(file) && readFileSync(file, 'utf8').includes(line)),
)
if (outdated.length > 0) {
  console.error(
    outdated.map(({ file, code }) => `Remove from equivalent.mjs, since ${file} has it no longer: ${code}`).join('\n'),
  )
  process.exit(1)
}
mkdirSync('.cache/mutation', { recursive: true })
const sample = options.sample === undefined ? {} : { count: Number(options.sample), seed: options.seed }
const files = Object.fromEntries(folders.map((folder) => [folder, resultsOf(folder)]))
for (const folder of options.tests ? [] : folders) {
  testMutants([folder], listTests([`src/${folder}`]), sample)
  record([folder])
}
// Folder by folder, since the next one has fewer survivors to run.
const others = OTHERS.filter((name) => !folders.includes(name.slice(4))).map((name) => listTests([name]))
for (const tests of options.near ? [] : options.tests ? [options.tests] : others) {
  const survivors = folders.flatMap(readFolder).filter((mutant) => isSurvivor(mutant) && !isEquivalent(mutant))
  if (survivors.length > 0) {
    console.log(
      `${survivors.length} mutants survive so far. Running ${tests.length} test files on them, from ${tests[0]}.`,
    )
    testMutants(folders, tests, { names: survivors.map(nameMutant) })
  }
}
record(folders)

function record(folders) {
  const scores = JSON.parse(readFileSync(RECORD, 'utf8'))
  for (const folder of folders) {
    const { score, lines } = judge(readFolder(folder))
    const chosen = options.tests
      ? { sample: scores[folder]?.sample, seed: scores[folder]?.seed }
      : { sample: sample.count, seed: sample.count && Number(sample.seed) }
    scores[folder] = { ...score, ...chosen, date: new Date().toISOString().slice(0, 10), commit: headCommit() }
    console.log(`\n${folder}: ${lines.length} survivors\n${lines.join('\n')}`)
  }
  writeFileSync(RECORD, `${JSON.stringify(scores, null, 2)}\n`)
  console.table(scores)
}

/** Runs test files on the mutants of folders, and writes down the results. */
function testMutants(folders, testFiles, sample) {
  const name = `.cache/mutation/${folders.join('-')}`
  const config = {
    testRunner: 'vitest',
    vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
    mutate: [
      ...folders.map((folder) => `src/${folder}/**/*.ts`),
      '!src/**/*.test.ts',
      '!src/**/*.test-d.ts',
      '!src/**/cases.ts',
    ],
    coverageAnalysis: 'perTest',
    plugins: ['@stryker-mutator/*', resolve('tests/mutation/sample.mjs')],
    checkers: ['sample'],
    ignorePatterns: ['/.cache', '/demo', '/examples', '/bench', '/dist', '/reports'],
    ignoreStatic: true,
    // Tests check the codes of errors, and not every word of their texts.
    mutator: { excludedMutations: ['StringLiteral'] },
    tempDirName: `.cache/stryker-${process.pid}`,
    reporters: ['results', 'progress-append-only'],
    concurrency: 1,
    // Endless loops end by their number of rounds. This limit is for mutants that wait.
    timeoutMS: 60_000,
    timeoutFactor: 4,
    // The first run notes for each test which mutants it reaches.
    testRunnerNodeArgs: ['--max-old-space-size=8192'],
    dryRunTimeoutMinutes: 60,
    allowConsoleColors: false,
    // It would rewrite the configuration with the compiler's API, which TypeScript 7 does not have.
    tsconfigFile: 'none',
  }
  writeFileSync(`${name}.config.json`, JSON.stringify(config, null, 2))
  const env = {
    ...process.env,
    RESTITCH_SAMPLE: JSON.stringify({ ...sample, root: resolve('.'), files, testFiles, tests: hashFiles(testFiles) }),
    RESTITCH_EFFORT: 'least',
    NO_COLOR: '1',
  }
  const stryker = 'tests/mutation/node_modules/@stryker-mutator/core/bin/stryker.js'
  const { status } = spawnSync(process.execPath, [stryker, 'run', `${name}.config.json`], { stdio: 'inherit', env })
  if (status !== 0) {
    process.exit(status ?? 1)
  }
}

function readFolder(folder) {
  return [...readResults(files[folder]).values()]
}

function resultsOf(folder) {
  const code = listSources(`src/${folder}`).filter((source) => !source.includes('.test'))
  return resolve(`.cache/mutation/${folder}-${hashFiles(code)}.jsonl`)
}

function listTests(folders) {
  return folders.flatMap(listSources).filter((source) => source.endsWith('.test.ts'))
}

function listSources(folder) {
  const names = readdirSync(folder, { recursive: true }).toSorted()
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name).replaceAll('\\', '/'))
}

function hashFiles(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    hash.update(`${file}\0`).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 8)
}

/** A mutant that no test can notice does not count, if it is listed with a reason. */
function judge(mutants) {
  const score = { killed: 0, timeouts: 0, survived: 0, uncovered: 0, equivalent: 0 }
  const lines = []
  for (const mutant of mutants) {
    const { file, status, location, replacement, mutatorName } = mutant
    const source = readFileSync(file, 'utf8')
    if (!isSurvivor(mutant)) {
      score.killed += 1
      score.timeouts += status === 'Timeout' ? 1 : 0
    } else if (isEquivalent(mutant)) {
      score.equivalent += 1
    } else {
      score[status === 'Survived' ? 'survived' : 'uncovered'] += 1
      const line = source.split('\n')[location.start.line - 1].trim()
      const change = `${textAt(source, location)}\n    => ${replacement}`
      lines.push(`${file}:${location.start.line} ${mutatorName} (${status})\n    ${line}\n    ${change}`)
    }
  }
  const all = score.killed + score.survived + score.uncovered
  return { lines, score: { score: Number(((100 * score.killed) / all).toFixed(1)), ...score } }
}

function isEquivalent({ file, location, replacement }) {
  const source = readFileSync(file, 'utf8')
  const text = textAt(source, location)
  const line = source.split('\n')[location.start.line - 1].trim()
  return EQUIVALENT.some(
    (one) => file.endsWith(one.file) && one.code === text && one.becomes === replacement && (one.line ?? line) === line,
  )
}

function headCommit() {
  return spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
}
