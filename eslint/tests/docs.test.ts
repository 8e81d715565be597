import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import parser from '@typescript-eslint/parser'
import { Linter } from 'eslint'
import { expect, test } from 'vitest'
import plugin from '../src/index.ts'
import { rules } from '../src/rules.ts'

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))
const names = Object.keys(rules)

test.each(names)('the page of %s shows code that it reports, and code that it does not', (name) => {
  const page = readFileSync(`${DOCS}eslint/${name}.md`, 'utf8')
  const examples = [...page.matchAll(/^\*\*(Wrong|Right)\*\*\n+```tsx?\n([\s\S]*?)^```/gm)]
  expect(examples.map(([, kind]) => kind)).toEqual(['Wrong', 'Right'])
  const [wrong, right] = examples.map(([, , code]) => lint(code!))
  expect(new Set(wrong)).toEqual(new Set([`restitch/${name}`]))
  expect(right).toEqual([])
})

test('each rule has a page, a row in the guide, and a message that links to the page', () => {
  expect(readdirSync(`${DOCS}eslint`).toSorted()).toEqual(names.map((name) => `${name}.md`).toSorted())
  const guide = readFileSync(`${DOCS}guide/eslint.md`, 'utf8')
  expect([...guide.matchAll(/^\| \[([\w-]+)\]/gm)].map(([, name]) => name).toSorted()).toEqual(names.toSorted())
  const [, oxlint] = /^```json\n([\s\S]*?)^```/m.exec(guide)!
  expect(JSON.parse(oxlint!).rules).toEqual(plugin.configs.recommended.rules)
  for (const [name, { meta }] of Object.entries(rules)) {
    for (const [id, text] of Object.entries(meta!.messages!)) {
      expect(text.endsWith(`/docs/${name}.md`)).toBe(!id.startsWith('suggest'))
    }
  }
})

test('the plugin has the version of its package', () => {
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(plugin.meta).toMatchObject({ name, version })
})

function lint(code: string): string[] {
  const config: Linter.Config[] = [
    { files: ['**/*.tsx'], ...plugin.configs.recommended },
    { files: ['**/*'], languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } } },
  ]
  return new Linter().verify(code, config, { filename: 'a.tsx' }).map(({ ruleId, message }) => ruleId ?? message)
}
