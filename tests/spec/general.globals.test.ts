import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file),
)

test('G-2 no source makes code out of text', () => {
  expect(FILES.length).toBeGreaterThan(10)
  for (const file of FILES) {
    const code = readFileSync(join(SRC, file), 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '')
    expect(code, file).not.toMatch(/\beval\s*\(|\bnew Function\b|[^.\w]Function\s*\(|\bimport\s*\((?!'\.\/\w+\.ts'\))/)
  }
})

test('G-4 no source joins signals or delays work by what not every platform has', () => {
  // It copies what a browser would copy, and runs in tests, in Node.
  for (const file of FILES.filter((name) => !name.endsWith('memoryStorage.ts'))) {
    expect(readFileSync(join(SRC, file), 'utf8'), file).not.toMatch(/AbortSignal\.(any|timeout)|structuredClone/)
  }
})
