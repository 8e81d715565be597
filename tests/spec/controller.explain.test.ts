// `controller.explain` on questions that people ask about a screen.
import { inspect } from 'node:util'
import {
  Collection,
  createStore,
  Entity,
  GCPolicy,
  getDefaultManagers,
  ImmortalGCPolicy,
  type Manager,
  NetworkManager,
  PollingSubscription,
  SubscriptionManager,
  type Store,
} from 'restitch'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bundle, runAlone } from '../bundle.ts'
import { formatter, installFormatter } from '../../src/devtools/formatter.ts'
import { TestClock, tick } from '../../src/testing/TestClock.ts'
import { deferredEndpoint } from '../../src/testing/endpoints.ts'
import { TestConnection, TestPage } from '../../src/testing/environment.ts'

class Todo extends Entity {
  id = ''
  title = ''
  notes = ''
  group = ''
  static override key = 'Todo'
}

const whole = { id: '1', title: 'a', notes: '', group: 'x' }
const id = { id: '1' }
const todos = new Collection([Todo])
/** Keys as a RestEndpoint has them. */
const get = (more: object = {}): any =>
  deferredEndpoint('getTodo', Todo, { key: ({ id: pk }: any) => `GET /todo/${pk}`, ...more })
const list = (more: object = {}): any =>
  deferredEndpoint('getTodos', todos, {
    key: ({ group }: any = {}) => (group ? `GET /todo?group=${group}` : 'GET /todo'),
    ...more,
  })
const patch = (more: object = {}): any =>
  deferredEndpoint('patch', Todo, { sideEffect: true, key: ({ id: pk }: any) => `PATCH /todo/${pk}`, ...more })

let clock: TestClock
let store: Store
const ends: (() => void)[] = []

beforeEach(() => {
  clock = new TestClock()
  store = createStore({ clock, random: () => 0 })
})
afterEach(() => {
  ends.splice(0).forEach((end) => end())
  store.stop()
})

function open(managers: Manager[]): void {
  store.stop()
  store = createStore({ clock, random: () => 0, managers })
}
/** Mounts a reader. */
function read(endpoint: any, ...args: any[]): void {
  ends.push(store.subscribe(endpoint, args as never, () => {}))
}
const explain = (endpoint: any, ...args: any[]): ReturnType<Store['controller']['explain']> =>
  (store.controller.explain as any)(endpoint, ...args)
const text = (endpoint: any, ...args: any[]): string => String(explain(endpoint, ...args))

async function fetch(endpoint: any, args: readonly any[], response: unknown): Promise<void> {
  const promise = (store.controller.fetch as any)(endpoint, ...args)
  await endpoint.calls.at(-1).answer(response)
  await promise
}

describe('ten questions', () => {
  test('EXPL-1 EXPL-2 why is the record incomplete? A list brought only a summary of it', async () => {
    const ep = get()
    await fetch(list(), [{}], [{ id: '1', title: 'a' }])
    const { shows, missing, sources, freshness } = explain(ep, id)
    expect(shows).toBe('part')
    expect(missing).toEqual([{ record: 'Todo 1', fields: ['notes', 'group'] }])
    expect(sources[0]).toMatchObject({ by: 'GET /todo', rows: 1, names: ['Todo 1'] })
    expect(freshness).toMatchObject({ status: 'missing', why: expect.stringContaining('only a part') })
    expect(text(ep, id)).toContain('Todo 1 lacks notes, group')
    read(ep, id)
    await tick()
    expect(explain(ep, id).request.last?.why).toBe('A reader needed it: the stored data is incomplete.')
  })

  test('EXPL-5 why is the record not in the filtered list? Its field differs from the argument', async () => {
    const ep = list()
    await fetch(ep, [{ group: 'x' }], [whole])
    await fetch(list(), [{ group: 'y' }], [{ ...whole, id: '2', group: 'y' }])
    const { list: found } = explain(ep, { group: 'x' })
    expect(found).toMatchObject({ name: expect.stringContaining('[Todo]'), args: { group: 'x' } })
    expect(found!.members).toEqual([{ record: 'Todo 1', pk: '1', why: 'GET /todo?group=x contained it just now.' }])
    expect(found!.absent).toEqual([{ record: 'Todo 2', pk: '2', why: 'Its `group` is "y"; the list wants "x".' }])
    clock.time += 3_000
    await fetch(patch(), [id, { group: 'y' }], { ...whole, group: 'y' })
    expect(explain(ep, { group: 'x' }).list!.absent).toContainEqual({
      record: 'Todo 1',
      pk: '1',
      why: 'Its `group` is "y"; the list wants "x". PATCH /todo/1 removed it just now.',
    })
    expect(explain(ep, { group: 'y' }).list!.members).toContainEqual({
      record: 'Todo 1',
      pk: '1',
      why: 'PATCH /todo/1 added it just now.',
    })
    // The same from the side of the record.
    const { lists } = explain(Todo, id)
    expect(lists!.map(({ isMember }) => isMember)).toEqual([false, true])
    expect(text(Todo, id)).toMatch(/not in \[Todo\] .*group.*x.*: Its `group` is "y"/)
  })

  test('EXPL-3 why is it stale though it was fetched just now? A write crossed the read', async () => {
    const [ep, write] = [get(), patch()]
    await fetch(ep, [id], whole)
    const first = store.controller.fetch(write, id, { title: 'b' })
    const second = store.controller.fetch(ep, id)
    await write.calls[0].answer({ ...whole, title: 'b' })
    await ep.calls[1].answer({ ...whole, title: 'a' })
    await Promise.all([first, second])
    const { freshness, data } = explain(ep, id)
    expect(data).toMatchObject({ title: 'b' })
    expect(freshness.status).toBe('stale')
    expect(freshness.why).toMatch(/^Just now: GET \/todo\/1 and PATCH \/todo\/1 crossed: .* Todo 1\.$/)
  })

  test('EXPL-1 why do I see no error? The policy is soft, and there is data', async () => {
    const ep = get({ errorPolicy: () => 'soft' })
    await fetch(ep, [id], whole)
    const promise = store.controller.fetch(ep, id)
    await ep.calls[1].fail(new Error('Bad gateway'))
    await expect(promise).rejects.toThrow('Bad gateway')
    expect(explain(ep, id)).toMatchObject({
      shows: 'data',
      error: undefined,
      hiddenError: { message: 'Bad gateway' },
      request: { last: { outcome: 'failed: Bad gateway' } },
    })
    expect(text(ep, id)).toContain('an error is hidden by the soft errorPolicy: Bad gateway')
  })

  test('EXPL-4 why does polling not go on? The page is hidden, or offline', async () => {
    const [page, connectionListener] = [new TestPage(), new TestConnection()]
    open([new NetworkManager(), new SubscriptionManager(PollingSubscription, { page, connectionListener })])
    const ep = get({ pollFrequency: 1_000 })
    await fetch(ep, [id], whole)
    await store.controller.subscribe(ep, id)
    expect(explain(ep, id).request.next).toBe('Polling every 1 s fetches it again in 1 s.')
    page.turn('hidden')
    expect(explain(ep, id)).toMatchObject({
      polling: { paused: 'hidden', frequency: 1_000, nextAt: undefined },
      request: { next: expect.stringContaining('Polling is paused because the page is hidden') },
    })
    page.turn('visible')
    connectionListener.turn(false)
    expect(explain(ep, id).request.next).toContain('the browser is offline')
    connectionListener.turn(true)
    await clock.pass(1_000)
    expect(explain(ep, id).request.last?.why).toBe('Polling every 1000 ms.')
    await store.controller.unsubscribe(ep, id)
    expect(explain(ep, id).polling).toBeUndefined()
  })

  test('EXPL-4 why is it not fetched again? The server set Retry-After', async () => {
    const ep = get()
    const busy = Object.assign(new Error('503'), {
      status: 503,
      response: { headers: new Headers({ 'retry-after': '30' }) },
    })
    read(ep, id)
    await ep.calls[0].fail(busy)
    clock.time += 10_000
    expect(explain(ep, id)).toMatchObject({
      shows: 'error',
      freshness: { status: 'failed' },
      request: { next: expect.stringMatching(/Retry-After.* another 20 s/) },
    })
    open([new NetworkManager({ retry: 1 })])
    const again = get()
    void store.controller.fetch(again, id).catch(() => {})
    await again.calls[0].fail(busy)
    expect(explain(again, id).request.next).toBe('The request failed (503) and is sent again in 30 s.')
  })

  test('EXPL-6 whose value is shown? That of a pending operation', async () => {
    const ep = get()
    const write = patch({ getOptimisticResponse: (_: unknown, params: any, body: any) => ({ ...params, ...body }) })
    await fetch(ep, [id], whole)
    const promise = store.controller.fetch(write, id, { title: 'now' })
    clock.time += 500
    expect(explain(ep, id)).toMatchObject({
      data: { title: 'now' },
      pending: [{ key: 'PATCH /todo/1', changes: ['Todo 1'], since: clock.time - 500 }],
    })
    expect(text(ep, id)).toContain('PATCH /todo/1, sent 500 ms ago, changes Todo 1')
    await write.calls[0].answer({ ...whole, title: 'now' })
    await promise
    expect(explain(ep, id).pending).toEqual([])
  })

  test('EXPL-7 why is the data still there? Each reason the garbage collector has', async () => {
    const ep = get()
    await fetch(ep, [id], whole)
    const why = (): readonly string[] => explain(ep, id).kept.why
    expect(why()).toEqual(['It is not old enough to be removed.'])
    expect(explain(ep, id).kept.until).toBe(clock.time + 120_000)
    clock.time += 200_000
    expect(why()).toEqual([])
    read(ep, id)
    expect(why()).toContain('A reader shows it.')
    expect(explain(Todo, id).kept.why).toEqual(
      expect.arrayContaining(['A reader shows it.', 'It is part of GET /todo/1.']),
    )
    ends.splice(0).forEach((end) => end())
    const release = store.controller.getResponse(ep, id).countRef()
    expect(why()).toContain('countRef() holds it.')
    release()
    store.stop()
    store = createStore({ clock, gcPolicy: new ImmortalGCPolicy() })
    const other = get()
    await fetch(other, [id], whole)
    expect(explain(other, id).kept.why).toEqual(['The garbage policy of this store removes nothing.'])
  })

  test('EXPL-4 why is that response not shown? It was older than another, and ignored', async () => {
    const [ep, write] = [get(), patch()]
    const first = store.controller.fetch(ep, id)
    const writing = store.controller.fetch(write, id, {})
    await write.calls[0].answer(whole)
    await writing
    const second = store.controller.fetch(ep, id)
    await ep.calls[1].answer({ ...whole, title: 'new' })
    await second
    await ep.calls[0].answer({ ...whole, title: 'old' })
    await first
    expect(explain(ep, id)).toMatchObject({
      data: { title: 'new' },
      request: { last: { outcome: 'ignored as older than GET /todo/1' } },
    })
  })

  test('EXPL-4 why was only one request sent? Readers and callers share it', async () => {
    const ep = get()
    read(ep, id)
    read(ep, id)
    void store.controller.fetch(ep, id).catch(() => {})
    await tick()
    clock.time += 100
    expect(ep.calls).toHaveLength(1)
    const { request, readers } = explain(ep, id)
    expect(request.inFlight).toMatchObject([{ key: 'GET /todo/1', callers: 1, auto: true }])
    expect(request.next).toMatch(/in flight for 100 ms, shared by 1 caller and 2 readers/)
    expect(request.shared).toMatchObject([{ why: 'The app called fetch().' }])
    expect(readers).toMatchObject({ count: 2, fetching: 2 })
    await ep.calls[0].answer(whole)
  })
})

describe('the explanation', () => {
  test('EXPL-1 is a plain object, and text when it is printed', async () => {
    const ep = get()
    await fetch(ep, [id], whole)
    clock.time += 2_000
    const explanation = explain(ep, id)
    expect(Object.getPrototypeOf(explanation)).toBe(Object.prototype)
    expect(() => JSON.stringify(explanation)).not.toThrow()
    expect(String(explanation)).toBe(inspect(explanation))
    expect(String(explanation)).toMatchInlineSnapshot(`
      "GET /todo/1
        shows      its data
        from       GET /todo/1: sent 2 s ago, stored 2 s ago (2 rows)
        fresh      It is fresh for another 58 s: the default dataExpiryLength is 60 s.
        readers    none
        fetched    2 s ago: The app called fetch(). Response stored.
        next       Nothing reads it, so nothing fetches it.
        kept       It is not old enough to be removed."
    `)
  })

  test('EXPL-3 says why data is fresh, invalid, expired, or missing', async () => {
    const ep = get({ dataExpiryLength: 10_000 })
    expect(explain(ep, id).freshness).toMatchObject({ status: 'missing', why: 'Nothing is stored for it.' })
    await fetch(ep, [id], whole)
    expect(explain(ep, id).freshness).toEqual({
      status: 'fresh',
      until: clock.time + 10_000,
      why: "It is fresh for another 10 s: the endpoint's dataExpiryLength is 10 s.",
    })
    clock.time += 15_000
    expect(explain(ep, id).freshness.why).toContain('It expired 5 s ago')
    await store.controller.expireAll({ testKey: () => true })
    expect(explain(ep, id).freshness.why).toBe('Just now: controller.expireAll() marked it stale.')
    await store.controller.invalidate(ep, id)
    expect(explain(ep, id).freshness).toMatchObject({
      status: 'invalid',
      why: expect.stringContaining('controller.invalidate() invalidated it'),
    })
    expect(explain(ep, null).freshness.why).toContain('The argument is null')
  })

  test('EXPL-3 EXPL-4 the first load of a list in an envelope finds nothing, and later a part of it', async () => {
    const paged = deferredEndpoint('getPaged', { items: todos, total: 0 }, { key: () => 'GET /paged' })
    expect(explain(paged).freshness).toMatchObject({ status: 'missing', why: 'Nothing is stored for it.' })
    expect(explain(paged).shows).toBe('nothing')
    read(paged)
    await tick()
    expect(explain(paged).request.last!.why).toBe('A reader needed it: nothing was stored.')
    const other = deferredEndpoint('getOther', { items: todos, count: 0 }, { key: () => 'GET /other' })
    await fetch(list(), [], [whole])
    read(other)
    await tick()
    expect(explain(other).request.last!.why).toBe('A reader needed it: the stored data is incomplete.')
    expect(explain(other).freshness.why).toContain('only a part of the data')
  })

  test('EXPL-4 says of data that other responses brought that no request was needed', async () => {
    const ep = get()
    await fetch(list(), [{}], [whole])
    read(ep, id)
    await tick()
    expect(ep.calls).toHaveLength(0)
    expect(explain(ep, id)).toMatchObject({
      shows: 'data',
      freshness: { status: 'fresh', why: expect.stringContaining('No request was needed') },
      request: { last: undefined, next: expect.stringMatching(/^Not before it is stale/) },
    })
  })

  test('EXPL-2 names writes of the app as sources', async () => {
    await store.controller.set(Todo, id, whole)
    expect(explain(Todo, id).sources).toMatchObject([{ by: 'controller.set(Todo)', names: ['Todo 1'] }])
    expect(explain(Todo, id).request.next).toBe('A query reads the store and never fetches.')
  })

  test('EXPL-2 says who wrote which field of a record, pending operations first', async () => {
    await fetch(list(), [{}], [{ id: '1', title: 'a', group: 'x' }])
    await clock.pass(1_000)
    await store.controller.set(Todo, id, { id: '1', title: 'b' })
    const optimistic = patch({ getOptimisticResponse: (_: unknown, { id: pk }: any) => ({ id: pk, notes: 'n' }) })
    const promise = (store.controller.fetch as any)(optimistic, id)
    expect(explain(Todo, id).fields).toEqual([
      { by: 'PATCH /todo/1', at: clock.now(), fields: ['id', 'notes'], status: 'pending' },
      { by: 'controller.set(Todo)', at: clock.now(), fields: ['id', 'title'], status: 'stored' },
      { by: 'GET /todo', at: clock.now() - 1_000, fields: ['group'], status: 'stored' },
    ])
    expect(text(Todo, id)).toMatch(/fields +id, notes: PATCH \/todo\/1, pending, sent just now/)
    await optimistic.calls[0].answer({ ...whole, title: 'b' })
    await promise
    expect(explain(Todo, id).fields).toMatchObject([{ by: 'PATCH /todo/1', fields: { length: 4 } }])
    expect(text(Todo, id)).not.toMatch(/^ {2}fields/m)
    expect(explain(list(), {}).fields).toBeUndefined()
  })

  test('EXPL-8 what is kept is bounded, and holds no data', async () => {
    const ep = get()
    for (let i = 0; i < 1_000; i++) {
      await store.controller.setResponse(ep, { id: `${i}` }, { ...whole, id: `${i}` })
    }
    expect(explain(ep, { id: '999' }).sources).toHaveLength(1)
    expect(explain(ep, { id: '0' }).shows).toBe('data')
  })

  test('EXPL-7 a policy of the app decides how long data is kept', async () => {
    store.stop()
    store = createStore({ clock, managers: getDefaultManagers(), gcPolicy: new GCPolicy({ expiresAt: () => 5 }) })
    const ep = get()
    await fetch(ep, [id], whole)
    expect(explain(ep, id).kept).toEqual({ why: [], until: 5 })
  })
})

describe('EXPL-11 the console of a page', () => {
  const page = (): any => (globalThis as any).__RESTITCH__
  const explained = (name: string): string[] => page().explain(name).map(String)

  const printed = vi.fn()

  beforeEach(async () => {
    printed.mockClear()
    vi.spyOn(console, 'log').mockImplementation(printed)
    store.controller.setResponse(list(), { group: 'x' }, [whole, { ...whole, id: '2' }])
    await fetch(get(), [id], whole)
  })
  afterEach(() => vi.restoreAllMocks())

  test('names what it can explain', () => {
    expect(page().controllers).toContain(store.controller)
    expect(page().explain()).toEqual(expect.arrayContaining(['GET /todo/1', 'Todo 1', 'Todo 2']))
  })

  test('explains a request by its URL, and prints the text', () => {
    const [found] = page().explain('GET /todo/1')
    expect(String(found)).toBe(String(store.controller.explain(get(), id)))
    expect(printed).toHaveBeenCalledExactlyOnceWith(String(found))
  })

  test('explains a record by its name, whatever its case', () => {
    expect(explained('todo 2')).toEqual([String((store.controller.explain as any)(Todo, '2'))])
  })

  test('takes a part of a name, and at most five of those that have it', () => {
    expect(explained('/TODO/')).toEqual([String(store.controller.explain(get(), id))])
    store.controller.setResponse(
      list(),
      { group: 'y' },
      Array.from({ length: 9 }, (_, at) => ({ ...whole, id: `n${at}` })),
    )
    expect(explained('todo n')).toHaveLength(5)
  })

  test('says so where nothing has the name', () => {
    expect(page().explain('people')).toEqual([])
    expect(printed).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('nothing that is called "people"'))
  })
})

test('EXPL-8 production bundles hold none of it: explain throws and names the import', async () => {
  const code = await bundle(`
    import { createStore } from 'restitch'
    const { controller } = createStore()
    try { controller.explain(() => {}) } catch (error) { globalThis.thrown = error.message }
  `)
  expect(/garbage policy of this store|toReversed|only the server knows|__RESTITCH__/.exec(code)).toBeNull()
  const globals = { console, queueMicrotask, setTimeout, clearTimeout, Promise }
  expect(runAlone(code, globals)['thrown']).toBe('explain-missing: explain')
})

test('EXPL-8 EXPL-11 restitch/explain works in a production build, and contains no panel', async () => {
  const code = await bundle(`
    import { createStore, Endpoint } from 'restitch'
    import { explain } from 'restitch/explain'
    const getUser = new Endpoint(async () => ({ name: 'Ann' }), { key: () => 'GET /user' })
    const { controller, stop } = createStore()
    const before = String(explain(controller, getUser))
    globalThis.done = controller.fetch(getUser).then(() => {
      globalThis.texts = [before, String(explain(controller, getUser))]
      globalThis.names = __RESTITCH__.explain()
      stop()
    })
  `)
  expect(code).not.toMatch(/tablist|launcher/)
  const globals = { console, queueMicrotask, setTimeout, clearTimeout, Promise, AbortController, AbortSignal }
  const world = runAlone(code, globals)
  await world['done']
  expect(world['texts'][0]).toMatch(/shows +nothing/)
  expect(world['texts'][1]).toMatch(/shows +its data/)
  expect(world['texts'][1]).toMatch(/fetched .*The app called fetch\(\)/)
  expect(world['names']).toEqual(['GET /user'])
})

test('EXPL-8 EXPL-10 in a production build it knows the reason and the request of a doubt from before its first call', async () => {
  const code = await bundle(`
    import { createStore, Endpoint, Entity } from 'restitch'
    import { explain } from 'restitch/explain'
    class User extends Entity { id = '' }
    User.key = 'User'
    const getUser = new Endpoint(async () => ({ id: '1' }), { schema: User, key: () => 'GET /user' })
    const patch = new Endpoint(async () => undefined, { schema: User, sideEffect: true, key: () => 'PATCH /user' })
    const { controller, stop } = createStore()
    const id = { id: '1' }
    globalThis.done = controller.fetch(getUser, id).then(() => controller.fetch(patch, id)).then(() => {
      globalThis.doubt = explain(controller, getUser, id).freshness.doubt
      stop()
    })
  `)
  const globals = { console, queueMicrotask, setTimeout, clearTimeout, Promise, AbortController, AbortSignal }
  const world = runAlone(code, globals)
  await world['done']
  expect(world['doubt']).toMatchObject({ reason: 'no-record', by: 'PATCH /user', at: undefined })
  expect(world['doubt'].text).toMatch(/^PATCH \/user returned no record/)
})

test('EXPL-9 records, endpoints and views are readable in a console', async () => {
  const ep = get()
  await fetch(ep, [id], whole)
  const record = store.controller.get(Todo, id)
  const view = store.view(ep, id)
  expect(inspect(record)).toBe("Todo { id: '1', title: 'a', notes: '', group: 'x' }")
  expect(inspect(ep)).toMatch(/^\[Function: getTodo\]/)
  expect(inspect(ep).length).toBeLessThan(600)
  expect(inspect(view)).toMatch(/^View GET \/todo\/1 \{\n {2}data: Todo/)
  expect(inspect(view).length).toBeLessThan(300)
  expect([record, ep, view, {}, 5, null].map((value) => formatter.header(value)?.[2])).toEqual([
    'Todo 1',
    'Endpoint getTodo',
    'View GET /todo/1',
    undefined,
    undefined,
    undefined,
  ])
  expect(formatter.body(view)).toEqual([
    'object',
    { object: expect.objectContaining({ data: record, subscribers: 0 }) },
  ])
  const remove = installFormatter()
  expect((globalThis as any).devtoolsFormatters).toEqual([formatter])
  remove()
  expect((globalThis as any).devtoolsFormatters).toEqual([])
})

test('PNL-1 a production bundle with RestitchDevtools holds no panel', async () => {
  const app = (name: string): string => `import { ${name} } from 'restitch/devtools'; globalThis.used = ${name}`
  expect(await bundle(app('RestitchDevtools'))).not.toMatch(/tablist|launcher/)
  expect(await bundle(app('mountDevtools'))).toMatch(/tablist/)
})
