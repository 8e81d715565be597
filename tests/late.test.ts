// The table of every case in which a screen may be late: each line names a rule, and a test proves each rule.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const page = readFileSync(join(ROOT, 'docs/guide/lists-stay-right.md'), 'utf8')
const [, table = ''] = page.split('| rule |')
const rows = table.split('\n\n', 1)[0]!.split('\n').slice(2)

test('each line names a rule of docs/spec that tests prove', () => {
  const textOf = (folder: string, isWanted: (file: string) => boolean): string =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => isWanted(file) && !file.includes('node_modules'))
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'))
      .join('\n')
  const spec = textOf('docs/spec', (file) => file.endsWith('.md'))
  const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)
  const titles = [textOf('src', isTest), textOf('tests/spec', isTest)]
    .join('\n')
    .split('\n')
    .filter((line) => /\b(test|describe)\b/.test(line))
    .join('\n')
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    const code = /`([A-Z]+-\d+)` \|$/.exec(row)?.[1]
    expect(code, row).toBeDefined()
    expect(spec, row).toContain(`- \`${code}\``)
    expect(titles, row).toMatch(new RegExp(`\\b${code}\\b`))
  }
})
