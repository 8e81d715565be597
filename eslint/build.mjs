// Builds dist/: one .js and one .d.ts per source file, and docs/: the pages of the rules. It needs the compiler of the root.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

rmSync(here('dist'), { recursive: true, force: true })
const tsc = [here('../node_modules/typescript/bin/tsc'), '-p', here('tsconfig.build.json')]
const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' })
if (status !== 0) {
  process.exit(1)
}
// tsc names `./x.js` in the .js files and leaves `./x.ts` in the .d.ts files, where no such file exists.
for (const name of readdirSync(here('dist'), { recursive: true }).filter((file) => file.endsWith('.d.ts'))) {
  const file = join(here('dist'), name)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[\w./]+)\.ts'/g, "$1.js'"))
}

// The messages link to these pages, whose own links lead out of the package.
rmSync(here('docs'), { recursive: true, force: true })
for (const name of readdirSync(here('../docs/eslint'))) {
  const text = readFileSync(here(`../docs/eslint/${name}`), 'utf8')
  const file = here(`docs/${name}`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text.replaceAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g, '$1 (docs/$2 of restitch)'))
}
