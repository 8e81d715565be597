// @vitest-environment happy-dom
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readLearn } from '../../scripts/learn.mjs'
import { tick } from '../../src/testing/TestClock.ts'
import { useQuickStart, writeQuickStart } from '../quickStartSteps.ts'

// The test files of docs/learn/11-tests.md run as a part of this one.
const FOLDER = resolve('.cache/learn-tests/Svelte')
rmSync(FOLDER, { recursive: true, force: true })
const { files } = readLearn('Svelte').at(-1)!
mkdirSync(`${FOLDER}/src`, { recursive: true })
for (const [name, text] of Object.entries(files)) {
  writeFileSync(`${FOLDER}/${name}`, text)
}
const tests = Object.keys(files).filter((name) => name.includes('.test.'))
for (const name of tests) {
  await import(`${FOLDER}/${name}`)
}

afterEach(() => {
  document.body.innerHTML = ''
})

test('docs/learn has tests for Svelte', () => {
  expect(tests).toEqual(['src/TaskCount.test.ts', 'src/useTasks.test.ts'])
})

// oxlint-disable-next-line vitest/expect-expect -- the steps have the assertions
test('the quick start runs as it stands, with Svelte', async () => {
  const folder = writeQuickStart('Svelte', (name, text) => [name, text])
  // As the template of Vite mounts it.
  const main = `import { mount } from 'svelte'\nimport App from './App.svelte'\nmount(App, { target: document.getElementById('app') })\n`
  writeFileSync(`${folder}/main.js`, main)
  await useQuickStart(
    () => import(`${folder}/main.js`),
    async (run) => {
      await run()
      await tick()
      await tick()
    },
  )
})
