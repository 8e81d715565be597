// Prints which rules of docs/spec/ have a test whose title names them, and which do not. `npm run quality` fails when one has none.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const rules = new Map() // code -> page
for (const page of list('docs/spec', /\.md$/)) {
  for (const [, code] of readFileSync(page, 'utf8').matchAll(/^\s*[-*|]\s*[`*]*([A-Z]+-\d+)\b/gm)) {
    rules.set(code, page)
  }
}

// A title starts with the codes it proves: 'EP-1 EP-3 says what'.
const proved = new Set()
const TESTS = /\.test(-d)?\.tsx?$/
for (const file of [...list('src', TESTS), ...list('src/testing/contract', /\.ts$/), ...list('tests', TESTS)]) {
  for (const [, codes] of readFileSync(file, 'utf8').matchAll(/['"`]((?:[A-Z]+-\d+[,\s:]*)+)/g)) {
    for (const [code] of codes.matchAll(/[A-Z]+-\d+/g)) {
      proved.add(code)
    }
  }
}

const open = [...rules.keys()].filter((code) => !proved.has(code)).toSorted((a, b) => numberOf(a) - numberOf(b))
console.log(`${rules.size - open.length} of ${rules.size} rules have a test that names them`)
const chapters = groupBy(open, chapterOf)
for (const [chapter, codes] of chapters) {
  console.log(`  no test yet  ${codes.map((code, at) => (at ? code.slice(chapter.length + 1) : code)).join(' ')}`)
}

// Tests of a chapter that cross folders: tests/spec/<page>.test.ts, or <page>.<subject>.test.ts where a chapter has several.
const pages = new Set([...list('docs/spec', /\.md$/).map((page) => basename(page, '.md')), 'general'])
for (const file of list('tests/spec', /\.test\.ts$/).filter((one) => !pages.has(basename(one).split('.')[0]))) {
  console.error(`${file}: name it after a page of docs/spec`)
  process.exitCode = 1
}

function list(folder, pattern) {
  if (!existsSync(folder)) {
    return []
  }
  return readdirSync(folder, { recursive: true })
    .filter((name) => pattern.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))
}

function chapterOf(code) {
  return code.slice(0, code.indexOf('-'))
}

function numberOf(code) {
  return Number(code.slice(code.indexOf('-') + 1))
}

function groupBy(items, keyOf) {
  const groups = new Map()
  for (const item of items) {
    groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  }
  return groups
}
