import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
// @ts-expect-error -- a script without types
import { APPS, FRAMEWORKS, readCopies } from '../examples/copies.mjs'

// Nuxt installs these.
const OF_NUXT = { ofetch: '', vue: '' }
const ALL = [...APPS, ...FRAMEWORKS] as string[]

test('every example has its own copy of what they share, and the same versions', () => {
  for (const [path, text] of readCopies() as Iterable<[string, string]>) {
    expect(readFileSync(join('examples', path), 'utf8'), `${path}: run "node examples/copies.mjs"`).toBe(text)
  }
})

test.each(ALL)('%s stands alone: no file of the app leads out of its folder, and each package is listed', (name) => {
  const folder = join('examples', name)
  const { scripts, dependencies, devDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>
  expect(scripts).toHaveProperty('dev')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(?:tsx?|vue|svelte|mjs|css)$/.test(file) && !/node_modules|^dist|test\.|^\.|[/\\]\./.test(file),
  )
  expect(files.length).toBeGreaterThan(2)
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    for (const [, target = ''] of text.matchAll(/(?:\bfrom|^import|\bimport\() ?'([^']+)'/gm)) {
      if (target.startsWith('.')) {
        expect(relative(folder, join(folder, file, '..', target)), `${file} imports ${target}`).not.toMatch(/^\.\./)
      } else if (!/^(?:node:|[~#$])/.test(target)) {
        const [, packageName = ''] = /^(@[^/]+\/[^/]+|[^/]+)/.exec(target) ?? []
        const listed = { ...dependencies, ...devDependencies, ...(name === 'nuxt' && OF_NUXT) }
        expect(listed, `${file} imports ${target}`).toHaveProperty([packageName])
      }
    }
  }
})
