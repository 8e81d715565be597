// Installs the packed tool in a project of its own, runs its command with a typed configuration, and compiles that:
// `node openapi/tests/packed.mjs`.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
const TOOL = join(HERE, '..')
const ROOT = join(TOOL, '..')
const FOLDER = join(ROOT, '.cache/openapi/packed')
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
run('npm', ['pack', '--silent', '--pack-destination', FOLDER], TOOL)
const archive = readdirSync(FOLDER).find((name) => name.endsWith('.tgz'))
writeFileSync(join(FOLDER, 'package.json'), '{ "name": "packed", "private": true, "type": "module" }')
run('npm', ['install', '--silent', '--no-audit', '--no-fund', `./${archive}`], FOLDER)
for (const name of ['openapi.yaml', 'schemas.yaml']) {
  copyFileSync(join(HERE, 'shop', name), join(FOLDER, name))
}
writeFileSync(
  join(FOLDER, 'restitch.openapi.ts'),
  `import { defineConfig } from 'restitch-openapi'\n\nexport default defineConfig({ input: 'openapi.yaml', output: 'src', casing: 'camel' })\n`,
)
const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: [] }
writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['restitch.openapi.ts'] }))
const command = join(FOLDER, 'node_modules/.bin/restitch-openapi')
console.log(run(command, [], FOLDER).trim())
if (!existsSync(join(FOLDER, 'src/entities/Order.ts'))) {
  throw new Error('The command of the packed tool wrote no files.')
}
run(command, ['--check'], FOLDER)
run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', FOLDER], FOLDER)
