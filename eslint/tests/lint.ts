import { Linter } from 'eslint'
import typescript from '@typescript-eslint/parser'
import vue from 'vue-eslint-parser'
import { rules } from '../src/rules.ts'

const linter = new Linter()
const config: Linter.Config[] = [
  {
    files: ['**/*'],
    plugins: { restitch: { rules } },
    rules: Object.fromEntries(Object.keys(rules).map((name) => [`restitch/${name}`, 'error'])),
    // Comments of other linters mean nothing here.
    linterOptions: { noInlineConfig: true },
  },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parser: typescript, parserOptions: { ecmaFeatures: { jsx: true } } },
  },
  { files: ['**/*.vue'], languageOptions: { parser: vue, parserOptions: { parser: typescript } } },
]

/** What the rules report about a file, a line each. Errors of a rule are thrown. */
export function lint(text: string, filename: string): string[] {
  return linter
    .verify(text, config, { filename })
    .map(({ ruleId, line, message }) => `${filename}:${line} ${ruleId} ${message}`)
}
