import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { INVALID } from '../schema/Schema.ts'
import { Union } from '../kinds/Union.ts'
import { Values } from '../kinds/Values.ts'
import { deserializeState, serializeState } from '../client/serialize.ts'
import { initialState } from '../store/initialState.ts'
import type { State } from '../store/stateShape.ts'
import { TestClock } from '../testing/TestClock.ts'
import { ids, pendingIn, plain, sight } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { Todo, User } from '../testing/entities.ts'
import {
  allTodos,
  createTodo,
  deleteTodo,
  getPlain,
  getTodo,
  getTodos,
  getUser,
  optimistic,
  putTodo,
  todos,
} from '../testing/todoEndpoints.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'

const NOW = 1_000_000
let clock: TestClock
let driver: Driver
beforeEach(() => {
  clock = new TestClock(NOW)
  driver = createDriver(clock)
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

class Named extends Entity {
  id = ''
  name = ''
  static override key = 'Named'
  static override indexes = ['name']
}
const getNamed = endpoint('/named', Named)

const start = (): void => {
  driver.open(getTodos, [{}]).answer([
    { id: '2', title: 'b', author: { id: '5', name: 'Ann' } },
    { id: '1', title: 'a', author: { id: '5', name: 'Ann' } },
    { id: '10', title: 'c' },
  ])
  driver.open(getNamed, []).answer({ id: 'n', name: 'bob' })
}

describe('pictures', () => {
  test('ST-1 the initial state is empty', () => {
    const empty = {
      entities: {},
      endpoints: {},
      indexes: {},
      meta: {},
      entitiesMeta: {},
      optimistic: [],
      lastReset: 0,
    }
    expect(initialState).toEqual(empty)
    expect(driver.getState()).toEqual(empty)
  })

  test('ST-3 a reset of a store without rows is a new state', () => {
    const before = driver.getState()
    driver.reset()
    expect(driver.getState()).toEqual({ ...before, lastReset: NOW })
    expect(before.lastReset).toBe(0)
  })

  test('ST-3 a picture of an empty store stays empty, looked at late', () => {
    const empty = driver.getState()
    start()
    const full = driver.getState()
    driver.reset()
    expect(empty).toEqual(initialState)
    expect(Object.keys(full.entities['Todo']!)).toEqual(['1', '2', '10'])
    const copy = createDriver(clock)
    copy.restore(empty)
    expect(copy.getState()).toEqual(initialState)
  })

  test('ST-2 ST-17 the outward shape: null-prototype tables, without numbers', () => {
    start()
    driver.open(getUser, [{ id: '9' }]).fail(new Error('no'))
    driver.open(deleteTodo, [{ id: '10' }]).answer('10')
    const state = driver.getState()
    const times = { fetchedAt: NOW, date: NOW, expiresAt: NOW + 60_000 }
    const list = getTodos.key({})
    expect(state.entities).toEqual({
      User: { 5: { id: '5', name: 'Ann' } },
      Todo: {
        1: { id: '1', title: 'a', author: '5' },
        2: { id: '2', title: 'b', author: '5' },
        10: INVALID,
      },
      '[Todo]': { '{}': ['2', '1'] },
      Named: { n: { id: 'n', name: 'bob' } },
    })
    expect(state.endpoints).toEqual({ [list]: '{}', [getNamed.key()]: 'n', [deleteTodo.key({ id: '10' })]: '10' })
    expect(state.indexes).toEqual({ Named: { name: { bob: 'n' } } })
    expect(state.entitiesMeta['Todo']).toEqual({ 1: times, 2: times, 10: times })
    expect(state.meta[list]).toEqual(times)
    expect(Object.keys(state.meta[getUser.key({ id: '9' })]!)).not.toContain('sent')
    const tables = [
      state.endpoints,
      state.meta,
      state.entities['Todo'],
      state.entitiesMeta['Todo'],
      state.indexes['Named'],
    ]
    for (const table of tables) {
      expect(Object.getPrototypeOf(table)).toBe(null)
    }
  })

  test('ST-2 ENT-31 a record without a field of its indexes is in none of them', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    driver.set(Named, [{}], { id: 'n', name: 'bob' })
    driver.set(Named, [{}], { id: 'm' })
    expect(driver.getState().indexes).toEqual({ Named: { name: { bob: 'n' } } })
  })

  test('ST-2 hostile names are ordinary keys', () => {
    for (const id of ['__proto__', 'constructor', 'toString']) {
      driver.set(User, [{}], { id, name: id })
    }
    const get = endpoint('x', undefined, { key: () => '__proto__' })
    driver.open(get, []).answer('y')
    const state = driver.getState()
    expect(Object.keys(state.entities['User']!)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(state.endpoints['__proto__']).toBe('y')
    expect(state.entities['User']!['hasOwnProperty']).toBeUndefined()
    const again = createDriver(clock)
    again.restore(deserializeState(serializeState(state)))
    expect(again.getState().entities).toEqual(state.entities)
    expect(again.getState().endpoints).toEqual(state.endpoints)
  })

  test('ST-3 getState is the same object until the next commit', () => {
    start()
    const state = driver.getState()
    expect(driver.getState()).toBe(state)
    driver.read(getTodos, [{}])
    driver.open(getTodo, [{ id: '1' }])
    driver.subscribe(getTodos, [{}], () => {})
    expect(driver.getState()).toBe(state)
    const changes: (() => void)[] = [
      () => driver.set(Todo, [{}], { id: '1', title: 'x' }),
      () => driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'x' }),
      () => driver.open(getPlain, []).fail(new Error('no')),
      () => driver.invalidateKey(getPlain.key()),
      () => driver.expireAll({ testKey: () => true }),
      () => driver.open(optimistic.create, [{}, {}]),
      () => driver.reset(),
    ]
    const met = new Set<object>([state])
    for (const change of changes) {
      change()
      expect(met).not.toContain(driver.getState())
      expect(driver.getState()).toBe(driver.getState())
      met.add(driver.getState())
    }
  })

  test('ST-3 an operation that replaces another counts as a change', () => {
    driver.open(optimistic.create, [{}, { title: 'a' }]).drop()
    const first = driver.open(optimistic.create, [{}, { title: 'a' }])
    const state = driver.getState()
    first.drop()
    const second = driver.open(optimistic.create, [{}, { title: 'a' }])
    expect(driver.getState()).not.toBe(state)
    expect(pendingIn(driver.getState())).toEqual([second.id])
  })

  test.each([
    ['read at once', true],
    ['read late', false],
  ])('ST-3 an old state shows what was shown at that time: %s', (_name, early) => {
    driver = createDriver(clock)
    const steps: (() => void)[] = [
      start,
      () => driver.set(Todo, [{}], { id: '1', title: 'x' }),
      () => driver.open(deleteTodo, [{ id: '2' }]).answer('2'),
      () => driver.open(createTodo, [{}]).answer({ id: '7', title: 'n' }),
      () => driver.set(Named, [{}], { id: 'n', name: 'rob' }),
      () => driver.open(getTodo, [{ id: '2' }]).answer({ id: '2', title: 'back' }),
      () => driver.open(getPlain, []).fail(new Error('no')),
      () => driver.invalidateKey(getTodos.key({})),
      () => driver.expireAll({ testKey: () => true }),
      () => driver.reset(),
      () => driver.open(getTodos, [{}]).answer([{ id: '1' }, { id: '10' }, { id: '2' }]),
      () => driver.set(todos.remove, [{}], { id: '10' }),
    ]
    const pictures: [ReturnType<Driver['getState']>, string][] = []
    for (const step of steps) {
      const state = driver.getState()
      // The text was made at the time.
      const text = serializeState(state)
      if (early) {
        JSON.stringify(state)
      }
      pictures.push([state, text])
      step()
    }
    for (const [state, text] of pictures.reverse()) {
      expect(serializeState(state)).toBe(text)
      expect(plain({ ...state })).toEqual(plain({ ...deserializeState(text), indexes: state.indexes }))
    }
  })

  test('ST-3 a state that was not read is not disturbed by reads of later ones', () => {
    start()
    const first = driver.getState()
    driver.set(Todo, [{}], { id: '1', title: 'x' })
    const second = driver.getState()
    expect(second.entities['Todo']!['1'].title).toBe('x')
    driver.set(Todo, [{}], { id: '1', title: 'y' })
    const third = driver.getState()
    driver.set(Todo, [{}], { id: '1', title: 'z' })
    driver.set(Todo, [{}], { id: '1', title: 'zz' })
    expect(first.entities['Todo']!['1'].title).toBe('a')
    expect(third.entities['Todo']!['1'].title).toBe('y')
    expect(second.entities['Todo']!['1'].title).toBe('x')
    expect(driver.getState().entities['Todo']!['1'].title).toBe('zz')
  })

  test.each([
    ['before a read', false],
    ['afterwards', true],
  ])('ST-3 spread, JSON and deep freezing work: %s', (_name, looked) => {
    start()
    driver.open(getPlain, []).answer({ a: [{ b: 1 }] })
    const state = driver.getState()
    if (looked) {
      void [state.entities, state.endpoints, state.indexes, state.meta, state.entitiesMeta]
    }
    const freeze = (value: any): void => {
      if (typeof value !== 'object' || value === null) {
        return
      }
      Object.freeze(value)
      Object.values(value as object).forEach(freeze)
    }
    freeze(state)
    expect(Object.keys({ ...state })).toEqual(Object.keys(initialState))
    expect(JSON.parse(JSON.stringify(state)).entities.User['5'].name).toBe('Ann')
    const frozen = driver.getState()
    expect(frozen).toBe(state)
    driver.open(getTodos, [{}]).answer([{ id: '1', title: 'x', author: { id: '5', name: 'Bob' } }])
    driver.open(optimistic.put, [{ id: '1' }, { title: 'y' }]).fail(new Error('no'))
    driver.set(todos.push, [{}], { id: '8' })
    driver.open(getPlain, []).answer({ a: [{ b: 2 }] })
    freeze(driver.getState())
    driver.reset()
    start()
    freeze(driver.getState())
    expect(ids(driver, getTodos, {})).toEqual(['2', '1', '10'])
    expect(state.entities['User']!['5'].name).toBe('Ann')
  })

  test('ST-4 tables that did not change keep their reference', () => {
    start()
    driver.open(getPlain, []).answer('x')
    const before = driver.getState()
    void [before.entities, before.entitiesMeta, before.endpoints, before.meta, before.indexes]
    driver.set(Todo, [{}], { id: '1', title: 'x' })
    const after = driver.getState()
    expect(after.entities['User']).toBe(before.entities['User'])
    expect(after.entitiesMeta['User']).toBe(before.entitiesMeta['User'])
    expect(after.entities['[Todo]']).toBe(before.entities['[Todo]'])
    expect(after.entities['Todo']).not.toBe(before.entities['Todo'])
    expect(after.entities['Todo']!['2']).toBe(before.entities['Todo']!['2'])
    expect(after.endpoints).toBe(before.endpoints)
    expect(after.meta).toBe(before.meta)
    // The same response again changes times and nothing else.
    clock.time += 5
    driver.open(getUser, [{ id: '5' }]).answer({ id: '5', name: 'Ann' })
    const third = driver.getState()
    expect(third.entities['Todo']).toBe(after.entities['Todo'])
    expect(third.entitiesMeta['User']).not.toBe(after.entitiesMeta['User'])
    expect(third.entitiesMeta['Todo']).toBe(after.entitiesMeta['Todo'])
    driver.open(optimistic.put, [{ id: '1' }, { title: 'y' }])
    const fourth = driver.getState()
    expect(fourth.entities['Todo']).toBe(after.entities['Todo'])
    expect(fourth.meta).toBe(third.meta)
  })
})

describe('serialising', () => {
  const again = (state = driver.getState()): Driver => {
    const other = createDriver(clock)
    other.restore(deserializeState(serializeState(state)))
    return other
  }

  test('ST-5 ST-15 a restored state keeps the later of the two resets', async () => {
    driver.reset()
    const state = driver.getState()
    await clock.pass(50)
    const other = createDriver(clock)
    other.reset()
    other.restore(deserializeState(serializeState(state)))
    expect([state.lastReset, other.getState().lastReset]).toEqual([NOW, NOW + 50])
  })

  test('ST-5 ALL-3 tombstones, errors, Infinity, undefined and the order of integer-like pks survive', () => {
    start()
    const error = Object.assign(new Error('gone'), { name: 'NetworkError', status: 410, code: 'gone', response: {} })
    driver.open(getUser, [{ id: '9' }]).fail(error)
    driver
      .open(endpoint('/for ever', undefined, { dataExpiryLength: Infinity }), [])
      .answer({ x: undefined, y: NaN, z: 5n })
    driver.open(deleteTodo, [{ id: '1' }]).answer('1')
    driver.invalidateKey(getNamed.key())
    driver.setResponse(getPlain, [], null)
    driver.setResponse(getPlain, [1], undefined)
    driver.open(optimistic.create, [{}, { title: 'pending' }])
    const state = driver.getState()
    const other = again()
    expect(other.getState().entities).toEqual(state.entities)
    expect(other.getState().optimistic).toEqual([])
    const targets: [any, any[]][] = [
      [getTodos, [{}]],
      [getTodo, [{ id: '1' }]],
      [getTodo, [{ id: '2' }]],
      [allTodos, []],
      [getUser, [{ id: '9' }]],
      [getUser, [{ id: '5' }]],
      [endpoint('/for ever', undefined), []],
      [getNamed, []],
      [Named, [{ name: 'bob' }]],
      [getPlain, []],
      [getPlain, [1]],
    ]
    const pending = [...driver.store.pending]
    for (const operation of pending) {
      driver.store.removeOperation(operation)
    }
    expect(sight(other, targets)).toEqual(sight(driver, targets))
    expect(other.read(allTodos, []).data.map((todo: Todo) => todo.id)).toEqual(['2', '10'])
    const { error: found } = other.read(getUser, [{ id: '9' }])
    expect(found).toBeInstanceOf(Error)
    expect(found).toMatchObject({
      name: 'NetworkError',
      message: 'gone',
      status: 410,
      code: 'gone',
      stack: error.stack,
    })
    expect(found.response).toBeUndefined()
    expect(other.read(endpoint('/for ever', undefined), []).expiresAt).toBe(Infinity)
    expect(serializeState(other.getState())).toBe(serializeState(again(other.getState()).getState()))
  })

  test('ST-5 the text names its format and keeps rows in order', () => {
    start()
    const text = JSON.parse(serializeState(driver.getState()))
    expect(text).toMatchObject({ format: 1, now: NOW })
    const rows = text.tables.find(([key]: [string]) => key === 'Todo')[1]
    expect(rows.map(([pk]: [string]) => pk)).toEqual(['2', '1', '10'])
    expect(rows[0]).toEqual([
      '2',
      { id: '2', title: 'b', author: '5' },
      { fetchedAt: NOW, date: NOW, expiresAt: NOW + 60_000 },
    ])
  })

  test.each([
    [{ $restitch: 'invalid' }],
    [{ $restitch: 'object', value: { $restitch: 'x' } }],
    [{ $$restitch: 1, $$$restitch: { $restitch: [{ $restitch: 1 }] } }],
    [{ value: 1, '': undefined, __proto__: null, toJSON: 1 }],
    [JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}')],
    [[undefined, null, Infinity, -Infinity, [undefined]]],
  ])('ST-5 data that looks like marks stays data: %j', (value) => {
    driver.setResponse(getPlain, [], value)
    driver.set(User, [{}], { id: '1', name: value })
    const other = again()
    expect(other.read(getPlain, []).data).toEqual(driver.read(getPlain, []).data)
    expect(other.getState().entities).toEqual(driver.getState().entities)
  })

  test('ST-5 COL-8 lists know their arguments, names and endpoints again', () => {
    const named = new Collection([Todo], { name: 'trending' })
    const map = new Collection(new Values(User))
    driver.open(getTodos, [{ group: 'x' }]).answer([{ id: '1', group: 'x' }])
    driver.open(endpoint('/trending', named), [{}]).answer([{ id: '1' }])
    driver.open(endpoint('/map', map), [{}]).answer({ a: { id: '5' } })
    for (const other of [
      again(),
      again(JSON.parse(JSON.stringify(driver.getState())) as ReturnType<Driver['getState']>),
    ]) {
      other.set(todos.push, [{}], { id: '2', group: 'x' })
      other.set(named.push, [{}], { id: '3' })
      other.set(map.assign, [{}], { b: { id: '6' } })
      expect(ids(other, getTodos, { group: 'x' })).toEqual(['1', '2'])
      expect(ids(other, named, {})).toEqual(['1', '3'])
      expect(Object.keys(other.read(map, [{}]).data as object)).toEqual(['a', 'b'])
    }
    const other = again()
    const foreign = other.open(endpoint('/elsewhere', todos), [{ group: 'x' }])
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() => foreign.answer([])).toThrow(/collection-shared/)
  })

  test('ST-5 the outward shape is accepted too; an endless time that JSON lost counts as one', () => {
    start()
    driver.open(endpoint('/for ever', User, { dataExpiryLength: Infinity }), []).answer({ id: '5', name: 'Ann' })
    const other = createDriver(clock)
    other.restore(deserializeState(JSON.stringify(driver.getState())))
    expect(ids(other, getTodos, {})).toEqual(['2', '1', '10'])
    expect(other.read(getUser, [{ id: '5' }])).toMatchObject({ data: { name: 'Ann' }, expiresAt: Infinity })
  })

  test('STO-1 CTL-22 ST-22 a copy of a state is read as the state is, in the order of its members', () => {
    start()
    const state = driver.getState()
    for (const copy of [{ ...state }, JSON.parse(JSON.stringify(state)) as State]) {
      const other = createDriver(clock)
      other.restore(copy)
      expect(ids(other, getTodos, {})).toEqual(['2', '1', '10'])
      expect(driver.read(getTodos, [{}, copy])).toMatchObject({ data: driver.read(getTodos, [{}, state]).data })
      expect(deserializeState(serializeState(copy))).toEqual(deserializeState(JSON.stringify(copy)))
    }
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{"format":1'],
    ['null', 'null'],
    ['a number', '5'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['another format', '{"format":2,"now":0,"lastReset":0,"tables":[],"results":[]}'],
    ['tables of another shape', '{"format":1,"now":0,"lastReset":0,"tables":{},"results":[]}'],
    ['no times', '{"format":1,"now":0,"lastReset":0,"tables":[["User",[["1",{}]]]],"results":[]}'],
    ['no now', '{"format":1,"lastReset":0,"tables":[],"results":[]}'],
    ['an unknown mark', '{"format":1,"now":0,"lastReset":0,"tables":[],"results":[["k",{"$restitch":"?"},{}]]}'],
    [
      'a bad bigint',
      '{"format":1,"now":0,"lastReset":0,"tables":[],"results":[["k",{"$restitch":"bigint","value":"x"},{}]]}',
    ],
    ...['5', '"x"', 'null', '[]', '[1]'].map((value) => [
      `a record that is ${value}`,
      `{"format":1,"now":0,"lastReset":0,"tables":[["User",[["1",${value},{"fetchedAt":1,"date":1,"expiresAt":1}]]]],"results":[]}`,
    ]),
    ...['5', '{}', '{"at":5}', '{"at":{},"loose":[1]}', '{"at":{},"name":5}', '{"at":{},"isMap":true}'].map((list) => [
      `a list that knows ${list}`,
      `{"format":1,"now":0,"lastReset":0,"tables":[["[User]",[["{}",[],{"fetchedAt":1,"date":1,"expiresAt":1},${list}]]]],"results":[]}`,
    ]),
    ['a table that is null', '{"entities":{"User":null},"endpoints":{},"meta":{},"entitiesMeta":{}}'],
    ['a record that is a number', '{"entities":{"User":{"1":5}},"endpoints":{},"meta":{},"entitiesMeta":{}}'],
    ['a list without arguments', '{"entities":{"[User]":{"x":[]}},"endpoints":{},"meta":{},"entitiesMeta":{}}'],
    ['times that are text', '{"entities":{},"endpoints":{"k":1},"meta":{"k":{"date":"x"}},"entitiesMeta":{}}'],
  ])('ST-5 text of another shape is discarded with a warning, never an exception: %s', (_name, text) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    expect(deserializeState(text!)).toBe(initialState)
    if (warn.mock.calls.length > 0) {
      expect(warn.mock.calls[0]![0]).toMatch(/^(A|Rows of a) stored state (was|were) discarded, since /)
    }
    driver.restore(deserializeState(text!))
    expect(driver.getState()).toEqual(initialState)
  })

  test('ST-5 what is nested too deeply for text, or contains itself, is refused with state-not-serializable', () => {
    const ring: Record<string, unknown> = {}
    ring['self'] = ring
    let deep: unknown = 1
    for (let i = 0; i < 10_000; i++) {
      deep = [deep]
    }
    for (const value of [ring, deep]) {
      driver.setResponse(getPlain, [], value)
      expect(() => serializeState(driver.getState())).toThrow(
        expect.objectContaining({
          code: 'state-not-serializable',
          message: expect.stringContaining('nested too deeply, or contains itself'),
          cause: expect.any(Error),
        }),
      )
    }
    const text = `{"format":1,"now":0,"lastReset":0,"tables":[],"results":[["k",${'['.repeat(1e5)}${']'.repeat(1e5)},{}]]}`
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    expect(deserializeState(text)).toBe(initialState)
  })

  test('ST-5 discarding is warned about', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    deserializeState('{"format":77}')
    expect(warn).toHaveBeenCalledOnce()
    expect(warn.mock.calls[0]![0]).toContain('its format is 77, not 1')
  })

  test.each([
    ['ahead', 5000, -5000],
    ['behind', -5000, 0],
  ])('ST-5 times of a clock that runs %s', (_name, ahead, shift) => {
    clock.time = NOW + ahead
    driver.reset()
    driver.open(getUser, [{ id: '5' }]).answer({ id: '5' })
    driver.open(endpoint('/for ever', undefined, { dataExpiryLength: Infinity }), []).answer(1)
    driver.invalidateKey(getTodo.key({ id: '1' }))
    driver.open(getTodos, [{}]).answer([])
    driver.expireAll({ testKey: (key) => key.startsWith('/todos') })
    const state = deserializeState(serializeState(driver.getState()))
    const key = getUser.key({ id: '5' })
    const times = { fetchedAt: NOW + ahead + shift, date: NOW + ahead + shift, expiresAt: NOW + 60_000 + ahead + shift }
    expect(state.meta[key]).toEqual(times)
    expect(state.entitiesMeta['User']!['5']).toEqual(times)
    expect(state.lastReset).toBe(NOW + ahead + shift)
    expect(state.meta['/for ever []']!.expiresAt).toBe(Infinity)
    expect(state.meta[getTodo.key({ id: '1' })]!.expiresAt).toBe(0)
    expect(state.meta[getTodos.key({})]!.expiresAt).toBe(1)
    // A store whose own clock is further behind moves them once more.
    const other = createDriver(new TestClock(NOW - 20_000))
    other.restore(state)
    expect(other.read(getUser, [{ id: '5' }]).expiresAt).toBe(NOW + 40_000)
  })

  test('ST-17 restored rows have number 0: a first response wins, whatever the times say', () => {
    clock.time = NOW
    start()
    driver.open(deleteTodo, [{ id: '2' }]).answer('2')
    const other = again()
    for (const table of other.store.tables.tables.values()) {
      for (const row of table.rows) {
        expect(row.meta).toMatchObject({ sent: 0, at: 0, kind: 'read' })
      }
    }
    expect(other.store.reached).toBe(0)
    const request = other.open(getTodos, [{}])
    expect(request.action.meta.sent).toBe(1)
    request.answer([{ id: '2', title: 'back' }])
    expect(other.read(getTodos, [{}]).data).toMatchObject([{ id: '2', title: 'back' }])
    expect(serializeState(driver.getState())).not.toMatch(/"sent"|"kind"/)
  })

  test('ST-17 restoring into a live store fills what is missing and replaces only what was restored, by date', () => {
    start()
    const old = deserializeState(serializeState(driver.getState()))
    clock.time += 10
    vi.setSystemTime(clock.time)
    driver.set(Todo, [{}], { id: '1', title: 'newer' })
    driver.open(getUser, [{ id: '7' }]).answer({ id: '7' })
    const newer = deserializeState(serializeState(driver.getState()))

    const live = createDriver(clock)
    live.open(getTodo, [{ id: '2' }]).answer({ id: '2', title: 'live' })
    live.open(deleteTodo, [{ id: '10' }]).answer('10')
    live.restore(old)
    const titles = (): unknown[] => ['1', '2', '10'].map((id) => live.read(Todo, [{ id }]).data?.title)
    expect(titles()).toEqual(['a', 'live', undefined])
    expect(ids(live, getTodos, {})).toEqual(['2', '1'])
    expect(live.read(getUser, [{ id: '7' }]).data).toBeUndefined()
    live.restore(newer)
    expect(titles()).toEqual(['newer', 'live', undefined])
    expect(live.read(getUser, [{ id: '7' }]).data.id).toBe('7')
    live.restore(old)
    expect(titles()).toEqual(['newer', 'live', undefined])
    live.set(Todo, [{}], { id: '1', title: 'live too' })
    live.restore(newer)
    expect(titles()).toEqual(['live too', 'live', undefined])
    // Dates rank only what was restored.
    clock.time += 10
    vi.setSystemTime(clock.time)
    driver.set(Todo, [{}], { id: '2', title: 'newest' })
    live.restore(driver.getState())
    expect(titles()).toEqual(['live too', 'live', undefined])
  })

  test('ST-17 a request that is open at the time wins over restored rows', () => {
    start()
    const state = driver.getState()
    const live = createDriver(clock)
    const request = live.open(getTodos, [{}])
    live.restore(state)
    request.answer([{ id: '1', title: 'answered' }])
    expect(live.read(getTodos, [{}]).data).toMatchObject([{ title: 'answered', author: { name: 'Ann' } }])
  })

  test('ST-17 readers are notified of restored rows, and of nothing else', () => {
    start()
    const state = driver.getState()
    const live = createDriver(clock)
    const told = vi.fn()
    live.subscribe(getTodos, [{}], told)
    live.restore(state)
    expect(told).toHaveBeenCalledOnce()
    live.restore(state)
    expect(told).toHaveBeenCalledOnce()
    driver.open(getPlain, []).fail(new Error('no'))
    const waiting = createDriver(clock)
    const freshness: string[] = []
    waiting.subscribe(getPlain, [], (what) => freshness.push(what))
    waiting.restore(driver.getState())
    expect(freshness).toEqual(['freshness'])
  })

  test('ST-5 unions, and lists of them', () => {
    class Cat extends Entity {
      id = ''
      type = 'cat'
      static override key = 'Cat'
    }
    class Dog extends Entity {
      id = ''
      type = 'dog'
      static override key = 'Dog'
    }
    const pets = new Collection([new Union({ cat: Cat, dog: Dog }, 'type')])
    driver.open(endpoint('/pets', pets), [{}]).answer([
      { id: '1', type: 'dog' },
      { id: '1', type: 'cat' },
    ])
    const other = again()
    other.set(pets.push, [{}], { id: '2', type: 'cat' })
    expect(other.read(pets, [{}]).data.map((pet: any) => [pet.constructor, pet.id])).toEqual([
      [Dog, '1'],
      [Cat, '1'],
      [Cat, '2'],
    ])
    driver.open(putTodo, [{ id: '1' }]).drop()
  })
})

describe('a wall clock that is set', () => {
  const HOUR = 3_600_000
  const get = endpoint('/user/:id', User, { dataExpiryLength: 30_000 })
  const isFresh = (of: Driver, at: number = of.store.clock.now()): boolean =>
    of.read(get, [{ id: '1' }]).expiresAt >= at
  let set: TestClock
  const run = (milliseconds: number): void => {
    set.time += milliseconds
    driver.store.clock.now()
  }
  beforeEach(() => {
    set = new TestClock(10 * HOUR)
    driver = createDriver(set)
    driver.open(get, [{ id: '1' }]).answer({ id: '1', name: 'Ann' })
  })

  test.each([-1_000, 1_000])('ST-21 EXP-3 by %i ms: fresh data stays fresh, and old data is old', (by) => {
    run(10_000)
    set.time += by
    expect(isFresh(driver)).toBe(true)
    run(30_000)
    expect(isFresh(driver)).toBe(false)
  })

  test.each([-HOUR, HOUR])(
    'ST-21 EXP-3 by %i ms: data that has expired since then is stale, however rarely time is read',
    (by) => {
      set.time += by
      set.time += 120_000
      expect(isFresh(driver)).toBe(false)
    },
  )

  test.each([-HOUR, 0, HOUR])('ST-21 ST-17 by %i ms: a serialised state has wall times, and keeps its ages', (by) => {
    const long = endpoint('/long', User, { dataExpiryLength: 10 * HOUR })
    driver.open(long, []).answer({ id: '2', name: 'Bob' })
    run(10_000)
    set.time += by
    driver.store.clock.now()
    const text = serializeState(driver.getState())
    run(5_000)
    vi.setSystemTime(set.time)
    const state = deserializeState(text)
    // A step counts as time that passed.
    const age = 15_000 + Math.abs(by)
    expect(set.time - state.meta[long.key()]!.date).toBe(age)
    const other = createDriver(new TestClock(set.time))
    other.restore(state)
    expect(other.store.clock.now() - other.getState().meta[long.key()]!.date).toBe(age)
  })

  test('ST-21 a state that is read by the store it was taken from has the times of that store', () => {
    const state = driver.getState()
    run(10_000)
    set.time -= HOUR
    const copy = createDriver(driver.store.clock)
    copy.restore(state)
    expect(copy.getState().meta).toEqual(state.meta)
  })
})
