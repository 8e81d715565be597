// Makes figures for scripts/quality.mjs of what each command printed, wrote or returned.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

export function readRules(output) {
  const [, proved, all] = /(\d+) of (\d+) rules have a test/.exec(output) ?? []
  if (all === undefined) {
    return []
  }
  const open = [...output.matchAll(/no test yet {2}(.*)/g)].map(([, codes]) => codes)
  return [
    { name: 'rules of docs/spec', value: all },
    { name: 'with a test that names them', value: proved, goal: all, isMissed: proved !== all, isGuard: true },
    ...(open.length > 0 ? [{ name: 'without one', value: open.join(', ') }] : []),
  ]
}

export function readDocs(output) {
  return [...output.matchAll(/^(\d+) (.*)$/gm)].map(([, value, name]) => ({ name, value, goal: 'all of them' }))
}

/** Bytes of each app, minified and gzipped, by both bundlers; then the others, by esbuild. */
export function readSizes(output) {
  const ours = [
    ...output.matchAll(/^(\w+)\s+(vite|esbuild)\s+(\d+) bytes \(first (\d+);.*at most (\d+)(?:, goal (\d+))?/gm),
  ]
  const peers = [...output.matchAll(/^(\S+ [\d.]+\S*)\s+(\d+) bytes$/gm)]
  return [
    ...ours.map(([, app, bundler, bytes, first, most, goal = most]) => ({
      name: `${app}, ${bundler}`,
      value: `${bytes} B (first load ${first} B)`,
      goal: `${goal} B`,
      isMissed: Number(bytes) > Number(goal),
    })),
    ...peers.map(([, name, bytes]) => ({ name: `${name}, esbuild`, value: `${bytes} B` })),
  ]
}

const CORE = new Set(['path', 'controller', 'writing', 'store', 'reading'])

export function readMutation(file) {
  return Object.entries(readJson(file) ?? {}).map(([folder, { score, killed, survived, uncovered, ...more }]) => {
    const goal = CORE.has(folder) ? 92 : 85
    return {
      name: `src/${folder}`,
      value: `${score} % (${killed} of ${killed + survived + uncovered}, ${more.equivalent} equivalent)`,
      goal: `${goal} %`,
      isMissed: score < goal,
      measured: `${more.date} ${more.commit}`,
    }
  })
}

/** The reports of vitest that `npm test` leaves in a folder, and how long it took. */
export function readTests(folder, seconds) {
  const figures = [{ name: 'npm test', value: `${(seconds / 60).toFixed(1)} minutes`, goal: '6 minutes' }]
  for (const name of REPORTS.filter((name) => existsSync(join(folder, name)))) {
    const { numPassedTests: passed, numTotalTests: total, testResults } = readJson(join(folder, name))
    const isMissed = testResults.some(({ status }) => status === 'failed')
    figures.push({
      name: name.replace('.json', '').replaceAll('-', ' '),
      value: passed,
      goal: total,
      isMissed,
    })
    for (const [title, part] of Object.entries(name === 'tests.json' ? FAULTS : {})) {
      const tests = testResults.find((result) => result.name.endsWith(part))?.assertionResults ?? []
      figures.push({ name: title, value: tests.filter(({ status }) => status === 'passed').length, goal: tests.length })
    }
  }
  return figures
}

const REPORTS = ['tests.json', 'tests-React-18.json', 'browser-tests.json', 'demo.json']
const FAULTS = { 'hostile inputs': 'faults/hostile.test.ts', 'faults of the network': 'faults/faults.test.ts' }

/** @param result what tests/simulator/main.ts exports */
export function figuresOfSimulation({ steps, first, last, violations }) {
  return [
    { name: 'steps', value: `${steps} (seeds ${first} to ${last})` },
    { name: 'violations', value: violations, goal: 0, isMissed: violations > 0, isGuard: true },
  ]
}

/** @param results what tests/fuzz/main.ts exports */
export function figuresOfFuzzing(results) {
  return results.map(({ name, inputs, faults }) => ({
    name,
    value: `${inputs} inputs, ${faults} faults`,
    goal: '0 faults',
    isMissed: faults > 0,
    isGuard: true,
  }))
}

const COVERED = { lines: 98, branches: 95 }

/** Without the panel of src/devtools, whose tests run in Chromium. */
export function readCoverage(file) {
  const { total: _total, ...files } = readJson(file) ?? {}
  const measured = Object.entries(files).filter(([name]) => !/src[\\/]devtools/.test(name))
  return Object.entries(measured.length > 0 ? COVERED : {}).map(([name, goal]) => {
    const sum = (member) => measured.reduce((all, [, file]) => all + file[name][member], 0)
    const percent = (100 * sum('covered')) / sum('total')
    return {
      name: `${name}, without src/devtools`,
      value: `${percent.toFixed(1)} % (${sum('covered')} of ${sum('total')})`,
      goal: `${goal} %`,
      isMissed: percent < goal,
    }
  })
}

export function readTypeCost(output) {
  const figures = []
  let name = ''
  for (const line of output.split('\n')) {
    const [, who, instantiations, types] =
      /^ {2}(\S+(?: [\d.]+)?)\s+(\d+) instantiations\s+(\d+) types/.exec(line) ?? []
    if (who !== undefined) {
      figures.push({ name: `${name}: ${who}`, value: `${instantiations} instantiations, ${types} types` })
    } else if (line.startsWith('  TOO MUCH: ')) {
      const ours = figures.findLast((figure) => figure.name.endsWith(': restitch'))
      Object.assign(ours, { goal: line.slice('  TOO MUCH: '.length), isMissed: true })
    } else if (/^\S/.test(line)) {
      name = line
    }
  }
  return figures
}

/** @param rows what bench/run.mjs measured */
export function figuresOfBench(rows) {
  const times = (ratio) => (ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2))
  return rows.map(({ name, cost, ratio, goal, growth, best, misses }) => ({
    name,
    value: [
      cost,
      ratio !== undefined && `${times(ratio)} times the limit`,
      best && `${times(best.ratio)} times ${best.name}`,
      growth !== undefined && `growth ${growth.toFixed(2)}`,
    ]
      .filter(Boolean)
      .join(', '),
    goal,
    isMissed: misses.length > 0,
  }))
}
