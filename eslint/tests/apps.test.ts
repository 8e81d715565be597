import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import typescript from '@typescript-eslint/parser'
import { Linter } from 'eslint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import vue from 'vue-eslint-parser'
import { readBlocks } from '../../scripts/frameworks.mjs'
import { convert, Project } from '../../migrate/src/index.ts'
import { APPS } from '../../migrate/tests/apps/apps.ts'
import plugin from '../src/index.ts'
import { rules } from '../src/rules.ts'
import { makeFolder, runOxlint } from './oxlint.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PLANTED = fileURLToPath(new URL('planted/', import.meta.url))

let folder = ''
beforeAll(() => {
  folder = makeFolder()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the rules find nothing in the examples, the demo and the documentation', () => {
  const pages = ['README.md', ...list('docs', /\.md$/), ...list('skills', /\.md$/)]
  let count = 0
  // oxlint shows the two scripts of a Vue component as one, so declarations of the first seem to be in its setup.
  const isLeftOut = (page: string): boolean => page.startsWith('docs/eslint/') || page === 'docs/quick-start.md'
  for (const page of pages.filter((page) => !isLeftOut(page))) {
    const blocks = readBlocks(readFileSync(ROOT + page, 'utf8')).filter(
      ({ kind, text }) => /^(?:tsx?|vue)$/.test(kind) && text.includes("'restitch"),
    )
    for (const { kind, line, text } of blocks) {
      mkdirSync(join(folder, page), { recursive: true })
      writeFileSync(join(folder, page, `line-${line}.${kind}`), text)
      count += 1
    }
  }
  expect(count).toBeGreaterThan(500)
  expect(runOxlint(folder, ['examples', 'demo/app', folder], ['--deny-warnings'])).toEqual([])
})

test('the rules find nothing in the apps that restitch-migrate has converted', () => {
  const apps = join(folder, 'migrated')
  let count = 0
  for (const [name, library] of Object.entries(APPS)) {
    const source = `${ROOT}migrate/tests/apps/${name}`
    const target = join(apps, name)
    cpSync(`${source}/src`, target, { recursive: true })
    const { files } = convert(library, Project.read([target]))
    for (const [path, text] of files) {
      writeFileSync(path, text)
      count += 1
    }
    if (existsSync(`${source}/finished`)) {
      cpSync(`${source}/finished`, `${target}-finished`, { recursive: true })
    }
  }
  expect(count).toBeGreaterThan(30)
  expect(runOxlint(folder, [apps], ['--deny-warnings'])).toEqual([])
})

test('in ESLint, too, the rules find nothing in components of Vue', () => {
  const files = list('examples', /\.vue$/)
  expect(files.length).toBeGreaterThan(5)
  expect(files.flatMap((file) => lint(readFileSync(ROOT + file, 'utf8'), file))).toEqual([])
})

test('oxlint and ESLint report the same', () => {
  const copy = join(folder, 'planted')
  cpSync(PLANTED, copy, { recursive: true })
  const inOxlint = runOxlint(folder, [copy]).map((line) =>
    line.replace(/^\S*\/(\w+\.\w+:\d+):\d+: .* \[Error\/restitch\(([\w-]+)\)\]$/, '$1 $2'),
  )
  const found = readdirSync(PLANTED).flatMap((name) => lint(readFileSync(PLANTED + name, 'utf8'), name))
  expect(inOxlint.toSorted()).toEqual(found.toSorted())
  expect(new Set(found.map((line) => line.split(' ')[1]))).toEqual(new Set(Object.keys(rules)))
  expect(found.toSorted()).toMatchInlineSnapshot(`
    [
      "List.tsx:16 no-non-null-args",
      "List.tsx:19 declare-outside-components",
      "List.tsx:20 no-record-spread",
      "List.tsx:21 no-record-mutation",
      "List.tsx:23 handle-mutate-async",
      "List.tsx:24 handle-mutate-async",
      "List.tsx:24 no-direct-call",
      "List.tsx:4 entity-key",
      "List.tsx:5 entity-default",
      "Rename.vue:11 no-record-mutation",
      "Rename.vue:12 handle-mutate-async",
      "Rename.vue:9 declare-outside-components",
      "server.ts:4 no-shared-store",
    ]
  `)
})

function lint(text: string, filename: string): string[] {
  const config: Linter.Config[] = [
    { files: ['**/*'], ...plugin.configs.recommended },
    {
      files: ['**/*.{ts,tsx}'],
      languageOptions: { parser: typescript, parserOptions: { ecmaFeatures: { jsx: true } } },
    },
    { files: ['**/*.vue'], languageOptions: { parser: vue, parserOptions: { parser: typescript } } },
  ]
  return new Linter()
    .verify(text, config, { filename })
    .map(({ ruleId, line, message }) => `${filename}:${line} ${ruleId?.replace('restitch/', '') ?? message}`)
}

function list(place: string, pattern: RegExp): string[] {
  return readdirSync(ROOT + place, { recursive: true })
    .map((name) => `${place}/${String(name).replaceAll('\\', '/')}`)
    .filter((name) => pattern.test(name) && !/node_modules|\/\.\w/.test(name))
}
