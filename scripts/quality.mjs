// `npm run quality`: every figure we claim, in one table, also in reports/quality.md and reports/quality.json.
// Quick figures are measured each time. Slow ones keep the value of their last run, with its date and commit, unless you name them:
//   npm run quality -- --full                      all of them, hours
//   npm run quality -- --only coverage --only bench
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readBench, readCoverage, readDocs, readFuzz, readMutation, readRules, readSimulation } from './figures.mjs'
import { readSizes, readTests, readTypeCost } from './figures.mjs'

const REPORT = 'reports/quality'
const NOT_MEASURED = { name: 'not measured yet', value: '-' }
const { values: options } = parseArgs({
  options: { full: { type: 'boolean', default: false }, only: { type: 'string', multiple: true, default: [] } },
})

/** `run` measures; `read` makes figures of what it printed or wrote. A figure is `{ name, value, goal?, isMissed?, isGuard? }`. */
const AREAS = [
  { area: 'rules', run: [['node', 'scripts/rules.mjs']], read: readRules },
  { area: 'documentation', run: [['node', 'scripts/docs.mjs']], read: readDocs },
  {
    area: 'size',
    run: [
      ['node', 'scripts/build.mjs'],
      ['node', 'scripts/size.mjs'],
      ['node', 'scripts/setup.mjs', '--only', 'bench'],
      ['node', 'bench/size.mjs'],
    ],
    read: readSizes,
  },
  { area: 'mutation', run: [], read: () => readMutation('tests/mutation/scores.json') },
  // `npm test` leaves its counts behind.
  { area: 'tests', isSlow: true, run: [['npm', 'test']], read: () => readTests('.cache') },
  {
    area: 'simulator',
    isSlow: true,
    run: [['node', 'tests/simulator/simulate.mjs', '--steps', '200000']],
    read: readSimulation,
  },
  { area: 'fuzz', isSlow: true, run: [['node', 'tests/fuzz/fuzz.mjs', '--minutes', '2']], read: readFuzz },
  {
    area: 'coverage',
    isSlow: true,
    run: [
      ['node', 'scripts/setup.mjs', '--only', 'tests/mutation'],
      ['node', 'node_modules/vitest/vitest.mjs', 'run', '--coverage', '--config', 'tests/mutation/coverage.config.ts'],
    ],
    read: () => readCoverage('.cache/coverage/coverage-summary.json'),
  },
  { area: 'types', isSlow: true, run: [['node', 'bench/typecost/run.mjs']], read: readTypeCost },
  {
    area: 'bench',
    isSlow: true,
    run: [['node', 'bench/run.mjs', '--json', '.cache/bench.json']],
    read: () => readBench('.cache/bench.json'),
  },
]

mkdirSync('.cache', { recursive: true })
const recorded = existsSync(`${REPORT}.json`) ? JSON.parse(readFileSync(`${REPORT}.json`, 'utf8')) : {}
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
const report = {}
for (const { area, isSlow, run, read } of AREAS) {
  const isMeasured = options.only.length > 0 ? options.only.includes(area) : options.full || !isSlow
  report[area] = isMeasured ? measure(area, run, read) : recorded[area]
}
write()

function measure(area, commands, read) {
  let output = ''
  for (const [command, ...args] of commands) {
    console.error(`${area}: ${[command, ...args].join(' ')}`)
    const env = { ...process.env, NO_COLOR: '1' }
    const result = spawnSync(command, args, { encoding: 'utf8', env, maxBuffer: 2 ** 28 })
    output += `${result.stdout}\n`
    // Some end with 1 when a figure is bad: that shows in the table. Without figures there is something else wrong.
    if (result.status !== 0) {
      console.error(result.stderr.trim().split('\n').slice(-20).join('\n'))
    }
  }
  const figures = read(output)
  if (figures.length === 0) {
    console.error(`${area}: no figures`)
    process.exitCode = 1
    return recorded[area]
  }
  return { date: new Date().toISOString().slice(0, 10), commit, figures }
}

function write() {
  const rows = [['area', 'figure', 'value', 'goal', 'measured']]
  for (const { area } of AREAS) {
    for (const { name, value, goal = '', isMissed, isGuard, measured } of report[area]?.figures ?? [NOT_MEASURED]) {
      const when = measured ?? (report[area] ? `${report[area].date} ${report[area].commit}` : '')
      rows.push([area, name, value, isMissed ? `${goal} (missed)` : goal, when])
      if (isMissed && isGuard) {
        process.exitCode = 1
      }
    }
  }
  mkdirSync('reports', { recursive: true })
  writeFileSync(`${REPORT}.json`, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(`${REPORT}.md`, `# Quality\n\nWritten by \`npm run quality\`.\n\n${markdown(rows)}\n`)
  console.log(plain(rows))
}

function markdown([head, ...rows]) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function plain(rows) {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => String(row[at]).length)))
  return rows
    .map((row) =>
      row
        .map((cell, at) => String(cell).padEnd(widths[at]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
