// `npm run quality`: every figure we claim, in one table, also in reports/quality.md and reports/quality.json.
// Quick figures are measured each time. Slow ones are those of the last run of their command, here or where the report was
// recorded, with its date and commit, unless you name them:
//   npm run quality -- --full                      all of them, hours
//   npm run quality -- --only coverage --only bench
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readCoverage, readDocs, readMutation, readRules, readSizes, readTypeCost } from './figures.mjs'
import { readFigures, stampFigures } from './record.mjs'

const REPORT = 'reports/quality'
const NOT_MEASURED = { name: 'not measured yet', value: '-' }
const { values: options } = parseArgs({
  options: { full: { type: 'boolean', default: false }, only: { type: 'string', multiple: true, default: [] } },
})

/** `run` measures; `read` makes figures of what it printed or wrote. Without `read` the command records them itself. */
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
  { area: 'tests', isSlow: true, run: [['npm', 'test']] },
  { area: 'simulator', isSlow: true, run: [['node', 'tests/simulator/simulate.mjs', '--steps', '200000']] },
  { area: 'fuzz', isSlow: true, run: [['node', 'tests/fuzz/fuzz.mjs', '--minutes', '2']] },
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
  { area: 'bench', isSlow: true, run: [['node', 'bench/run.mjs']] },
]

mkdirSync('.cache', { recursive: true })
const recorded = existsSync(`${REPORT}.json`) ? JSON.parse(readFileSync(`${REPORT}.json`, 'utf8')) : {}
const report = {}
for (const { area, isSlow, run, read } of AREAS) {
  const isMeasured = options.only.length > 0 ? options.only.includes(area) : options.full || !isSlow
  report[area] = (isMeasured ? measure(area, run, read) : undefined) ?? latest(recorded[area], readFigures(area))
}
write()

function latest(...runs) {
  return runs.filter(Boolean).toSorted((a, b) => (a.time < b.time ? 1 : -1))[0]
}

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
  const result = read ? stampFigures(read(output)) : readFigures(area)
  if (!result?.figures.length) {
    console.error(`${area}: no figures`)
    process.exitCode = 1
    return undefined
  }
  return result
}

function write() {
  const rows = [['area', 'figure', 'value', 'goal', 'measured']]
  for (const { area } of AREAS) {
    for (const { name, value, goal = '', isMissed, isGuard, measured } of report[area]?.figures ?? [NOT_MEASURED]) {
      const when = measured ?? (report[area] ? `${report[area].time.slice(0, 10)} ${report[area].commit}` : '')
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
