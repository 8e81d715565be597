import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { All } from '../kinds/All.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Query } from '../kinds/Query.ts'
import { isOptimistic } from '../reading/isOptimistic.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { committed, ids, pendingIn, sight, type DrivenRequest } from '../testing/drivers.ts'
import { endpoint, mutation } from '../testing/endpoints.ts'
import { Todo, User, Whole } from '../testing/entities.ts'
import { permutations } from '../testing/permutations.ts'
import {
  allTodos,
  createTodo,
  deleteTodo,
  dropTodo,
  getTodo,
  getTodos,
  getUser,
  getWhole,
  optimistic,
  putTodo,
  todos,
} from '../testing/todoEndpoints.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { ExpiryStatus } from './Reading.ts'

let clock: TestClock
let driver: Driver
let errors: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  clock = new TestClock()
  driver = createDriver(clock)
  errors = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

/** The server refuses: nothing was done (RES-15). */
const no = Object.assign(new Error('no'), { status: 422 })
const title = (id = '1'): unknown => driver.read(Todo, [{ id }]).data?.title
const start = (): void =>
  driver.open(getTodos, [{}]).answer([
    { id: '1', title: 'a', group: 'x', author: { id: '5', name: 'Ann' } },
    { id: '2', title: 'b', group: 'x', author: { id: '5', name: 'Ann' } },
  ])

test('OPT-1 an operation is pending from the call on, and getState lists it without applying it', () => {
  start()
  const before = driver.getState()
  const first = driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
  const second = driver.open(optimistic.create, [{}, { title: 'y' }])
  const state = driver.getState()
  expect(state).not.toBe(before)
  expect(pendingIn(state)).toEqual([first.id, second.id])
  expect(state.entities['Todo']).toBe(before.entities['Todo'])
  expect(title()).toBe('x')
  second.answer({ id: '3', title: 'y' })
  const third = driver.open(optimistic.put, [{ id: '1' }, { title: 'z' }])
  expect(pendingIn(driver.getState())).toEqual([first.id, third.id])
  expect(pendingIn(state)).toEqual([first.id, second.id])
})

test('OPT-2 each call sees the store as built so far; it is replayed only when a row it read or wrote has changed', () => {
  start()
  const seen: [number, unknown][] = []
  let endpointThis: unknown
  const append = endpoint('APPEND', Todo, {
    sideEffect: true,
    getOptimisticResponse(this: unknown, snapshot: any, { id }: any, text: string) {
      endpointThis = this
      const todo = snapshot.get(Todo, { id })
      seen.push([snapshot.fetchedAt, todo.title])
      return { id, title: todo.title + text }
    },
  })
  driver.open(append, [{ id: '1' }, 'b'])
  clock.time += 5
  const second = driver.open(append, [{ id: '1' }, 'c'])
  expect(title()).toBe('abc')
  expect(seen.splice(0)).toEqual([
    [1_000_000, 'a'],
    [1_000_005, 'ab'],
  ])
  expect(endpointThis).toBe(append)
  driver.set(User, [{}], { id: '9', name: 'unrelated' })
  driver.set(Todo, [{}], { id: '2', title: 'unrelated' })
  expect(seen).toEqual([])
  driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'A' })
  expect(title()).toBe('Abc')
  expect(seen.splice(0)).toEqual([
    [1_000_000, 'A'],
    [1_000_005, 'Ab'],
  ])
  second.fail(no)
  expect(title()).toBe('Ab')
  expect(seen).toEqual([])
})

test.each([
  ['all records', (snapshot: any) => snapshot.get(new Query(new All(Todo), (all) => all.length))],
  ['an index', (snapshot: any) => snapshot.get(Named, { name: 'n' })?.id],
  ['a result', (snapshot: any) => snapshot.getResponse(getUser, { id: '7' }).data?.id],
  ['an error', (snapshot: any) => snapshot.getError(getUser, { id: '7' })?.message],
])('OPT-2 is replayed when something it read changes: %s', (_name, ask) => {
  start()
  const op = endpoint('OP', User, {
    sideEffect: true,
    getOptimisticResponse: (snapshot: any) => ({ id: 'op', name: String(ask(snapshot)) }),
  })
  driver.open(op, [])
  const shown = (): unknown => driver.read(User, [{ id: 'op' }]).data.name
  const before = shown()
  driver.set(Todo, [{}], { id: '3' })
  driver.set(Named, [{}], { id: '4', name: 'n' })
  driver.set(User, [{}], { id: '7' })
  driver.open(getUser, [{ id: '7' }]).fail(no)
  expect([before, shown()]).not.toEqual([before, before])
})

test('OPT-2 is replayed when a row changes that it wrote without reading it, since `merge` combines the two', () => {
  driver.open(getWhole, [{ id: '1' }]).answer({ id: '1', name: 'a', group: 'x' })
  const put = endpoint('PUT', Whole, { sideEffect: true, getOptimisticResponse: () => ({ id: '1', name: 'pending' }) })
  const request = driver.open(put, [])
  driver.open(getWhole, [{ id: '1' }]).answer({ id: '1', name: 'b', group: 'y' })
  const shown = (): unknown => driver.read(Whole, [{ id: '1' }]).data
  expect(shown()).toEqual({ id: '1', name: 'pending', group: 'y' })
  request.fail(no)
  expect(shown()).toEqual({ id: '1', name: 'b', group: 'y' })
})

test('OPT-3 COL-40 lists follow a pending change of a record, and return when it fails', () => {
  start()
  for (const group of ['x', 'y']) {
    driver.open(getTodos, [{ group }]).answer(group === 'x' ? [{ id: '1', group }] : [])
  }
  const lists = (): unknown => ['x', 'y'].map((group) => ids(driver, getTodos, { group }))
  const request = driver.open(optimistic.put, [{ id: '1' }, { group: 'y' }])
  expect(lists()).toEqual([[], ['1']])
  request.fail(no)
  expect(lists()).toEqual([['1'], []])
})

test('OPT-11 CTL-16 a snapshot reads nothing where the arguments are null', () => {
  const get = endpoint('/user/:id', User, { key: ({ id }: { id: string }) => `user ${id}` })
  const op = endpoint('OP', User, {
    sideEffect: true,
    getOptimisticResponse: (snapshot: any) => ({
      id: 'op',
      name: String([snapshot.getResponse(get, null).data, snapshot.get(User, null)].map(String)),
    }),
  })
  driver.open(op, [])
  expect(driver.read(User, [{ id: 'op' }]).data?.name).toBe('undefined,undefined')
  expect(errors).not.toHaveBeenCalled()
})

class Named extends Entity {
  id = ''
  name = ''
  static override key = 'Named'
  static override indexes = ['name']
}

test('OPT-3 the value is treated as the response: schema, update and Collections apply; process of the endpoint does not', () => {
  start()
  const process = vi.fn()
  const create = Object.assign(() => Promise.resolve(), {
    ...optimistic.create,
    process,
    parseResponse: process,
    update: (id: string) => ({ last: () => id }),
  })
  driver.open(create, [{}, { id: '9', title: 'n', author: { id: '6', name: 'Bob' } }])
  expect(ids(driver, getTodos, {})).toEqual(['1', '2', '9'])
  expect(driver.read(getUser, [{ id: '6' }]).data.name).toBe('Bob')
  expect(driver.read(endpoint('', undefined, { key: () => 'last' }), []).data).toBe('9')
  expect(process).not.toHaveBeenCalled()
})

describe('settling', () => {
  test('OPT-4 success: the operation goes and the response comes in one step', async () => {
    start()
    await tick()
    const shown: unknown[] = []
    driver.subscribe(getTodos, [{}], () => shown.push(ids(driver, getTodos, {})))
    const create = driver.open(optimistic.create, [{}, { title: 'n' }])
    await tick()
    create.answer({ id: '3', title: 'n' })
    await tick()
    expect(shown).toEqual([
      ['1', '2', `optimistic-${create.id}-0`],
      ['1', '2', '3'],
    ])
  })

  test('OPT-4 failure: it goes, and the error stands under the key of the mutation', () => {
    start()
    const put = driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
    put.fail(no)
    expect(title()).toBe('a')
    expect(driver.getState().meta[optimistic.put.key({ id: '1' }, { title: 'x' })]).toMatchObject({ error: no })
    const other = driver.open(optimistic.put, [{ id: '1' }, { title: 'y' }])
    other.drop()
    expect(title()).toBe('a')
    expect(driver.getState().meta).not.toHaveProperty([optimistic.put.key({ id: '1' }, { title: 'y' })])
  })

  test('OPT-4 a refused response removes the operation', () => {
    start()
    const put = driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
    expect(() => put.answer({ title: 'no pk' })).toThrow()
    expect(title()).toBe('a')
    expect(driver.getState().optimistic).toEqual([])
  })

  test('OPT-5 later operations stay, and toggles compose', () => {
    start()
    const toggle = endpoint('TOGGLE', Todo, {
      sideEffect: true,
      getOptimisticResponse: (snapshot: any, { id }: any) => ({ id, done: !snapshot.get(Todo, { id }).done }),
    })
    const done = (): unknown => driver.read(Todo, [{ id: '1' }]).data.done
    const requests = [1, 2, 3].map(() => driver.open(toggle, [{ id: '1' }]))
    expect(done()).toBe(true)
    requests[0]!.answer({ id: '1', done: true })
    expect(done()).toBe(true)
    requests[1]!.fail(no)
    expect(done()).toBe(false)
    requests[2]!.answer({ id: '1', done: false })
    expect(done()).toBe(false)
  })

  test('OPT-6 throw snapshot.abort: no effect now, but once the data is there', () => {
    const put = driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
    expect(driver.read(Todo, [{ id: '1' }]).data).toBeUndefined()
    expect(errors).not.toHaveBeenCalled()
    start()
    expect(title()).toBe('x')
    driver.open(deleteTodo, [{ id: '1' }]).answer('1')
    expect(driver.read(Todo, [{ id: '1' }]).data).toBeUndefined()
    put.answer({ id: '1', title: 'X' })
    expect(driver.getState().optimistic).toEqual([])
  })

  test('OPT-6 a restored state counts as data that is there', () => {
    start()
    const state = driver.getState()
    driver = createDriver(clock)
    driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
    driver.restore(state)
    expect(title()).toBe('x')
    expect(title('2')).toBe('b')
  })

  test('OPT-7 an exception of a request that was sent is logged, has no effect, and the outcome decides', () => {
    start()
    const before = sight(driver, [[getTodos, [{}]]])
    const bad = endpoint('BAD', Todo, {
      sideEffect: true,
      getOptimisticResponse: () => {
        throw no
      },
    })
    const worse = endpoint('WORSE', Todo, { sideEffect: true, getOptimisticResponse: () => ({ title: 'no pk' }) })
    const a = driver.open(bad, [])
    const b = driver.open(worse, [])
    expect(errors).toHaveBeenCalledTimes(2)
    expect(errors).toHaveBeenCalledWith(no)
    expect(sight(driver, [[getTodos, [{}]]])).toEqual(before)
    expect(driver.read(bad, []).error).toBeUndefined()
    a.answer({ id: '1', title: 'A' })
    b.fail(no)
    expect(title()).toBe('A')
    expect(driver.store.pending).toEqual([])
  })

  test.each(permutations([0, 1, 2]))(
    'OPT-8 O2 O4 three of one key in one millisecond settle each for itself (%i %i %i)',
    (...order) => {
      start()
      const requests = [0, 1, 2].map((i) => driver.open(optimistic.create, [{}, { title: `t${i}` }]))
      const left = new Set([0, 1, 2])
      const made: string[] = []
      for (const i of order) {
        requests[i]!.answer({ id: `n${i}`, title: `t${i}` })
        left.delete(i)
        made.push(`n${i}`)
        const pending = [...left].map((j) => `optimistic-${requests[j]!.id}-0`)
        expect(ids(driver, getTodos, {})).toEqual(['1', '2', ...made, ...pending])
      }
      expect(driver.store.pending).toEqual([])
    },
  )
})

describe('creates', () => {
  test('OPT-9 a stand-in keeps its pk through replays, and shows it by pk() and id', () => {
    start()
    const create = driver.open(optimistic.create, [
      {},
      [{ title: 'm' }, { title: 'n' }].map((todo) => todo) as unknown as object,
    ])
    create.drop()
    const request = driver.open(optimistic.create, [{}, { title: 'm' }])
    const pk = `optimistic-${request.id}-0`
    const stand = driver.read(getTodos, [{}]).data[2]
    expect(stand.pk()).toBe(pk)
    expect(stand.id).toBe(pk)
    expect(Object.keys(stand as object)).not.toContain('pk')
    driver.open(getTodos, [{}]).answer([{ id: '2' }, { id: '1' }])
    expect(ids(driver, getTodos, {})).toEqual(['2', '1', pk])
    expect(driver.read(getTodos, [{}]).data[2]).toBe(stand)
    expect(driver.read(allTodos, []).data.map((todo: Todo) => todo.pk())).toEqual(['1', '2', pk])
    request.answer({ id: '7', title: 'm' })
    expect(ids(driver, getTodos, {})).toEqual(['2', '1', '7'])
    expect(driver.read(allTodos, []).data.map((todo: Todo) => todo.pk())).toEqual(['1', '2', '7'])
    expect(driver.read(Todo, [pk]).data).toBeUndefined()
  })

  class Numbered extends Entity {
    id = 0
    title = ''
    static override key = 'Numbered'
  }
  class Composite extends Entity {
    id = ''
    owner = ''
    name = ''
    static override key = 'Composite'
    override pk(): string | undefined {
      return this.owner && this.name && this.id ? `${this.owner}/${this.name}` : undefined
    }
  }
  const creation = (list: Collection): any =>
    endpoint('NEW', list.push, {
      sideEffect: true,
      getOptimisticResponse: (_: unknown, __: unknown, body: object) => body,
    })

  test('OPT-9 a temporary id has the type that the class declares, is unique, and stays through replays', () => {
    const list = new Collection([Numbered])
    const get = endpoint('/numbered', list)
    const create = creation(list)
    driver.open(get, [{}]).answer([{ id: 1, title: 'a' }])
    const requests = ['b', 'c'].map((title) => driver.open(create, [{}, { title }]))
    const shown = (): Numbered[] => driver.read(get, [{}]).data
    const pending = shown().slice(1)
    const temporary = pending.map(({ id }) => id)
    expect(temporary.map((id) => typeof id)).toEqual(['number', 'number'])
    expect(new Set(temporary).size).toBe(2)
    expect(pending.map(isOptimistic)).toEqual([true, true])
    // A link to it leads to the record.
    expect(driver.read(Numbered, [{ id: temporary[0] }]).data).toBe(pending[0])
    driver.open(get, [{}]).answer([
      { id: 1, title: 'a' },
      { id: 2, title: 'z' },
    ])
    expect(
      shown()
        .slice(2)
        .map(({ id }) => id),
    ).toEqual(temporary)
    requests[0]!.answer({ id: 7, title: 'b' })
    expect(shown().map(({ id }) => id)).toEqual([1, 2, 7, temporary[1]])
    expect(shown().map(isOptimistic)).toEqual([false, false, false, true])
    requests[1]!.fail(no)
    expect(shown().map(({ id }) => id)).toEqual([1, 2, 7])
    expect(JSON.stringify(driver.getState().entities)).not.toContain(String(temporary[0]))
  })

  test('OPT-9 a class that overrides pk() keeps its fields', () => {
    const list = new Collection([Composite])
    const get = endpoint('/composite', list)
    driver.open(get, [{}]).answer([])
    driver.open(creation(list), [{}, { owner: 'ann' }])
    const [pending] = driver.read(get, [{}]).data
    expect(pending).toMatchObject({ id: '', owner: 'ann' })
    expect(pending.pk()).toMatch(/^optimistic-/)
  })

  test('OPT-9 several records of one request have several', () => {
    start()
    const batch = endpoint('BATCH', todos.push, {
      sideEffect: true,
      getOptimisticResponse: (_: unknown, __: unknown, items: object[]) => items,
    })
    const request = driver.open(batch, [{}, [{ title: 'm' }, { id: '8' }, { title: 'n' }]])
    const pks = [0, 1].map((i) => `optimistic-${request.id}-${i}`)
    expect(ids(driver, getTodos, {})).toEqual(['1', '2', pks[0], '8', pks[1]])
    driver.open(getTodos, [{}]).answer([{ id: '1' }])
    expect(ids(driver, getTodos, {})).toEqual(['1', pks[0], '8', pks[1]])
  })

  test('OPT-9 a list that is loaded while the create is pending shows it', () => {
    const request = driver.open(optimistic.create, [{}, { title: 'n' }])
    expect(driver.read(getTodos, [{}]).data).toBeUndefined()
    start()
    expect(ids(driver, getTodos, {})).toEqual(['1', '2', `optimistic-${request.id}-0`])
  })
})

describe('many pending changes of one long list', () => {
  const LONG = 1000
  const MANY = 40
  let visited = 0
  /** The committed list, with its items counted as they are read. */
  const countVisits = (): void => {
    const row = driver.store.tables.table('[Todo]').row('{}')
    const count = (target: object, name: string | symbol): unknown => {
      visited += typeof name === 'string' && /^\d/.test(name) ? 1 : 0
      return Reflect.get(target, name)
    }
    row.value = new Proxy([...(row.value as string[])], { get: count })
  }
  let runs = 0
  const counted = (schema: unknown): any =>
    endpoint('POST', schema, {
      sideEffect: true,
      getOptimisticResponse: (_: unknown, ___: unknown, body: object) => (runs++, body),
    })

  test.each<[string, unknown, (i: number) => object]>([
    ['push', todos.push, (i) => ({ title: `${i}` })],
    ['unshift', todos.unshift, (i) => ({ title: `${i}` })],
    ['remove', todos.remove, (i) => ({ id: `${i}` })],
    ['move', todos.move, (i) => ({ id: `${i}`, group: 'y' })],
    ['a member of the response', { todo: todos.push }, (i) => ({ todo: { title: `${i}` } })],
  ])(
    'OPT-2 OPT-5 each response costs one pass over the list, and runs no other operation again: %s',
    (_, schema, body) => {
      driver.open(getTodos, [{}]).answer(Array.from({ length: LONG }, (__, i) => ({ id: `${i}`, group: 'x' })))
      driver.open(getTodos, [{ group: 'x' }]).answer([])
      const post = counted(schema)
      runs = 0
      const requests = Array.from({ length: MANY }, (__, i) => driver.open(post, [{}, body(i)]))
      const expected = ids(driver, getTodos, {})
      visited = 0
      for (const [i, request] of requests.entries()) {
        countVisits()
        const next: any = body(i)
        const todo = next.todo ?? next
        request.answer(next.todo ? { todo: { id: `new ${i}`, ...todo } } : { id: `new ${i}`, ...todo })
        expect(ids(driver, getTodos, {})).toHaveLength(expected!.length)
      }
      expect(runs).toBe(MANY)
      expect(visited).toBeLessThan(8 * LONG * MANY)
      expect(driver.store.pending).toEqual([])
    },
  )

  test('PAG-4 OPT-5 the number beside a long list follows pending changes of every kind', () => {
    const counted = new Collection([Todo], { counts: ['total'] })
    const getCounted = endpoint('/counted', { items: counted, total: 0 })
    driver.open(getCounted, [{}]).answer({
      items: Array.from({ length: LONG }, (_, i) => ({ id: `${i}` })),
      total: LONG,
    })
    const write = (schema: unknown): any =>
      endpoint('WRITE', schema, {
        sideEffect: true,
        getOptimisticResponse: (_: unknown, __: unknown, body: any) => body,
      })
    const total = (): number => driver.read(getCounted, [{}]).data.total
    const [push, drop] = [write(counted.push), write(counted.remove)]
    const own = write({
      first: counted.push,
      second: counted.addWith((old: any[], fresh: any[]) => [...fresh, ...old]),
    })
    const requests = Array.from({ length: MANY }, () => driver.open(push, [{}, { title: 'new' }]))
    expect(total()).toBe(LONG + MANY)
    const others = [
      driver.open(drop, [{}, { id: '5' }]),
      driver.open(push, [{}, { id: '6' }]),
      driver.open(drop, [{}, { id: 'x' }]),
      driver.open(push, [{}, { id: '5' }]),
      driver.open(own, [{}, { first: { id: 'a' }, second: { id: 'b' } }]),
    ]
    expect(total()).toBe(LONG + MANY + 2)
    for (const [i, request] of requests.entries()) {
      request.answer({ id: `new ${i}` })
      expect(total()).toBe(LONG + MANY + 2)
    }
    expect(driver.read(getCounted, [{}]).data.items).toHaveLength(LONG + MANY + 2)
    for (const request of others) {
      request.fail(no)
    }
    expect(total()).toBe(LONG + MANY)
  })

  test('OPT-5 OPT-10 a write sent later and a new response of the list keep the pending changes', () => {
    start()
    const [push, drop] = [counted(todos.push), counted(todos.remove)]
    runs = 0
    driver.open(push, [{}, { id: '7' }])
    driver.open(drop, [{}, { id: '1' }])
    driver.open(push, [{}, { id: '8' }])
    expect(ids(driver, getTodos, {})).toEqual(['2', '7', '8'])
    driver.open(getTodos, [{}]).answer([{ id: '3' }, { id: '2' }, { id: '1' }])
    expect(ids(driver, getTodos, {})).toEqual(['3', '2', '7', '8'])
    // The removal, since the list brought its record, and the operation after it.
    expect(runs).toBe(5)
    driver.open(dropTodo, [{}, {}]).answer({ id: '7' })
    expect(ids(driver, getTodos, {})).toEqual(['3', '2', '8'])
    driver.open(createTodo, [{}, {}]).answer({ id: '1' })
    expect(ids(driver, getTodos, {})).toEqual(['3', '2', '1', '8'])
    driver.reset()
    expect(driver.read(getTodos, [{}]).data).toBeUndefined()
  })
})

describe('order', () => {
  test('OPT-10 no read hides a pending operation, whatever its order', () => {
    start()
    const early = driver.open(getTodo, [{ id: '1' }])
    const put = driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
    const late = driver.open(getTodos, [{}])
    late.answer([{ id: '1', title: 'late', done: true }])
    expect(driver.read(getTodos, [{}]).data[0]).toMatchObject({ title: 'x', done: true })
    early.answer({ id: '1', title: 'early' })
    expect(title()).toBe('x')
    put.answer({ id: '1', title: 'X' })
    expect(title()).toBe('X')
  })

  test('OPT-10 the response of a write sent later hides it, for the fields it contained', () => {
    start()
    const put = driver.open(optimistic.put, [{ id: '1' }, { title: 'x', done: true }])
    driver.open(putTodo, [{ id: '1' }]).answer({ id: '1', title: 'later' })
    expect(driver.read(Todo, [{ id: '1' }]).data).toMatchObject({ title: 'later', done: true })
    put.answer({ id: '1', title: 'x', done: true })
    expect(driver.read(Todo, [{ id: '1' }]).data).toMatchObject({ title: 'later', done: true })
  })

  test('OPT-10 also where it only confirms what was stored', () => {
    start()
    const put = driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
    driver.open(putTodo, [{ id: '1' }]).answer({ id: '1', title: 'a' })
    expect(title()).toBe('a')
    put.fail(no)
    expect(title()).toBe('a')
  })

  test('OPT-10 the response of a write sent before leaves it', () => {
    start()
    const before = driver.open(putTodo, [{ id: '1' }])
    driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
    before.answer({ id: '1', title: 'before', done: true })
    expect(driver.read(Todo, [{ id: '1' }]).data).toMatchObject({ title: 'x', done: true })
  })

  test('OPT-10 COL-11 so it is with lists: of an add and a removal of one item the one sent later counts', () => {
    start()
    driver.open(optimistic.create, [{}, { id: '9' }])
    expect(ids(driver, getTodos, {})).toEqual(['1', '2', '9'])
    driver.open(dropTodo, [{ id: '9' }]).answer({ id: '9' })
    expect(ids(driver, getTodos, {})).toEqual(['1', '2'])
    driver.open(optimistic.drop, [{ id: '2' }])
    expect(ids(driver, getTodos, {})).toEqual(['1'])
    driver.open(createTodo, [{}]).answer({ id: '2' })
    expect(ids(driver, getTodos, {})).toEqual(['1', '2'])
    driver.open(getTodos, [{}]).answer([{ id: '1' }, { id: '2' }])
    expect(ids(driver, getTodos, {})).toEqual(['1', '2'])
  })

  test('OPT-10 NOR-13 an operation on a record does not pin what it refers to', () => {
    start()
    driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
    driver.open(getUser, [{ id: '5' }]).answer({ id: '5', name: 'fresh' })
    driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', body: 'fresh', title: 'a' })
    expect(driver.read(Todo, [{ id: '1' }]).data).toMatchObject({
      title: 'x',
      body: 'fresh',
      author: { name: 'fresh' },
    })
  })

  test('OPT-10 O1 one that waits for longer than the patience of the store stays visible', () => {
    start()
    driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
    clock.time += 3_600_000
    driver.open(putTodo, [{ id: '1' }]).answer({ id: '1', done: true })
    expect(driver.read(Todo, [{ id: '1' }]).data).toMatchObject({ title: 'x', done: true })
    driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'read', body: 'b' })
    expect(driver.read(Todo, [{ id: '1' }]).data).toMatchObject({ title: 'x', done: true, body: 'b' })
  })
})

test('OPT-11 what a snapshot offers', () => {
  start()
  driver.open(getUser, [{ id: '6' }]).fail(no)
  let found: any
  const look = endpoint('LOOK', undefined, {
    sideEffect: true,
    getOptimisticResponse: (snapshot: any) => {
      found = {
        get: snapshot.get(Todo, { id: '1' }),
        none: snapshot.get(Todo, { id: '9' }),
        list: snapshot.get(todos, {}),
        query: snapshot.getQueryMeta(Todo, { id: '1' }).data,
        response: snapshot.getResponse(getTodos, {}),
        meta: snapshot.getResponseMeta(getTodos, {}),
        missing: snapshot.getResponse(getUser, { id: '8' }),
        error: snapshot.getError(getUser, { id: '6' }),
        noError: snapshot.getError(getTodos, {}),
        fetchedAt: snapshot.fetchedAt,
        abort: snapshot.abort,
      }
      return 1
    },
  })
  driver.open(look, [])
  expect(found.get).toBeInstanceOf(Todo)
  expect(found.get).toEqual(driver.read(Todo, [{ id: '1' }]).data)
  expect(found.none).toBeUndefined()
  expect(found.list).toHaveLength(2)
  expect(found.query).toEqual(found.get)
  expect(found.response).toMatchObject({ expiryStatus: ExpiryStatus.Valid, expiresAt: 1_060_000 })
  expect(found.response.data).toEqual(driver.read(getTodos, [{}]).data)
  expect(found.meta).toEqual(found.response)
  expect(found.missing).toMatchObject({ data: undefined, expiryStatus: ExpiryStatus.InvalidIfStale })
  expect(found.error).toBe(no)
  expect(found.noError).toBeUndefined()
  expect(found.fetchedAt).toBe(1_000_000)
  expect(found.abort).toBeInstanceOf(Error)
})

test.each<[string, (request: DrivenRequest) => void]>([
  ['fails', (request) => request.fail(no)],
  ['succeeds', (request) => request.answer({ id: '1', title: 'old' })],
])('OPT-13 an operation from before a reset that %s removes none issued after it', (_name, settle) => {
  start()
  const old = driver.open(optimistic.put, [{ id: '1' }, { title: 'old' }])
  driver.reset()
  start()
  const own = driver.open(optimistic.put, [{ id: '1' }, { title: 'new' }])
  settle(old)
  expect(title()).toBe('new')
  expect(pendingIn(driver.getState())).toEqual([own.id])
})

test('OPT-13 reset drops all operations', () => {
  start()
  driver.open(optimistic.create, [{}, { title: 'x' }])
  driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
  driver.reset()
  expect(driver.getState().optimistic).toEqual([])
  expect(driver.read(allTodos, []).data).toBeUndefined()
  start()
  expect(ids(driver, getTodos, {})).toEqual(['1', '2'])
  expect(title()).toBe('a')
})

test('OPT-14 setResponse without a request removes no operation', () => {
  start()
  const args = [{ id: '1' }, { title: 'x' }]
  const put = driver.open(optimistic.put, args)
  driver.setResponse(optimistic.put, args, { id: '1', done: true })
  expect(pendingIn(driver.getState())).toEqual([put.id])
  expect(driver.read(Todo, [{ id: '1' }]).data).toMatchObject({ title: 'x', done: true })
  driver.setError(optimistic.put, args, no)
  expect(pendingIn(driver.getState())).toEqual([put.id])
})

describe('hidden by a pending delete', () => {
  class Note extends Entity {
    id = ''
    todo = Todo.fromJS()
    static override key = 'Note'
    static override schema = { todo: Todo }
  }
  const getNote = endpoint('/note', Note)

  test('OPT-15 O5 a reading says that it waits', () => {
    start()
    driver.open(getTodo, [{ id: '1' }]).answer({ id: '1' })
    driver.open(getNote, [{ id: 'n' }]).answer({ id: 'n', todo: { id: '1' } })
    driver.open(optimistic.delete, [{ id: '1' }])
    const waiting = true
    expect(driver.read(getTodo, [{ id: '1' }])).toMatchObject({ data: undefined, error: undefined, waiting })
    expect(driver.read(Todo, [{ id: '1' }])).toMatchObject({ data: undefined, waiting })
    expect(driver.read(endpoint('/never', Todo), [{ id: '1' }])).toMatchObject({ data: undefined, waiting })
    expect(driver.read(getNote, [{ id: 'n' }])).toMatchObject({ data: undefined, waiting })
    // Records that are there, or just missing, are not waited for.
    expect(ids(driver, getTodos, {})).toEqual(['2'])
    for (const [target, args] of [
      [getTodos, {}],
      [getTodo, { id: '2' }],
      [getTodo, { id: '9' }],
    ]) {
      expect(driver.read(target, [args])).not.toHaveProperty('waiting')
    }
  })

  test('OPT-15 an update of a stored record does not keep the rest of it from being fetched', () => {
    start()
    driver.open(optimistic.put, [{ id: '1' }, { title: 'new' }])
    const detail = driver.read(
      endpoint(
        '/never',
        class extends Todo {
          text = ''
          static override key = 'Todo'
        },
      ),
      [{ id: '1' }],
    )
    expect(detail).toMatchObject({ isPartial: true })
    expect(detail).not.toHaveProperty('waiting')
  })

  test('OPT-15 a deleted record that a pending operation creates again is waited for', () => {
    start()
    driver.open(mutation('/delete', new Invalidate(Todo)), [{ id: '1' }]).answer({ id: '1' })
    const create = mutation('/create', Todo, () => ({ id: '1', title: 'new' }))
    driver.open(create, [{}])
    class Detail extends Todo {
      text = ''
      static override key = 'Todo'
    }
    expect(driver.read(endpoint('/never', Detail), [{ id: '1' }])).toMatchObject({ isPartial: true, waiting: true })
  })

  test('OPT-15 when it fails equal data shows again; when it succeeds readers are judged again', async () => {
    start()
    driver.open(getTodo, [{ id: '1' }]).answer({ id: '1' })
    await tick()
    const before = driver.read(getTodo, [{ id: '1' }])
    const list = driver.read(getTodos, [{}]).data
    const told: string[] = []
    driver.subscribe(getTodo, [{ id: '1' }], (what) => told.push(what))
    const first = driver.open(optimistic.delete, [{ id: '1' }])
    await tick()
    first.fail(no)
    await tick()
    expect(told.splice(0)).toEqual(['value', 'value'])
    const after = driver.read(getTodo, [{ id: '1' }])
    expect(after).toEqual(before)
    expect(driver.read(getTodos, [{}]).data).toEqual(list)
    const second = driver.open(optimistic.delete, [{ id: '1' }])
    const third = driver.open(optimistic.delete, [{ id: '1' }])
    await tick()
    expect(told.splice(0)).toEqual(['value'])
    second.answer('1')
    await tick()
    expect(driver.read(getTodo, [{ id: '1' }])).toMatchObject({ waiting: true, expiryStatus: ExpiryStatus.Invalid })
    told.splice(0)
    third.answer('1')
    await tick()
    expect(told).toEqual(['freshness'])
    expect(driver.read(getTodo, [{ id: '1' }])).not.toHaveProperty('waiting')
  })
})

describe('failure', () => {
  const lists: readonly (readonly [any, readonly any[]])[] = [
    [getTodos, [{}]],
    [getTodos, [{ group: 'x' }]],
    [getTodos, [{ group: 'y' }]],
    [getTodo, [{ id: '1' }]],
    [getTodo, [{ id: '2' }]],
    [getTodo, [{ id: '9' }]],
    [getUser, [{ id: '5' }]],
    [allTodos, []],
    [todos, [{}]],
    [new Query(new All(User)), []],
    [new Query(todos, (list: Todo[]) => list.map((todo) => todo.title)), [{}]],
  ]
  const operations: [string, (to: Driver) => DrivenRequest][] = [
    [
      'update',
      (to) => to.open(optimistic.put, [{ id: '1' }, { title: 'changed', author: { id: '5', name: 'changed' } }]),
    ],
    ['update of a missing record', (to) => to.open(optimistic.put, [{ id: '9' }, { title: 'changed' }])],
    [
      'create',
      (to) => to.open(optimistic.create, [{}, { title: 'new', group: 'x', author: { id: '6', name: 'new' } }]),
    ],
    ['create in front', (to) => to.open(optimistic.first, [{ group: 'y' }, { id: '9', title: 'new' }])],
    ['delete', (to) => to.open(optimistic.delete, [{ id: '1' }])],
    ['delete of a missing record', (to) => to.open(optimistic.delete, [{ id: '9' }])],
    ['remove', (to) => to.open(optimistic.drop, [{ id: '1', group: 'x' }])],
    ['move', (to) => to.open(optimistic.move, [{ id: '1' }, { group: 'y' }])],
    [
      'delete of a list',
      (to) =>
        to.open(endpoint('NONE', new Invalidate(todos), { sideEffect: true, getOptimisticResponse: () => '' }), [{}]),
    ],
  ]
  const filled = (): Driver => {
    driver = createDriver(clock)
    start()
    driver.open(getTodos, [{ group: 'x' }]).answer([
      { id: '1', group: 'x' },
      { id: '2', group: 'x' },
    ])
    driver.open(getTodos, [{ group: 'y' }]).answer([])
    driver.open(getTodo, [{ id: '2' }]).answer({ id: '2', body: 'x' })
    return driver
  }

  test.each(operations)('OPT-4 O3 %s leaves everything as if it had never been made', (_name, operate) => {
    filled()
    const state = committed(driver) as any
    const shown = sight(driver, lists)
    const request = operate(driver)
    expect(committed(driver)).toEqual(state)
    request.fail(no)
    expect(sight(driver, lists)).toEqual(shown)
    const after = committed(driver) as any
    const failed = Object.keys(after.meta).filter((key) => after.meta[key].error === no)
    expect(failed).toHaveLength(1)
    Reflect.deleteProperty(after.meta, failed[0]!)
    expect(after).toEqual(state)
    expect(driver.store.pending).toEqual([])
  })

  test.each(operations.flatMap(([a, one]) => operations.map(([b, two]) => [a, b, one, two] as const)))(
    'OPT-5 O3 O4 %s and %s, whichever fails first',
    (_a, _b, one, two) => {
      for (const flip of [false, true]) {
        filled()
        const nothing = sight(driver, lists)
        one(driver)
        const onlyOne = sight(driver, lists)
        filled()
        // A request that shows nothing stands for the other, so that ids and numbers are the same.
        driver.open(endpoint('NOTHING', undefined, { sideEffect: true }), []).fail(no)
        two(driver)
        const onlyTwo = sight(driver, lists)
        filled()
        const requests = [one(driver), two(driver)]
        const [early, late] = flip ? [requests[1]!, requests[0]!] : [requests[0]!, requests[1]!]
        early.fail(no)
        expect(sight(driver, lists)).toEqual(flip ? onlyOne : onlyTwo)
        late.fail(no)
        expect(sight(driver, lists)).toEqual(nothing)
      }
    },
  )
})

test('OPT-2 an operation that is shown after a later one comes before it all the same', () => {
  const louder = endpoint('/louder', Todo, {
    sideEffect: true,
    getOptimisticResponse: (snapshot: any, { id }: any) => ({ id, title: `${snapshot.get(Todo, { id }).title}!` }),
  })
  const append = endpoint('/append', Todo, {
    sideEffect: true,
    getOptimisticResponse: (snapshot: any, { id }: any) => ({ id, title: `${snapshot.get(Todo, { id }).title} b` }),
  })
  driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'a' })
  const [first, second] = [append, louder].map((one) => driver.begin(one, [{ id: '1' }]))
  second!.show()
  expect(title()).toBe('a!')
  first!.show()
  expect(title()).toBe('a b!')
  expect(pendingIn(driver.getState())).toEqual([first!.id, second!.id])
  first!.fail(no)
  expect(title()).toBe('a!')
})

test.each([
  ['alone', undefined],
  ['after an older pending write of an unknown record', { id: '5', title: 'five' }],
])(
  'OPT-10 a pending item stays in a list that a read brings with it, and the next one without it, %s',
  (_title, older) => {
    const [a, b] = [
      { id: '1', title: 'a', group: 'x' },
      { id: '9', title: 'b', group: 'x' },
    ]
    if (older) {
      driver.open(
        mutation('PUT /todo', Todo, (body: object) => body),
        [older],
      )
    }
    driver.open(getTodos, [{}]).answer([a])
    driver.open(optimistic.create, [{}, b])
    driver.open(getTodos, [{}]).answer([a, b])
    expect(ids(driver, getTodos, {})).toEqual(['1', '9'])
    driver.open(getTodos, [{}]).answer([a])
    expect(ids(driver, getTodos, {})).toEqual(['1', '9'])
  },
)
