import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore } from '../client/createStore.ts'
import { NetworkManager } from '../managers/NetworkManager.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Query } from '../kinds/Query.ts'
import { Union } from '../kinds/Union.ts'
import { initialState } from '../store/initialState.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { pendingIn } from '../testing/drivers.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo, User } from '../testing/entities.ts'
import { Controller } from './Controller.ts'

let clock: TestClock
let store: ReturnType<typeof createStore>
let controller: Controller
let errors: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  clock = new TestClock()
  store = createStore({ clock })
  controller = store.controller
  errors = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  store.stop()
  vi.restoreAllMocks()
})

const one = { id: '1', title: 'a' }
const todos = new Collection([Todo])
const get = (more?: object): any => deferredEndpoint('get', Todo, more)
const plain = (more?: object): any => deferredEndpoint('plain', undefined, more)
const put = (more?: object): any => deferredEndpoint('put', Todo, { sideEffect: true, ...more })

describe('fetch', () => {
  test('CTL-1 CTL-2 resolves to what readers see, with process applied and joins resolved', async () => {
    class Post extends Entity {
      id = ''
      title = ''
      author: User = User.fromJS()
      static override key = 'Post'
      static override schema = { author: User }
      static override process(input: any): any {
        return { ...input, title: input.headline }
      }
    }
    await controller.set(User, { id: '5' }, { id: '5', name: 'Ann' })
    const getPost = deferredEndpoint('post', Post)
    const promise = controller.fetch(getPost, { id: '1' })
    await getPost.calls[0].answer({ id: '1', headline: 'Hello', author: '5' })
    const post: any = await promise
    expect(post.title).toBe('Hello')
    expect(post.author.name).toBe('Ann')
    expect(post).toBe(controller.get(Post, { id: '1' }))
    expect(post).toBe(store.view(getPost, { id: '1' }).read().data)
  })

  test('CTL-1 without a schema gives what the endpoint gave, and rejects with its error', async () => {
    const ep = plain()
    const good = controller.fetch(ep)
    await ep.calls[0].answer({ a: 1 })
    expect(await good).toEqual({ a: 1 })
    const bad = controller.fetch(ep)
    const error = new Error('no')
    void ep.calls[1].fail(error)
    await expect(bad).rejects.toBe(error)
  })

  test.each(['no', { reason: 'no' }, new Error('no'), undefined])(
    'OPT-7 what getOptimisticResponse throws rejects the fetch, and nothing is sent (%s)',
    async (thrown) => {
      const getOptimisticResponse = (): never => {
        // oxlint-disable-next-line typescript/only-throw-error -- the app may throw anything
        throw thrown
      }
      const [read, write] = [
        Object.assign(get(), { getOptimisticResponse }),
        Object.assign(put(), { getOptimisticResponse }),
      ]
      await expect(controller.fetch(write, { id: '1' }, one)).rejects.toBe(thrown)
      await expect(controller.fetch(read, { id: '1' })).rejects.toBe(thrown)
      expect([read.calls.length, write.calls.length]).toEqual([0, 0])
      expect(controller.core.requests.open.size).toBe(0)
      expect(store.getState().optimistic).toEqual([])
      // As with any other failure.
      const error = controller.getError(write, { id: '1' }, one)
      expect(Object(thrown) === thrown ? error : error?.cause).toBe(thrown)
    },
  )

  test('CTL-1 reads are shared, mutations always send', async () => {
    const [read, write] = [get(), put()]
    expect(controller.fetch(read, { id: '1' })).toBe(controller.fetch(read, { id: '1' }))
    void controller.fetch(read, { id: '2' })
    expect(controller.fetch(write, { id: '1' }, one)).not.toBe(controller.fetch(write, { id: '1' }, one))
    expect([read.calls.length, write.calls.length]).toEqual([2, 2])
  })

  test('CTL-1 MGR-3 settling has one order: commit, handlers of a mutation, listeners, handlers of a read', async () => {
    const [read, write, list] = [get(), put(), deferredEndpoint('list', todos)]
    await controller.setResponse(read, { id: '1' }, one)
    const log: string[] = []
    store.subscribe(Todo, [{ id: '1' }], () => log.push(`told ${(controller.get(Todo, { id: '1' }) as any).title}`))
    const note = (name: string) => () => log.push(`${name} ${(store.getState().entities['Todo']!['1'] as any).title}`)
    controller.fetch(write, { id: '1' }, one).then(note('mutation'))
    await write.calls[0].answer({ id: '1', title: 'b' })
    expect(log.splice(0)).toEqual(['mutation b', 'told b'])
    controller.fetch(read, { id: '1' }).then(note('read'))
    await read.calls[0].answer({ id: '1', title: 'c' })
    expect(log.splice(0)).toEqual(['told c', 'read c'])
    // Also responses of the same moment.
    controller.fetch(list, {}).then(note('list'))
    controller.fetch(read, { id: '1' }).then(note('read'))
    controller.fetch(write, { id: '1' }, one).then(note('mutation'))
    void list.calls[0].answer([{ id: '1', title: 'd' }])
    void read.calls[1].answer({ id: '1', title: 'd' })
    await write.calls[1].answer({ id: '1', title: 'e' })
    expect(log).toEqual(['mutation e', 'told e', 'list e', 'read e'])
  })

  test('CTL-2 a superseded response resolves to what is shown', async () => {
    const [read, write] = [get(), put()]
    const promise = controller.fetch(read, { id: '1' })
    void controller.fetch(write, { id: '1' }, one)
    await write.calls[0].answer({ id: '1', title: 'new' })
    await read.calls[0].answer({ id: '1', title: 'old' })
    expect(((await promise) as any).title).toBe('new')
    expect(await promise).toBe(controller.get(Todo, { id: '1' }))
  })

  test('EP-14 a negative expiry, and a key that throws, reject before anything is sent', async () => {
    const negative = get({ dataExpiryLength: -1 })
    await expect(controller.fetch(negative, { id: '1' })).rejects.toMatchObject({ code: 'expiry-negative' })
    const keyless = get({
      key(): string {
        throw new Error('no key')
      },
    })
    await expect(controller.fetch(keyless, { id: '1' })).rejects.toThrow('no key')
    expect([negative.calls, keyless.calls]).toEqual([[], []])
  })

  test('ERR-8 a rejection that is no object is wrapped, and an endpoint that throws at once rejects', async () => {
    const odd = Object.assign(() => Promise.reject('odd' as never), { key: () => 'odd' })
    await expect(controller.fetch(odd as any)).rejects.toMatchObject({ message: 'odd', cause: 'odd' })
    const rash = Object.assign(
      () => {
        throw new Error('rash')
      },
      { key: () => 'rash' },
    )
    const promise = controller.fetch(rash as any)
    await expect(promise).rejects.toThrow('rash')
    expect(controller.getError(rash as any)).toBe(await promise.catch((error: unknown) => error))
  })

  test('ERR-6 ERR-7 NET-7 a response that cannot be stored rejects reads and mutations, with the error expiry', async () => {
    for (const ep of [get(), put()]) {
      const promise = controller.fetch(ep, { id: '1' }, {})
      promise.catch(() => {})
      await ep.calls[0].answer('text')
      await expect(promise).rejects.toMatchObject({ status: 400, refused: true, response: 'text' })
      const { date, expiresAt } = store.getState().meta[ep.key({ id: '1' }, {})]!
      expect(expiresAt - date).toBe(1_000)
    }
    expect(errors).toHaveBeenCalledTimes(2)
  })

  test('ERR-9 strict refuses a response with another record', async () => {
    const ep = get({ strict: true })
    const promise = controller.fetch(ep, { id: '1' })
    void ep.calls[0].answer({ id: '2' })
    await expect(promise).rejects.toMatchObject({ code: 'answer-other-record' })
    expect(controller.get(Todo, { id: '2' })).toBeUndefined()
  })
})

describe('fetchIfStale', () => {
  test('CTL-3 resolves to fresh data without a request, else fetches; it always returns a promise', async () => {
    const ep = get({ dataExpiryLength: 10 })
    const promise = controller.fetchIfStale(ep, { id: '1' })
    await ep.calls[0].answer(one)
    const todo = await promise
    const fresh = controller.fetchIfStale(ep, { id: '1' })
    expect(fresh).toBeInstanceOf(Promise)
    expect(await fresh).toBe(todo)
    clock.time += 10
    expect(await controller.fetchIfStale(ep, { id: '1' })).toBe(todo)
    expect(ep.calls).toHaveLength(1)
    clock.time += 1
    expect(controller.fetchIfStale(ep, { id: '1' })).toBeInstanceOf(Promise)
    expect(ep.calls).toHaveLength(2)
    await controller.invalidate(ep, { id: '1' })
    expect(controller.fetchIfStale(ep, { id: '1' })).toBeInstanceOf(Promise)
    const broken = ep.extend({
      key() {
        throw new TypeError('no key')
      },
    })
    await expect(controller.fetchIfStale(broken, { id: '1' })).rejects.toThrow('no key')
  })

  test('CTL-3 DEL-3 fetches a record that was deleted since, although its response is fresh', async () => {
    const ep = get()
    await controller.setResponse(ep, { id: '1' }, one)
    await (controller as any).set(new Invalidate(Todo), { id: '1' }, { id: '1' })
    expect(controller.getResponse(ep, { id: '1' }).expiresAt).toBeGreaterThan(clock.now())
    void controller.fetchIfStale(ep, { id: '1' })
    expect(ep.calls).toHaveLength(1)
  })

  test('CTL-3 ERR-3 an error stands until it expires: fetchIfStale rejects with it and sends nothing', async () => {
    const ep = get({ errorExpiryLength: 10 })
    const no = Object.assign(new Error('no'), { status: 404 })
    await controller.setError(ep, { id: '1' }, no)
    await expect(controller.fetchIfStale(ep, { id: '1' })).rejects.toBe(no)
    await expect(store.view(ep, { id: '1' }).promise(), 'as a reader').rejects.toBe(no)
    expect(ep.calls).toHaveLength(0)
    clock.time += 11
    const promise = controller.fetchIfStale(ep, { id: '1' })
    await ep.calls[0].answer(one)
    expect(await promise).toMatchObject(one)
  })

  test('CTL-3 ERR-2 data that stays in spite of an error is given', async () => {
    const ep = get({ errorPolicy: () => 'soft' })
    await controller.setResponse(ep, { id: '1' }, one)
    await controller.setError(ep, { id: '1' }, new Error('down'))
    expect(await controller.fetchIfStale(ep, { id: '1' })).toMatchObject(one)
  })
})

describe('writing', () => {
  test('CTL-8 set takes a value or a function of the committed one; nothing happens when there is none', async () => {
    await controller.set(Todo, { id: '1' }, (before) => ({ id: before.id, title: 'never' }))
    expect(store.getState().entities).toEqual({})
    await controller.set(Todo, { id: '1' }, one)
    await controller.set(Todo, { id: '1' }, (before) => ({ id: before.id, title: `${before.title}b` }))
    expect(controller.get(Todo, { id: '1' })!.title).toBe('ab')
    const { date, expiresAt } = store.getState().entitiesMeta['Todo']!['1']!
    expect(expiresAt - date).toBe(60_000)
  })

  test('CTL-8 OPT-4 a function gets no pending operation: after its failure nothing of it is left', async () => {
    await controller.set(Todo, { id: '1' }, one)
    const write = put({ getOptimisticResponse: (_: any, p: any, body: any) => ({ ...p, ...body }) })
    const promise = controller.fetch(write, { id: '1' }, { title: 'pending' })
    promise.catch(() => {})
    expect(controller.get(Todo, { id: '1' })!.title).toBe('pending')
    const seen: unknown[] = []
    await controller.set(Todo, { id: '1' }, (before) => (seen.push(before.title), { id: before.id, done: true }))
    expect(seen).toEqual(['a'])
    await write.calls[0].fail(new Error('no'))
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'a', done: true })
  })

  test('CTL-8 works with lists and their parts, unions and queries', async () => {
    const pair = new Union({ todo: Todo, user: User }, 'type' as never)
    await controller.set(todos, { group: 'x' }, [one])
    await controller.set(todos.push!, { group: 'x' }, { id: '2', title: 'b', group: 'x' } as any)
    const titles = new Query(todos, (all) => all.map(({ title }) => title))
    expect(controller.get(titles, { group: 'x' })).toEqual(['a', 'b'])
    await controller.set(todos.remove, { group: 'x' }, { id: '1' } as any)
    expect(controller.get(titles, { group: 'x' })).toEqual(['b'])
    await controller.set(pair as any, { id: '5', type: 'user' }, { id: '5', type: 'user', name: 'Ann' })
    expect(controller.get(User, { id: '5' })!.name).toBe('Ann')
    await controller.set(new Query(Todo) as any, { id: '2' }, { id: '2', title: 'c' })
    expect(controller.get(Todo, { id: '2' })!.title).toBe('c')
  })

  test('CTL-8 CTL-9 errors in normalising reject', async () => {
    await expect(controller.set(Todo, { id: '1' }, 'text' as any)).rejects.toThrow()
    await expect(controller.setResponse(get(), { id: '1' }, 'text')).rejects.toMatchObject({ status: 400 })
  })

  test('CTL-9 NET-6 setResponse stores at once; callers of a request wait for its own response', async () => {
    const ep = get()
    const promise = controller.fetch(ep, { id: '1' })
    await controller.setResponse(ep, { id: '1' }, { id: '1', title: 'pushed' })
    expect(controller.get(Todo, { id: '1' })?.title).toBe('pushed')
    await ep.calls[0].answer(one)
    expect(await promise).toBe(controller.get(Todo, { id: '1' }))
  })

  test('NET-6 a response to an earlier request leaves callers of a later one waiting', async () => {
    const [ep, other] = [get(), plain()]
    void controller.fetch(other)
    let result: any
    void controller.fetch(ep, { id: '1' }).then((value) => (result = value))
    const early = { args: [{ id: '1' }], response: { ...one, title: 'early' }, fetchedAt: clock.now() - 1 }
    await controller.resolve(ep, early)
    await tick()
    expect([result, controller.get(Todo, { id: '1' })]).toMatchObject([undefined, { title: 'early' }])
    await ep.calls[0].answer(one)
    expect(result).toMatchObject({ title: 'early' })
  })

  test('NET-6 EXT-10 the promise of a page waits for its own response', async () => {
    const page = deferredEndpoint('list', todos, {
      key: () => 'list',
      requestKey: ({ page: number = 0 }: any = {}) => `list ${number}`,
    })
    const promise = controller.fetch(page, { page: 2 })
    let isSettled = false
    void promise.then(() => (isSettled = true))
    await controller.setResponse(page, {}, [one])
    await tick()
    expect(isSettled).toBe(false)
    await page.calls[0].answer([{ id: '2', title: 'b' }])
    expect(isSettled).toBe(true)
  })

  test('CTL-10 setError stores as if the fetch had failed now', async () => {
    const ep = get()
    const error = new Error('gone')
    await controller.setError(ep, { id: '1' }, error)
    expect(controller.getError(ep, { id: '1' })).toBe(error)
    const { date, expiresAt } = store.getState().meta[ep.key({ id: '1' })]!
    expect(expiresAt - date).toBe(1_000)
  })

  test('CTL-11 ST-16 OPT-8 resolve settles the request it names, and clears only its own layer', async () => {
    const write = put({ getOptimisticResponse: (_: any, p: any, body: any) => ({ ...p, ...body }) })
    const seen: any[] = []
    const manager = {
      middleware: () => (next: any) => (action: any) => (seen.push(action), next(action)),
      cleanup() {},
    }
    const own = createStore({ clock, managers: [manager, new NetworkManager()] })
    const first = own.controller.fetch(write, { id: '1' }, { title: 'b' })
    void own.controller.fetch(write, { id: '1' }, { done: true })
    const [{ meta }, second] = seen.filter(({ type }) => type === 'rdc/fetch')
    await own.controller.resolve(write, {
      args: [{ id: '1' }, { title: 'b' }],
      response: { id: '1', title: 'B' },
      fetchedAt: meta.fetchedAt,
      requestId: meta.requestId,
    })
    expect((await first) as any).toMatchObject({ title: 'B' })
    expect(own.getState().optimistic).toMatchObject([
      {
        type: 'rdc/optimistic',
        key: write.key({ id: '1' }, { done: true }),
        meta: { requestId: second.meta.requestId },
      },
    ])
    expect(own.controller.get(Todo, { id: '1' })).toMatchObject({ title: 'B', done: true })
    // The response of the server arrives too late to count.
    await write.calls[0].answer({ id: '1', title: 'late' })
    expect(own.controller.get(Todo, { id: '1' })).toMatchObject({ title: 'B' })
  })
})

describe('marking', () => {
  test('CTL-4 CTL-5 CTL-6 expire and remove by key; null does nothing; errors count too', async () => {
    const [ep, other] = [get(), plain()]
    await controller.setResponse(ep, { id: '1' }, one)
    await controller.setError(ep, { id: '2' }, new Error('no'))
    await controller.setResponse(other, 1 as never)
    await controller.expireAll(ep)
    const meta = (key: string): any => store.getState().meta[key]
    expect([meta(ep.key({ id: '1' })).expiresAt, meta(ep.key({ id: '2' })).expiresAt]).toEqual([1, 1])
    expect(meta(other.key()).expiresAt).toBeGreaterThan(1)
    const before = store.getState()
    await controller.invalidate(ep, null)
    expect(store.getState()).toBe(before)
    await controller.invalidate(ep, { id: '3' })
    expect(meta(ep.key({ id: '3' }))).toMatchObject({ invalidated: true, expiresAt: 0 })
    await controller.invalidateAll(ep)
    expect(meta(ep.key({ id: '1' }))).toMatchObject({ invalidated: true })
    expect(meta(ep.key({ id: '2' }))).toMatchObject({ invalidated: true })
    expect(meta(ep.key({ id: '2' })).error).toBeUndefined()
    expect(meta(other.key()).invalidated).toBeUndefined()
  })

  test('CTL-7 ST-15 a reset forgets everything', async () => {
    await controller.set(Todo, { id: '1' }, one)
    clock.time += 5
    await controller.resetEntireStore()
    expect({ ...store.getState() }).toEqual({ ...initialState, lastReset: clock.now() })
  })

  test('CTL-12 subscribe and unsubscribe reach the managers; null does nothing', async () => {
    const seen: any[] = []
    const manager = { middleware: () => () => (action: any) => (seen.push(action), Promise.resolve()), cleanup() {} }
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const own = createStore({ clock, managers: [manager] }).controller
    const ep = get()
    await own.subscribe(ep, { id: '1' })
    await own.unsubscribe(ep, { id: '1' })
    await own.subscribe(ep, null)
    await own.unsubscribe(ep, null)
    const about = { key: ep.key({ id: '1' }), args: [{ id: '1' }], endpoint: ep }
    expect(seen).toEqual([
      { type: 'rdc/subscribe', ...about },
      { type: 'rdc/unsubscribe', ...about },
    ])
  })
})

describe('reading', () => {
  test.each([
    ['an entity', Todo, { expiryStatus: 2, expiresAt: 1 }],
    ['no schema', undefined, { expiryStatus: 1, expiresAt: 0 }],
    ['a list', [Todo], { expiryStatus: 2, expiresAt: 1 }],
  ])('CTL-16 getResponse of %s that is not there', (_name, schema, rest) => {
    expect(controller.getResponse(deferredEndpoint('x', schema), { id: '1' })).toEqual({
      data: undefined,
      ...rest,
      countRef: expect.any(Function),
    })
  })

  test('CTL-16 CTL-19 null instead of arguments returns the default shape and no error', async () => {
    const ep = deferredEndpoint('x', { todo: Todo, total: 0 })
    expect(controller.getResponseMeta(ep, null)).toMatchObject({
      data: { total: 0 },
      expiryStatus: 3,
      expiresAt: Infinity,
    })
    expect(controller.getError(ep, null)).toBeUndefined()
  })

  test('CTL-16 EXP-6 of an invalidated result records and lists give what they still say, as Invalid', async () => {
    for (const [ep, value, data] of [
      [get(), one, expect.objectContaining(one)],
      [deferredEndpoint('list', todos), [one], [expect.objectContaining(one)]],
      [plain(), 'x', undefined],
    ] as const) {
      await controller.setResponse(ep, { id: '1' }, value)
      await controller.invalidate(ep, { id: '1' })
      const reading = { data, expiryStatus: 1, expiresAt: 0 }
      expect(controller.getResponse(ep, { id: '1' })).toMatchObject(reading)
      expect(store.view(ep, { id: '1' }).read()).toMatchObject(reading)
    }
  })

  test('CTL-16 null as a response is data; an error without data lasts until it expires', async () => {
    const [ep, bad] = [plain(), get()]
    await controller.setResponse(ep, null as never)
    expect(controller.getResponse(ep)).toMatchObject({ data: null, expiryStatus: 3 })
    await controller.setError(bad, { id: '1' }, new Error('no'))
    expect(controller.getResponse(bad, { id: '1' })).toMatchObject({
      data: undefined,
      expiryStatus: 2,
      expiresAt: clock.now() + 1_000,
    })
  })

  test('CTL-17 CTL-18 CTL-22 get reads the live view, or what a state showed', async () => {
    await controller.set(Todo, { id: '1' }, one)
    const state = controller.getState()
    const live = controller.get(Todo, { id: '1' })
    expect(controller.get(Todo, { id: '1' }, state)).toBe(live)
    await controller.set(User, { id: '5' }, { id: '5', name: 'Ann' })
    expect(controller.get(Todo, { id: '1' }, state)).toEqual(live)
    expect(controller.get(User, { id: '5' }, state)).toBeUndefined()
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'b' })
    expect(controller.get(Todo, { id: '1' })!.title).toBe('b')
    const old = controller.get(Todo, { id: '1' }, state)
    expect(old).toBeInstanceOf(Todo)
    expect(old!.title).toBe('a')
    expect(controller.get(Todo, { id: '1' }, state)).toBe(old)
    expect(controller.getQueryMeta(Todo, { id: '1' }, state)).toEqual({
      data: old,
      countRef: expect.any(Function),
      expiryStatus: 3,
      expiresAt: expect.any(Number),
    })
  })

  test('CTL-22 ERR-2 responses and errors of a state never change', async () => {
    const ep = get({ errorPolicy: () => 'soft' })
    await controller.setResponse(ep, { id: '1' }, one)
    const before = controller.getState()
    const live = controller.getResponse(ep, { id: '1' })
    await controller.expireAll(ep)
    const then = controller.getResponse(ep, { id: '1' }, before)
    expect(then.expiresAt).toBe(live.expiresAt)
    expect(then.data).toEqual(live.data)
    await controller.setError(ep, { id: '1' }, new Error('soft'))
    expect(controller.getError(ep, { id: '1' })).toBeUndefined()
    await controller.setError(ep, { id: '2' }, new Error('shown'))
    expect(controller.getError(ep, { id: '2' })).toMatchObject({ message: 'shown' })
    expect(controller.getError(ep, { id: '2' }, before)).toBeUndefined()
  })

  test('CTL-22 a state is the committed one: pending operations are listed in it and not applied', async () => {
    await controller.set(Todo, { id: '1' }, one)
    const write = put({ getOptimisticResponse: (_: any, p: any, body: any) => ({ ...p, ...body }) })
    void controller.fetch(write, { id: '1' }, { title: 'pending' })
    expect(controller.get(Todo, { id: '1' })!.title).toBe('pending')
    expect(controller.get(Todo, { id: '1' }, controller.getState())!.title).toBe('a')
    expect(pendingIn(controller.getState())).toHaveLength(1)
  })

  test('CTL-14 ST-3 getState is the same object until the next commit', async () => {
    const state = controller.getState()
    expect(controller.getState()).toBe(state)
    expect(store.getState()).toBe(state)
    await controller.set(Todo, { id: '1' }, one)
    expect(controller.getState()).not.toBe(state)
  })

  test('CTL-15 OPT-11 a snapshot reads one state', async () => {
    const ep = get()
    await controller.setResponse(ep, { id: '1' }, one)
    const snapshot: any = controller.snapshot(controller.getState(), 7)
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'b' })
    expect(snapshot.fetchedAt).toBe(7)
    expect(snapshot.abort).toBeInstanceOf(Error)
    expect(snapshot.get(Todo, { id: '1' }).title).toBe('a')
    expect(snapshot.getResponse(ep, { id: '1' }).data.title).toBe('a')
    expect(snapshot.getResponseMeta(ep, { id: '1' }).expiryStatus).toBe(3)
    expect(snapshot.getQueryMeta(Todo, { id: '1' }).data.title).toBe('a')
    expect(snapshot.getError(ep, { id: '1' })).toBeUndefined()
  })

  test('CTL-16 countRef makes the garbage policy hold the key and the rows', async () => {
    const held: any[] = []
    const gcPolicy = {
      createCountRef: (what: any) => () => {
        held.push(what)
        return () => held.pop()
      },
      init() {},
      cleanup() {},
    }
    const own = createStore({ clock, gcPolicy }).controller
    const ep = deferredEndpoint('list', todos)
    await own.setResponse(ep, {}, [one])
    const release = own.getResponse(ep, {}).countRef()
    expect(held).toMatchObject([
      { key: ep.key({}), paths: expect.arrayContaining([expect.objectContaining({ key: 'Todo', pk: '1' })]) },
    ])
    release()
    expect(held).toEqual([])
    expect(() => controller.getResponse(ep, {}).countRef()()).not.toThrow()
  })
})

describe('the rest', () => {
  test('CTL-13 CTL-20 dispatch throws before a store is bound', async () => {
    const bare = new Controller()
    expect(() => bare.dispatch({ type: 'x' })).toThrow(/Dispatching while constructing your middleware is not allowed/)
    expect(() => bare.dispatch({ type: 'x' })).toThrow(expect.objectContaining({ code: 'dispatch-early' }))
    const dispatch = vi.fn(() => Promise.resolve())
    bare.bindMiddleware({ dispatch, getState: () => initialState })
    await bare.resetEntireStore()
    expect(dispatch).toHaveBeenCalledWith({ type: 'rdc/reset', date: expect.any(Number) })
    expect(bare.getState()).toBe(initialState)
    expect(new Controller({ dispatch }).dispatch).toBe(dispatch)
  })

  test('CTL-14 getState is the one that was passed in, and otherwise that of its own store', () => {
    expect(new Controller({ getState: () => initialState }).getState()).toBe(initialState)
    const bare = new Controller({ clock })
    bare.core.set(Todo, [{ id: '1' }], one)
    expect(bare.getState().entities['Todo']).toMatchObject({ 1: one })
  })

  test('CTL-13 managers see each write with its times, its key and a test of keys that knows its endpoint', async () => {
    const actions: any[] = []
    const bare = new Controller({ clock, dispatch: (action) => Promise.resolve(void actions.push(action)) })
    const now = clock.now()
    const ep = get({ dataExpiryLength: 5_000 })
    const keys = {
      prefix: 'get',
      testKey(key: string): boolean {
        return key.startsWith(this.prefix)
      },
    }
    await bare.set(Todo, { id: '1' }, one)
    await bare.setResponse(ep, { id: '1' }, one)
    await bare.setResponse(plain(), 'text')
    await bare.setError(ep, { id: '1' }, new Error('no'))
    await bare.invalidate(ep, { id: '1' })
    await bare.invalidate(ep, null)
    await bare.expireAll(keys)
    await bare.invalidateAll(keys)
    const times = { fetchedAt: now, date: now }
    const key = ep.key({ id: '1' })
    expect(actions).toMatchObject([
      { schema: Todo, args: [{ id: '1' }], value: one, meta: { ...times, expiresAt: now + 60_000 } },
      { key, args: [{ id: '1' }], response: one, meta: { ...times, expiresAt: now + 5_000 } },
      { key: plain().key(), args: [], response: 'text', meta: { ...times, expiresAt: now + 60_000 } },
      { key, args: [{ id: '1' }], error: true, meta: { ...times, expiresAt: now + 1_000 } },
      { type: 'rdc/invalidate', key },
      { type: 'rdc/expireall' },
      { type: 'rdc/invalidateall' },
    ])
    expect(actions.slice(-2).map(({ testKey }) => [testKey('get 1'), testKey('other')])).toEqual([
      [true, false],
      [true, false],
    ])
  })

  test('CTL-16 countRef of a controller without a garbage policy does nothing', () => {
    expect(() => new Controller().getResponse(get(), { id: '1' }).countRef()()).not.toThrow()
  })

  test('CTL-1 all methods are bound', async () => {
    const { set, get: read, fetch, getResponse, getError, snapshot, invalidate } = controller
    await set(Todo, { id: '1' }, one)
    expect(read(Todo, { id: '1' })!.title).toBe('a')
    const ep = get()
    void fetch(ep, { id: '1' })
    expect(ep.calls).toHaveLength(1)
    expect(getResponse(ep, { id: '1' }).data).toBe(read(Todo, { id: '1' }))
    expect(getError(ep, { id: '1' })).toBeUndefined()
    expect(snapshot(controller.getState()).fetchedAt).toBe(0)
    await invalidate(ep, { id: '1' })
  })

  test('OPT-1 forms are plain objects for lists and operations, and forms for the request', async () => {
    const create = deferredEndpoint('create', todos.push, {
      sideEffect: true,
      key: () => 'create',
      getOptimisticResponse: (_: any, _p: any, body: any) => body,
    })
    await controller.set(todos, { group: 'x' }, [])
    const form = new FormData()
    form.append('title', 'from a form')
    form.append('group', 'x')
    const promise = controller.fetch(create, { group: 'x' }, form)
    expect(create.calls[0].args[1]).toBe(form)
    expect(controller.get(todos, { group: 'x' })).toMatchObject([{ title: 'from a form' }])
    await create.calls[0].answer({ id: '9', title: 'made', group: 'x' })
    expect(((await promise) as any).pk()).toBe('9')
    expect(controller.get(todos, { group: 'x' })).toMatchObject([{ id: '9' }])
  })

  test('OPT-1 endpoints work where there are no forms', async () => {
    vi.stubGlobal('FormData', undefined)
    const ep = get()
    const promise = controller.fetch(ep, { id: '1' })
    await ep.calls[0].answer(one)
    vi.unstubAllGlobals()
    expect(await promise).toMatchObject(one)
  })

  test('OPT-12 getOptimisticResponse of a read is not called for readers', async () => {
    const getOptimisticResponse = vi.fn((): never => {
      throw new Error('mine')
    })
    const ep = get({ getOptimisticResponse })
    void controller.core.view(ep, [{ id: '1' }]).promise()
    await tick()
    expect([ep.calls.length, getOptimisticResponse.mock.calls.length]).toEqual([1, 0])
  })

  test('OPT-12 getOptimisticResponse of a read shows when controller.fetch began it, not for readers', async () => {
    const ep = get({ getOptimisticResponse: (_: any, { id }: any) => ({ id, title: 'expected' }) })
    const end = store.subscribe(ep, [{ id: '1' }], () => {})
    expect(ep.calls).toHaveLength(1)
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
    const promise = controller.fetch(ep, { id: '2' })
    expect(controller.get(Todo, { id: '2' })!.title).toBe('expected')
    await ep.calls[1].answer({ id: '2', title: 'real' })
    expect(((await promise) as any).title).toBe('real')
    expect(store.getState().optimistic).toEqual([])
    end()
  })

  test('DEL-3 a mutation that deletes resolves to the record it was', async () => {
    await controller.set(Todo, { id: '1' }, one)
    const remove = deferredEndpoint('delete', new Invalidate(Todo), { sideEffect: true })
    const promise = controller.fetch(remove, { id: '1' })
    await remove.calls[0].answer({ id: '1', title: 'was' })
    expect(((await promise) as any).title).toBe('was')
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  })

  test('DEL-3 of a delete without parameters, too', async () => {
    const remove = deferredEndpoint('delete', new Invalidate(Todo), { sideEffect: true })
    const promise = controller.fetch(remove)
    await remove.calls[0].answer(one)
    expect(await promise).toEqual(Todo.fromJS(one))
  })

  test('MGR-2 a FETCH of a request that has ended has no effect on the store', async () => {
    const state = store.getState()
    store = createStore({ clock, managers: [] })
    await store.controller.dispatch({ type: 'rdc/fetch', endpoint: get(), args: [], key: '', meta: { requestId: '9' } })
    expect(store.getState()).toEqual(state)
  })
})
