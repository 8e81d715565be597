// @vitest-environment happy-dom
// Runs the recipe of docs/guide/autosave.md as it is printed, with React and with Vue, against a fake `fetch` and a fake clock.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createElement, StrictMode } from 'react'
import { DataProvider } from 'restitch/react'
import { createRestitch } from 'restitch/vue'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp, h } from 'vue'
import { readBlocks } from '../scripts/frameworks.mjs'
import { type Reply, type Sent, serve } from './guideBlocks.ts'
import { compileVue } from './vueFile.ts'

const NOTE = { id: '1', text: '' }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  document.body.innerHTML = ''
})

/** Shows the component of the page. Returns a function that unmounts it. */
async function mount(framework: string): Promise<() => void> {
  const folder = resolve('.cache/autosave', framework)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/tsconfig.json`, '{ "compilerOptions": { "jsx": "react-jsx" } }')
  for (const { kind, name, text, framework: only = framework } of readBlocks(
    readFileSync('docs/guide/autosave.md', 'utf8'),
  )) {
    if (only === framework) {
      const file = name ?? (kind === 'vue' ? 'NoteField.vue.ts' : 'NoteField.tsx')
      writeFileSync(`${folder}/${file}`, kind === 'vue' ? compileVue(text, 'NoteField.vue') : text)
    }
  }
  if (framework === 'React') {
    const { NoteField } = await import(`${folder}/NoteField.tsx`)
    const field = createElement(NoteField, { note: NOTE })
    const { unmount } = render(createElement(StrictMode, null, createElement(DataProvider, null, field)))
    return unmount
  }
  const { default: NoteField } = await import(`${folder}/NoteField.vue.ts`)
  const root = document.body.appendChild(document.createElement('div'))
  const app = createApp(() => h(NoteField, { note: NOTE })).use(createRestitch())
  app.mount(root)
  return () => app.unmount()
}

describe.each(['React', 'Vue'])('%s', (framework) => {
  let requests: Sent[]
  let replies: ((reply: Reply) => void)[]
  beforeEach(() => {
    replies = []
    requests = serve(() => new Promise<Reply>((done) => replies.push(done)))
  })
  const type = (value: string): Promise<void> =>
    act(async () => void fireEvent.input(screen.getByLabelText('Note'), { target: { value } }))
  const pass = (time: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(time)))
  const reply = (...given: Reply): Promise<void> =>
    act(async () => {
      replies.shift()!(given)
      await vi.advanceTimersByTimeAsync(0)
    })
  // Stores of other files in this process may read when the network is back.
  const texts = (): string[] =>
    requests.filter(({ body }) => body).map(({ method, url, body }) => `${method} ${url} ${body.text}`)
  const status = (): string | null => screen.getByRole('status').textContent

  test('sends one request after a pause, and one at a time', async () => {
    await mount(framework)
    expect(status()).toBe('Saved')
    await type('a')
    await pass(500)
    await type('ab')
    expect(status()).toBe('Not saved yet')
    await pass(799)
    expect(texts()).toEqual([])
    await pass(1)
    expect(texts()).toEqual(['PATCH /notes/1 ab'])
    expect(status()).toBe('Saving…')
    await type('abc')
    await pass(5_000)
    expect(texts()).toHaveLength(1)
    await reply(200, { id: '1', text: 'ab' })
    expect(status()).toBe('Not saved yet')
    await pass(800)
    expect(texts()).toEqual(['PATCH /notes/1 ab', 'PATCH /notes/1 abc'])
    await reply(200, { id: '1', text: 'abc' })
    expect(status()).toBe('Saved')
    await pass(60_000)
    expect(texts()).toHaveLength(2)
  })

  test('sends the text again after a failure, at once when the network is back, and not after a refusal', async () => {
    await mount(framework)
    await type('a')
    await pass(800)
    await reply(503)
    expect(status()).toBe('Not saved. It will be sent again.')
    await pass(4_999)
    expect(texts()).toHaveLength(1)
    await pass(1)
    await reply(503)
    await act(async () => void dispatchEvent(new Event('online')))
    expect(texts()).toHaveLength(3)
    await reply(422, { message: 'Too short' })
    expect(status()).toBe('The server refuses this text.')
    await pass(60_000)
    await act(async () => void dispatchEvent(new Event('online')))
    expect(texts()).toHaveLength(3)
    await type('ab')
    await pass(800)
    await reply(200, { id: '1', text: 'ab' })
    expect(status()).toBe('Saved')
    expect(texts()).toHaveLength(4)
  })

  test('the browser asks before a text that is not saved is lost, and unmounting sends it', async () => {
    const unmount = await mount(framework)
    const leave = (): boolean => dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(leave()).toBe(true)
    await type('a')
    expect(leave()).toBe(false)
    await act(async () => unmount())
    expect(texts()).toEqual(['PATCH /notes/1 a'])
    expect(leave()).toBe(true)
    await reply(503)
    await pass(60_000)
    expect(texts()).toHaveLength(1)
  })
})
