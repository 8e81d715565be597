// States that the store did not make: of data-client, of a storage, of an attacker.
import fc from 'fast-check'
import { Collection, createStore, Entity, resource, RestEndpoint, type State, Union, Values } from 'restitch'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}
class Todo extends Entity {
  id = ''
  title = ''
  author?: User
  static override key = 'Todo'
  static override schema = { author: User }
}
const fetchResponse = vi.fn(async (_url: string): Promise<Response> => Response.json({}))
const Todos = resource({ path: '/todos/:id', schema: Todo, fetchResponse })
const getMap = new RestEndpoint({ path: '/map', schema: new Collection(new Values(Todo)), fetchResponse })
const getAny = new RestEndpoint({
  path: '/any',
  schema: [new Union({ user: User, todo: Todo }, 'type' as never)],
  fetchResponse,
})
const getPlain = new RestEndpoint({ path: '/plain', fetchResponse })

const NOW = 1_700_000_000_000
const MINUTE = 60_000
let clock: TestClock
let warn: ReturnType<typeof vi.spyOn>
let stores: { stop(): void }[]

beforeEach(() => {
  clock = new TestClock(NOW)
  stores = []
  fetchResponse.mockClear()
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  stores.forEach((store) => store.stop())
  vi.restoreAllMocks()
})

const open = (initialState: unknown) => {
  const store = createStore({ clock, initialState: initialState as State })
  stores.push(store)
  return store
}
const fresh = { date: NOW - 1_000, fetchedAt: NOW - 1_500, expiresAt: NOW + MINUTE }
/** As data-client writes it, after JSON. */
const foreign = () => ({
  entities: {
    User: { 7: { id: '7', name: 'Ann' } },
    Todo: { 1: { id: '1', title: 'one', author: '7' }, 2: { id: '2', title: 'two' } },
    '[Todo]': { '{}': ['1', '2'] },
  },
  endpoints: { 'GET /todos/1': '1', 'GET /todos': '{}', 'GET /plain': { a: 1 } },
  indexes: {},
  meta: {
    'GET /todos/1': { ...fresh, prevExpiresAt: 0 },
    'GET /todos': fresh,
    'GET /plain': { ...fresh, expiresAt: null },
  },
  entitiesMeta: { User: { 7: fresh }, Todo: { 1: fresh, 2: fresh }, '[Todo]': { '{}': fresh } },
  optimistic: [{ type: 'rdc/optimistic' }],
  lastReset: 0,
})

test.each([
  ['as data-client has it', foreign()],
  ['with null for a lastReset', { ...foreign(), lastReset: null }],
  [
    'of an older version',
    (({ endpoints, entitiesMeta, ...rest }) => ({ ...rest, results: endpoints, entityMeta: entitiesMeta }))(foreign()),
  ],
  [
    'without what is derived',
    (({ entities, endpoints, meta, entitiesMeta }) => ({ entities, endpoints, meta, entitiesMeta }))(foreign()),
  ],
])('STO-1 ST-22 a state that went through JSON is accepted: %s', async (_name, state) => {
  const store = open(JSON.parse(JSON.stringify(state)))
  const { controller } = store
  expect(await controller.fetchIfStale(Todos.get, { id: '1' })).toMatchObject({ title: 'one', author: { name: 'Ann' } })
  const list = await controller.fetchIfStale(Todos.getList)
  expect(list.map(({ id }) => id)).toEqual(['1', '2'])
  expect(list[0]).toBeInstanceOf(Todo)
  expect(await controller.fetchIfStale(getPlain)).toEqual({ a: 1 })
  expect(fetchResponse).not.toHaveBeenCalled()
  expect(warn).not.toHaveBeenCalled()
  expect(store.getState().optimistic).toEqual([])
  // Responses are newer than the state, whatever its times say.
  fetchResponse.mockResolvedValueOnce(Response.json({ id: '1', title: 'new' }))
  expect(await controller.fetch(Todos.get, { id: '1' })).toMatchObject({ title: 'new', author: { name: 'Ann' } })
  fetchResponse.mockResolvedValueOnce(Response.json({ id: '3', title: 'three' }))
  await controller.fetch(Todos.create, { title: 'three' })
  expect(controller.getResponse(Todos.getList).data!.map(({ id }) => id)).toEqual(['1', '2', '3'])
})

test('STO-1 ST-21 ST-22 a reset or times in the future keep nothing out', async () => {
  const later = { date: NOW + 9 * MINUTE, fetchedAt: NOW + 9 * MINUTE, expiresAt: NOW + 10 * MINUTE }
  const { controller } = open({
    ...foreign(),
    meta: { 'GET /todos/1': later },
    entitiesMeta: { Todo: { 1: later } },
    lastReset: NOW + 1e9,
  })
  expect(controller.getState().lastReset).toBe(NOW)
  expect(controller.getResponse(Todos.get, { id: '1' })).toMatchObject({
    data: { title: 'one' },
    expiresAt: NOW + MINUTE,
  })
  await controller.setResponse(Todos.get, { id: '1' }, { id: '1', title: 'written' })
  expect(controller.getResponse(Todos.get, { id: '1' }).data).toMatchObject({ title: 'written' })
  fetchResponse.mockResolvedValueOnce(Response.json({ id: '1', title: 'fetched' }))
  expect(await controller.fetch(Todos.get, { id: '1' })).toMatchObject({ title: 'fetched' })
})

test('STO-1 ST-22 what cannot be read is discarded with one warning, and all else is there', () => {
  const state: any = foreign()
  state.entities.User[8] = 'text'
  state.entities['[Todo]'].x = ['1']
  state.entities['[Todo]']['{"a":1}'] = { 0: '1' }
  state.entities.Post = null
  state.entitiesMeta.Todo[2] = { date: 'soon' }
  state.meta['GET /plain'] = 5
  state.meta['GET /todos/9'] = { ...fresh, error: { status: 500 }, errorPolicy: 'x', invalidatedAt: 1e9 }
  const { controller } = open(state)
  expect(controller.getResponse(Todos.get, { id: '1' }).data).toMatchObject({ author: { name: 'Ann' } })
  expect(controller.get(Todo, { id: '2' })).toBeUndefined()
  expect(controller.getError(Todos.get, { id: '9' })).toBeUndefined()
  expect(warn.mock.calls).toEqual([
    [
      'Rows of a stored state were discarded, since they cannot be read: User 8, Todo 2, [Todo] x, [Todo] {"a":1}, Post and 1 more. They are fetched again when they are needed.',
    ],
  ])
})

test.each([
  ['null', null],
  ['text', 'x'],
  ['a list', []],
  ['an empty object', {}],
  ['tables that are lists', { entities: [], endpoints: [] }],
])('STO-1 ST-22 a state that is none is discarded: %s', async (_name, state) => {
  const store = open(state)
  expect(store.getState()).toEqual(createStore({ clock }).getState())
  fetchResponse.mockResolvedValueOnce(Response.json({ id: '1', title: 'one' }))
  expect(await store.controller.fetch(Todos.get, { id: '1' })).toMatchObject({ title: 'one' })
})

test('STO-1 ST-22 property: no state crashes a store', async () => {
  const key = fc.constantFrom('User', 'Todo', '[Todo]', '{Todo}', '[User | Todo]', '__proto__', 'constructor', '')
  const pk = fc.constantFrom('1', '7', '{}', '{"a":1}', '[]', 'null', '5', '__proto__', 'toString', '{"a":{"b":1}}')
  const line = fc.constantFrom('GET /todos/1', 'GET /todos', 'GET /map', 'GET /any', 'GET /plain', '__proto__')
  const value = fc.oneof(
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown> },
    fc.constantFrom<unknown>(
      '1',
      '{}',
      ['1', '7'],
      [null, 5, {}, ['1']],
      { id: '1', author: '1' },
      { id: '1', author: { a: 1 } },
    ),
    fc.constantFrom<unknown>(
      [{ id: '1', schema: 'todo' }],
      [{ id: 1, schema: 'x' }],
      { a: '1', b: 5 },
      Number.NaN,
      Symbol('x'),
    ),
  )
  const times = fc.oneof(
    fc.constant<unknown>(fresh),
    fc.record(
      { date: value, fetchedAt: value, expiresAt: value, error: value, invalidated: value },
      { requiredKeys: [] },
    ),
    value,
  )
  const tablesOf = (row: fc.Arbitrary<unknown>) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.dictionary(key, fc.oneof({ weight: 4, arbitrary: fc.dictionary(pk, row) }, value)) },
      value,
    )
  const rowsOf = (row: fc.Arbitrary<unknown>) => fc.oneof({ weight: 4, arbitrary: fc.dictionary(line, row) }, value)
  const state = fc.record(
    {
      entities: tablesOf(value),
      entitiesMeta: tablesOf(times),
      endpoints: rowsOf(value),
      meta: rowsOf(times),
      indexes: value,
      optimistic: value,
      lastReset: fc.oneof(value, fc.double()),
    },
    { requiredKeys: [] },
  )
  fetchResponse.mockImplementation(async (url) =>
    Response.json(
      url.endsWith('1') ? { id: '1', title: 'new' } : url === '/plain' ? 5 : url === '/map' ? { a: { id: '1' } } : [],
    ),
  )
  await fc.assert(
    fc.asyncProperty(state, async (initialState) => {
      const { controller, view, getState, stop } = createStore({
        clock,
        initialState: initialState as unknown as State,
      })
      const reads: [any, ...any[]][] = [[Todos.get, { id: '1' }], [Todos.getList], [getMap], [getAny], [getPlain]]
      for (const [endpoint, ...args] of reads) {
        controller.getResponse(endpoint, ...args)
        view(endpoint, ...(args as [])).subscribe(() => {})
      }
      controller.get(Todo, { id: '1' })
      controller.get(Todo, { id: '1' }, initialState as unknown as State)
      void getState().entities
      for (const [endpoint, ...args] of reads) {
        await controller.fetch(endpoint, ...args)
        expect(controller.getError(endpoint, ...args)).toBeUndefined()
      }
      await controller.set(Todo, { id: '1' }, { id: '1', title: 'set' })
      expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'set' })
      stop()
    }),
  )
})
