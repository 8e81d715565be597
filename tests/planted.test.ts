import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FAULTS, REACT_FAULTS } from './simulator/planted.ts'

test('every planted fault replaces a text that occurs once in its file', () => {
  for (const { name, edits } of [...FAULTS, ...REACT_FAULTS]) {
    for (const { file, text } of edits) {
      expect(readFileSync(`src/${file}`, 'utf8').split(text), `${name}: ${text}`).toHaveLength(2)
    }
  }
})
