// Installs the packed plugin beside ESLint 9, ESLint 10 and oxlint, with the configurations of the guide, and lints planted mistakes:
// `node eslint/tests/packed.mjs`.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
const PLUGIN = join(HERE, '..')
const ROOT = join(PLUGIN, '..')
const { devDependencies } = JSON.parse(readFileSync(join(PLUGIN, 'package.json'), 'utf8'))
const { oxlint } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies
const guide = readFileSync(join(ROOT, 'docs/guide/eslint.md'), 'utf8')
const [, forEslint] = /^```js\n(\/\/ eslint\.config\.js\n[\s\S]*?)^```/m.exec(guide)
const [, forOxlint] = /^```json\n([\s\S]*?)^```/m.exec(guide)
const RULES = Object.keys(JSON.parse(forOxlint).rules)

for (const eslint of [devDependencies.eslint, '10.15.0']) {
  // Not in the repository: oxlint skips what git ignores.
  const folder = mkdtempSync(join(tmpdir(), 'restitch-eslint-'))
  const run = (command, args, cwd = folder) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })
  run('npm', ['pack', '--silent', '--pack-destination', folder], PLUGIN)
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "packed", "private": true, "type": "module" }')
  const parsers = ['@typescript-eslint/parser', 'typescript'].map((name) => `${name}@${devDependencies[name]}`)
  run('npm', [
    'install',
    '--silent',
    '--no-audit',
    '--no-fund',
    `./${archive}`,
    `eslint@${eslint}`,
    `oxlint@${oxlint}`,
    ...parsers,
  ])
  cpSync(join(HERE, 'planted'), join(folder, 'src'), { recursive: true, filter: (name) => !name.endsWith('.vue') })
  // The guide leaves the parser of TypeScript to the app.
  const parser = "{ files: ['**/*.{ts,tsx}'], languageOptions: { parser } }"
  writeFileSync(
    join(folder, 'eslint.config.js'),
    `import parser from '@typescript-eslint/parser'\n${forEslint.replace('recommended]', `recommended, ${parser}]`)}`,
  )
  writeFileSync(join(folder, '.oxlintrc.json'), forOxlint)
  for (const [name, args] of [
    ['eslint', ['src']],
    ['oxlint', ['--format=unix', 'src']],
  ]) {
    const { stdout, stderr } = spawnSync(join(folder, 'node_modules/.bin', name), args, {
      cwd: folder,
      encoding: 'utf8',
    })
    const missing = RULES.filter((rule) => !stdout.includes(rule) && !stdout.includes(rule.replace('/', '(')))
    if (missing.length > 0) {
      throw new Error(`${name}, beside ESLint ${eslint}, does not report ${missing.join(', ')}.\n${stdout}${stderr}`)
    }
    console.log(`${name}, beside ESLint ${eslint}: ${RULES.length} rules report what is planted`)
  }
  rmSync(folder, { recursive: true, force: true })
}
