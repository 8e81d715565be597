import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { TestClock } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'

// As in a browser, where the sweep and polling are chunks of their own.
vi.mock('#sweep', () => import('../controller/loadSweepLater.ts'))
vi.mock('#polling', () => import('./loadPollingLater.ts'))

const MINUTE = 60_000
const args = { id: '1' }
let clock: TestClock
let store: Store
let idle: (() => void)[]

beforeEach(() => {
  idle = []
  vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run))
  clock = new TestClock()
  store = createStore({ clock })
})
afterEach(() => {
  store.stop()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const rows = (): string[] => Object.keys(store.getState().entities['Todo'] ?? {})
const runIdle = async (): Promise<void> => {
  for (const run of idle.splice(0)) {
    run()
  }
  await vi.dynamicImportSettled()
}

test('GC-1 GC-11 a browser loads the sweep when the page is idle, and then collects as usual', async () => {
  const { driver } = store.controller.core
  await store.controller.set(Todo, args, { id: '1', title: 'a' })
  expect(idle).toHaveLength(1)
  expect(driver.collector()).toBeInstanceOf(Promise)
  await runIdle()
  await vi.waitFor(() => expect(driver.collector()).not.toBeInstanceOf(Promise))
  idle = []
  await clock.pass(5 * MINUTE + 1)
  expect(rows()).toEqual(['1'])
  await runIdle()
  expect(rows()).toEqual([])
})

test('GC-11 a removal that is requested before the sweep has loaded happens once it has', async () => {
  await store.controller.set(Todo, args, { id: '1', title: 'a' })
  const done = store.controller.dispatch({ type: 'rdc/gc', entities: [{ key: 'Todo', pk: '1' }], endpoints: [] })
  expect(rows()).toEqual(['1'])
  await runIdle()
  await done
  expect(rows()).toEqual([])
})

test('GC-11 a sweep that cannot be loaded is reported, and tried again', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const report = vi.fn()
  vi.stubGlobal('reportError', report)
  const { driver } = store.controller.core
  const load = vi.spyOn(driver, 'collector').mockRejectedValueOnce(new Error('offline'))
  await clock.pass(5 * MINUTE)
  expect([...report.mock.calls, ...errors.mock.calls].join(' ')).toContain('offline')
  await clock.pass(5 * MINUTE)
  expect(load).toHaveBeenCalledTimes(2)
})

test('GC-11 a store that stops before the sweep is there does not sweep', async () => {
  await clock.pass(5 * MINUTE)
  store.stop()
  await runIdle()
  await clock.pass(0)
  expect(idle).toEqual([])
  expect(clock.pending).toBe(0)
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
