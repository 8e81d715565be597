import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { observe } from '../explain/observe.ts'
import { recording } from '../explain/observers.ts'
import { Entity } from '../kinds/Entity.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { createTravel } from './travel.ts'

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}
const todo = { id: '1', title: 'a' }

let clock: TestClock
let store: Store
beforeEach(() => {
  recording.isOn = true
  clock = new TestClock()
  store = createStore({ clock })
})
afterEach(() => {
  store.stop()
  recording.isOn = false
})

const momentAfter = (about: string, type = 'setresponse'): any =>
  observe(store.controller).moments.find(({ event }) => event.type === type && event.about.startsWith(about))

test('PNL-9 readers see an old error, and data whatever its age; nobody fetches', async () => {
  const get: any = deferredEndpoint('GET /todo', Todo, { invalidIfStale: true, errorExpiryLength: 1_000 })
  const view = store.view(get)
  const changes: string[] = []
  view.subscribe((change) => changes.push(change))
  await tick()
  await get.calls[0].fail(Object.assign(new Error('not there'), { status: 404 }))
  const failed = momentAfter('GET /todo')
  await clock.pass(2_000)
  const fetched = store.controller.fetch(get)
  await get.calls.at(-1).answer(todo)
  await fetched
  const loaded = observe(store.controller).moments.at(-1)
  await clock.pass(120_000)
  await store.controller.invalidate(get)
  await tick()
  const { length } = get.calls

  let shown = 0
  const travel = createTravel(store.controller, () => shown++)
  changes.length = 0
  travel.to(failed)
  expect(view.read()).toMatchObject({ data: undefined, error: { status: 404 }, expiresAt: Infinity })
  travel.to(loaded)
  expect(view.read()).toMatchObject({ data: todo, error: undefined, expiresAt: Infinity })
  expect(changes.length).toBeGreaterThan(0)
  await clock.pass(600_000)
  expect(get.calls).toHaveLength(length)
  expect(travel.past!.get(Todo, { id: '1' })).toMatchObject(todo)
  expect([travel.neighbour(-1), travel.neighbour(1)].map((one) => one?.event.type)).toEqual([
    'setresponse',
    'invalidate',
  ])
  travel.to(undefined)
  expect(view.read().data).toBeUndefined()
  expect(shown).toBe(3)
})

test('PNL-9 a reader whose data was missing waits, and needs no request once it is back to now', async () => {
  const get: any = deferredEndpoint('GET /todo', Todo)
  const other: any = deferredEndpoint('GET /other', Todo)
  const first = store.controller.fetch(other)
  await other.calls[0].answer({ id: '2', title: 'b' })
  await first
  const before = momentAfter('GET /other')
  const second = store.controller.fetch(get)
  await get.calls[0].answer(todo)
  await second

  const travel = createTravel(store.controller, () => {})
  travel.to(before)
  let result: unknown
  void store
    .view(get)
    .promise()
    .then((value) => (result = value))
  await clock.pass(5_000)
  expect(result).toBeUndefined()
  travel.to(undefined)
  await tick()
  expect(result).toMatchObject(todo)
  expect(get.calls).toHaveLength(1)
  expect(observe(store.controller).requests).toHaveLength(2)
})

test('PNL-9 calls of the app: reads wait, mutations are rejected and rolled back, writes show up later', async () => {
  const get: any = deferredEndpoint('GET /todo', Todo)
  const rename: any = deferredEndpoint('PATCH /todo', Todo, {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, body: object) => body,
  })
  const { controller } = store
  const first = controller.fetch(get)
  await get.calls[0].answer(todo)
  await first
  const travel = createTravel(controller, () => {})
  const view = store.view(get)
  view.subscribe(() => {})
  travel.to(momentAfter('GET /todo'))
  await controller.set(Todo, { id: '1' }, { id: '1', title: 'set' })
  const again = controller.fetch(get)
  await expect((controller.fetch as any)(rename, { id: '1', title: 'no' })).rejects.toThrow('Go back to now first')
  await tick()
  expect([get, rename].map(({ calls }) => calls.length)).toEqual([1, 0])
  expect(view.read().data).toMatchObject(todo)
  travel.to(undefined)
  expect(view.read().data).toMatchObject({ title: 'set' })
  await tick()
  expect(get.calls).toHaveLength(2)
  await get.calls[1].answer({ id: '1', title: 'c' })
  expect(await again).toMatchObject({ title: 'c' })
})
