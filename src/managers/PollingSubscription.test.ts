import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import type { Controller } from '../controller/Controller.ts'
import { observerOf } from '../explain/observers.ts'
import { Collection } from '../kinds/Collection.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'
import { TestConnection, TestPage } from '../testing/environment.ts'
import { ImmortalGCPolicy } from './GCPolicy.ts'
import { PollingSubscription } from './PollingSubscription.ts'
import { SubscriptionManager } from './SubscriptionManager.ts'

let clock: TestClock
let connectionListener: TestConnection
let page: TestPage
let store: Store
let controller: Controller

beforeEach(() => {
  clock = new TestClock()
  connectionListener = new TestConnection()
  page = new TestPage()
  open({ connectionListener, page })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  store.stop()
  vi.restoreAllMocks()
})

function open(options: object, random: () => number = () => 0.5): void {
  const managers = getDefaultManagers({ subscriptionManager: options })
  store = createStore({ clock, random, managers, gcPolicy: new ImmortalGCPolicy() })
  controller = store.controller
}

const args = { id: '1' }
const one = { id: '1', title: 'a' }
/** An endpoint that is polled every second. */
const polled = (more?: object): any => deferredEndpoint('get', Todo, { pollFrequency: 1_000, ...more })

/** When requests were sent, in milliseconds since the beginning; each gets a response at once. */
function times(ep: any, answer: (call: any) => Promise<void> = (call) => call.answer(one)): () => number[] {
  const start = clock.now()
  const at: number[] = []
  const { push } = ep.calls
  ep.calls.push = (...calls: any[]) => {
    at.push(clock.now() - start)
    void Promise.resolve().then(() => answer(calls[0]))
    return push.apply(ep.calls, calls)
  }
  return () => at.splice(0)
}

const busy = (after?: string): Error =>
  Object.assign(new Error('busy'), {
    status: 503,
    response: new Response('', { status: 503, headers: after ? { 'Retry-After': after } : {} }),
  })

describe('when it polls', () => {
  test('POL-11 an endpoint without a pollFrequency has that of the store', async () => {
    store.stop()
    open({ connectionListener, page, pollFrequency: 400 })
    const ep = deferredEndpoint('get', Todo)
    const sent = times(ep)
    await controller.subscribe(ep, args)
    await clock.pass(900)
    expect(sent()).toEqual([0, 400, 800])
    await controller.unsubscribe(ep, args)
    await clock.pass(2_000)
    expect(sent()).toEqual([])
  })

  test.each([
    ['never fetched: at once', undefined, [0, 1_000, 2_000]],
    ['fetched 300 ms ago', 300, [700, 1_700, 2_700]],
    ['fetched 5 s ago: at once', 5_000, [0, 1_000, 2_000]],
  ])('POL-5 %s', async (_, age, expected) => {
    const ep = polled()
    if (age !== undefined) {
      await controller.setResponse(ep, args, one)
      await clock.pass(age)
    }
    const at = times(ep)
    await controller.subscribe(ep, args)
    await clock.pass(2_999)
    expect(at()).toEqual(expected)
  })

  test.each([
    ['fetched 1 s ago', 0, 1_000, [4_000, 14_000, 24_000]],
    ['fetched 1 s ago', 0.9, 1_000, [13_000, 23_000, 33_000]],
    ['fetched too long ago: at once', 0.9, 11_000, [0, 10_000, 20_000]],
    ['never fetched: the interval after the first poll', 0, undefined, [0, 5_000, 15_000]],
    ['never fetched: the interval after the first poll', 0.9, undefined, [0, 14_000, 24_000]],
  ])('POL-14 the first interval is random, the others are kept: %s, random %d', async (_, luck, age, expected) => {
    store.stop()
    open({ connectionListener, page }, () => luck)
    const ep = polled({ pollFrequency: 10_000 })
    if (age !== undefined) {
      await controller.setResponse(ep, args, one)
      await clock.pass(age)
    }
    const at = times(ep)
    await controller.subscribe(ep, args)
    await clock.pass(33_000)
    expect(at().slice(0, 3)).toEqual(expected)
  })

  test('POL-14 the interval is kept on average, and pages that were loaded together drift apart', async () => {
    const first = Array.from({ length: 11 }, (_, i) => i / 10).map(async (luck) => {
      const own = new TestClock()
      const managers = getDefaultManagers({ subscriptionManager: { connectionListener, page } })
      const other = createStore({ clock: own, random: () => luck, managers, gcPolicy: new ImmortalGCPolicy() })
      const ep = polled({ pollFrequency: 10_000 })
      await other.controller.setResponse(ep, args, one)
      await other.controller.subscribe(ep, args)
      let time = 0
      for (; ep.calls.length === 0; time += 500) {
        await own.pass(500)
      }
      other.stop()
      return time
    })
    const times = await Promise.all(first)
    expect(times.reduce((sum, one) => sum + one) / times.length).toBe(10_000)
    expect(new Set(times).size).toBe(11)
  })

  test('POL-5 POL-7 slow responses skip polls, and there are never two at once', async () => {
    const ep = polled()
    const at = times(ep, () => Promise.resolve())
    await controller.subscribe(ep, args)
    await clock.pass(3_500)
    expect(at()).toEqual([0])
    await ep.calls[0].answer(one)
    await clock.pass(3_000)
    expect(at()).toEqual([4_000])
  })

  test('POL-5 a store without an observer, as where explain() is left out of the build, polls alike', async () => {
    controller.core.observer = undefined
    const ep = polled()
    const at = times(ep)
    await controller.subscribe(ep, args)
    await clock.pass(2_500)
    expect(at()).toEqual([0, 1_000, 2_000])
    store.stop()
    await clock.pass(5_000)
    expect(at()).toEqual([])
  })

  test('EXPL-4 POL-8 POL-9 its state, for explain()', async () => {
    const facts = (): any => observerOf(controller)!.polls.get(ep.key(args))?.()
    const ep = polled()
    await controller.subscribe(ep, args)
    const first = clock.now()
    expect(facts()).toEqual({ frequency: 1_000, failures: 0, paused: undefined, nextAt: first })
    await clock.pass(0)
    expect(facts()).toEqual({ frequency: 1_000, failures: 0, paused: undefined, nextAt: undefined })
    await ep.calls[0].fail(busy())
    const idle = { frequency: 1_000, failures: 1, paused: undefined, nextAt: first + 2_000 }
    expect(facts()).toEqual(idle)
    page.turn('hidden')
    expect(facts()).toEqual({ ...idle, paused: 'hidden', nextAt: undefined })
    connectionListener.turn(false)
    expect(facts()).toEqual({ ...idle, paused: 'offline', nextAt: undefined })
    await controller.unsubscribe(ep, args)
    expect(facts()).toBeUndefined()
  })

  test('POL-6 the smallest frequency rules; counts are kept for each', async () => {
    const slow = polled({ pollFrequency: 4_000 })
    const at = times(slow)
    await controller.subscribe(slow, args)
    await clock.pass(2_500)
    expect(at()).toEqual([0])
    const quick = slow.extend({ pollFrequency: 1_000 })
    await controller.subscribe(quick, args)
    await controller.subscribe(quick, args)
    await clock.pass(2_000)
    expect(at(), 'the new one is overdue, so it starts at once').toEqual([2_500, 3_500, 4_500])
    await controller.unsubscribe(quick, args)
    await clock.pass(1_000)
    expect(at(), 'one of two still wants it').toEqual([5_500])
    await controller.unsubscribe(quick, args)
    await clock.pass(8_000)
    expect(at(), 'the next smallest').toEqual([9_500, 13_500])
    await controller.unsubscribe(slow, args)
    await clock.pass(20_000)
    expect(at()).toEqual([])
    expect(clock.pending).toBe(0)
  })

  test.each([
    [503, undefined],
    [404, 404],
    [410, 410],
  ])('POL-7 a poll that fails with %i: the error beside the data is %s', async (status, shown) => {
    const ep = polled()
    await controller.subscribe(ep, args)
    await clock.pass(0)
    await ep.calls[0].answer(one)
    await clock.pass(1_000)
    await ep.calls[1].fail(Object.assign(new Error('no'), { status }))
    expect(controller.getError(ep, args)?.status).toBe(shown)
    expect(controller.getResponse(ep, args).data).toMatchObject(one)
  })

  test('POL-7 NET-3 a poll shares the request in flight', async () => {
    const ep = polled()
    const asked = controller.fetch(ep, args)
    await controller.subscribe(ep, args)
    await clock.pass(10)
    expect(ep.calls).toHaveLength(1)
    await ep.calls[0].answer(one)
    expect(await asked).toMatchObject(one)
    await clock.pass(1_000)
    expect(ep.calls).toHaveLength(2)
  })

  test('POL-11 without a subscription nothing is polled', async () => {
    const ep = polled()
    store.subscribe(ep, [args], () => {})
    await ep.calls[0].answer(one)
    await clock.pass(50_000)
    expect(ep.calls).toHaveLength(1)
  })

  test('POL-5 a frequency that no timer can count does not poll without end', async () => {
    const ep = polled({ pollFrequency: Infinity })
    await controller.setResponse(ep, args, one)
    const wait = vi.spyOn(clock, 'setTimeout')
    await controller.subscribe(ep, args)
    expect(wait.mock.lastCall?.[1]).toBe(2 ** 31 - 1)
  })
})

describe('what it fetches', () => {
  test.each([
    ['of its own', {}, 500, 100],
    ['of the endpoint', { dataExpiryLength: 77, errorExpiryLength: 0 }, 77, 0],
  ])('EXP-11 POL-7 expiry %s', async (_, more, data, error) => {
    const ep = polled(more)
    await controller.subscribe(ep, args)
    await clock.pass(0)
    await ep.calls[0].answer(one)
    const life = (): number => {
      const { date, expiresAt } = store.getState().meta[ep.key(args)]!
      return expiresAt - date
    }
    expect(life()).toBe(data)
    await clock.pass(1_000)
    await ep.calls[1].fail(new Error('no'))
    expect(life()).toBe(error)
  })

  test('POL-7 an error leaves the data, whatever the endpoint says of errors', async () => {
    const ep = polled({ errorPolicy: () => 'hard' })
    await controller.subscribe(ep, args)
    await clock.pass(0)
    await ep.calls[0].answer(one)
    await clock.pass(1_000)
    await ep.calls[1].fail(busy())
    expect(controller.getResponse(ep, args).data).toMatchObject(one)
    expect(controller.getError(ep, args)).toBeUndefined()
  })

  test('POL-7 the schema stays, and lists too', async () => {
    const ep = deferredEndpoint('list', new Collection([Todo]), { pollFrequency: 1_000 })
    await controller.subscribe(ep)
    await clock.pass(0)
    await ep.calls[0].answer([one])
    expect(controller.get(Todo, args)).toMatchObject(one)
    expect(controller.getResponse(ep).data[0]).toBe(controller.get(Todo, args))
  })

  test('POL-7 any function with a key can be polled', async () => {
    let calls = 0
    const ep: any = Object.assign(() => Promise.resolve({ id: '1', title: `${++calls}` }), {
      key: () => 'plain',
      schema: Todo,
      pollFrequency: 1_000,
    })
    await controller.subscribe(ep)
    await clock.pass(2_000)
    expect(calls).toBe(3)
    expect(controller.get(Todo, args)).toMatchObject({ title: '3' })
    expect(store.getState().meta['plain']!.expiresAt).toBe(clock.now() + 500)
  })

  test('POL-1 the endpoint passed last is fetched', async () => {
    const [old, next] = [polled(), polled()]
    await controller.subscribe(old, args)
    await clock.pass(0)
    await old.calls[0].answer(one)
    await controller.subscribe(next, args)
    await clock.pass(1_000)
    expect([old.calls.length, next.calls.length]).toEqual([1, 1])
  })

  test('POL-13 an equal response notifies no reader and keeps every reference', async () => {
    const ep = polled()
    const told = vi.fn()
    await controller.setResponse(ep, args, { ...one, tags: ['a'] })
    store.subscribe(ep, [args], told)
    const before = controller.getResponse(ep, args).data
    await controller.subscribe(ep, args)
    for (let i = 0; i < 5; i++) {
      await clock.pass(1_000)
      await ep.calls[i].answer({ ...one, tags: ['a'] })
    }
    expect(told).not.toHaveBeenCalled()
    expect(controller.getResponse(ep, args).data).toBe(before)
  })

  test('POL-7 NET-15 the poll of a key without subscribers is aborted', async () => {
    const ep = polled()
    await controller.subscribe(ep, args)
    await clock.pass(0)
    await controller.unsubscribe(ep, args)
    await clock.pass(0)
    expect(ep.calls[0].signal.aborted).toBe(true)
  })
})

describe('rest', () => {
  test('POL-8 offline it stops; online it goes on, at once when a poll was missed', async () => {
    const ep = polled()
    const at = times(ep)
    await controller.subscribe(ep, args)
    await clock.pass(1_400)
    connectionListener.turn(false)
    expect(clock.pending).toBe(0)
    await clock.pass(200)
    connectionListener.turn(true)
    await clock.pass(500)
    expect(at(), 'nothing was missed').toEqual([0, 1_000, 2_000])
    connectionListener.turn(false)
    await clock.pass(60_000)
    connectionListener.turn(true)
    await clock.pass(1_900)
    expect(at(), 'one poll for sixty missed').toEqual([62_100, 63_100])
  })

  test('POL-8 POL-9 a subscription that begins offline or hidden waits', async () => {
    connectionListener.turn(false)
    page.turn('hidden')
    const ep = polled()
    await controller.subscribe(ep, args)
    await clock.pass(5_000)
    connectionListener.turn(true)
    await clock.pass(5_000)
    expect(ep.calls).toHaveLength(0)
    page.turn('visible')
    await clock.pass(0)
    expect(ep.calls).toHaveLength(1)
  })

  test('POL-9 hidden it stops; seen again it makes up for what was missed once', async () => {
    const ep = polled()
    const at = times(ep)
    await controller.subscribe(ep, args)
    await clock.pass(500)
    page.turn('hidden')
    await clock.pass(10_000)
    page.turn('visible')
    await clock.pass(1_000)
    expect(at()).toEqual([0, 10_500, 11_500])
  })

  test('POL-7 POL-10 a page that is seen again while a poll is in flight starts no second one, whose failure would count', async () => {
    const ep = polled()
    const at = times(ep, () => Promise.resolve())
    await controller.subscribe(ep, args)
    await clock.pass(0)
    for (let i = 0; i < 3; i++) {
      page.turn('hidden')
      await clock.pass(100)
      page.turn('visible')
      await clock.pass(0)
    }
    await ep.calls[0].fail(busy())
    await clock.pass(4_000)
    expect(at(), 'twice the time after one failure').toEqual([0, 2_000])
  })

  test('POL-9 pollWhenHidden goes on', async () => {
    store.stop()
    open({ page, connectionListener, pollWhenHidden: true })
    page.turn('hidden')
    const ep = polled()
    const at = times(ep)
    await controller.subscribe(ep, args)
    await clock.pass(1_000)
    expect(at()).toEqual([0, 1_000])
  })

  test('POL-10 failures double the time up to eight times; a success ends that', async () => {
    const ep = polled()
    let ok = false
    const at = times(ep, (call) => (ok ? call.answer(one) : call.fail(new Error('down'))))
    await controller.subscribe(ep, args)
    await clock.pass(30_000)
    expect(at()).toEqual([0, 2_000, 6_000, 14_000, 22_000, 30_000])
    ok = true
    await clock.pass(10_000)
    expect(at()).toEqual([38_000, 39_000, 40_000])
  })

  test.each([
    [0, [0, 10_000, 30_000, 70_000]],
    [0.5, [0, 20_000, 60_000, 140_000]],
  ])('POL-10 the time after a failure has a random part: random %d', async (luck, expected) => {
    store.stop()
    open({ connectionListener, page }, () => luck)
    const ep = polled({ pollFrequency: 10_000 })
    const at = times(ep, (call) => call.fail(new Error('down')))
    await controller.subscribe(ep, args)
    await clock.pass(140_000)
    expect(at().slice(0, 4)).toEqual(expected)
  })

  test('POL-10 an aborted request is no failure', async () => {
    const ep = polled()
    const at = times(ep, () => Promise.resolve())
    await controller.subscribe(ep, args)
    await clock.pass(100)
    await controller.abort(ep, args)
    await clock.pass(1_000)
    await controller.resetEntireStore()
    await clock.pass(1_000)
    expect(at()).toEqual([0, 1_000, 2_000])
  })

  test('POL-7 NET-16 a poll waits for Retry-After', async () => {
    store.stop()
    open({ connectionListener, page }, () => 0)
    const ep = polled()
    let failed = false
    const at = times(ep, (call) => {
      if (failed) {
        return call.answer(one)
      }
      failed = true
      return call.fail(busy('7'))
    })
    await controller.subscribe(ep, args)
    await clock.pass(8_500)
    expect(at()).toEqual([0, 7_000, 8_000])
  })
})

describe('a poll that crosses a write', () => {
  const two = { id: '2', title: 'b' }
  const three = { id: '3', title: 'c' }
  const list = new Collection([Todo])
  const titles = (todos: any): string[] => todos.map(({ title }: any) => title)

  test.each([
    [
      'PATCH',
      deferredEndpoint('patch', Todo, { sideEffect: true }),
      [args, { title: 'x' }],
      { ...one, title: 'x' },
      ['x', 'b'],
    ],
    ['DELETE', deferredEndpoint('delete', new Invalidate(Todo), { sideEffect: true }), [args], args, ['b']],
    ['POST', deferredEndpoint('post', list.push, { sideEffect: true }), [three], three, ['a', 'b', 'c']],
  ])(
    'POL-7 ST-18 %s: screen and promise keep the write, and one more read follows',
    async (_, write, given, answer, after) => {
      for (const sendFirst of ['poll', 'write']) {
        const ep = deferredEndpoint('list', list, { pollFrequency: 1_000 })
        await controller.setResponse(ep, [one, two])
        const view = store.view(ep)
        const end = view.subscribe(() => {})
        await controller.subscribe(ep)
        const send = (): Promise<any> => controller.fetch(write, ...(given as []))
        let written = sendFirst === 'write' ? send() : undefined
        await clock.pass(1_000)
        expect(ep.calls).toHaveLength(1)
        const read = controller.fetch(ep)
        written ??= send()
        await write.calls.at(-1).answer(answer)
        await written
        expect(titles(view.read().data)).toEqual(after)
        // Served before the write, received after it.
        await ep.calls[0].answer([one, two])
        expect(titles(view.read().data)).toEqual(after)
        expect(titles(await read)).toEqual(after)
        expect(ep.calls, 'one more').toHaveLength(2)
        const now: Record<string, object[]> = {
          PATCH: [{ ...one, title: 'x' }, two],
          DELETE: [two],
          POST: [one, two, three],
        }
        await ep.calls[1].answer(now[_])
        expect(titles(view.read().data)).toEqual(after)
        expect(ep.calls).toHaveLength(2)
        await controller.unsubscribe(ep)
        end()
        await controller.resetEntireStore()
      }
    },
  )
})

describe('end', () => {
  test('POL-12 MGR-4 a stop clears timers and listeners, twice as well as once; a start goes on', async () => {
    const ep = polled()
    const at = times(ep)
    await controller.subscribe(ep, args)
    await clock.pass(500)
    expect([connectionListener.size, page.size]).toEqual([2, 1])
    store.stop()
    await clock.pass(0)
    expect([connectionListener.size, page.size, clock.pending]).toEqual([0, 0, 0])
    connectionListener.turn(true)
    await clock.pass(5_000)
    expect(at()).toEqual([0])
    store.start()
    await clock.pass(1_000)
    expect(at()).toEqual([5_500, 6_500])
    await controller.unsubscribe(ep, args)
    expect([connectionListener.size, page.size]).toEqual([0, 0])
  })

  test('POL-12 cleanup and init are idempotent', () => {
    const ep = polled()
    const subscription = new PollingSubscription(
      { type: 'rdc/subscribe', key: ep.key(args), args: [args], endpoint: ep },
      controller,
      { connectionListener, page },
    )
    subscription.init()
    expect([connectionListener.size, page.size, clock.pending]).toEqual([2, 1, 1])
    subscription.cleanup()
    subscription.cleanup()
    expect([connectionListener.size, page.size, clock.pending]).toEqual([0, 0, 0])
  })
})

describe('SubscriptionManager', () => {
  test('POL-1 POL-2 there is one subscription for each key, and its actions do not reach the store', async () => {
    const log: unknown[] = []
    class Own {
      constructor(action: any, by: unknown) {
        log.push(['new', action.key, by === own.controller])
      }
      add(frequency?: number): void {
        log.push(['add', frequency])
      }
      remove(frequency?: number): boolean {
        log.push(['remove', frequency])
        return log.length > 4
      }
      cleanup(): void {
        log.push(['cleanup'])
      }
    }
    const seen: string[] = []
    const last = {
      middleware: () => (next: any) => (action: any) => (seen.push(action.type), next(action)),
      cleanup() {},
    }
    const own = createStore({ clock, managers: [...getDefaultManagers({ subscriptionManager: Own }), last] })
    const ep = polled()
    const other = deferredEndpoint('other')
    await own.controller.subscribe(ep, args)
    await own.controller.subscribe(ep, args)
    await own.controller.subscribe(other)
    await own.controller.unsubscribe(ep, args)
    await own.controller.unsubscribe(ep, args)
    await own.controller.subscribe(ep, args)
    own.stop()
    expect(log).toEqual([
      ['new', ep.key(args), true],
      ['add', 1_000],
      ['new', other.key(), true],
      ['remove', 1_000],
      ['remove', 1_000],
      ['new', ep.key(args), true],
      ['cleanup'],
      ['cleanup'],
    ])
    expect(seen).toEqual([])
    // A subscription need not have an `init`.
    own.start()
    own.stop()
    expect(log).toHaveLength(10)
  })

  test('POL-3 an unsubscribe without a subscription warns in development', async () => {
    await controller.unsubscribe(polled(), args)
    expect(console.error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('nobody had subscribed'))
  })

  test.each([undefined, 0, -5, NaN])(
    'POL-3 POL-4 a pollFrequency of %s is logged as poll-frequency',
    async (frequency) => {
      await controller.subscribe(polled({ pollFrequency: frequency }), args)
      expect(console.error).toHaveBeenCalledExactlyOnceWith(
        expect.objectContaining({
          code: 'poll-frequency',
          message: expect.stringMatching(/^frequency needed for polling subscription/),
        }),
      )
      expect(clock.pending).toBe(0)
    },
  )

  test('POL-6 a subscription without a frequency joins, and leaves without a trace', async () => {
    const ep = polled()
    const plain = deferredEndpoint('get', Todo)
    await controller.subscribe(ep, args)
    await controller.subscribe(plain, args)
    await clock.pass(0)
    expect(plain.calls).toHaveLength(1)
    await controller.unsubscribe(plain, args)
    await plain.calls[0].answer(one)
    await clock.pass(1_000)
    expect(plain.calls.length + ep.calls.length).toBe(2)
    await controller.unsubscribe(ep, args)
    expect(console.error).not.toHaveBeenCalled()
    await tick()
    expect(clock.pending).toBeLessThan(2)
  })

  test('POL-8 POL-9 where the platform says nothing of connection and page, it polls', async () => {
    const own = createStore({
      clock,
      managers: [...getDefaultManagers({ subscriptionManager: new SubscriptionManager() })],
    })
    const ep = polled()
    await own.controller.subscribe(ep, args)
    await clock.pass(0)
    expect(ep.calls).toHaveLength(1)
    await own.controller.unsubscribe(ep, args)
    expect(console.error).not.toHaveBeenCalled()
    own.stop()
  })
})
