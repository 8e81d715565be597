import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import fc from 'fast-check'
import { createStore, type Store } from '../client/createStore.ts'
import { NetworkManager } from '../managers/NetworkManager.ts'
import { PollingSubscription } from '../managers/PollingSubscription.ts'
import { SubscriptionManager } from '../managers/SubscriptionManager.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import type { Controller } from '../controller/Controller.ts'
import { createFetch } from '../compat/createActions.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { deferredEndpoint, watch } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'

const args = { id: '1' }
const one = { id: '1', title: 'a' }
const get = (): any => deferredEndpoint('get', Todo)

let clock: TestClock
let store: Store
let controller: Controller
const unhandled: unknown[] = []
const note = (error: unknown): unknown => unhandled.push(error)

function open(): void {
  clock = new TestClock()
  store = createStore({ clock, managers: [new NetworkManager(), new SubscriptionManager(PollingSubscription, {})] })
  ;({ controller } = store)
}

beforeEach(() => {
  open()
  process.on('unhandledRejection', note)
})
afterEach(async () => {
  store.stop()
  await clock.pass(1)
  await new Promise((done) => setImmediate(done))
  process.off('unhandledRejection', note)
  // NET-19, in every test.
  const [error] = unhandled.splice(0)
  if (error !== undefined) {
    throw new Error('a rejection was not handled', { cause: error })
  }
})

interface Caller {
  readonly aborter: AbortController
  readonly out: { value?: any; error?: any }
}

function call(ep: any): Caller {
  const aborter = new AbortController()
  return { aborter, out: watch(controller.fetch(ep.extend({ signal: aborter.signal }), args)) }
}

describe('callers of a shared read', () => {
  test.each([
    ['before', 0],
    ['after', 1],
  ])('NET-21 one that aborts, and sent it %s the other, leaves the other alone', async (_name, at) => {
    const ep = get()
    const outs: { value?: any; error?: any }[] = []
    const aborter = new AbortController()
    for (const endpoint of [ep, ep.extend({ signal: aborter.signal })].toSorted(() => (at === 0 ? -1 : 1))) {
      outs.push(watch(controller.fetch(endpoint, args)))
    }
    const [mine, other] = at === 0 ? outs : outs.toReversed()
    aborter.abort(new Error('mine'))
    await tick()
    expect(mine!.error).toMatchObject({ message: 'mine' })
    expect(other).toEqual({})
    expect(ep.calls).toHaveLength(1)
    expect(ep.calls[0].signal.aborted).toBe(false)
    await ep.calls[0].answer(one)
    expect(other!.value).toMatchObject(one)
    expect(mine!.value).toBeUndefined()
  })

  test('NET-21 the request is aborted with the last of them, at once, and nothing is stored', async () => {
    const ep = get()
    const [a, b] = [call(ep), call(ep)]
    a.aborter.abort()
    expect(ep.calls[0].signal.aborted).toBe(false)
    b.aborter.abort(new Error('mine'))
    expect(ep.calls[0].signal.aborted).toBe(true)
    await tick()
    expect(a.out.error).toMatchObject({ name: 'AbortError' })
    expect(b.out.error).toMatchObject({ message: 'mine' })
    expect(store.getState().meta).toEqual({})
  })

  test('NET-21 an aborted signal rejects at once: it sends nothing and joins nothing', async () => {
    const ep = get()
    const aborted = ep.extend({ signal: AbortSignal.abort(new Error('mine')) })
    await expect(controller.fetch(aborted, args)).rejects.toThrow('mine')
    expect(ep.calls).toHaveLength(0)
    const other = watch(controller.fetch(ep, args))
    await expect(controller.fetch(aborted, args)).rejects.toThrow('mine')
    await ep.calls[0].answer(one)
    expect(other.value).toMatchObject(one)
  })

  test('NET-21 an aborted mutation sends nothing and shows nothing', async () => {
    const ep = deferredEndpoint('put', Todo, { sideEffect: true, getOptimisticResponse: () => one })
    await expect(controller.fetch(ep.extend({ signal: AbortSignal.abort() }), args)).rejects.toThrow()
    expect(ep.calls).toHaveLength(0)
    const { aborter, out } = call(ep)
    expect(controller.get(Todo, args)).toMatchObject(one)
    aborter.abort(new Error('mine'))
    await tick()
    expect(out.error).toMatchObject({ message: 'mine' })
    expect(ep.calls[0].signal.aborted).toBe(true)
    expect(controller.get(Todo, args)).toBeUndefined()
  })

  test('NET-21 a failure that comes when one of them has aborted is stored, and reaches the others', async () => {
    const ep = get()
    const mine = call(ep)
    const other = watch(controller.fetch(ep, args))
    mine.aborter.abort()
    await ep.calls[0].fail(Object.assign(new Error('down'), { status: 500 }))
    expect(other.error).toMatchObject({ message: 'down' })
    expect(controller.getError(ep, args)).toMatchObject({ message: 'down' })
  })

  test('NET-21 a signal in requestInit is the signal of its caller as well', async () => {
    const signals: AbortSignal[] = []
    const ep = new RestEndpoint({
      path: '/todo/:id',
      schema: Todo,
      fetchResponse: (_url: string, init: RequestInit) => {
        signals.push(init.signal!)
        return new Promise<Response>(() => {})
      },
    })
    const aborter = new AbortController()
    const mine = watch(controller.fetch(ep.extend({ requestInit: { signal: aborter.signal } }), args))
    const other = watch(controller.fetch(ep, args))
    await tick()
    aborter.abort()
    await tick()
    expect(mine.error).toMatchObject({ name: 'AbortError' })
    expect([other, signals.map(({ aborted }) => aborted)]).toEqual([{}, [false]])
    await controller.abort(ep, args)
    await tick()
    expect(other.error).toMatchObject({ name: 'AbortError' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('NET-21 an action made by hand follows the signal of its endpoint', async () => {
    const ep = get()
    const aborter = new AbortController()
    const action = createFetch(ep.extend({ signal: aborter.signal }), { args: [args] as never })
    const mine = watch(action.meta.promise)
    await controller.dispatch(action)
    const other = watch(controller.fetch(ep, args))
    aborter.abort()
    await tick()
    expect(mine.error).toMatchObject({ name: 'AbortError' })
    await ep.calls[0].answer(one)
    expect(other.value).toMatchObject(one)
  })

  test('NET-21 an action made by hand whose signal has fired sends nothing and rejects', async () => {
    const ep = get()
    const action = createFetch(ep.extend({ signal: AbortSignal.abort(new Error('mine')) }), { args: [args] })
    const out = watch(action.meta.promise)
    await controller.dispatch(action)
    await tick()
    expect([out.error?.message, ep.calls.length]).toEqual(['mine', 0])
  })

  test('G-4 CTL-21 without AbortController requests are sent, and an abort settles them', async () => {
    vi.stubGlobal('AbortController', undefined)
    const ep = get()
    const [first, second] = [watch(controller.fetch(ep, args)), watch(controller.fetch(ep, { id: '2' }))]
    await controller.abort(ep, args)
    await ep.calls[1].answer({ ...one, id: '2' })
    vi.unstubAllGlobals()
    expect([first.error?.name, second.value?.title]).toEqual(['AbortError', 'a'])
  })

  test('NET-21 no listener stays on the signal of a call that has ended', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...given: any[]) => (listeners++, (addEventListener as any).apply(signal, given))
    signal.removeEventListener = (...given: any[]) => (listeners--, (removeEventListener as any).apply(signal, given))
    const ep = get()
    const mine = ep.extend({ signal })
    const done = watch(controller.fetch(mine, args))
    const end = store.subscribe(mine, [args], () => {})
    expect(listeners).toBeGreaterThan(0)
    await ep.calls[0].answer(one)
    end()
    await clock.pass(0)
    expect(done.value).toMatchObject(one)
    expect(listeners).toBe(0)
  })
})

describe('readers', () => {
  test('NET-21 a view does not follow a signal that fires later', async () => {
    const ep = get()
    const aborter = new AbortController()
    const mine = watch(store.view(ep.extend({ signal: aborter.signal }), args).promise())
    aborter.abort()
    await clock.pass(1)
    expect([mine, ep.calls[0].signal.aborted]).toEqual([{}, false])
    await ep.calls[0].answer(one)
    expect(mine.value).toMatchObject(one)
  })

  test.each([true, false])(
    'NET-21 stale data is fetched for a reader whose signal has not fired (it came first: %s)',
    async (isFirst) => {
      const ep = get()
      const aborter = new AbortController()
      const mine = ep.extend({ signal: aborter.signal })
      for (const endpoint of isFirst ? [ep, mine] : [mine, ep]) {
        store.subscribe(endpoint, [args], () => {})
      }
      await ep.calls[0].answer(one)
      aborter.abort()
      await controller.expireAll({ testKey: () => true })
      await tick()
      expect(ep.calls).toHaveLength(2)
      await ep.calls[1].answer({ id: '1', title: 'b' })
      expect(store.view(ep, args).read().data).toMatchObject({ title: 'b' })
    },
  )

  test('EXP-7 data that is invalidated as it arrives is fetched again before a waiting reader shows it', async () => {
    const ep = get()
    const waiting = watch(store.view(ep, args).promise())
    const end = store.view(ep, args).subscribe(() => {
      end()
      void controller.invalidate(ep, args)
    }, true)
    await ep.calls[0].answer(one)
    expect([waiting, ep.calls.length]).toEqual([{}, 2])
    await ep.calls[1].answer({ id: '1', title: 'b' })
    expect(waiting.value).toMatchObject({ title: 'b' })
  })

  test('NET-21 POL-7 a poll is aborted with its signal, unless another reader needs it', async () => {
    const ep = deferredEndpoint('get', Todo, { pollFrequency: 1_000 })
    const aborter = new AbortController()
    const mine = ep.extend({ signal: aborter.signal })
    await controller.subscribe(mine, args)
    await clock.pass(0)
    const other = watch(controller.fetch(ep, args))
    aborter.abort()
    await tick()
    expect(ep.calls[0].signal.aborted).toBe(false)
    await ep.calls[0].answer(one)
    expect(other.value).toMatchObject(one)
    await clock.pass(10_000)
    expect(ep.calls).toHaveLength(1)
    // One whose signal has not fired is polled for.
    await controller.subscribe(ep, args)
    await clock.pass(1_000)
    expect(ep.calls).toHaveLength(2)
  })
})

test('NET-21 property: each caller gets the response, or the reason of its own signal', async () => {
  const step = fc.record({ what: fc.constantFrom('plain', 'signalled', 'abort', 'answer', 'fail'), which: fc.nat(4) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      open()
      const ep = get()
      const callers: { aborter?: AbortController; out: { value?: any; error?: any }; isAborted: boolean }[] = []
      let answered = 0
      const settled = new Set<object>()
      for (const { what, which } of steps) {
        const pending = callers.filter((caller) => !settled.has(caller))
        if (what === 'plain') {
          callers.push({ out: watch(controller.fetch(ep, args)), isAborted: false })
        } else if (what === 'signalled') {
          callers.push({ ...call(ep), isAborted: false })
        } else if (what === 'abort') {
          const caller = callers[which]
          if (caller?.aborter && !settled.has(caller)) {
            caller.isAborted = true
            settled.add(caller)
            caller.aborter.abort(caller)
          }
        } else {
          const running = ep.calls.slice(answered).find(({ signal }: any) => !signal.aborted)
          if (running) {
            answered = ep.calls.indexOf(running) + 1
            await (what === 'answer' ? running.answer(one) : running.fail(new Error('down')))
            for (const caller of pending) {
              settled.add(caller)
              expect(what === 'answer' ? caller.out.value : caller.out.error).toMatchObject(
                what === 'answer' ? one : { message: 'down' },
              )
            }
          }
        }
        await tick()
        // A request is open exactly while a caller waits for it.
        const open = ep.calls.slice(answered).filter(({ signal }: any) => !signal.aborted)
        expect(open).toHaveLength(callers.every((caller) => settled.has(caller)) ? 0 : 1)
        for (const caller of callers.filter(({ isAborted }) => isAborted)) {
          expect(caller.out.error === caller).toBe(true)
        }
      }
      store.stop()
      await clock.pass(1)
    }),
  )
})
