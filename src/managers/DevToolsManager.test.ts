import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import { Collection } from '../kinds/Collection.ts'
import { TestClock } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'
import { type DevToolsConfig, DevToolsManager } from './DevToolsManager.ts'
import { IdlingNetworkManager } from './IdlingNetworkManager.ts'
import { NetworkManager } from './NetworkManager.ts'
import { SubscriptionManager } from './SubscriptionManager.ts'

/** The extension as its documentation describes it. */
class Extension {
  options: any
  readonly states: any[] = []
  readonly sent: [action: any, state: any][] = []
  readonly listeners = new Set<(message: object) => void>()
  connections = 0
  connect = (options: object): object => {
    this.options = options
    this.connections++
    return {
      init: (state: unknown) => this.states.push(state),
      send: (action: unknown, state: unknown) => this.sent.push([action, state]),
      subscribe: (listener: (message: object) => void) => {
        this.listeners.add(listener)
        return () => this.listeners.delete(listener)
      },
    }
  }
  say(message: object): void {
    for (const listener of this.listeners) {
      listener(message)
    }
  }
  get types(): string[] {
    return this.sent.map(([{ type }]) => type)
  }
}

let clock: TestClock
let extension: Extension
let store: Store

beforeEach(() => {
  clock = new TestClock()
  extension = new Extension()
  vi.stubGlobal('__REDUX_DEVTOOLS_EXTENSION__', extension)
})
afterEach(() => {
  store?.stop()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function open(devToolsManager?: DevToolsManager | DevToolsConfig): void {
  store = createStore({ clock, managers: getDefaultManagers({ devToolsManager }) })
}

test('DEV-1 without the extension the manager ends without an error', () => {
  vi.stubGlobal('__REDUX_DEVTOOLS_EXTENSION__', undefined)
  const manager = new DevToolsManager()
  open(manager)
  expect(() => manager.cleanup()).not.toThrow()
})

const args = { id: '1' }
const one = { id: '1', title: 'a' }
const write = (title: string): Promise<void> => store.controller.set(Todo, args, { ...one, title })

describe('the panel', () => {
  test('DEV-1 DEV-2 actions wait for the panel, then each is sent with the state it led to', async () => {
    open()
    expect(extension.states).toEqual([store.getState()])
    await write('a')
    await write('b')
    expect(extension.sent).toEqual([])
    extension.say({ type: 'START' })
    await write('c')
    const titles = extension.sent.map(([, state]) => state.entities.Todo[1].title)
    expect(titles).toEqual(['a', 'b', 'c'])
    extension.say({ type: 'STOP' })
    await write('d')
    expect(extension.sent).toHaveLength(3)
    extension.say({ type: 'START' })
    expect(extension.sent).toHaveLength(4)
  })

  test.each([
    [undefined, 100],
    [{ maxAge: 5 }, 10],
  ])('DEV-2 with %o the last %d actions wait', async (config, count) => {
    open(config)
    for (let i = 0; i < 120; i++) {
      await write(`${i}`)
    }
    extension.say({ type: 'START' })
    expect(extension.sent).toHaveLength(count)
    expect(extension.sent.at(-1)![1].entities.Todo[1].title).toBe('119')
  })

  test('DEV-2 DEV-6 its reset forgets everything; a jump changes nothing, and says so', async () => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => {})
    open()
    await write('a')
    const before = store.getState()
    for (const type of ['JUMP_TO_ACTION', 'JUMP_TO_STATE', 'ROLLBACK', 'COMMIT', 'TOGGLE_ACTION', 'IMPORT_STATE']) {
      extension.say({ type: 'DISPATCH', payload: { type }, state: '{"entities":{}}' })
    }
    extension.say({ type: 'ACTION', payload: '{"type":"rdc/reset"}' })
    expect(store.getState()).toBe(before)
    expect(info).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('time travel is read-only'))
    extension.say({ type: 'DISPATCH', payload: { type: 'RESET' } })
    expect(store.getState().entities).toEqual({})
  })

  test('DEV-2 config goes to the extension; skipLogging leaves actions out', async () => {
    open(new DevToolsManager({ name: 'Shop', trace: true }, ({ type }) => type === 'quiet'))
    expect(extension.options).toEqual({
      name: 'Shop',
      trace: true,
      features: { pause: true, export: true, jump: true, test: false, lock: false, persist: false, skip: false },
      serialize: { options: { undefined: true, error: true, symbol: true, date: true, map: true, set: true } },
    })
    extension.say({ type: 'START' })
    await store.controller.dispatch({ type: 'quiet' })
    await store.controller.dispatch({ type: 'loud' })
    expect(extension.types).toEqual(['loud'])
  })

  test('DEV-2 NET-12 a fetch that joins another is not shown', async () => {
    open()
    extension.say({ type: 'START' })
    const ep = deferredEndpoint('get', Todo)
    const all = [store.controller.fetch(ep, args), store.controller.fetch(ep, args)]
    await ep.calls[0].answer(one)
    await Promise.all(all)
    expect(extension.types).toEqual(['rdc/fetch', 'rdc/setresponse'])
  })

  test('DEV-3 endpoints, schemas and times are shown as one can read them', async () => {
    open()
    extension.say({ type: 'START' })
    const ep = deferredEndpoint('get', { items: new Collection([Todo]), first: [Todo] }, { dataExpiryLength: Infinity })
    const promise = store.controller.fetch(ep)
    await ep.calls[0].answer({ items: [one] })
    await promise
    await store.controller.set(Todo, args, one)
    await store.controller.resetEntireStore()
    const [fetched, answered, set, reset] = extension.sent.map(([action]) => action)
    const time = new Date(clock.now()).toLocaleTimeString()
    const endpoint = {
      name: 'get',
      schema: { items: '[Todo]', first: ['Todo'] },
      sideEffect: undefined,
      dataExpiryLength: Infinity,
    }
    const request = { fetchedAt: time, sent: 1, requestId: '1' }
    const common = { key: ep.key(), args: [], endpoint }
    expect(fetched).toStrictEqual({ type: 'rdc/fetch', ...common, meta: request })
    expect(answered).toStrictEqual({
      type: 'rdc/setresponse',
      ...common,
      response: { items: [one] },
      error: false,
      meta: { ...request, date: time, expiresAt: Infinity },
    })
    const expiresAt = new Date(clock.now() + 60_000).toLocaleTimeString()
    const meta = { fetchedAt: time, date: time, expiresAt }
    expect(set).toStrictEqual({ type: 'rdc/set', schema: 'Todo', args: [args], value: one, meta })
    expect(reset).toStrictEqual({ type: 'rdc/reset', date: time })
  })

  test.each([
    [undefined, undefined],
    [null, undefined],
    [Todo, 'Todo'],
    [[{ a: Todo, text: '' }], [{ a: 'Todo', text: 'String' }]],
  ])('DEV-3 the schema %o is shown as %o', async (schema, shown) => {
    open()
    extension.say({ type: 'START' })
    await store.controller.dispatch({ type: 'any', endpoint: deferredEndpoint('get', schema) } as any)
    expect(extension.sent[0]![0].endpoint).toStrictEqual({ name: 'get', schema: shown, sideEffect: undefined })
  })

  test('DEV-2 what cannot be shown stops nothing', async () => {
    open()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    extension.say({ type: 'START' })
    extension.sent.push = () => {
      throw new Error('too large')
    }
    await write('a')
    expect(store.controller.get(Todo, args)).toMatchObject({ title: 'a' })
    expect(console.error).toHaveBeenCalledOnce()
  })

  test.each([
    [undefined, 0],
    [true, 1],
  ])(
    'DEV-1 DEV-4 in production with production: %s it connects %d times, and lists no controllers',
    async (production, count) => {
      vi.stubGlobal('__DC_CONTROLLERS__', undefined)
      vi.resetModules()
      vi.doMock('../base/env.ts', () => ({ DEV: false }))
      const { DevToolsManager: Manager } = await import('./DevToolsManager.ts')
      const { createStore: create } = await import('../client/createStore.ts')
      const { NetworkManager: Network } = await import('./NetworkManager.ts')
      store = create({ clock, managers: [new Manager({ production }), new Network()] })
      await write('a')
      extension.say({ type: 'START' })
      await write('b')
      expect([extension.connections, extension.sent.length]).toEqual([count, 2 * count])
      expect((globalThis as any).__DC_CONTROLLERS__).toBeUndefined()
      vi.doUnmock('../base/env.ts')
      vi.resetModules()
    },
  )

  test('DEV-4 MGR-4 controllers are listed by name while the store runs', () => {
    const listed = (): unknown => (globalThis as any).__DC_CONTROLLERS__?.get('Shop')
    open({ name: 'Shop' })
    expect(listed()).toBe(store.controller)
    const first = store
    open({ name: 'Shop' })
    first.stop()
    expect(listed(), 'not taken away by another store of that name').toBe(store.controller)
    store.stop()
    expect([listed(), extension.listeners.size]).toEqual([undefined, 0])
    store.start()
    expect([listed(), extension.listeners.size, extension.connections]).toEqual([store.controller, 1, 2])
  })

  test('DEV-1 without the extension it lets everything pass', async () => {
    vi.stubGlobal('__REDUX_DEVTOOLS_EXTENSION__', undefined)
    open()
    await write('a')
    expect(store.controller.get(Todo, args)).toMatchObject({ title: 'a' })
  })
})

describe('getDefaultManagers', () => {
  const kinds = (managers: readonly object[]): string[] => managers.map((manager) => manager.constructor.name)

  test('RCT-1 requests and polling, with the developer tools in front', () => {
    expect(kinds(getDefaultManagers())).toEqual(['DevToolsManager', 'NetworkManager', 'SubscriptionManager'])
  })

  test('RCT-1 each can be an instance, options, or left out', () => {
    const [network, subscription, tools] = [
      new IdlingNetworkManager(),
      new SubscriptionManager(),
      new DevToolsManager(),
    ]
    expect(
      getDefaultManagers({ networkManager: network, subscriptionManager: subscription, devToolsManager: tools }),
    ).toEqual([tools, network, subscription])
    expect(kinds(getDefaultManagers({ subscriptionManager: null, devToolsManager: null }))).toEqual(['NetworkManager'])
    const [given] = getDefaultManagers({ networkManager: { timeout: 5 }, devToolsManager: null }) as NetworkManager[]
    expect(given!.options).toEqual({ timeout: 5 })
  })

  test('RCT-1 managers show the options that they were given, and a subclass may set them', () => {
    const managers: any[] = getDefaultManagers({
      networkManager: { dataExpiryLength: 1 },
      devToolsManager: { maxAge: 200 },
    })
    expect(managers.find((manager) => manager instanceof NetworkManager)).toMatchObject({
      dataExpiryLength: 1,
      errorExpiryLength: 1_000,
    })
    expect(managers.find((manager) => manager instanceof DevToolsManager)?.maxBufferLength).toBe(400)
    class Patient extends NetworkManager {
      override dataExpiryLength = 5
      override errorExpiryLength = 7
    }
    class Short extends DevToolsManager {
      override maxBufferLength = 1
    }
    const network = new Patient()
    const tools = new Short()
    expect(getDefaultManagers({ networkManager: network, devToolsManager: tools }).slice(0, 2)).toEqual([
      tools,
      network,
    ])
    const store = createStore({ managers: [tools, network] })
    expect(store.controller.core.store.defaults).toMatchObject({ dataExpiryLength: 5, errorExpiryLength: 7 })
    store.stop()
  })

  test('RCT-1 without a NetworkManager nothing works, so null is ignored with an error', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(kinds(getDefaultManagers({ networkManager: null }))).toContain('NetworkManager')
    expect(error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('networkManager'))
  })
})
