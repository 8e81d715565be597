// Builds dist/: one .js and one .d.ts per source file. It needs the compiler of the root.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  const text = readFileSync(here(`dist/${name}`), 'utf8')
  writeFileSync(here(`dist/${name}`), text.replaceAll(/((?:from |import\()'\.\.?\/[\w/]+)\.ts'/g, "$1.js'"))
}
