// The schedules that have decided how lists follow writes, by name: what a list shows is what the server has, or the list is in doubt.
import { expect, test } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { STALE } from '../rows/Meta.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { endpoint, mutation } from '../testing/endpoints.ts'

class Todo extends Entity {
  id = ''
  title = ''
  group = ''
  static override key = 'Todo'
}
const todos = new Collection([Todo])
const getTodo = endpoint('/todo', Todo)
const getTodos = endpoint('/todos', todos)
const getPaged = endpoint('/paged', new Collection([Todo]), { getNextPage: () => 2, paginationField: 'page' })
const counted = { items: new Collection([Todo], { counts: ['total'] }), total: 0 }
const getCounted = endpoint('/counted', counted, { getNextPage: () => 2, paginationField: 'page' })
const update = mutation('/update', Todo)
const [X, Y] = [{ group: 'x' }, { group: 'y' }]
const one = { id: '1', title: 'one', group: 'x' }
const two = { id: '2', title: 'two', group: 'y' }

/** The pks that a list shows, and `?` if it is in doubt. */
function see(driver: Driver, args: object, list: any = getTodos): string {
  const { data, expiresAt } = driver.read(list, [args])
  const items: readonly Entity[] = data?.items ?? data ?? []
  return items.map((item) => item.pk()).join(' ') + (expiresAt <= STALE ? ' ?' : '')
}

test('COL-11 a read brings a record while a list is in flight, and the app moves it there: its own write stays', () => {
  const driver = createDriver()
  const list = driver.open(getTodos, [Y])
  list.answer([two])
  driver.open(getTodo, [{ id: '1' }]).answer(one)
  driver.open(update, [{ id: '1' }]).answer({ ...one, group: 'y' })
  expect(see(driver, Y)).toBe('2 1')
})

test('COL-42 the first edit after a sorted list was loaded: its own response is no read since', () => {
  const driver = createDriver()
  const sorted = { group: 'x', sort: 'title' }
  driver.open(getTodos, [sorted]).answer([one, { ...two, group: 'x' }])
  driver.open(update, [{ id: '2' }]).answer({ ...two, group: 'y' })
  expect(see(driver, sorted)).toBe('1')
})

test('COL-40 a list and a record overlap, and the older adds a field', () => {
  const driver = createDriver()
  const list = driver.open(getTodos, [X])
  const detail = driver.open(getTodo, [{ id: '1' }])
  detail.answer({ id: '1', title: 'new' })
  list.answer([one])
  driver.open(update, [{ id: '1' }]).answer({ id: '1', group: 'y' })
  expect(see(driver, X)).toBe('')
})

test('ST-18 a read brings the change before the response of its write: the record joins, and the list asks; a part only asks', () => {
  const after = [getTodos, getPaged].map((list) => {
    const driver = createDriver()
    driver.open(list, [Y]).answer([two])
    const write = driver.open(update, [{ id: '1' }])
    driver.open(getTodo, [{ id: '1' }]).answer({ ...one, group: 'y' })
    write.answer({ ...one, group: 'y' })
    return see(driver, Y, list)
  })
  expect(after).toEqual(['2 1 ?', '2 ?'])
})

test('COL-41 a read brings a change, and then an event says the same', () => {
  const driver = createDriver()
  const search = { q: '2', sort: 'title' }
  driver.open(getTodos, [search]).answer([two])
  driver.open(getTodo, [{ id: '1' }]).answer(one)
  driver.open(getTodo, [{ id: '1' }]).answer({ ...one, title: 'one 2' })
  driver.set(Todo, [{ id: '1' }], { ...one, title: 'one 2' })
  expect(see(driver, search)).toBe('2 ?')
})

test('PAG-4 a record on a page that is not loaded moves, and a list of its new place brings it first: the number asks', () => {
  const driver = createDriver()
  driver.open(getCounted, [X]).answer({ items: [one], total: 8 })
  const write = driver.open(update, [{ id: '5' }])
  driver.open(getTodos, [Y]).answer([{ id: '5', title: 'five', group: 'y' }])
  write.answer({ id: '5', title: 'five', group: 'y' })
  expect(see(driver, X, getCounted)).toBe('1 ?')
})

test('ORD-8 a record is deleted, and written again while it is in doubt for another reason', () => {
  const driver = createDriver()
  driver.open(getTodos, [X]).answer([one])
  driver.open(mutation('/delete', new Invalidate(Todo)), [{ id: '1' }]).answer({ id: '1' })
  driver.store.doubt([driver.store.tables.records('Todo').row('1')], 'expired')
  driver.open(update, [{ id: '1' }]).answer(one)
  expect(see(driver, X)).toBe('1 ?')
})

test('COL-17 one response takes an item out and adds it again', () => {
  const driver = createDriver()
  driver.open(getTodos, [X]).answer([one, { ...two, group: 'x' }])
  const replace = mutation('/replace', { removed: todos.remove, added: todos.push })
  driver.open(replace, [X]).answer({ removed: one, added: one })
  expect(see(driver, X)).toBe('2 1')
})

test('COL-42 a create in one column asks no other column that has pages', () => {
  const driver = createDriver()
  for (const [args, record] of [
    [X, one],
    [Y, two],
  ] as const) {
    driver.open(getPaged, [args]).answer([record])
  }
  const push = mutation('/push', getPaged.schema.push, undefined, { path: '/paged' })
  driver.open(push, [X]).answer({ id: '9', title: '', group: 'x' })
  expect([see(driver, X, getPaged), see(driver, Y, getPaged)]).toEqual(['1 9', '2'])
})

test('COL-21 a mover of the app joins where nobody knows what the record was', () => {
  const driver = createDriver()
  driver.open(getTodos, [Y]).answer([two])
  driver.open(mutation('/move', todos.move), [{ id: '9' }, Y]).answer({ id: '9', title: '', group: 'y' })
  expect(see(driver, Y)).toBe('2 9 ?')
})

test('COL-42 two reads overlap a write and one another, and the later one brings the change: the sorted list of the first asks', () => {
  const driver = createDriver()
  const sorted = { limit: 3, sort: 'title' }
  const list = driver.open(getTodos, [sorted])
  const detail = driver.open(getTodo, [{ id: '2' }])
  const write = driver.open(update, [{ id: '2' }])
  list.answer([one, two])
  detail.answer({ ...two, title: 'zwei' })
  write.answer({ ...two, title: 'zwei' })
  expect(see(driver, sorted)).toBe('1 2 ?')
})

test.each([
  [4, '3'],
  [5, '3 ?'],
])(
  'COL-40 %i reads have moved a record: a counted list that it may have left with one of them asks',
  (reads, shown) => {
    const driver = createDriver()
    driver.open(getCounted, [{ group: 'z' }]).answer({ items: [{ id: '3', title: 'three', group: 'z' }], total: 5 })
    driver.open(getTodo, [{ id: '1' }]).answer(one)
    for (let i = 0; i < reads; i++) {
      driver.open(getTodo, [{ id: '1' }]).answer({ ...one, group: `r${i}` })
    }
    driver.open(update, [{ id: '1' }]).answer({ ...one, group: 'y' })
    expect(see(driver, { group: 'z' }, getCounted)).toBe(shown)
  },
)

test('COL-40 two reads have moved a record: the counted list of the place between asks', () => {
  const driver = createDriver()
  driver.open(getCounted, [{ group: 'between' }]).answer({ items: [{ ...two, group: 'between' }], total: 5 })
  driver.open(getTodo, [{ id: '1' }]).answer(one)
  driver.open(getTodo, [{ id: '1' }]).answer({ ...one, group: 'between' })
  driver.open(getTodo, [{ id: '1' }]).answer({ ...one, group: 'x' })
  driver.open(update, [{ id: '1' }]).answer({ ...one, group: 'y' })
  expect(see(driver, { group: 'between' }, getCounted)).toBe('2 ?')
})
