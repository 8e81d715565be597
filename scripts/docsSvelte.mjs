// Checks the types of the components in the documents: `node scripts/docsSvelte.mjs`. Their compiler is installed in examples/, so a release does it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBlocks } from './frameworks.mjs'
import { readLearn } from './learn.mjs'

// Inside the package but outside node_modules, so that `restitch` in a block leads to src/.
const FOLDER = '.cache/docs-svelte'
const CHECK = 'examples/node_modules/svelte-check/bin/svelte-check'

rmSync(FOLDER, { recursive: true, force: true })
let count = 0
for (const page of ['docs/quick-start.md', ...['docs/api', 'docs/guide', 'skills'].flatMap(list)]) {
  const blocks = readBlocks(readFileSync(page, 'utf8'))
  if (!blocks.some(({ kind }) => kind === 'svelte')) {
    continue
  }
  const folder = join(FOLDER, page.replaceAll(/[\\/]/g, '!'))
  mkdirSync(folder, { recursive: true })
  for (const { kind, line, text } of blocks) {
    const [, name] = /^(?:\/\/|<!--) ([\w.]+)/.exec(text) ?? []
    if (kind === 'svelte' || (kind === 'ts' && name)) {
      writeFileSync(join(folder, name ?? `Line${line}.svelte`), text)
      count += kind === 'svelte' ? 1 : 0
    }
  }
}
// The app of docs/learn as it is after each page.
for (const { page, files } of readLearn('Svelte')) {
  const folder = join(FOLDER, page.replaceAll(/[\\/]/g, '!'))
  mkdirSync(join(folder, 'src'), { recursive: true })
  for (const [name, text] of Object.entries(files).filter(([name]) => name.startsWith('src/'))) {
    writeFileSync(join(folder, name), text)
    count += name.endsWith('.svelte') ? 1 : 0
  }
}
const config = {
  extends: '../../tsconfig.json',
  compilerOptions: { module: 'esnext', moduleResolution: 'bundler', isolatedDeclarations: false, declaration: false },
  include: ['.'],
}
writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(config))
const svelteConfig = 'export default { compilerOptions: { experimental: { async: true } } }\n'
writeFileSync(`${FOLDER}/svelte.config.js`, svelteConfig)
const args = ['--workspace', FOLDER, '--tsconfig', './tsconfig.json', '--fail-on-warnings', '--output', 'human']
const { status } = spawnSync(process.execPath, [CHECK, ...args], { stdio: 'inherit' })
if (status === 0) {
  console.log(`${count} components compile`)
}
process.exitCode = status ?? 1

function list(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
}
