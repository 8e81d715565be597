import { expect, test } from 'vitest'
import { TestClock } from '../testing/TestClock.ts'
import { createOrder } from './order.ts'

test('ST-16 numbers grow, whatever the clock does, and one time has the last of its numbers', () => {
  const clock = new TestClock(100)
  const order = createOrder(clock)
  expect(order.numberAt(100)).toBe(0)
  expect([order.nextNumber(), order.nextNumber()]).toEqual([1, 2])
  clock.time = 200
  expect([order.nextNumber(), order.reached()]).toEqual([3, 3])
  expect([99, 100, 150, 200, 999].map((time) => order.numberAt(time))).toEqual([0, 2, 2, 3, 3])
  clock.time = 50
  expect(order.nextNumber()).toBe(4)
})

test('ST-16 a time before those that are remembered counts as older than all of them', () => {
  const clock = new TestClock(0)
  const order = createOrder(clock)
  for (let i = 1; i <= 1_000; i++) {
    clock.time = i
    order.nextNumber()
  }
  expect([order.numberAt(1), order.numberAt(900), order.numberAt(5_000)]).toEqual([0, 900, 1_000])
})
