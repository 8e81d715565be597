import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import { TestClock } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'
import { TestPage } from '../testing/environment.ts'
import { FocusManager } from './FocusManager.ts'

// As in a browser, where these are chunks of their own.
vi.mock('#polling', () => import('./loadPollingLater.ts'))
const { loadBackground } = vi.hoisted(() => ({ loadBackground: vi.fn() }))
vi.mock('#background', () => ({ loadBackground }))

const args = { id: '1' }
let clock: TestClock
let window: TestPage
let store: Store

beforeEach(async () => {
  clock = new TestClock()
  window = new TestPage()
  // Nothing is loaded yet.
  vi.resetModules()
  loadBackground.mockImplementation((await import('./loadBackgroundLater.ts')).loadBackground)
})
afterEach(() => {
  store.stop()
  loadBackground.mockReset()
})

function open(start = true): void {
  store = createStore({ clock, start, managers: [...getDefaultManagers(), new FocusManager({ window })] })
}
const failOnce = (): unknown => loadBackground.mockImplementationOnce((_use, failed) => failed())

async function passMinutes(minutes: number): Promise<void> {
  await vi.dynamicImportSettled()
  await clock.pass(minutes * 60_000)
}

test('POL-14 a browser loads polling with the first subscription', async () => {
  open()
  const ep = deferredEndpoint('get', Todo, { pollFrequency: 1_000 })
  const subscribed = store.controller.subscribe(ep, args)
  await vi.dynamicImportSettled()
  await subscribed
  await clock.pass(1_000)
  expect(ep.calls).toHaveLength(1)
})

test('POL-14 a subscription that ends while polling is loaded leaves nothing behind', async () => {
  open()
  const ep = deferredEndpoint('get', Todo, { pollFrequency: 1_000 })
  void store.controller.subscribe(ep, args)
  const ended = store.controller.unsubscribe(ep, args)
  await vi.dynamicImportSettled()
  await ended
  await clock.pass(10_000)
  expect(ep.calls).toHaveLength(0)
})

const rows = (): number => Object.keys(store.getState().entities['Todo'] ?? {}).length

test('GC-11 a browser loads garbage collection when the store starts', async () => {
  open(false)
  await vi.dynamicImportSettled()
  expect(loadBackground).not.toHaveBeenCalled()
  store.start()
  await store.controller.set(Todo, args, args)
  await passMinutes(4)
  expect(rows()).toBe(1)
  await passMinutes(2)
  expect([rows(), clock.pending]).toEqual([0, 1])
})

test('GC-11 if it cannot be loaded, that is tried again a minute later', async () => {
  failOnce()
  failOnce()
  open()
  await store.controller.set(Todo, args, args)
  expect(clock.pending).toBe(2)
  await passMinutes(1)
  await passMinutes(5.5)
  expect([rows(), clock.pending]).toEqual([0, 1])
})

test.each([undefined, (_use: unknown, failed: () => void) => failed()])(
  'GC-11 FOC-2 a store that stops while it is loaded stays as it is',
  async (load) => {
    let settle = (): void => {}
    const run = load ?? loadBackground.getMockImplementation()!
    loadBackground.mockImplementation((use, failed) => {
      const others = settle
      settle = () => (others(), run(use, failed))
    })
    open()
    await store.controller.set(Todo, args, args)
    store.stop()
    settle()
    await passMinutes(20)
    expect([rows(), clock.pending, window.size]).toEqual([1, 0, 0])
  },
)

test('FOC-4 a browser loads the listeners when the store starts; stopping removes them', async () => {
  open()
  expect(window.size).toBe(0)
  store.stop()
  store.start()
  await vi.dynamicImportSettled()
  expect(window.size).toBe(2)
  const ep = deferredEndpoint('get', Todo, { dataExpiryLength: 0 })
  store.subscribe(ep, [args], () => {})
  await ep.calls[0]!.answer(args)
  await clock.pass(10)
  window.tell('focus')
  expect(ep.calls).toHaveLength(2)
  store.stop()
  expect(window.size).toBe(0)
})

test('NET-23 TOK-8 a request fails at once when the code is loaded: a sign-out that follows comes after it', async () => {
  open()
  await vi.dynamicImportSettled()
  const ep = deferredEndpoint('get', Todo)
  const states: string[] = []
  store.controller.fetch(ep, args).catch(() => states.push('failed'))
  const answered = ep.calls[0]!.fail(new Error('signed out'))
  for (let i = 0; i < 20; i++) {
    await Promise.resolve()
  }
  expect(states).toEqual(['failed'])
  await answered
})

test('NET-23 a retry waits for its code', async () => {
  open()
  const ep = deferredEndpoint('get', Todo, { retry: 1, retryDelay: 0 })
  const fetched = store.controller.fetch(ep, args)
  await ep.calls[0]!.fail(new TypeError('offline'))
  await vi.dynamicImportSettled()
  await clock.pass(1)
  await ep.calls[1]!.answer(args)
  await expect(fetched).resolves.toMatchObject(args)
})

test.each([0, 1])('NET-23 without its code, the request fails with its own error (retry: %i)', async (retry) => {
  loadBackground.mockImplementation((_use, failed) => failed())
  open()
  const ep = deferredEndpoint('get', Todo, { retry })
  const fetched = store.controller.fetch(ep, args)
  await ep.calls[0]!.fail(new TypeError('offline'))
  await expect(fetched).rejects.toThrow('offline')
  expect(ep.calls).toHaveLength(1)
})

test('NET-23 a request that is aborted while the code is loaded is not sent again', async () => {
  open()
  let load = (): void => {}
  const run = loadBackground.getMockImplementation()!
  loadBackground.mockImplementation((use, failed) => (load = () => run(use, failed)))
  const ep = deferredEndpoint('get', Todo, { retry: 1, retryDelay: 0 })
  const fetched = store.controller.fetch(ep, args)
  await ep.calls[0]!.fail(new TypeError('offline'))
  store.controller.abort(ep, args)
  await expect(fetched).rejects.toMatchObject({ name: 'AbortError' })
  load()
  await passMinutes(1)
  expect(ep.calls).toHaveLength(1)
})
