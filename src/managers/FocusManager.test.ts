import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import { TestClock } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'
import { TestConnection, TestPage } from '../testing/environment.ts'
import { DefaultConnectionListener } from './ConnectionListener.ts'
import { FocusManager } from './FocusManager.ts'

let clock: TestClock
let connectionListener: TestConnection
let page: TestPage
let window: TestPage
let store: Store

beforeEach(() => {
  clock = new TestClock()
  connectionListener = new TestConnection()
  page = new TestPage()
  window = new TestPage()
  const focus = new FocusManager({ connectionListener, page, window })
  store = createStore({ clock, managers: [focus, ...getDefaultManagers()] })
})
afterEach(() => {
  store.stop()
  vi.unstubAllGlobals()
})

const args = { id: '1' }
const one = { id: '1', title: 'a' }
const get = (more?: object): any => deferredEndpoint('get', Todo, more)

test.each([
  ['the page is seen again', () => (page.turn('hidden'), page.turn('visible'))],
  ['the window gets the focus', () => window.tell('focus')],
  ['the connection comes back', () => connectionListener.turn(true)],
])('FOC-1 when %s, stale data of mounted readers is fetched once and shown in the meantime', async (_, happen) => {
  const ep = get()
  const unread = deferredEndpoint('unread', Todo)
  const passive = deferredEndpoint('passive', Todo)
  await store.controller.setResponse(ep, args, one)
  await store.controller.setResponse(unread, { id: '2' }, { id: '2' })
  await store.controller.setResponse(passive, { id: '3' }, { id: '3' })
  const told = vi.fn()
  store.subscribe(ep, [args], told)
  store.subscribe(ep, [args], told)
  store.view(passive, { id: '3' }).subscribe(told, true)
  await clock.pass(30_000)
  happen()
  expect(ep.calls, 'fresh').toHaveLength(0)
  await clock.pass(31_000)
  happen()
  expect([ep.calls.length, unread.calls.length, passive.calls.length]).toEqual([1, 0, 0])
  expect(store.view(ep, args).read().data).toMatchObject(one)
  await ep.calls[0].answer(one)
  expect(told).not.toHaveBeenCalled()
})

test('FOC-1 NET-17 a key whose fetches stopped is fetched again', async () => {
  const ep = get({ errorExpiryLength: 0 })
  store.subscribe(ep, [args], () => {})
  await ep.calls[0].fail(new Error('no'))
  const before = ep.calls.length
  await clock.pass(5_000)
  expect(ep.calls).toHaveLength(before)
  window.tell('focus')
  expect(ep.calls).toHaveLength(before + 1)
})

test('FOC-2 events within a second count once; hiding is none', async () => {
  const ep = get({ dataExpiryLength: 0 })
  await store.controller.setResponse(ep, args, one)
  await clock.pass(1)
  store.subscribe(ep, [args], () => {})
  await ep.calls[0].answer(one)
  await clock.pass(2_000)
  page.turn('hidden')
  expect(ep.calls).toHaveLength(1)
  page.turn('visible')
  expect(ep.calls).toHaveLength(2)
  await ep.calls[1].answer(one)
  await clock.pass(999)
  window.tell('focus')
  expect(ep.calls).toHaveLength(2)
  await clock.pass(1)
  connectionListener.turn(true)
  expect(ep.calls).toHaveLength(3)
})

test('FOC-2 MGR-4 its listeners go with the store and come back with it', () => {
  const sizes = (): number[] => [connectionListener.size, page.size, window.size]
  expect(sizes()).toEqual([1, 1, 1])
  store.stop()
  expect(sizes()).toEqual([0, 0, 0])
  store.start()
  expect(sizes()).toEqual([1, 1, 1])
})

test('FOC-2 without document and window it does nothing', () => {
  const own = createStore({ clock, managers: [new FocusManager({ connectionListener }), ...getDefaultManagers()] })
  expect(connectionListener.size).toBe(1)
  own.stop()
})

test.each([undefined, {}])('FOC-2 a window without events, such as that of React Native, does no harm: %o', (other) => {
  const own = createStore({ clock, managers: [new FocusManager({ connectionListener, page, window: other })] })
  expect([connectionListener.size, page.size]).toEqual([2, 2])
  own.stop()
  expect([connectionListener.size, page.size]).toEqual([1, 1])
})

test('FOC-1 FOC-2 in a browser it listens to document and window by itself', () => {
  const [here, outside] = [new TestPage(), new TestPage()]
  vi.stubGlobal('document', here)
  vi.stubGlobal('window', outside)
  const own = createStore({ clock, managers: getDefaultManagers() })
  expect([here.size, outside.size]).toEqual([1, 2])
  own.stop()
  expect([here.size, outside.size]).toEqual([0, 0])
})

test('FOC-1 RCT-1 it is a default manager where there is a document; options, an instance or null replace it', () => {
  const of = (options?: object): unknown[] =>
    getDefaultManagers(options).filter((manager) => manager instanceof FocusManager)
  expect(of()).toHaveLength(0)
  vi.stubGlobal('document', page)
  expect(of()).toHaveLength(1)
  expect(of({ focusManager: { refetchOnFocus: false } })).toHaveLength(1)
  expect(of({ focusManager: null })).toHaveLength(0)
  const mine = new FocusManager()
  expect(of({ focusManager: mine })).toEqual([mine])
})

const FOCUS = (): void => window.tell('focus')
const RECONNECT = (): void => connectionListener.turn(true)
test.each([
  ['focus', FOCUS, {}, {}, 1],
  ['reconnect', RECONNECT, {}, {}, 1],
  ['focus, off for the endpoint', FOCUS, {}, { refetchOnFocus: false }, 0],
  ['reconnect, off for the endpoint', RECONNECT, {}, { refetchOnReconnect: false }, 0],
  ['focus, reconnect off', FOCUS, {}, { refetchOnReconnect: false }, 1],
  ['focus, off for the store', FOCUS, { refetchOnFocus: false }, {}, 0],
  ['reconnect, focus off for the store', RECONNECT, { refetchOnFocus: false }, {}, 1],
  ['focus, off for the store and on for the endpoint', FOCUS, { refetchOnFocus: false }, { refetchOnFocus: true }, 1],
  ['reconnect, off for the store', RECONNECT, { refetchOnReconnect: false }, {}, 0],
])('FOC-3 %s', async (_name, happen, options, more, calls) => {
  store.stop()
  const focus = new FocusManager({ connectionListener, page, window, ...options })
  store = createStore({ clock, managers: [focus, ...getDefaultManagers()] })
  const ep = get(more)
  await store.controller.setResponse(ep, args, one)
  store.subscribe(ep, [args], () => {})
  await clock.pass(61_000)
  happen()
  expect(ep.calls).toHaveLength(calls)
})

test.each([
  [{ onLine: true }, true],
  [{ onLine: false }, false],
  [{}, true],
  [undefined, true],
])('POL-8 navigator %o: online %s', (navigator, online) => {
  vi.stubGlobal('navigator', navigator)
  expect(new DefaultConnectionListener().isOnline()).toBe(online)
})

test('POL-8 the default listener receives the events of the window, and works without a window', () => {
  const listener = new DefaultConnectionListener()
  const target = new EventTarget()
  const heard: string[] = []
  const up = (): unknown => heard.push('up')
  const down = (): unknown => heard.push('down')
  const listen = (): void => {
    listener.addOnlineListener(up)
    listener.addOfflineListener(down)
  }
  const leave = (): void => {
    listener.removeOnlineListener(up)
    listener.removeOfflineListener(down)
  }
  listen()
  leave()
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target))
  listen()
  target.dispatchEvent(new Event('offline'))
  target.dispatchEvent(new Event('online'))
  leave()
  target.dispatchEvent(new Event('offline'))
  target.dispatchEvent(new Event('online'))
  expect(heard).toEqual(['down', 'up'])
})
