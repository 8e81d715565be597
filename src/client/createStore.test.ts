import { refetchStale } from '../managers/watchFocus.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Controller } from '../controller/Controller.ts'
import { ImmortalGCPolicy } from '../managers/GCPolicy.ts'
import type { Manager } from '../managers/Manager.ts'
import { NetworkManager } from '../managers/NetworkManager.ts'
import { Collection } from '../kinds/Collection.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { deserializeState, serializeState } from './serialize.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo, User } from '../testing/entities.ts'
import { createStore, type Store } from './createStore.ts'

let clock: TestClock
let store: Store
let controller: Controller

beforeEach(() => {
  clock = new TestClock()
  store = createStore({ clock })
  controller = store.controller
})
afterEach(() => {
  store.stop()
  vi.restoreAllMocks()
})

const one = { id: '1', title: 'a' }
const args = { id: '1' }
const todos = new Collection([Todo])
const get = (more?: object): any => deferredEndpoint('get', Todo, more)

/** A manager that writes down what it sees. */
function spy(log: string[], name: string, more: object = {}): Manager {
  return {
    middleware: () => (next) => (action) => {
      log.push(`${name} ${action.type}`)
      return next(action)
    },
    init: () => void log.push(`${name} init`),
    cleanup: () => void log.push(`${name} cleanup`),
    ...more,
  }
}

describe('managers', () => {
  test('MGR-4 MGR-7 one that fails to clean up is reported, and all others and the collector are stopped', () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    const log: string[] = []
    const broken = (text: string): (() => void) => {
      return () => {
        throw new Error(text)
      }
    }
    const gcPolicy = { createCountRef: () => () => () => {}, init() {}, cleanup: broken('collector') }
    const first = spy(log, 'a', { cleanup: broken('first') })
    const own = createStore({ clock, gcPolicy, managers: [first, spy(log, 'b'), new NetworkManager()] })
    own.stop()
    expect(report.mock.calls.map(([error]) => error.message)).toEqual(['first', 'collector'])
    expect(log).toEqual(['a init', 'b init', 'b cleanup'])
    own.start()
    expect(log.slice(3)).toEqual(['a init', 'b init'])
    own.stop()
    vi.unstubAllGlobals()
  })

  test('MGR-1 MGR-2 MGR-4 STO-2 they are started, see actions in their order, and are stopped', async () => {
    const log: string[] = []
    const made: unknown[] = []
    const legacy: Manager = {
      getMiddleware: () => (api) => {
        made.push(api)
        return (next) => (action) => (log.push(`legacy ${action.type}`), next(action))
      },
      cleanup() {},
    }
    const own = createStore({ clock, managers: [spy(log, 'a'), legacy, spy(log, 'b'), new NetworkManager()] })
    expect(made).toEqual([own.controller])
    own.start()
    await own.controller.set(Todo, args, one)
    own.stop()
    own.stop()
    own.start()
    expect(log).toEqual([
      'a init',
      'b init',
      'a rdc/set',
      'legacy rdc/set',
      'b rdc/set',
      'a cleanup',
      'b cleanup',
      'a init',
      'b init',
    ])
    own.stop()
  })

  test('STO-2 with start: false the managers wait, and what readers ask before is sent', async () => {
    const log: string[] = []
    const own = createStore({ clock, managers: [spy(log, 'a'), new NetworkManager()], start: false })
    const ep = get()
    const promise = own.view(ep, args).promise()
    expect(log).toEqual(['a rdc/fetch'])
    own.start()
    expect(log).toEqual(['a rdc/fetch', 'a init'])
    await ep.calls[0].answer(one)
    expect(await promise).toMatchObject(one)
    own.stop()
  })

  test('STO-2 NET-20 a store that was never started can be stopped', async () => {
    const own = createStore({ clock, start: false })
    const promise = own.controller.fetch(get(), args)
    promise.catch(() => {})
    own.stop()
    await clock.pass(0)
    await expect(promise).rejects.toMatchObject({ name: 'ResetError' })
    own.start()
    await own.controller.set(Todo, args, one)
    expect(own.controller.get(Todo, args)).toBeDefined()
    own.stop()
  })

  test('CTL-13 a manager that dispatches in its constructor gets an error that says why', () => {
    const rash: Manager = { middleware: (api) => (void api.dispatch({ type: 'x' }), (next) => next), cleanup() {} }
    expect(() => createStore({ clock, managers: [rash, new NetworkManager()] })).toThrow(
      /Dispatching while constructing/,
    )
  })

  test('MGR-2 unknown actions go through all managers and do nothing', async () => {
    const log: string[] = []
    const own = createStore({ clock, managers: [spy(log, 'a'), new NetworkManager()] })
    const state = own.getState()
    await own.controller.dispatch({ type: 'app/mine' })
    await own.controller.dispatch({ type: 'rdc/subscribe', endpoint: get(), key: 'x', args: [] })
    expect(own.getState()).toBe(state)
    expect(log).toContain('a app/mine')
    own.stop()
  })

  test('MGR-2 an action that is not passed on has no effect', async () => {
    const own = createStore({
      clock,
      managers: [{ middleware: () => () => () => Promise.resolve(), cleanup() {} }, new NetworkManager()],
    })
    await own.controller.set(Todo, args, one)
    expect(own.getState().entities).toEqual({})
  })

  test('MGR-3 dispatch resolves after the listeners of its commit were called', async () => {
    await controller.set(Todo, args, one)
    const log: string[] = []
    store.subscribe(Todo, [args], () => log.push('told'))
    // The first write of a task notifies at once, the second in a microtask.
    await Promise.all([
      controller.set(Todo, args, { id: '1', title: 'b' }).then(() => log.push('first')),
      controller.set(Todo, args, { id: '1', title: 'c' }).then(() => log.push('second')),
    ])
    expect(log).toEqual(['told', 'first', 'told', 'second'])
  })

  test('MGR-5 after a stop actions are ignored, with one word about it', async () => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => {})
    const state = store.getState()
    store.stop()
    await controller.set(Todo, args, one)
    await controller.set(Todo, args, one)
    expect(store.getState()).toBe(state)
    expect(info.mock.calls.length).toBeLessThanOrEqual(1)
    store.start()
    await controller.set(Todo, args, one)
    expect(controller.get(Todo, args)).toBeDefined()
  })

  test('MGR-6 a store without a NetworkManager says so', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    createStore({ clock, managers: [] })
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('NetworkManager'))
  })
})

describe('options', () => {
  test('STO-1 a Controller of the app, its garbage policy, clock and chance', () => {
    class Mine extends Controller {
      mine = true
    }
    const calls: unknown[] = []
    const gcPolicy = {
      createCountRef: () => () => () => {},
      init: (api: unknown) => void calls.push(api),
      cleanup: () => void calls.push('cleanup'),
    }
    const random = (): number => 0.5
    const own = createStore({ Controller: Mine, gcPolicy, clock, random })
    expect(own.controller).toBeInstanceOf(Mine)
    expect(own.controller.random).toBe(random)
    expect(own.controller.clock.now()).toBe(clock.time)
    own.stop()
    expect(calls).toEqual([own.controller, 'cleanup'])
  })

  test.each([
    ['a state', (state: any) => state],
    ['text', (state: any) => deserializeState(serializeState(state))],
    ['JSON', (state: any) => deserializeState(JSON.stringify(state))],
  ])('STO-1 ST-17 it begins with %s', async (_name, carry) => {
    const ep = get()
    await controller.setResponse(ep, args, one)
    const own = createStore({ clock, initialState: carry(store.getState()) })
    expect(own.view(ep, args).read().data).toMatchObject(one)
    const reading = own.controller.fetch(ep, args)
    await ep.calls[0].answer({ id: '1', title: 'first answer' })
    expect(((await reading) as any).title).toBe('first answer')
    own.stop()
  })
})

describe('views', () => {
  test('STO-3 the same View for an equal question', () => {
    const ep = get()
    expect(store.view(ep, { id: '1' })).toBe(store.view(ep, { id: '1' }))
    expect(store.view(ep, { id: '1' })).not.toBe(store.view(ep, { id: '2' }))
    expect(store.view(Todo, { id: '1' })).toBe(store.view(Todo, { id: '1' }))
    expect(store.view(todos, {})).toBe(store.view(todos, {}))
  })

  test('STO-3 read never fetches; promise does by EXP-7, and resolves to the data', async () => {
    const ep = get({ dataExpiryLength: 100 })
    const view = store.view(ep, args)
    expect(view.read()).toMatchObject({ data: undefined, error: undefined, expiryStatus: 2, expiresAt: 1 })
    expect(ep.calls).toHaveLength(0)
    const promise = view.promise()
    expect(view.promise()).toBe(promise)
    await ep.calls[0].answer(one)
    expect(await promise).toBe(view.read().data)
    expect(await view.promise()).toBe(view.read().data)
    expect(ep.calls).toHaveLength(1)
    await clock.pass(101)
    void view.promise()
    expect(ep.calls).toHaveLength(2)
  })

  test('STO-3 null fetches nothing', async () => {
    const ep = deferredEndpoint('x', { todo: Todo, total: 0 })
    const view = store.view(ep, null)
    expect(view.read().data).toMatchObject({ total: 0 })
    view.subscribe(() => {})()
    expect(await view.promise()).toMatchObject({ total: 0 })
    expect(ep.calls).toHaveLength(0)
  })

  test('STO-3 a query notifies and can be read, and never fetches', async () => {
    const told: string[] = []
    const end = store.subscribe(Todo, [args], (what) => told.push(what))
    await controller.set(Todo, args, one)
    expect(told).toEqual(['value'])
    expect(await store.view(Todo, args).promise()).toBe(controller.get(Todo, args))
    end()
    end()
    await controller.set(Todo, args, { id: '1', title: 'b' })
    expect(told).toEqual(['value'])
  })

  test('STO-4 EXP-7 EXP-8 a subscribed view is kept up: at mount, when marked, after a reset; not with time', async () => {
    const ep = get({ dataExpiryLength: 100 })
    const told: string[] = []
    const end = store.subscribe(ep, [args], (what) => told.push(what))
    expect(ep.calls).toHaveLength(1)
    await ep.calls[0].answer(one)
    await clock.pass(1_000)
    expect(ep.calls).toHaveLength(1)
    // A second mount finds it old.
    const second = store.subscribe(ep, [args], () => {})
    expect(ep.calls).toHaveLength(2)
    await ep.calls[1].answer(one)
    expect(told).toEqual(['value'])
    await controller.expireAll(ep)
    await clock.pass(0)
    expect(ep.calls).toHaveLength(3)
    expect(told).toEqual(['value', 'freshness'])
    await ep.calls[2].answer(one)
    await controller.invalidate(ep, args)
    await clock.pass(0)
    expect(ep.calls).toHaveLength(4)
    await ep.calls[3].answer(one)
    await controller.resetEntireStore()
    await clock.pass(0)
    expect(ep.calls).toHaveLength(5)
    await ep.calls[4].answer(one)
    expect(store.view(ep, args).read().data).toMatchObject(one)
    await clock.pass(1_000)
    expect(ep.calls).toHaveLength(5)
    end()
    second()
    await controller.invalidate(ep, args)
    await clock.pass(0)
    expect(ep.calls).toHaveLength(5)
  })

  test('STO-4 a passive reader is notified and never fetches', async () => {
    const ep = get()
    const told: string[] = []
    store.view(ep, args).subscribe((what) => told.push(what), true)
    await controller.setResponse(ep, args, one)
    await controller.invalidate(ep, args)
    expect(ep.calls).toHaveLength(0)
    expect(told).toEqual(['value', 'freshness'])
  })

  test('STO-4 the endpoint passed last is fetched', async () => {
    const [old, next] = [get(), get()]
    store.subscribe(old, [args], () => {})
    await old.calls[0].answer(one)
    store.view(next, args)
    await controller.invalidate(old, args)
    await clock.pass(0)
    expect([old.calls.length, next.calls.length]).toEqual([1, 1])
  })

  test('OPT-15 a record hidden by a pending delete is waited for, not fetched', async () => {
    const ep = get()
    const remove = deferredEndpoint('delete', new Invalidate(Todo), {
      sideEffect: true,
      getOptimisticResponse: (_: any, p: any) => p,
    })
    await controller.setResponse(ep, args, one)
    const before = controller.get(Todo, args)
    const view = store.view(ep, args)
    view.subscribe(() => {})
    const removing = controller.fetch(remove, args)
    removing.catch(() => {})
    expect(view.read()).toMatchObject({ data: undefined, waiting: true })
    const waiting = view.promise()
    await tick()
    expect(ep.calls).toHaveLength(0)
    await remove.calls[0].fail(Object.assign(new Error('no'), { status: 422 }))
    expect(await waiting).toEqual(before)
    expect(ep.calls).toHaveLength(0)
  })

  test('OPT-15 once it is deleted its readers ask', async () => {
    const ep = get()
    const remove = deferredEndpoint('delete', new Invalidate(Todo), {
      sideEffect: true,
      getOptimisticResponse: (_: any, p: any) => p,
    })
    await controller.setResponse(ep, args, one)
    store.subscribe(ep, [args], () => {})
    void controller.fetch(remove, args)
    await remove.calls[0].answer(args)
    await clock.pass(0)
    expect(ep.calls).toHaveLength(1)
  })

  test('ST-19 N1 the first write of a task notifies at once, a thousand writes at most twice; a listener that throws stops no other', async () => {
    await controller.set(Todo, args, one)
    const report = vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.stubGlobal('reportError', undefined)
    let calls = 0
    store.subscribe(Todo, [args], () => {
      throw new Error('mine')
    })
    store.subscribe(Todo, [args], () => calls++)
    for (let i = 0; i < 1_000; i++) {
      void controller.set(Todo, args, { id: '1', title: `${i}` })
      expect(calls).toBe(1)
    }
    await tick()
    expect(calls).toBe(2)
    expect(report).toHaveBeenCalledTimes(2)
    vi.unstubAllGlobals()
  })

  test('T1 nothing is left when all readers have gone', async () => {
    store.stop()
    clock = new TestClock()
    store = createStore({ clock, gcPolicy: new ImmortalGCPolicy() })
    controller = store.controller
    const ep = get()
    const ends = [store.subscribe(ep, [args], () => {}), store.subscribe(Todo, [args], () => {})]
    expect([...controller.core.mounted]).toHaveLength(2)
    expect(controller.core.result(ep.key(args)).isRead).toBe(true)
    for (const end of ends) {
      end()
    }
    await clock.pass(0)
    expect([...controller.core.mounted]).toHaveLength(0)
    expect(controller.core.result(ep.key(args)).isRead).toBe(false)
    expect(controller.core.requests.open.size).toBe(0)
    expect(clock.pending).toBe(0)
  })

  test('FOC-1 judge refetches the stale data of mounted readers, once each', async () => {
    const [ep, user] = [get({ dataExpiryLength: 10 }), deferredEndpoint('user', User)]
    store.subscribe(ep, [args], () => {})
    store.subscribe(ep, [args], () => {})
    store.subscribe(user, [{ id: '5' }], () => {})
    await ep.calls[0].answer(one)
    await user.calls[0].answer({ id: '5' })
    await clock.pass(11)
    refetchStale(controller.core, () => true)
    expect([ep.calls.length, user.calls.length]).toEqual([2, 1])
  })
})
