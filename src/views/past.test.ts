import { beforeEach, expect, test } from 'vitest'
import { All } from '../kinds/All.ts'
import { Query } from '../kinds/Query.ts'
import { collectorOf } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { allTodos, deleteTodo, getTodos } from '../testing/todoEndpoints.ts'
import { Todo, User } from '../testing/entities.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'

let driver: Driver
let past: Driver
beforeEach(() => {
  driver = createDriver()
  past = driver
  driver.open(getTodos, [{}]).answer(['1', '2', '3'].map((id) => ({ id, title: `old ${id}` })))
  driver.open(deleteTodo, [{ id: '3' }]).answer('3')
})

test.each<[string, () => void, string[], boolean]>([
  ['nothing', () => {}, ['old 1', 'old 2'], true],
  ['a record of another class', () => driver.set(User, [{}], { id: '1', name: 'Ann' }), ['old 1', 'old 2'], false],
  ['an equal response', () => driver.set(Todo, [{}], { id: '1', title: 'old 1' }), ['old 1', 'old 2'], false],
  ['a record', () => driver.set(Todo, [{}], { id: '1', title: 'new' }), ['new', 'old 2'], false],
  ['a new record', () => driver.set(Todo, [{}], { id: '4', title: 'new' }), ['old 1', 'old 2', 'new'], false],
  ['a delete', () => driver.open(deleteTodo, [{ id: '2' }]).answer('2'), ['old 1'], false],
  [
    'a record that was collected',
    () => collectorOf(driver).collect({ entities: [{ key: 'Todo', pk: '2' }], endpoints: [] }),
    ['old 1'],
    false,
  ],
  [
    'one that was deleted',
    () => driver.open(endpoint('/todo', Todo), []).answer({ id: '3', title: 'back' }),
    ['old 1', 'old 2', 'back'],
    false,
  ],
  [
    'a delete and a new record',
    () => {
      driver.open(deleteTodo, [{ id: '2' }]).answer('2')
      driver.set(Todo, [{}], { id: '4', title: 'new' })
    },
    ['old 1', 'new'],
    false,
  ],
])(
  'ST-3 CTL-17 CTL-22 all records as they were in a state, when %s has changed since',
  (_name, change, now, isSame) => {
    const titles = (rest: readonly unknown[]): string[] =>
      past.read(allTodos, rest).data.map(({ title }: Todo) => title)
    const state = driver.getState()
    const before = past.read(allTodos, [state]).data
    expect(before).toBe(driver.read(allTodos, []).data)
    change()
    expect(titles([])).toEqual(now)
    expect(titles([state])).toEqual(['old 1', 'old 2'])
    expect(past.read(allTodos, [state]).data === driver.read(allTodos, []).data).toBe(isSame)
  },
)

test('CTL-17 CTL-18 the arguments of a state are those before it, however many', () => {
  const two: any = endpoint('/two', undefined)
  driver.open(two, ['a', 'b']).answer('old')
  const state = driver.getState()
  driver.open(two, ['a', 'b']).answer('new')
  expect([past.read(two, ['a', 'b', state]).data, past.read(two, ['a', 'b']).data]).toEqual(['old', 'new'])
  expect(past.paths(two, ['a', 'b', state])).toEqual({ key: two.key('a', 'b'), paths: [] })
})

test('CTL-16 CTL-17 CTL-22 null instead of arguments reads nothing of a state, and holds no rows', () => {
  // Its key needs parameters, as that of a path does.
  const shape: any = endpoint('/shape', { todo: Todo, total: 0 }, { key: ({ id }: Todo) => `/shape/${id}` })
  const state = driver.getState()
  for (const rest of [[null], [null, state]]) {
    expect(past.read(shape, rest)).toMatchObject({ data: { total: 0 }, error: undefined, expiryStatus: 3 })
    expect(past.read(Todo, rest)).toMatchObject({ data: undefined, expiryStatus: 3, expiresAt: Infinity })
    expect([past.paths(shape, rest), past.paths(Todo, rest)]).toEqual([{}, {}])
  }
})

test.each<[string, unknown]>([
  ['null', null],
  ['text', 'entities'],
  ['parameters that are named like a part of a state', { entities: '1' }],
  ['parameters that are named like another part of it', { entitiesMeta: '1' }],
])('CTL-17 a last argument that is no state belongs to the arguments: %s', (_name, last) => {
  const two: any = endpoint('/two', undefined)
  driver.open(two, ['a', last]).answer('stored')
  expect(past.read(two, ['a', last]).data).toBe('stored')
  expect(past.paths(two, ['a', last]).key).toBe(two.key('a', last))
})

test('CTL-17 CTL-22 a state is restored once, and keeps its own references', () => {
  const state = driver.getState()
  driver.set(Todo, [{}], { id: '1', title: 'new' })
  const [first] = past.read(allTodos, [state]).data
  expect(past.read(allTodos, [state]).data[0]).toBe(first)
  expect(past.read(Todo, [{ id: '1' }, state]).data).toBe(first)
})

test('CTL-17 OPT-1 a state is read without operations that are pending now', () => {
  const create = endpoint('/create', Todo, {
    sideEffect: true,
    getOptimisticResponse: () => ({ id: '9', title: 'pending' }),
  })
  const count = new Query(new All(Todo), (all: Todo[]) => all.length)
  const state = driver.getState()
  driver.open(create, [])
  expect([driver.read(count, []).data, past.read(count, [state]).data]).toEqual([3, 2])
  expect(past.read(count, [driver.getState()]).data).toBe(2)
})
