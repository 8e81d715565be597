// @vitest-environment happy-dom
// React renders a provider twice in Strict Mode and keeps one of the two stores: managers have to serve that one.
import { render, type RenderResult } from '@testing-library/react'
import { readFileSync } from 'node:fs'
import { type ComponentType, type ReactNode, StrictMode } from 'react'
import {
  Controller,
  DevToolsManager,
  FocusManager,
  GCPolicy,
  getDefaultManagers,
  IdlingNetworkManager,
  LogoutManager,
  type Manager,
  NetworkManager,
  PollingSubscription,
  SubscriptionManager,
} from 'restitch'
import { DataProvider as WebProvider, useController, useDLE, useLive, useQuery, useSuspense } from 'restitch/react'
import { DataProvider as NativeProvider } from 'restitch/react/native'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createNextProvider } from '../../src/react/ssr/createNextProvider.ts'
import { TestConnection, TestPage } from '../../src/testing/environment.ts'
import { bundle } from '../bundle.ts'
import { act, h, settle, TestClock, Todo, deferredEndpoint } from './cases.ts'

const args = { id: '1' }
const one = { id: '1', title: 'one' }
const two = { id: '1', title: 'two' }

let SocketManager: new (url: string, kinds: object) => Manager

class Socket {
  static all: Socket[] = []
  onopen?: () => void
  onmessage?: (event: { data: string }) => void
  onclose?: () => void
  isClosed = false
  constructor() {
    Socket.all.push(this)
  }
  close(): void {
    this.isClosed = true
    // A browser reports the end in a separate task.
    queueMicrotask(() => this.onclose?.())
  }
}

beforeAll(async () => {
  const [, code] = /## A manager of your own[\s\S]*?```ts\n([\s\S]*?)```/.exec(
    readFileSync('docs/guide/streams.md', 'utf8'),
  )!
  const text = await bundle(code!.replaceAll(/^import type .*$/gm, ''), 'development')
  ;({ SocketManager } = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`))
})

afterEach(() => {
  Socket.all = []
  vi.unstubAllGlobals()
})

interface Shown extends RenderResult {
  readonly clock: TestClock
  /** Of the store that is on the screen. */
  readonly controller: Controller
  readonly text: () => string
  /** Mounts another provider instead of this one. */
  readonly renew: () => Promise<Controller>
}

/** Puts a provider on the screen in Strict Mode, with a store whose clock stands. */
async function show(Provider: ComponentType<any>, props: object, child?: ReactNode): Promise<Shown> {
  const clock = new TestClock()
  let controller!: Controller
  class Timed extends Controller {
    constructor(options: object) {
      super({ ...options, clock, random: () => 0.5 })
    }
  }
  const Find = (): ReactNode => ((controller = useController()), null)
  const tree = (key: number): ReactNode =>
    h(StrictMode, null, h(Provider, { key, Controller: Timed, devButton: null, ...props }, h(Find), child))
  const screen = await act(async () => render(tree(0)))
  await settle(() => clock.pass())
  const renew = async (): Promise<Controller> => {
    await act(async () => screen.rerender(tree(1)))
    await settle(() => clock.pass())
    return controller
  }
  return Object.assign(screen, { clock, controller, renew, text: () => screen.container.textContent ?? '' })
}

const Title = (): ReactNode => useQuery(Todo, args)?.title ?? 'nothing'

describe.each<[string, ComponentType<any>]>([
  ['DataProvider', WebProvider],
  ['DataProvider of React Native', NativeProvider],
  ['DataProvider of Next.js', createNextProvider(() => {}, false)],
])('RCT-13 %s in Strict Mode', (_name, Provider) => {
  test('RCT-13 MGR-1 a manager is bound to one store before it starts, and that one is on the screen', async () => {
    const log: unknown[] = []
    const manager: Manager = {
      middleware: (api) => {
        log.push(api)
        return (next) => next
      },
      init: () => void log.push('init'),
      cleanup: () => void log.push('cleanup'),
    }
    const { controller, unmount, clock } = await show(Provider, { managers: [manager, new NetworkManager()] })
    const at = log.indexOf('init')
    expect(log[at - 1] === controller).toBe(true)
    expect(log.slice(at)).toEqual(['init'])
    unmount()
    await settle(() => clock.pass())
    expect(log.slice(at)).toEqual(['init', 'cleanup'])
  })

  test('LIV-16 RCT-2 the spread of its store is the one that it is given', async () => {
    const { controller, unmount } = await show(Provider, { managers: [new NetworkManager()], spread: 5_000 })
    expect(controller.core.spread).toBe(5_000)
    unmount()
  })

  test('RCT-13 a WebSocket manager, as the guide has it, writes to the screen', async () => {
    vi.stubGlobal('WebSocket', Socket)
    const managers = [new SocketManager('ws://test', { todo: Todo }), ...getDefaultManagers()]
    const { text, unmount, clock } = await show(Provider, { managers }, h(Title))
    expect(Socket.all).toHaveLength(1)
    await settle(() => Socket.all[0]!.onmessage!({ data: JSON.stringify({ kind: 'todo', record: one }) }))
    expect(text()).toBe('one')
    unmount()
    await settle(() => clock.pass())
    expect(Socket.all.map(({ isClosed }) => isClosed)).toEqual([true])
  })

  test.each([NetworkManager, IdlingNetworkManager])('RCT-13 %o sends the requests of the screen', async (Network) => {
    vi.stubGlobal('requestIdleCallback', (run: () => void) => run())
    const network = new Network()
    const ep = deferredEndpoint('get', Todo)
    const Show = (): ReactNode => (useSuspense(ep, args) as any).title
    const { text, unmount, clock, controller } = await show(Provider, { managers: [network] }, h(Show))
    expect(ep.calls).toHaveLength(1)
    expect(network.allSettled()).toBeInstanceOf(Promise)
    await settle(() => ep.calls[0].answer(one))
    expect(text()).toBe('one')
    expect(network.allSettled()).toBeUndefined()
    unmount()
    await settle(() => clock.pass())
    expect(controller.core.requests.isStopped).toBe(true)
  })

  test('RCT-13 FocusManager refetches what is on the screen', async () => {
    const page = new TestPage()
    const connectionListener = new TestConnection()
    const focus = new FocusManager({ page, window: new TestPage(), connectionListener })
    const ep = deferredEndpoint('get', Todo, { dataExpiryLength: 100 })
    const Show = (): ReactNode => (useSuspense(ep, args) as any).title
    const { text, clock, unmount } = await show(Provider, { managers: [focus, ...getDefaultManagers()] }, h(Show))
    await settle(() => ep.calls[0].answer(one))
    await settle(() => clock.pass(2_000))
    await settle(() => page.turn('visible'))
    expect(ep.calls).toHaveLength(2)
    await settle(() => ep.calls[1].answer(two))
    expect(text()).toBe('two')
    unmount()
    await settle(() => clock.pass())
    expect([page.size, connectionListener.size]).toEqual([0, 0])
  })

  test('RCT-13 SubscriptionManager polls for the screen', async () => {
    const connectionListener = new TestConnection()
    const polling = new SubscriptionManager(PollingSubscription, { page: new TestPage(), connectionListener })
    const ep = deferredEndpoint('get', Todo, { pollFrequency: 1_000 })
    const Show = (): ReactNode => (useLive(ep, args) as any).title
    const { text, clock, unmount } = await show(Provider, { managers: [new NetworkManager(), polling] }, h(Show))
    await settle(() => ep.calls[0].answer(one))
    await settle(() => clock.pass(1_000))
    expect(ep.calls).toHaveLength(2)
    await settle(() => ep.calls[1].answer(two))
    expect(text()).toBe('two')
    unmount()
    await settle(() => clock.pass(5_000))
    expect(ep.calls).toHaveLength(2)
    expect(connectionListener.size).toBe(0)
  })

  test('RCT-13 LogoutManager resets the store on the screen, once', async () => {
    const handleLogout = vi.fn((controller: Controller) => controller.resetEntireStore())
    const managers = [new LogoutManager({ handleLogout }), ...getDefaultManagers()]
    const { text, controller } = await show(Provider, { managers }, h(Title))
    await settle(() => controller.set(Todo, args, one))
    expect(text()).toBe('one')
    const ep = deferredEndpoint('private')
    await settle(() => {
      controller.fetch(ep).catch(() => {})
      return ep.calls[0].fail(Object.assign(new Error('signed out'), { status: 401 }))
    })
    expect(handleLogout.mock.calls.map(([given]) => given === controller)).toEqual([true])
    expect(text()).toBe('nothing')
  })

  test('RCT-13 LOG-6 a signed-out start fetches the current user once', async () => {
    const me = deferredEndpoint('me', Todo)
    const Who = (): ReactNode => {
      const { loading, error } = useDLE(me) as any
      return loading ? 'loading' : `status ${error?.status}`
    }
    const { text, clock } = await show(Provider, { managers: [new LogoutManager(), ...getDefaultManagers()] }, h(Who))
    expect(text()).toBe('loading')
    await settle(() => me.calls[0].fail(Object.assign(new Error('signed out'), { status: 401 })))
    await settle(() => clock.pass(500))
    expect(text()).toBe('status 401')
    expect(me.calls).toHaveLength(1)
  })

  test('RCT-13 DevToolsManager shows the store on the screen', async () => {
    const listeners = new Set<(message: object) => void>()
    const states: any[] = []
    const subscribe = (listener: (message: object) => void): object => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
    const connect = (): object => ({ init() {}, send: (_action: object, state: any) => states.push(state), subscribe })
    vi.stubGlobal('__REDUX_DEVTOOLS_EXTENSION__', { connect })
    const managers = [new DevToolsManager({ name: 'strict' }), new NetworkManager()]
    const { text, controller, unmount, clock } = await show(Provider, { managers }, h(Title))
    const { __DC_CONTROLLERS__: controllers } = globalThis as { __DC_CONTROLLERS__?: Map<string, Controller> }
    expect(controllers!.get('strict') === controller).toBe(true)
    expect(listeners.size).toBe(1)
    const tell = (message: object): void => [...listeners].forEach((listener) => listener(message))
    tell({ type: 'START' })
    await settle(() => controller.set(Todo, args, one))
    expect(states.at(-1)).toBe(controller.getState())
    expect(text()).toBe('one')
    await settle(() => tell({ type: 'DISPATCH', payload: { type: 'RESET' } }))
    expect(text()).toBe('nothing')
    unmount()
    await settle(() => clock.pass())
    expect(controllers!.has('strict')).toBe(false)
    expect(listeners.size).toBe(0)
  })

  test('RCT-13 GCPolicy collects from the store on the screen', async () => {
    const gcPolicy = new GCPolicy({ intervalMS: 1_000, expiresAt: () => 0 })
    Object.assign(gcPolicy, { idleCallback: (_controller: any, run: any) => run() })
    const { controller, clock, unmount } = await show(Provider, { managers: [new NetworkManager()], gcPolicy })
    await settle(() => controller.set(Todo, args, one))
    await settle(() => clock.pass(1_000))
    expect(controller.get(Todo, args)).toBeUndefined()
    unmount()
    await settle(() => clock.pass())
    expect(clock.pending).toBe(0)
  })

  test('RCT-13 MGR-8 a provider that takes the place of another with the same managers keeps them', async () => {
    vi.stubGlobal('WebSocket', Socket)
    const page = new TestPage()
    const connectionListener = new TestConnection()
    const focus = new FocusManager({ page, window: new TestPage(), connectionListener })
    const polling = new SubscriptionManager(PollingSubscription, { page, connectionListener })
    const socket = new SocketManager('ws://test', { todo: Todo })
    const gcPolicy = new GCPolicy({ intervalMS: 1e9 })
    const ep = deferredEndpoint('get', Todo, { pollFrequency: 10_000, dataExpiryLength: 100 })
    const Show = (): ReactNode => (useLive(ep, args) as any).title
    const managers = [socket, focus, new NetworkManager(), polling]
    const first = await show(Provider, { managers, gcPolicy }, h(Show))
    await settle(() => ep.calls[0].answer(one))
    // A subscription that is never ended stops with its store.
    const other = deferredEndpoint('other', undefined, { pollFrequency: 1_000 })
    await settle(() => first.controller.subscribe(other))
    const second = await first.renew()
    expect(second === first.controller).toBe(false)
    expect(first.controller.core.requests.isStopped).toBe(true)
    await settle(() => ep.calls[1].answer(one))
    expect(first.text()).toBe('one')
    // One socket is open, and it writes to the new screen.
    expect(Socket.all.map(({ isClosed }) => isClosed)).toEqual([true, false])
    await settle(() => Socket.all[1]!.onmessage!({ data: JSON.stringify({ kind: 'todo', record: two }) }))
    expect(first.text()).toBe('two')
    // A return to the page, and then a poll, is one request of the new store each.
    await settle(() => first.clock.pass(2_000))
    await settle(() => page.turn('visible'))
    expect(ep.calls).toHaveLength(3)
    await settle(() => ep.calls[2].answer(one))
    await settle(() => first.clock.pass(10_000))
    expect(ep.calls).toHaveLength(4)
    await settle(() => ep.calls[3].answer(two))
    expect(first.text()).toBe('two')
    first.unmount()
    await settle(() => first.clock.pass(100_000))
    expect([page.size, connectionListener.size, first.clock.pending]).toEqual([0, 0, 0])
    expect(Socket.all.map(({ isClosed }) => isClosed)).toEqual([true, true])
    expect([ep.calls.length, other.calls.length]).toEqual([4, 1])
  })
})
