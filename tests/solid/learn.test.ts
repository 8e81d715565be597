// @vitest-environment happy-dom
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readLearn } from '../../scripts/learn.mjs'
import { tick } from '../../src/testing/TestClock.ts'
import { isFull } from '../effort.ts'
import { useQuickStart, writeQuickStart } from '../quickStartSteps.ts'
import { compileSolid } from '../solidFile.ts'

// The test files of docs/learn/11-tests.md run as a part of this one. The compiler of Solid is there in a release.
const FOLDER = resolve('.cache/learn-tests/Solid')
const { files } = readLearn('Solid').at(-1)!
const tests = Object.keys(files).filter((name) => name.includes('.test.'))
const compile = (name: string, text: string): readonly [string, string] =>
  name.endsWith('.tsx') ? [name.replace('.tsx', '.js'), compileSolid(text, name)] : [name, text]

if (isFull) {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(`${FOLDER}/src`, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    const [path, code] = compile(name, text)
    writeFileSync(`${FOLDER}/${path}`, code)
  }
  for (const name of tests) {
    await import(`${FOLDER}/${name}`)
  }
}

afterEach(() => {
  document.body.innerHTML = ''
})

test('docs/learn has tests for Solid', () => {
  expect(tests).toEqual(['src/TaskCount.test.ts', 'src/useTasks.test.ts'])
})

// oxlint-disable-next-line vitest/expect-expect -- the steps have the assertions
test.runIf(isFull)('the quick start runs as it stands, with Solid', async () => {
  const folder = writeQuickStart('Solid', compile)
  await useQuickStart(
    () => import(`${folder}/index.js`),
    async (run) => {
      await run()
      await tick()
      await tick()
    },
  )
})
