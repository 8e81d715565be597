import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { TestClock } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'

// As in a browser, where polling is a chunk of its own.
vi.mock('#polling', () => import('./loadPollingLater.ts'))

const args = { id: '1' }
let clock: TestClock
let store: Store

beforeEach(() => {
  clock = new TestClock()
  store = createStore({ clock })
})
afterEach(() => {
  store.stop()
})

test('POL-14 a browser loads polling with the first subscription', async () => {
  const ep = deferredEndpoint('get', Todo, { pollFrequency: 1_000 })
  const subscribed = store.controller.subscribe(ep, args)
  await vi.dynamicImportSettled()
  await subscribed
  await clock.pass(1_000)
  expect(ep.calls).toHaveLength(1)
})

test('POL-14 a subscription that ends while polling is loaded leaves nothing behind', async () => {
  const ep = deferredEndpoint('get', Todo, { pollFrequency: 1_000 })
  void store.controller.subscribe(ep, args)
  const ended = store.controller.unsubscribe(ep, args)
  await vi.dynamicImportSettled()
  await ended
  await clock.pass(10_000)
  expect(ep.calls).toHaveLength(0)
})
