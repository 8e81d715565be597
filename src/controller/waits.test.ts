import { expect, test } from 'vitest'
import { TestClock } from '../testing/TestClock.ts'
import { createWaits } from './waits.ts'

const SECOND = 1_000

// A reader waits for the key "slow": is data that arrived at the start still shown?
test.each<[name: string, isSlowPending: boolean, seconds: number, hasWaited: boolean]>([
  ['at once', false, 0, true],
  ['after a render', false, 1, true],
  ['when nobody has waited for a while', false, 2, false],
  ['long after, while a reader beside it still waits', true, 60, true],
])('NET-15 a reader that waited shows the response: %s', async (_name, isSlowPending, seconds, hasWaited) => {
  const clock = new TestClock()
  const waits = createWaits(clock)
  waits.begin('fast')
  if (isSlowPending) {
    waits.begin('slow')
  }
  const settledAt = clock.now()
  waits.settle('fast')
  await clock.pass(seconds * SECOND)
  expect(waits.hasWaitedSince(settledAt)).toBe(hasWaited)
})

test('NET-15 data from before a pause is not shown as awaited when readers wait again', async () => {
  const clock = new TestClock()
  const waits = createWaits(clock)
  waits.begin('a')
  const settledAt = clock.now()
  waits.settle('a')
  await clock.pass(10 * SECOND)
  waits.begin('b')
  expect([waits.hasWaitedSince(settledAt), waits.hasWaitedSince(clock.now())]).toEqual([false, true])
})

test.each<[name: string, readers: boolean[], isKept: boolean]>([
  ['none suspends', [false, false], false],
  ['the first suspends', [true, false], true],
  ['the second suspends', [false, true], true],
])('NET-15 readers that wait for one key, while another one mounts: %s', (_name, readers, isKept) => {
  const waits = createWaits(new TestClock())
  const target = { key: () => 'a' } as never
  readers.forEach((suspends) => waits.begin('a', target, suspends))
  waits.mount('a')
  expect(waits.get('a') !== undefined).toBe(isKept)
  waits.settle('a')
  waits.mount('a')
  expect(waits.get('a')).toBeUndefined()
})
