import { expect, test } from 'vitest'
import { createDriver } from '../controller/driver.ts'
import { TestClock } from '../testing/TestClock.ts'
import { createTodo, getPlain, getTodos, putTodo } from '../testing/todoEndpoints.ts'
import { createOrder } from './order.ts'

test('COL-39 the horizon is the oldest open request, and one that is open for over five minutes holds nothing back', () => {
  const clock = new TestClock(0)
  const order = createOrder(clock)
  expect(order.horizon()).toBe(Infinity)
  const [first, second] = [order.openRequest(false), order.openRequest(false)]
  expect(order.horizon()).toBe(first)
  order.closeRequest(first)
  expect(order.horizon()).toBe(second)
  clock.time = 300_000
  expect(order.horizon()).toBe(second)
  const third = order.openRequest(true)
  clock.time = 300_001
  expect(order.horizon()).toBe(third)
  // Its operation is shown for as long as it is pending.
  clock.time = 10_000_000
  expect(order.horizon()).toBe(third)
  order.closeRequest(second)
  order.closeRequest(third)
  expect(order.horizon()).toBe(Infinity)
})

test('COL-39 what lists, records and the store remember stays bounded while requests overlap without a pause', () => {
  const driver = createDriver()
  const { tables } = driver.store
  driver.open(getTodos, [{}]).answer([{ id: '0' }])
  let last = driver.open(getPlain, [0])
  for (let i = 1; i <= 30; i++) {
    driver.open(createTodo, [{}]).answer({ id: `${i}` })
    driver.open(putTodo, [{ id: '0' }]).answer({ id: '0', title: `${i}` })
    const next = driver.open(getPlain, [i])
    last.drop()
    last = next
  }
  // The request that is open was sent after all of it.
  expect(tables.table('[Todo]').slot('{}').list!.log).toEqual([])
  expect(tables.table('Todo').slot('0').log).toBeUndefined()
  expect(tables.recentWrites).toEqual([])
  expect(driver.read(getTodos, [{}]).data).toHaveLength(31)
})
