// The store with its managers over real HTTP, as a script uses it.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStore, Entity, getDefaultManagers, RestEndpoint, type Store } from 'restitch'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'
import { until } from '../../src/testing/outcomes.ts'
import { bundle } from '../bundle.ts'
import { json, openServer, send, type TestServer } from '../server.ts'

let server: TestServer
let store: Store
let clock: TestClock

beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())
beforeEach(() => {
  clock = new TestClock()
  store = createStore({ clock, random: () => 0, managers: getDefaultManagers({ networkManager: { timeout: 50 } }) })
})
afterEach(() => store.stop())

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}
const endpoint = (): any => new RestEndpoint({ urlPrefix: server.origin, path: '/todos/:id', schema: Todo })
const busy = send('', { 'retry-after': '2' }, 503)

test('ERR-2 ERR-4 RE-21 data stays over a 503, and a 404 replaces it', async () => {
  const getTodo = endpoint()
  const { controller } = store
  server.answer(json({ id: 1, title: 'a' }))
  await controller.fetch(getTodo, { id: 1 })
  server.answer(send('', {}, 503))
  await expect(controller.fetch(getTodo, { id: 1 })).rejects.toMatchObject({ status: 503 })
  expect(controller.getError(getTodo, { id: 1 })).toBeUndefined()
  expect((controller.getResponse(getTodo, { id: 1 }) as any).data.title).toBe('a')
  server.answer(send('', {}, 404))
  await expect(controller.fetch(getTodo, { id: 1 })).rejects.toMatchObject({ status: 404 })
  expect(controller.getError(getTodo, { id: 1 })).toMatchObject({ status: 404 })
})

test('NET-16 no request of the library before Retry-After is over, one after; controller.fetch is sent', async () => {
  const getTodo = endpoint()
  server.answer(busy)
  const view = store.view(getTodo, { id: 1 })
  await expect(view.promise()).rejects.toMatchObject({ status: 503 })
  clock.time += 1_500
  const waiting = view.promise()
  await clock.pass(499)
  expect(server.received).toHaveLength(1)
  server.answer(json({ id: 1, title: 'a' }))
  await clock.pass(1)
  expect(await waiting).toMatchObject({ title: 'a' })
  expect(server.received).toHaveLength(1)

  server.answer(busy)
  await expect(store.view(getTodo, { id: 2 }).promise()).rejects.toMatchObject({ status: 503 })
  clock.time += 1_500
  const second = store.view(getTodo, { id: 2 }).promise()
  server.answer(json({ id: 2, title: 'b' }))
  const asked = await store.controller.fetch(getTodo, { id: 2 })
  expect(await second).toBe(asked)
  expect(server.received).toHaveLength(1)
})

test('NET-17 a permanent 500 is fetched once by a reader, and again when it is mounted again', async () => {
  const getTodo = endpoint()
  server.answer(send('', {}, 500))
  const end = store.subscribe(getTodo, [{ id: 1 }], () => {})
  const view = store.view(getTodo, { id: 1 })
  await expect(view.promise()).rejects.toMatchObject({ status: 500 })
  await clock.pass(10_000)
  expect(server.received).toHaveLength(1)
  end()
  store.subscribe(getTodo, [{ id: 1 }], () => {})
  await expect(view.promise()).rejects.toMatchObject({ status: 500 })
  expect(server.received).toHaveLength(2)
})

test('NET-18 FET-5 a body that stalls past the timeout is a soft failure', async () => {
  const getTodo = endpoint()
  await store.controller.set(Todo, { id: 1 }, { id: 1, title: 'good' })
  server.answer((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":'))
  const promise = store.controller.fetch(getTodo, { id: 1 })
  promise.catch(() => {})
  await until(() => server.received.length === 1)
  await clock.pass(50)
  await expect(promise).rejects.toMatchObject({ name: 'TimeoutError', status: 500, code: 'transport' })
  expect(store.controller.getError(getTodo, { id: 1 })).toBeUndefined()
})

test('CTL-21 NET-18 abort ends the request on the wire', async () => {
  const getTodo = endpoint()
  let isClosed = false
  server.answer((_, response) => void response.on('close', () => (isClosed = true)))
  const promise = store.controller.fetch(getTodo, { id: 1 })
  promise.catch(() => {})
  await until(() => server.received.length === 1)
  await store.controller.abort(getTodo, { id: 1 })
  await expect(promise).rejects.toMatchObject({ name: 'AbortError' })
  await until(() => isClosed)
})

test('NET-14 stores share nothing, however many work at once', async () => {
  const getTodo = endpoint()
  server.answer(({ headers }, response) => json({ id: 1, title: headers['x-user'] })(undefined as never, response))
  const titles = await Promise.all(
    Array.from({ length: 100 }, async (_, user) => {
      const own = createStore()
      const mine = getTodo.extend({ getHeaders: () => ({ 'x-user': `${user}` }) })
      const todo: any = await own.controller.fetch(mine, { id: 1 })
      own.stop()
      return todo.title
    }),
  )
  expect(titles).toEqual(Array.from({ length: 100 }, (_, user) => `${user}`))
  expect(server.received).toHaveLength(100)
})

test('STO-1 STO-2 the example of the guide runs in Node as it stands, and the process ends by itself', async () => {
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('docs/guide/node.md', 'utf8')) ?? []
  server.answer(({ method }, response) =>
    json({ id: 1, title: 'Tidy up', done: method === 'PATCH' })(undefined as never, response),
  )
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  try {
    const file = join(folder, 'example.mjs')
    writeFileSync(file, await bundle(code, 'development'))
    const child = spawn(process.execPath, [file, server.origin], { stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    const status = await new Promise((done) => child.on('close', done))
    expect([status, out]).toEqual([0, 'Tidy up is open\nTidy up is done\n'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
