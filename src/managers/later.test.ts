import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { TestClock } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'
import * as later from './loadSweepLater.ts'

// As in a browser, where these are chunks of their own.
vi.mock('#polling', () => import('./loadPollingLater.ts'))
const { loadSweep } = vi.hoisted(() => ({ loadSweep: vi.fn() }))
vi.mock('#sweep', () => ({ loadSweep }))

const args = { id: '1' }
let clock: TestClock
let store: Store

beforeEach(() => {
  clock = new TestClock()
  loadSweep.mockImplementation(later.loadSweep)
  store = createStore({ clock })
  // In development it is loaded at the start, for `explain`.
  loadSweep.mockClear()
})
afterEach(() => {
  store.stop()
  loadSweep.mockReset()
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

const rows = (): number => Object.keys(store.getState().entities['Todo'] ?? {}).length

async function passMinutes(minutes: number): Promise<void> {
  await clock.pass(minutes * 60_000)
  await vi.dynamicImportSettled()
  await clock.pass(1)
}

test('GC-11 a browser loads the sweep when the first one begins', async () => {
  await store.controller.set(Todo, args, args)
  await passMinutes(4)
  expect(loadSweep).not.toHaveBeenCalled()
  await passMinutes(2)
  expect([rows(), clock.pending]).toEqual([0, 1])
})

test('GC-11 a sweep that cannot be loaded is tried again', async () => {
  loadSweep.mockImplementationOnce((_use, failed) => failed())
  await store.controller.set(Todo, args, args)
  await passMinutes(6)
  expect([rows(), clock.pending]).toEqual([1, 1])
  await passMinutes(5)
  expect([rows(), clock.pending]).toEqual([0, 1])
})

test.each([later.loadSweep, (_use: unknown, failed: () => void) => failed()])(
  'GC-11 a store that stops while the sweep is loaded stays as it is',
  async (load) => {
    let settle = (): void => {}
    loadSweep.mockImplementation((use, failed) => (settle = () => load(use, failed)))
    await store.controller.set(Todo, args, args)
    await passMinutes(6)
    store.stop()
    settle()
    await passMinutes(20)
    expect([rows(), clock.pending]).toEqual([1, 0])
  },
)
