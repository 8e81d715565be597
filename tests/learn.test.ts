// @vitest-environment happy-dom
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readLearn } from '../scripts/learn.mjs'

// The test files of docs/learn/10-tests.md run as a part of this one.
const FOLDER = resolve('.cache/learn-tests')
const { files } = readLearn().at(-1)!
const tests = Object.keys(files).filter((name) => name.includes('.test.'))

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(`${FOLDER}/src`, { recursive: true })
writeFileSync(`${FOLDER}/tsconfig.json`, '{ "compilerOptions": { "jsx": "react-jsx" } }')
for (const [name, text] of Object.entries(files)) {
  writeFileSync(`${FOLDER}/${name}`, text)
}
for (const name of tests) {
  await import(`${FOLDER}/${name}`)
}

test('docs/learn has tests', () => {
  expect(tests).toEqual(['src/TaskCount.test.tsx', 'src/useTasks.test.ts'])
})
