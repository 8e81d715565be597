// Changes that can be taken back, against a server that counts what it gets.
import { createStore, Entity, resource } from 'restitch'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createUndoable } from '../../src/binding/createUndoable.ts'
import { TestClock } from '../../src/testing/TestClock.ts'
import { until } from '../../src/testing/outcomes.ts'
import { type Answer, json, openServer, send, type TestServer } from '../server.ts'

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

let server: TestServer
let clock: TestClock
let toDelete: Answer
let stored: string[]
beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())
beforeEach(() => {
  clock = new TestClock()
  stored = ['1', '2', '3']
  toDelete = (request, response) => {
    stored = stored.filter((id) => `/todos/${id}` !== request.url)
    send('', {}, 204)(request, response)
  }
  server.answer((request, response) =>
    (request.method === 'GET' ? json(stored.map((id) => ({ id, title: id }))) : toDelete)(request, response),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
})

async function open(options: object = {}, more: object = {}) {
  const Todos = resource({ urlPrefix: server.origin, path: '/todos/:id', schema: Todo, optimistic: true, ...more } as {
    path: '/todos/:id'
    schema: typeof Todo
  })
  const store = createStore({ clock })
  const { controller } = store
  await controller.fetch(Todos.getList)
  store.subscribe(Todos.getList, [], () => {})
  const undoable = createUndoable({ controller, endpoint: Todos.delete as any, options })
  const ids = (): string[] => controller.getResponse(Todos.getList).data!.map(({ id }: Todo) => id)
  const sent = (): string[] =>
    server.received.map(({ method, url }) => `${method} ${url}`).filter((line) => line !== 'GET /todos')
  const reads = (): number => server.received.filter(({ method }) => method === 'GET').length
  return { ...undoable, Todos, controller, ids, sent, reads, store }
}

test('UND-1 a change is shown at once, and sent when the time is over', async () => {
  const { mutate, get, ids, sent } = await open()
  const { sendsAt, variables } = mutate({ id: '2' })
  expect([ids(), get().length, sendsAt - clock.time, variables]).toEqual([['1', '3'], 1, 5_000, [{ id: '2' }]])
  await clock.pass(4_999)
  expect(sent()).toEqual([])
  await clock.pass(1)
  await until(() => stored.length === 2)
  expect([sent(), get(), ids()]).toEqual([['DELETE /todos/2'], [], ['1', '3']])
})

test('UND-2 undo takes it back: nothing was sent, and nothing is refetched', async () => {
  const onError = vi.fn()
  const { mutate, undo, get, ids, sent, reads } = await open({ onError })
  const change = mutate({ id: '2' })
  await clock.pass(1_000)
  undo()
  await clock.pass(10_000)
  expect([ids(), get(), sent(), reads()]).toEqual([['1', '2', '3'], [], [], 1])
  change.undo()
  change.send()
  await clock.pass(10_000)
  expect([sent(), onError.mock.calls]).toEqual([[], []])
})

test('UND-3 several at a time: each can be taken back or sent by itself', async () => {
  const { mutate, undo, get, ids, sent } = await open({ within: 3_000 })
  const first = mutate({ id: '1' })
  await clock.pass(1_000)
  const second = mutate({ id: '2' })
  mutate({ id: '3' })
  expect([ids(), get().length]).toEqual([[], 3])
  undo()
  await clock.pass(0)
  expect(ids()).toEqual(['3'])
  first.undo()
  await clock.pass(0)
  expect(ids()).toEqual(['1', '3'])
  second.send()
  await until(() => sent().length === 1)
  await clock.pass(10_000)
  expect([sent(), get()]).toEqual([['DELETE /todos/2'], []])
})

test('UND-4 leaving the page sends what is pending, so that it outlives the page', async () => {
  const listeners = new Map<string, () => void>()
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) => listeners.set(type, listener))
  vi.stubGlobal('removeEventListener', (type: string) => listeners.delete(type))
  const { mutate, get } = await open()
  mutate({ id: '1' })
  mutate({ id: '2' })
  const fetch = vi.spyOn(globalThis, 'fetch')
  listeners.get('pagehide')!()
  await until(() => stored.length === 1)
  expect(fetch.mock.calls.map(([, init]) => init!.keepalive)).toEqual([true, true])
  expect([get(), listeners.size]).toEqual([[], 0])
  fetch.mockRestore()
})

test.each<[string, Answer, boolean]>([
  ['a refusal', json({ message: 'locked' }, 409), false],
  ['a server that is down', json({ message: 'down' }, 503), true],
  ['a connection that is cut', (_, response) => response.socket?.destroy(), true],
])('UND-5 %s after it was sent: the change is rolled back, and onError is called', async (_, answer, refetches) => {
  const onError = vi.fn()
  const onSettled = vi.fn()
  const { mutate, ids, reads } = await open({ onError, onSettled })
  toDelete = answer
  mutate({ id: '2' }).send()
  await until(() => onSettled.mock.calls.length === 1)
  await until(() => reads() === (refetches ? 2 : 1))
  expect([ids(), onError.mock.calls[0]![1]]).toEqual([['1', '2', '3'], [{ id: '2' }]])
})

test('UND-5 a refetch while it is pending does not bring it back', async () => {
  const { mutate, ids, controller, Todos } = await open()
  mutate({ id: '2' })
  await controller.fetch(Todos.getList)
  expect(ids()).toEqual(['1', '3'])
})

test('UND-6 after a reset nothing of the former user is sent; the wait is no part of the timeout', async () => {
  const { mutate, sent, controller, get } = await open({}, { timeout: 1_000 })
  mutate({ id: '2' })
  await controller.resetEntireStore()
  await clock.pass(6_000)
  expect([sent(), get()]).toEqual([[], []])
  mutate({ id: '3' })
  await clock.pass(5_000)
  await until(() => stored.length === 2)
})

test('UND-6 arguments that are refused leave nothing pending', async () => {
  const onError = vi.fn()
  const { mutate, get, ids } = await open({ onError })
  mutate({ id: '' })
  await until(() => onError.mock.calls.length === 1)
  expect([get(), ids(), onError.mock.calls[0]![0].code]).toEqual([[], ['1', '2', '3'], 'path-empty-value'])
})
