import { expect, test } from 'vitest'
import { createDriver } from '../controller/driver.ts'
import { append, Collection } from '../schema/Collection.ts'
import { STALE } from '../schema/Schema.ts'
import { Values } from '../schema/Values.ts'
import { ids } from '../testing/drivers.ts'
import { endpoint, mutation } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'

const getTodo = endpoint('/todo', Todo)
const getTodos = endpoint('/todos', new Collection([Todo]))

test.each<[name: string, next: object, isStale: boolean]>([
  ['another field of an item changes', { id: '1', title: 'new', group: 'x' }, false],
  ['another field of a record changes that the server left out', { id: '2', title: 'new', group: 'x' }, false],
  ['an item no longer fits', { id: '1', group: 'y' }, true],
  ['a record fits that did not', { id: '3', group: 'x' }, true],
])('COL-43 a read moves nothing, and marks a list that may have changed: %s', (_name, next, isStale) => {
  const driver = createDriver()
  driver.open(getTodo, [{ id: '2' }]).answer({ id: '2', title: 'old', group: 'x' })
  driver.open(getTodo, [{ id: '3' }]).answer({ id: '3', group: 'y' })
  driver.open(getTodos, [{ group: 'x' }]).answer([{ id: '1', title: 'old', group: 'x' }])
  driver.open(getTodo, [{ id: (next as Todo).id }]).answer(next)
  expect(ids(driver, getTodos, { group: 'x' })).toEqual(['1'])
  expect(driver.read(getTodos, [{ group: 'x' }]).expiresAt === STALE).toBe(isStale)
})

test('COL-43 a read marks no list with an argument that the record says nothing about', () => {
  const driver = createDriver()
  const args = [{ group: 'x', search: 'old' }]
  driver.open(getTodo, [{ id: '3' }]).answer({ id: '3', group: 'y' })
  driver.open(getTodos, args).answer([{ id: '1', group: 'x' }])
  driver.open(getTodo, [{ id: '3' }]).answer({ id: '3', group: 'x' })
  expect(driver.read(getTodos, args).expiresAt).toBeGreaterThan(STALE)
})

test('COL-43 if refetches leave records where they were, further reads of them mark nothing', () => {
  const driver = createDriver()
  const args = [{ group: 'x' }]
  const isStale = (): boolean => driver.read(getTodos, args).expiresAt === STALE
  const fetchList = (): void =>
    driver.open(getTodos, args).answer(['1', '2', '3'].map((id) => ({ id, title: 'in the list' })))
  const readAs = (id: string, group: string): void => driver.open(getTodo, [{ id }]).answer({ id, group })
  driver.open(getTodos, args).answer(['1', '2', '3'].map((id) => ({ id, group: 'x' })))
  for (const id of ['1', '2']) {
    readAs(id, 'y')
    expect(isStale()).toBe(true)
    fetchList()
    expect(isStale()).toBe(false)
  }
  for (const id of ['1', '2']) {
    readAs(id, 'x')
    readAs(id, 'z')
    expect(isStale()).toBe(false)
  }
  readAs('3', 'y')
  expect(isStale()).toBe(true)
})

const byGroup =
  (...args: any[]) =>
  ({ group }: Record<string, any>): boolean =>
    group === args[0]?.group
const fixed = new Collection([Todo], { autoUpdate: false })
const filtered = new Collection([Todo], { createCollectionFilter: byGroup })

test.each<[name: string, schema: Collection<any, any>, adder: unknown, isStale: boolean]>([
  ['push cannot judge them', getTodos.schema, getTodos.schema.push, true],
  ['an adder with its own filter knows all lists', getTodos.schema, getTodos.schema.addWith(append, byGroup), false],
  ['so does the filter of the Collection', filtered, filtered.push, false],
  ['autoUpdate is off', fixed, fixed.push, false],
])(
  'COL-25 COL-41 COL-42 COL-45 searched and sorted lists when a record is added: %s',
  (_name, schema, adder, isStale) => {
    const driver = createDriver()
    const list = endpoint('/todos', schema)
    const lists = [{ group: 'x' }, { group: 'x', sort: 'title' }, { q: 'a' }, { group: 'y' }]
    for (const args of lists) {
      driver.open(list, [args]).answer([args.group === 'y' ? { id: '3', group: 'y' } : { id: '1', group: 'x' }])
    }
    driver.open(mutation('/add', adder), [{ group: 'x' }]).answer({ id: '2', group: 'y' })
    expect(lists.map((args) => ids(driver, list, args))).toEqual([['1', '2'], ['1', '2'], ['1'], ['3']])
    const marks = lists.map((args) => driver.read(list, [args]).expiresAt === STALE)
    expect(marks).toEqual([false, isStale, isStale, isStale])
  },
)

test.each([false, true])(
  'COL-40 under which name a changed record joins a map nobody knows, so the map is refetched, also if it is in flight: %s',
  (isInFlight) => {
    const driver = createDriver()
    const byName = endpoint('/byName', new Collection(new Values(Todo)))
    const update = mutation('/update', Todo)
    const args = [{ group: 'x' }]
    driver.open(getTodo, [{ id: '2' }]).answer({ id: '2', group: 'y' })
    const list = driver.open(byName, args)
    if (!isInFlight) {
      list.answer({ first: { id: '1', group: 'x' } })
    }
    driver.open(update, [{ id: '2' }]).answer({ id: '2', group: 'x' })
    if (isInFlight) {
      list.answer({ first: { id: '1', group: 'x' } })
    }
    expect(driver.read(byName, args).expiresAt).toBe(STALE)
  },
)
