import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { All } from '../kinds/All.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Query } from '../kinds/Query.ts'
import { TestClock } from '../testing/TestClock.ts'
import { collectorOf } from '../testing/drivers.ts'
import { mutation } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'
import { allTodos, deleteTodo, getTodo, optimistic } from '../testing/todoEndpoints.ts'
import { Store } from './Store.ts'

test('ST-21 property: store time never decreases, and each step of its clock is time that passes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }), (steps) => {
      const clock = new TestClock(0)
      const store = new Store(clock)
      let time = 0
      let last = store.clock.now()
      for (const step of steps) {
        clock.time = time += step
        const now = store.clock.now()
        expect(now).toBe(last + Math.abs(step))
        last = now
      }
    }),
  )
})

test('GC-6 OPT-2 a row that the app collects while an operation is pending on it shows the operation', () => {
  const driver = createDriver()
  driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'a' })
  const titles = (): string[] | undefined =>
    driver.read(allTodos, []).data?.map(({ title }: { title: string }) => title)
  const request = driver.open(optimistic.create, [{}, { id: '1', title: 'pending' }])
  collectorOf(driver).collect({ entities: [{ key: 'Todo', pk: '1' }], endpoints: [] })
  expect([Object.keys(driver.getState().entities), titles()]).toEqual([[], ['pending']])
  request.drop()
  expect(titles()).toBeUndefined()
})

test('ENT-31 a record that lacks a field of its indexes is warned about, and no other', () => {
  class Indexed extends Entity {
    id = ''
    name = ''
    static override key = 'StoreTestIndexed'
    static override indexes = ['name']
  }
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const driver = createDriver()
  driver.set(Indexed, [{}], { id: '1', name: 'a' })
  driver.open(mutation('delete', new Invalidate(Indexed)), [{ id: '1' }]).answer('1')
  expect(warn).not.toHaveBeenCalled()
  driver.set(Indexed, [{}], { id: '2' })
  expect(warn.mock.calls).toEqual([[expect.stringContaining('lacks a field of its indexes (name)')]])
  warn.mockRestore()
})

test.each<[string, (driver: Driver) => void]>([
  ['a response that says the same', (driver) => driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'a' })],
  ['a second delete', (driver) => driver.open(deleteTodo, [{ id: '2' }]).answer('2')],
  ['a pending change of nothing', (driver) => driver.open(optimistic.put, [{ id: '1' }, { title: 'a' }])],
])('QRY-6 a query of all records does not run again after %s', (_name, act) => {
  const driver = createDriver()
  const process = vi.fn((todos: readonly Todo[]) => todos.length)
  const query = new Query(new All(Todo), process)
  driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'a' })
  driver.open(deleteTodo, [{ id: '2' }]).answer('2')
  expect(driver.read(query, []).data).toBe(1)
  act(driver)
  expect(driver.read(query, []).data).toBe(1)
  expect(process).toHaveBeenCalledTimes(1)
  // Another record changes the value.
  driver.open(getTodo, [{ id: '3' }]).answer({ id: '3', title: 'c' })
  expect(driver.read(query, []).data).toBe(2)
})
