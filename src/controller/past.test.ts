import { beforeEach, expect, test } from 'vitest'
import { collectorOf } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { allTodos, deleteTodo, getTodos } from '../testing/todoEndpoints.ts'
import { Todo, User } from '../testing/entities.ts'
import { createDriver, type Driver } from './driver.ts'
import { createPast, type Past } from './past.ts'

let driver: Driver
let past: Past
beforeEach(() => {
  driver = createDriver()
  past = createPast(driver)
  driver.open(getTodos, [{}]).answer(['1', '2', '3'].map((id) => ({ id, title: `old ${id}` })))
  driver.open(deleteTodo, [{ id: '3' }]).answer('3')
})

test.each<[string, () => void, string[], boolean]>([
  ['nothing', () => {}, ['old 1', 'old 2'], true],
  ['a record of another class', () => driver.set(User, [{}], { id: '1', name: 'Ann' }), ['old 1', 'old 2'], true],
  ['an equal response', () => driver.set(Todo, [{}], { id: '1', title: 'old 1' }), ['old 1', 'old 2'], true],
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
