import parser from '@typescript-eslint/parser'
import { RuleTester } from 'eslint'
import { afterAll, describe, it } from 'vitest'
import { rules } from '../src/rules.ts'

Object.assign(RuleTester, { afterAll, describe, it, itOnly: it.only })

const tester = new RuleTester({
  languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } },
})

/** A piece of code that a rule reports. */
interface Invalid {
  code: string
  /** The message of each report, by its id. */
  errors: string[]
  /** The code after all fixes. */
  output?: string
  /** For each report the code after its suggestion; '' for none. */
  suggestions?: string[]
  filename?: string
}

interface Table {
  /** The code above each case, in one line. */
  above: string
  valid: (string | { code: string; filename: string })[]
  invalid: Invalid[]
}

/** Runs one rule over a table of cases. */
export function testRule(name: string, { above, valid, invalid }: Table): void {
  const write = (code: string): string => `${above}\n${code.trim()}\n`
  tester.run(name, rules[name]!, {
    valid: valid.map((entry) => {
      const { code, filename } = typeof entry === 'string' ? { code: entry, filename: 'a.tsx' } : entry
      return { name: code, code: write(code), filename }
    }),
    invalid: invalid.map(({ code, errors, output, suggestions = [], filename = 'a.tsx' }) => ({
      name: code,
      filename,
      code: write(code),
      output: output === undefined ? null : write(output),
      errors: errors.map((messageId, index) => {
        const suggested = suggestions[index]
        return suggested
          ? { messageId, suggestions: [{ messageId: suggestionOf(name), output: write(suggested) }] }
          : { messageId }
      }),
    })),
  })
}

function suggestionOf(name: string): string {
  return Object.keys(rules[name]!.meta!.messages!).find((id) => id.startsWith('suggest'))!
}
