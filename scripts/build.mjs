// Builds dist/: one .js and one .d.ts per source file that an entry point reaches, with maps that lead to src/.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { applyEdits, shiftMap } from './edits.mjs'
import { ENTRIES, PLATFORM_FILES } from './entries.mjs'
import { findFields } from './fields.mjs'
import { findDev } from './fold.mjs'
import { linkTo, VERSION } from './links.mjs'

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

// A link to the documents leads to those of this version, from every place that shows a comment or a message.
const LINK = '//unpkg.com/restitch'
const PAGE = /(?<![\w/.])docs\/(?:\w+\/)?[\w-]+\.md/g
const findLinks = (text) => [
  ...[...text.matchAll(/\/\/unpkg\.com\/restitch(?=\/)/g)].map(({ index }) =>
    insert(index + LINK.length, `@${VERSION}`),
  ),
  ...[...text.matchAll(PAGE)].map(({ index }) => insert(index, linkTo(''))),
]
function insert(at, text) {
  return { start: at, end: at, text }
}

for (const name of readdirSync('dist', { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
  const file = join('dist', name)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, applyEdits(text, findLinks(text)))
}
for (const name of readdirSync('dist', { recursive: true }).filter((name) => name.endsWith('.js'))) {
  const file = join('dist', name)
  const text = readFileSync(file, 'utf8')
  const edits = [...findLinks(text), ...findDev(file, text), ...findFields(file, text)]
  writeFileSync(file, applyEdits(text, edits))
  const map = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
  writeFileSync(`${file}.map`, JSON.stringify(shiftMap(map, text, edits)))
}
