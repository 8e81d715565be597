// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { FRAMEWORKS, readBlocks } from '../scripts/frameworks.mjs'
import { PAGE, useQuickStart, writeQuickStart } from './quickStartSteps.ts'
import { compileVue } from './vueFile.ts'

// Those for Svelte and Solid run in tests/svelte and tests/solid.
const ENTRY: Record<string, string> = { React: 'main.tsx', Vue: 'main.ts' }

afterEach(() => {
  document.body.innerHTML = ''
})

// Without a plugin for Vue here, its files are modules of TypeScript.
const compile = (name: string, text: string): readonly [string, string] => {
  const [path, code] = name.endsWith('.vue') ? [`${name}.ts`, compileVue(text, name)] : [name, text]
  return [path, code.replaceAll(/from '(.+\.vue)'/g, "from '$1.ts'")]
}

// oxlint-disable-next-line vitest/expect-expect -- the steps have the assertions
test.each(Object.entries(ENTRY))('the quick start runs as it stands, with %s', async (framework, entry) => {
  const folder = writeQuickStart(framework, compile)
  await useQuickStart(
    () => import(`${folder}/${entry}`),
    (run) => act(async () => void (await run())),
  )
})

test.each(FRAMEWORKS)('the quick start has less than 300 words, with %s', (framework) => {
  const text = readFileSync(PAGE, 'utf8')
  const others = readBlocks(text).filter((block) => block.framework && block.framework !== framework)
  const shown = others.reduce((page, block) => page.replace(block.text, ''), text)
  const words = shown.match(/[A-Za-z][\w'-]*/g) ?? []
  expect(words.length).toBeLessThan(300)
})

test('the quick start is offered before the first page of Learn', () => {
  for (const page of ['README.md', 'docs/README.md', 'docs/index.md']) {
    const content = readFileSync(page, 'utf8')
    const at = content.indexOf('quick-start')
    expect(at, page).toBeGreaterThan(0)
    expect(at, page).toBeLessThan(content.indexOf('learn/1-list'))
  }
})
