// Generates code from real descriptions, compiles it under the strictest flags, and prints what it took:
// `node openapi/tests/measure.mjs [name…] [--only-small] [--typescript PATH] [--compile SECONDS]`. It needs the built library (dist/) and
// the descriptions: `node scripts/setup.mjs --only . openapi openapi/tests/descriptions`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DESCRIPTIONS } from './descriptions.mjs'
import { strictest } from './strictest.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))
const ROOT = join(HERE, '../..')
// Inside the root package, so that `restitch` leads to its built files.
const WORK = join(ROOT, '.cache/openapi')
const { names, isSmall, typescript, longest } = readArgs(process.argv.slice(2))

const TSCONFIG = strictest(isNew(typescript))

build()
const rows = []
let hasFailed = false
for (const description of DESCRIPTIONS) {
  const isWanted = names.length > 0 ? names.includes(description.name) : !isSmall || !description.isLarge
  if (isWanted && existsSync(description.file)) {
    rows.push(measure(description))
  } else if (names.includes(description.name)) {
    console.error(
      `${description.name} is not installed: node scripts/setup.mjs --only openapi openapi/tests/descriptions`,
    )
    hasFailed = true
  }
}
printTable([
  [
    'description',
    'operations',
    'covered',
    'entities',
    'tables',
    'resources',
    'files',
    'lines',
    'generate s',
    'cpu s',
    'MB',
    'compile cpu s',
    'instantiations',
  ],
  ...rows,
])
process.exitCode = hasFailed ? 1 : 0

/** True for a compiler that knows the newest flags, from 5.8 on. */
function isNew(compiler) {
  const { version } = JSON.parse(readFileSync(join(dirname(compiler), '../package.json'), 'utf8'))
  const [major, minor] = version.split('.').map(Number)
  return major > 5 || minor >= 8
}

function build() {
  const { status } = spawnSync(process.execPath, [join(HERE, '../build.mjs')], { stdio: 'inherit' })
  if (status !== 0) {
    process.exit(1)
  }
}

function measure({ name, file, config }) {
  const folder = join(WORK, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  const child = spawnSync(
    process.execPath,
    [join(HERE, 'generateOnce.mjs'), file, join(folder, 'api'), JSON.stringify(config ?? {})],
    { encoding: 'utf8' },
  )
  if (child.status !== 0) {
    return fail(name, child.stderr)
  }
  const { counts, seconds, processor, megabytes, files, lines } = JSON.parse(child.stdout)
  const tsc = compile(folder)
  if (tsc.status !== 0) {
    return fail(
      name,
      tsc.stdout
        .split('\n')
        .filter((line) => line.includes('error'))
        .slice(0, 20)
        .join('\n'),
    )
  }
  const figure = (label) => Number(new RegExp(`${label}:\\s*([\\d.]+)`).exec(tsc.stdout)?.[1] ?? 0)
  const share = (counts.covered / counts.operations) * 100
  const compiled = tsc.processor ?? figure('Total time')
  check(name, 'share of operations', share >= 95)
  check(name, 'generation in 10 s', processor <= 10)
  check(name, `compilation in ${longest} s`, compiled <= longest)
  return [
    name,
    counts.operations,
    `${share.toFixed(1)} %`,
    counts.entities,
    counts.tables,
    counts.resources,
    files,
    lines,
    seconds.toFixed(1),
    processor.toFixed(1),
    megabytes,
    compiled.toFixed(1),
    figure('Instantiations'),
  ]
}

/** Compiles a folder. `processor`: the seconds that the compiler and its processes took of it, where the shell can tell. */
function compile(folder) {
  const args = [typescript, '-p', folder, '--extendedDiagnostics']
  if (process.platform === 'win32') {
    return spawnSync(process.execPath, args, { encoding: 'utf8' })
  }
  // The second line of `times` is that of the children.
  const script = '"$@"; status=$?; times >&2; exit $status'
  const child = spawnSync('sh', ['-c', script, 'sh', process.execPath, ...args], { encoding: 'utf8' })
  const times = child.stderr.trim().split('\n').at(-1) ?? ''
  const [user] = [...times.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, seconds]) => minutes * 60 + Number(seconds))
  return { ...child, processor: user }
}

function check(name, goal, isMet) {
  if (!isMet) {
    console.error(`${name}: missed the goal "${goal}"`)
    hasFailed = true
  }
}

function fail(name, reason) {
  console.error(`${name} failed:\n${reason}`)
  hasFailed = true
  return [name, ...Array.from({ length: 12 }, () => '-')]
}

function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? String(cell).padEnd(widths[column]) : String(cell).padStart(widths[column]),
        )
        .join('  '),
    )
  }
}

function readArgs(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'only-small': { type: 'boolean' },
      // The folder of a compiler, from the root of the project.
      typescript: { type: 'string', default: 'node_modules/typescript' },
      // The most that a compilation may take.
      compile: { type: 'string', default: '20' },
    },
  })
  return {
    names: positionals,
    isSmall: values['only-small'],
    typescript: join(ROOT, values.typescript, 'bin/tsc'),
    longest: Number(values.compile),
  }
}
