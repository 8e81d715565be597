// @vitest-environment happy-dom
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createStore } from 'restitch'
import { expect, test } from 'vitest'
import { readLearn } from '../scripts/learn.mjs'
import { compileVue } from './vueFile.ts'

// The test files of docs/learn/11-tests.md run as a part of this one. Those for Svelte and Solid run in tests/svelte and tests/solid.
const FOLDER = resolve('.cache/learn-tests')
const TESTS: Record<string, string[]> = {
  React: ['src/TaskCount.test.tsx', 'src/useTasks.test.ts'],
  Vue: ['src/TaskCount.test.ts', 'src/useTasks.test.ts'],
}
rmSync(FOLDER, { recursive: true, force: true })

for (const framework of Object.keys(TESTS)) {
  const { files } = readLearn(framework).at(-1)!
  const folder = `${FOLDER}/${framework}`
  const tests = Object.keys(files).filter((name) => name.includes('.test.'))
  mkdirSync(`${folder}/src`, { recursive: true })
  writeFileSync(`${folder}/tsconfig.json`, '{ "compilerOptions": { "jsx": "react-jsx" } }')
  for (const [name, text] of Object.entries(files)) {
    // Without a plugin for Vue here, its files are modules of TypeScript.
    const [path, code] = name.endsWith('.vue') ? [`${name}.ts`, compileVue(text, name)] : [name, text]
    writeFileSync(`${folder}/${path}`, code.replaceAll(/from '(.+\.vue)'/g, "from '$1.ts'"))
  }
  for (const name of tests) {
    await import(`${folder}/${name}`)
  }
  test(`page 9: a live query counts the open tasks, with the files for ${framework}`, async () => {
    const { Tasks } = await import(`${folder}/src/tasks.ts`)
    const { openTasks } = await import(`${folder}/src/openTasks.ts`)
    const { controller } = createStore()
    const owner = { id: '1', name: 'Ann' }
    const tasks = ['1', '2', '3'].map((id) => ({ id, title: id, done: id === '2', votes: 0, notes: '', owner }))
    await controller.setResponse(Tasks.getList, tasks)
    expect(controller.get(openTasks)).toBe(2)
    await controller.setResponse(Tasks.partialUpdate, { id: '1' }, { done: true }, { ...tasks[0], done: true })
    expect(controller.get(openTasks)).toBe(1)
  })
  test(`docs/learn has tests for ${framework}`, () => {
    expect(tests).toEqual(TESTS[framework])
  })
}
