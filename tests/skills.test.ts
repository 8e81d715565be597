// @vitest-environment happy-dom
// Runs the code of skills/, which agents copy from.
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createElement } from 'react'
import { AsyncBoundary, DataProvider } from 'restitch/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp, h } from 'vue'
import { createRestitch } from 'restitch/vue'
import { readBlocks } from '../scripts/frameworks.mjs'
import { openStore, serve } from './guideBlocks.ts'
import { compileVue } from './vueFile.ts'

const NAMES = readdirSync('skills')
const FOLDER = resolve('.cache/skills', process.env['VITEST_POOL_ID'] ?? '')
const textOf = (name: string): string => readFileSync(`skills/${name}/SKILL.md`, 'utf8')

/** The module of a block of a skill, which also exports the given names. */
async function load(skill: string, index: number, names = ''): Promise<any> {
  const blocks = readBlocks(textOf(skill)).filter(({ kind }) => /^(?:tsx?|vue)$/.test(kind))
  const { text, kind } = blocks[index]!
  const folder = `${FOLDER}/${skill}`
  mkdirSync(folder, { recursive: true })
  for (const { name, text: imported } of blocks.filter(({ name }) => name)) {
    writeFileSync(`${folder}/${name}`, imported)
  }
  writeFileSync(`${folder}/tsconfig.json`, '{ "compilerOptions": { "jsx": "react-jsx" } }')
  const file = `${folder}/${index}.${kind === 'vue' ? 'ts' : 'tsx'}`
  writeFileSync(file, kind === 'vue' ? compileVue(text, 'TaskList.vue') : `${text}export { ${names} }\n`)
  return import(/* @vite-ignore */ file)
}

const sent = (requests: ReturnType<typeof serve>): string[] => requests.map(({ method, url }) => `${method} ${url}`)
const task = (more: object = {}): object => ({
  id: '1',
  title: 'Paint',
  done: false,
  due: null,
  owner: { id: '7', name: 'Ann' },
  ...more,
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test.each(NAMES)('%s says when to use it, and fits into a context', (name) => {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(textOf(name)) ?? []
  expect(head).toMatch(new RegExp(`^name: ${name}\ndescription: Use when [^\n]{80,400}$`))
  expect(textOf(name).split(/\s+/).length).toBeLessThan(900)
})

test('restitch names every other skill, and pages that are there', () => {
  const index = textOf('restitch')
  for (const name of NAMES.filter((one) => one !== 'restitch')) {
    expect(index).toContain(`\`${name}\``)
  }
  const pages = NAMES.flatMap((name) => textOf(name).match(/(?<=node_modules\/restitch\/)docs\/[\w./-]*\w/g) ?? [])
  expect(pages.length).toBeGreaterThan(5)
  for (const page of pages) {
    expect(readFileSync(page, 'utf8').length, page).toBeGreaterThan(100)
  }
})

test('restitch: records, relations and an optimistic resource', async () => {
  const { Tasks, Person } = await load('restitch', 0)
  serve(() => [200, [task({ due: '2030-01-01T00:00:00Z' })]])
  const { fetch, read, controller } = openStore()
  await fetch(Tasks.getList, { done: false })
  const [first] = read(Tasks.getList, { done: false })
  expect(first.due).toEqual(new Date('2030-01-01T00:00:00Z'))
  expect(first.owner).toBe((controller.get as any)(Person, { id: '7' }))
})

test('restitch-react: a checkbox leaves the list before the response', async () => {
  let respond = (): void => {}
  const requests = serve(async ({ method }) => {
    if (method === 'PATCH') {
      await new Promise<void>((done) => (respond = done))
    }
    return [200, method === 'PATCH' ? task({ done: true }) : [task()]]
  })
  const { app } = await load('restitch-react', 0)
  render(app)
  fireEvent.click(await screen.findByRole('checkbox'))
  await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull())
  await expect.poll(() => requests.length).toBe(2)
  await act(async () => respond())
  expect(sent(requests)).toEqual(['GET /api/tasks?done=false', 'PATCH /api/tasks/1'])
})

test('restitch-offline: a change waits while the server fails, and is sent again with its key', async () => {
  let status = 503
  const requests = serve(({ method }) => [
    method === 'GET' ? 200 : status,
    method === 'GET' ? [task()] : task({ title: 'New' }),
  ])
  // There is no IndexedDB here: the entries are kept in memory.
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { store, Tasks, Unsent } = await load('restitch-offline', 0, 'store, Tasks, Unsent')
  render(createElement(DataProvider, { store, own: true } as never, createElement(Unsent)))
  await store.controller.fetch(Tasks.getList)
  const saved = store.controller.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'New' })
  expect(store.controller.get(Tasks.get.schema, { id: '1' })).toMatchObject({ title: 'New' })
  await screen.findByText('1 waiting')
  await expect.poll(() => sent(requests)).toContain('PATCH /api/tasks/1')
  status = 200
  await expect.poll(() => store.controller.core.queue.outbox.pending[0]?.isSending).toBe(false)
  fireEvent.click(screen.getByText('Send now'))
  expect(await saved).toMatchObject({ title: 'New' })
  await screen.findByText('0 waiting')
  const keys = requests.filter(({ method }) => method === 'PATCH').map(({ headers }) => headers.get('idempotency-key'))
  expect(keys[0]).toBeTruthy()
  expect(new Set(keys).size).toBe(1)
  store.stop()
  errors.mockRestore()
})

test('restitch-vue: the arguments follow a prop, and a task leaves its list', async () => {
  const { default: TaskList } = await load('restitch-vue', 2)
  await load('restitch-vue', 0)
  const requests = serve(({ method }) => [200, method === 'PATCH' ? task({ done: true }) : [task()]])
  const place = document.createElement('div')
  const app = createApp(() => h(TaskList, { done: false })).use(createRestitch())
  app.mount(place)
  await expect.poll(() => place.querySelector('button')?.textContent).toBe('Paint')
  place.querySelector('button')!.click()
  await expect.poll(() => place.querySelector('button')).toBeNull()
  expect(sent(requests)).toEqual(['GET /api/tasks?done=false', 'PATCH /api/tasks/1'])
  app.unmount()
})

describe('restitch-lists', () => {
  test('a created task joins the lists that it belongs to, and their total', async () => {
    const { Tasks, getProjectTasks, addProjectTask } = await load('restitch-lists', 0)
    serve(({ method, body, url }) =>
      method === 'POST'
        ? [201, { id: '9', title: 'New', done: false, project: '3', ...body }]
        : [200, url.includes('/projects') ? [] : { data: [task()], total: 1, next: null }],
    )
    const { fetch, read } = openStore()
    await fetch(Tasks.getList, { done: false, sort: 'title' })
    await fetch(Tasks.getList, { done: true })
    await fetch(getProjectTasks, { project: '3' })
    await fetch(Tasks.create, { title: 'New' })
    expect(read(Tasks.getList, { done: false, sort: 'title' })).toMatchObject({
      data: [{ id: '1' }, { id: '9' }],
      total: 2,
    })
    expect(read(Tasks.getList, { done: true }).data).toHaveLength(1)
    await fetch(addProjectTask, { project: '3' }, { id: '10', title: 'Other' })
    expect(read(getProjectTasks, { project: '3' }).map(({ id }: { id: string }) => id)).toContain('10')
  })

  test('pages are one list', async () => {
    const { Feed } = await load('restitch-lists', 1)
    const requests = serve(({ url }) => [
      200,
      url.includes('cursor') ? { items: [{ id: '2', title: 'b' }] } : { items: [{ id: '1', title: 'a' }], cursor: 'x' },
    ])
    render(createElement(DataProvider, {}, createElement(AsyncBoundary, {}, createElement(Feed))))
    fireEvent.click(await screen.findByText('More'))
    expect(await screen.findByText('b')).toBeDefined()
    expect(screen.getByText('a')).toBeDefined()
    expect(screen.queryByText('More')).toBeNull()
    expect(sent(requests)).toEqual(['GET /api/feed', 'GET /api/feed?cursor=x'])
  })
})

describe('restitch-auth', () => {
  test('a token is sent after signing in, and not after signing out', async () => {
    const { signIn, signOut, Tasks, controller } = await load('restitch-auth', 0)
    const requests = serve(({ url }) => [200, url.endsWith('/login') ? { token: 't1' } : [task()]])
    await signIn('Ann', 'secret')
    await controller.fetch(Tasks.getList)
    await signOut()
    await controller.fetch(Tasks.getList)
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([null, 'Bearer t1', null])
    expect(JSON.stringify(controller.getState())).not.toContain('t1')
  })

  test('a token that has expired is refreshed once for all requests', async () => {
    const { signIn, Tasks, store } = await load('restitch-auth', 1)
    const requests = serve(({ url, headers }) => {
      if (url.endsWith('/login') || url.endsWith('/refresh')) {
        return [200, { accessToken: url.endsWith('/login') ? 'old' : 'new', refreshToken: 'r' }]
      }
      return headers.get('authorization') === 'Bearer new' ? [200, url.endsWith('/1') ? task() : [task()]] : [401]
    })
    await signIn('Ann', 'secret')
    await Promise.all([store.controller.fetch(Tasks.getList), store.controller.fetch(Tasks.get, { id: '1' })])
    expect(sent(requests).filter((one) => one.endsWith('/refresh'))).toHaveLength(1)
    store.stop()
  })
})

// Its tests are those of the skill.
describe('restitch-testing', () => load('restitch-testing', 0) as Promise<void>)

test('restitch-migrating: an optimistic action, and a write of the app', async () => {
  const { Task, readTask, controller, receive, Tasks } = await load('restitch-migrating', 0)
  let respond = (): void => {}
  const requests = serve(async ({ method }) => {
    if (method === 'POST') {
      await new Promise<void>((done) => (respond = done))
      return [200, { id: '1', title: 'Paint', read: true }]
    }
    return [200, [{ id: '1', title: 'Paint', read: false }]]
  })
  await controller.fetch(Tasks.getList)
  const saved = controller.fetch(readTask, { id: '1' })
  expect(controller.get(Task, { id: '1' })).toMatchObject({ title: 'Paint', read: true })
  await expect.poll(() => requests.length).toBe(2)
  respond()
  await saved
  receive('1', 'Draw')
  expect(controller.getResponse(Tasks.getList, controller.getState()).data[0].title).toBe('Draw')
})
