import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readBlocks } from '../../scripts/frameworks.mjs'
import { lint } from './lint.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test.each(['examples', 'demo/app'])('the rules find nothing in %s', (folder) => {
  const found = list(folder, /\.(?:tsx?|vue)$/).flatMap((file) => lint(read(file), file))
  expect(found).toEqual([])
})

test.each(['README.md', 'docs', 'skills'])('the rules find nothing in the code of %s', (place) => {
  const pages = place.endsWith('.md') ? [place] : list(place, /\.md$/).filter((page) => !page.startsWith('docs/eslint/'))
  const found = pages.flatMap((page) =>
    readBlocks(read(page))
      .filter(({ kind }) => /^(?:tsx?|vue)$/.test(kind))
      .flatMap(({ kind, line, text }) => lint(text, `${page}/${line}.${kind}`)),
  )
  expect(found).toEqual([])
})

function read(file: string): string {
  return readFileSync(ROOT + file, 'utf8')
}

function list(folder: string, pattern: RegExp): string[] {
  return readdirSync(ROOT + folder, { recursive: true })
    .map((name) => `${folder}/${String(name).replaceAll('\\', '/')}`)
    .filter((name) => pattern.test(name) && !/node_modules|\.d\.ts$|\/\.\w/.test(name))
}
