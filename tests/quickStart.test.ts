// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { FRAMEWORKS, readBlocks } from '../scripts/frameworks.mjs'
import { type Reply, type Sent, serve } from './guideBlocks.ts'
import { compileVue } from './vueFile.ts'

const PAGE = 'docs/quick-start.md'
const API = 'https://jsonplaceholder.typicode.com'
const ENTRY: Record<string, string> = { React: 'main.tsx', Vue: 'main.ts' }
const text = readFileSync(PAGE, 'utf8')

afterEach(() => {
  document.body.innerHTML = ''
})

/** Writes the files of the page, and loads the one that mounts the app. */
async function start(framework: string): Promise<void> {
  const folder = resolve('.cache/quick-start', framework)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/tsconfig.json`, '{ "compilerOptions": { "jsx": "react-jsx" } }')
  for (const block of readBlocks(text).filter((block) => block.framework === framework && block.kind !== 'sh')) {
    const [, name = ''] = /^(?:\/\/|<!--) src\/([\w.]+)/.exec(block.text) ?? []
    // Without a plugin for Vue here, its files are modules of TypeScript.
    const [path, code] = name.endsWith('.vue') ? [`${name}.ts`, compileVue(block.text, name)] : [name, block.text]
    writeFileSync(`${folder}/${path}`, code.replaceAll(/from '(.+\.vue)'/g, "from '$1.ts'"))
  }
  document.body.innerHTML = '<div id="root"></div><div id="app"></div>'
  await act(() => import(`${folder}/${ENTRY[framework]}`))
}

for (const framework of FRAMEWORKS) {
  test(`the quick start runs as it stands, with ${framework}`, async () => {
    const work = { userId: 1, id: 1, title: 'Work', completed: false }
    let respond = (_reply: Reply): void => {}
    const requests: Sent[] = serve(({ method, url }) => {
      const isDone = url.includes('completed=true')
      return method === 'PATCH'
        ? new Promise<Reply>((done) => (respond = done))
        : [200, [isDone ? { ...work, id: 2, title: 'Rest', completed: true } : work]]
    })
    await start(framework)
    expect(await screen.findByText('Rest')).toBeDefined()
    const read = (): string => document.body.textContent.replaceAll(/\s/g, '')
    const click = (title: string): Promise<void> => act(async () => void fireEvent.click(screen.getByText(title)))
    expect(read()).toBe('OpenWorkDoneRest')
    for (const reply of [[422], [200, { ...work, completed: true }]] as Reply[]) {
      await click('Work')
      expect(read()).toMatch(/^OpenDone(?:WorkRest|RestWork)$/)
      await act(async () => respond(reply))
      await expect.poll(read).toMatch(reply[0] === 422 ? /^OpenWorkDoneRest$/ : /^OpenDone/)
    }
    expect(requests.map(({ method, url }) => `${method} ${url.replace(API, '')}`)).toEqual([
      'GET /todos?completed=false&userId=1',
      'GET /todos?completed=true&userId=1',
      'PATCH /todos/1',
      'PATCH /todos/1',
    ])
  })

  test(`the quick start has less than 300 words, with ${framework}`, () => {
    const other = FRAMEWORKS.find((name) => name !== framework)!
    const code = readBlocks(text).filter((block) => block.framework === other)
    const shown = code.reduce((page, block) => page.replace(block.text, ''), text)
    const words = shown.match(/[A-Za-z][\w'-]*/g) ?? []
    expect(words.length).toBeLessThan(300)
  })
}

test('the quick start is offered before the first page of Learn', () => {
  for (const page of ['README.md', 'docs/README.md', 'docs/index.md']) {
    const content = readFileSync(page, 'utf8')
    const at = content.indexOf('quick-start')
    expect(at, page).toBeGreaterThan(0)
    expect(at, page).toBeLessThan(content.indexOf('learn/1-list'))
  }
})
