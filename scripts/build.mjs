// Builds dist/: one .js and one .d.ts per source file that an entry point reaches.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ENTRIES, PLATFORM_FILES } from './entries.mjs'
import { removeFields } from './fields.mjs'
import { foldDev } from './fold.mjs'
import { chooseShortNames, LIST, readBuilt, readInternalNames, readMembers, refuseNames, shorten } from './shorten.mjs'

rmSync('dist', { recursive: true, force: true })
mkdirSync('.cache', { recursive: true })
const sources = [...ENTRIES.map(({ source }) => source), ...PLATFORM_FILES.map((file) => file.source)]
const config = { extends: '../tsconfig.build.json', files: sources.map((file) => `../${file}`), include: [] }
writeFileSync('.cache/tsconfig.build.json', JSON.stringify(config))
const tsc = ['node_modules/typescript/bin/tsc', '-p', '.cache/tsconfig.build.json']
const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' })
if (status !== 0) {
  process.exit(1)
}

// tsc names `./x.js` in the .js files and leaves `./x.ts` in the .d.ts files, where no such file exists.
const SPECIFIER = /(\b(?:from|import)\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\.ts\2/g
for (const name of readdirSync('dist', { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
  const file = join('dist', name)
  const text = readFileSync(file, 'utf8').replace(SPECIFIER, (_, before, quote, path) => {
    if (!existsSync(join(dirname(file), `${path}.d.ts`))) {
      throw new Error(`${file} refers to ${path}.ts, which was not built`)
    }
    return `${before}${quote}${path}.js${quote}`
  })
  writeFileSync(file, text)
}

// A link to the documents leads to those of this version.
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const modules = readBuilt('dist').map(({ file, text }) => ({
  file,
  text: removeFields(file, foldDev(file, text.replaceAll('//unpkg.com/restitch/', `//unpkg.com/restitch@${version}/`))),
}))

const names = readInternalNames()
const members = readMembers(modules)
const refused = refuseNames(names, members)
if (refused.size > 0) {
  const lines = [...refused].map(([name, why]) => `"${name}" ${why}`)
  console.error(`${lines.join('\n')}\nRemove it from ${LIST}, or run \`npm run names\`.`)
  process.exitCode = 1
}
const short = chooseShortNames(
  names.filter((name) => !refused.has(name)),
  members.members,
)
// The same with long names, for checks that compare the two.
rmSync('.cache/built', { recursive: true, force: true })
for (const { file, text } of modules) {
  const copy = join('.cache/built', relative('dist', file))
  mkdirSync(dirname(copy), { recursive: true })
  writeFileSync(copy, text)
  writeFileSync(file, shorten(file, text, short))
}
writeFileSync('.cache/built/names.json', JSON.stringify(Object.fromEntries(short), null, 2))
