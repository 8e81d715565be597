import { expect, test } from 'vitest'
import { createDriver } from '../controller/driver.ts'
import { Collection } from '../schema/Collection.ts'
import { STALE } from '../schema/Schema.ts'
import { ids } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
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
