// Installs the packed command in an empty folder, converts an app with it, and compiles the app with the packed library, which has to be
// built: `node migrate/tests/packed.mjs`.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
const TOOL = join(HERE, '..')
const ROOT = join(TOOL, '..')
const versionsOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).devDependencies
const wanted = (versions, ...names) => names.map((name) => `${name}@${versions[name]}`)
// Not in the repository: nothing of it can be found from there.
const folder = mkdtempSync(join(tmpdir(), 'restitch-migrate-'))
const run = (command, args, cwd = folder) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })

run('npm', ['pack', '--silent', '--pack-destination', folder], TOOL)
// Without the scripts: others use what is built at the same time.
run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], ROOT)
const archives = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
writeFileSync(join(folder, 'package.json'), '{ "name": "packed", "private": true, "type": "module" }')
run('npm', [
  'install',
  '--silent',
  '--no-audit',
  '--no-fund',
  ...archives.map((name) => `./${name}`),
  ...wanted(versionsOf(TOOL), '@tanstack/react-query'),
  ...wanted(versionsOf(ROOT), 'react', '@types/react', 'typescript'),
])
cpSync(join(HERE, 'apps/tanstack-todos/src'), join(folder, 'src'), { recursive: true })
const command = join(folder, 'node_modules/.bin/restitch-migrate')
const before = textOf('src')
const dry = run(command, ['tanstack-query', 'src', '--dry'])
check(dry.trim().endsWith('would change') && textOf('src') === before, '--dry wrote something, or reported nothing')
const report = run(command, ['tanstack-query', 'src'])
check(/(\d+) of \1 hooks converted/.test(report), `not all hooks were converted:\n${report}`)
check(textOf('src').includes("from 'restitch/react'"), 'the app does not use the library')
check(run(command, ['tanstack-query', 'src']).includes('0 files changed'), 'a second run changed something')
check(spawnSync(command, ['apollo', 'src'], { cwd: folder }).status === 2, 'a wrong command line did not end with 2')
check(run(command, ['--help']).includes('--map'), '--help does not name the options')
const compilerOptions = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  jsx: 'react-jsx',
  strict: true,
  skipLibCheck: false,
  noEmit: true,
  types: [],
}
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
run(join(folder, 'node_modules/.bin/tsc'), ['-p', folder])
rmSync(folder, { recursive: true, force: true })
console.log(report.trim().split('\n').at(-1))

function textOf(name) {
  return readdirSync(join(folder, name), { recursive: true })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(folder, name, file), 'utf8'))
    .join('\n')
}

function check(isTrue, message) {
  if (!isTrue) {
    throw new Error(`The packed command is wrong: ${message}.`)
  }
}
