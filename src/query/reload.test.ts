import { expect, test, vi } from 'vitest'
import { Entity } from '../kinds/Entity.ts'
import { createDriver, ids } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { sortBy, where } from './operators.ts'
import { query } from './query.ts'

/** A module with a class and a query, evaluated with an edit. */
function evaluate(isLate: (due: number) => boolean, sign: number) {
  class Task extends Entity {
    id = ''
    due = 0
    static override key = 'ReloadedTask'
    get isLate(): boolean {
      return isLate(this.due)
    }
  }
  return {
    Task,
    late: query(
      Task,
      where((task) => task.isLate),
      sortBy((task) => task.due * sign),
    ),
  }
}

test('QUE-28 a query module that is evaluated again takes the place of the one before', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const driver = createDriver()
  const first = evaluate((due) => due < 3, 1)
  const rows = [1, 2, 3, 4].map((due) => ({ id: String(due), due }))
  driver.setResponse(endpoint('/tasks', [first.Task]), [], rows)
  const notified = vi.fn()
  const end = driver.subscribe(first.late, [], notified)
  expect(ids(driver, first.late)).toEqual(['1', '2'])
  const second = evaluate((due) => due > 1, -1)
  expect(ids(driver, second.late)).toEqual(['4', '3', '2'])
  // A component that has not rendered again still reads the first one.
  expect(ids(driver, first.late)).toEqual(['2', '3', '4'])
  driver.store.notifier.hurry()
  expect(notified).toHaveBeenCalled()
  driver.set(second.Task, [{ id: '5' }], { id: '5', due: 5 })
  expect(ids(driver, second.late)).toEqual(['5', '4', '3', '2'])
  expect(ids(driver, first.late)).toEqual(['2', '3', '4', '5'])
  const [record] = driver.read(second.late, []).data as unknown[]
  expect(record).toBeInstanceOf(second.Task)
  end()
  warn.mockRestore()
})
