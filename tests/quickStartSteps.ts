import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'vitest'
import { readBlocks } from '../scripts/frameworks.mjs'
import { type Reply, type Sent, serve } from './guideBlocks.ts'

export const PAGE = 'docs/quick-start.md'
const API = 'https://jsonplaceholder.typicode.com'

/**
 * Writes the files of the quick start, and returns their folder.
 *
 * @param compile what is written: another name and another text where a test has no plugin for the file
 */
export function writeQuickStart(
  framework: string,
  compile: (name: string, text: string) => readonly [name: string, text: string],
): string {
  const folder = resolve('.cache/quick-start', framework)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/tsconfig.json`, '{ "compilerOptions": { "jsx": "react-jsx" } }')
  const blocks = readBlocks(readFileSync(PAGE, 'utf8'))
  for (const block of blocks.filter((one) => one.framework === framework && one.kind !== 'sh')) {
    const [, name = ''] = /^(?:\/\/|<!--) src\/([\w.]+)/.exec(block.text) ?? []
    const [path, code] = compile(name, block.text)
    writeFileSync(`${folder}/${path}`, code)
  }
  document.body.innerHTML = '<div id="root"></div><div id="app"></div>'
  return folder
}

/**
 * Clicks through the quick start.
 *
 * @param act does something, and lets the framework render
 */
export async function useQuickStart(
  start: () => Promise<unknown>,
  act: (run: () => unknown) => Promise<unknown>,
): Promise<void> {
  const work = { userId: 1, id: 1, title: 'Work', completed: false }
  let respond = (_reply: Reply): void => {}
  const requests: Sent[] = serve(({ method, url }) => {
    const isDone = url.includes('completed=true')
    return method === 'PATCH'
      ? new Promise<Reply>((done) => (respond = done))
      : [200, [isDone ? { ...work, id: 2, title: 'Rest', completed: true } : work]]
  })
  await act(start)
  const read = (): string => document.body.textContent.replaceAll(/\s/g, '')
  const click = (title: string): Promise<unknown> =>
    act(() => [...document.querySelectorAll('button')].find((one) => one.textContent === title)!.click())
  await expect.poll(read).toBe('OpenWorkDoneRest')
  for (const reply of [[422], [200, { ...work, completed: true }]] as Reply[]) {
    await click('Work')
    expect(read()).toMatch(/^OpenDone(?:WorkRest|RestWork)$/)
    await act(() => respond(reply))
    await expect.poll(read).toMatch(reply[0] === 422 ? /^OpenWorkDoneRest$/ : /^OpenDone/)
  }
  expect(requests.map(({ method, url }) => `${method} ${url.replace(API, '')}`)).toEqual([
    'GET /todos?completed=false&userId=1',
    'GET /todos?completed=true&userId=1',
    'PATCH /todos/1',
    'PATCH /todos/1',
  ])
}
