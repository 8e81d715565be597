import { afterEach, expect, test, vi } from 'vitest'
import { createStore, type Store, type StoreOptions } from '../client/createStore.ts'
import { Controller } from '../controller/Controller.ts'
import { createFetch } from '../compat/createActions.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { resource } from '../rest/resource.ts'
import { serializeState, deserializeState } from '../client/serialize.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'
import { collapseFixture } from './collapseFixture.ts'
import { createFixtureMap } from './createFixtureMap.ts'
import type { Fixture, Interceptor } from './Fixture.ts'
import { MockController } from './MockController.ts'
import { mockInitialState } from './mockInitialState.ts'
import type { MockProps } from './mocks.ts'

const UserResource = resource({ urlPrefix: 'http://api.test', path: '/users/:id', schema: User })
const ann = { endpoint: UserResource.get, args: [{ id: '5' }], response: { id: '5', name: 'Ann' } } as const

let store: Store | undefined
function open(props: MockProps, options: StoreOptions = {}): Controller {
  store = createStore({ Controller: MockController(Controller, props), ...options })
  return store.controller
}

afterEach(() => {
  store?.stop()
  vi.restoreAllMocks()
})

test('TST-1 TST-10 a fixture with the same arguments comes before interceptors, and those in their order', async () => {
  const named = (name: string): Interceptor => ({ endpoint: UserResource.get, response: ({ id }) => ({ id, name }) })
  const { fetch } = open({ fixtures: [named('first'), named('second'), ann] })
  expect((await fetch(UserResource.get, { id: '5' })).name).toBe('Ann')
  expect((await fetch(UserResource.get, { id: '6' })).name).toBe('first')
})

test('TST-1 pages are told apart by what is sent for them', async () => {
  const Feed = resource({ urlPrefix: 'http://api.test', path: '/feed/:id', schema: User, paginationField: 'page' })
  const { fetch, get } = open({
    fixtures: [
      { endpoint: Feed.getList, args: [], response: [{ id: '1' }] },
      { endpoint: Feed.getList.getPage, args: [{ page: '2' }], response: [{ id: '2' }] },
    ],
  })
  await fetch(Feed.getList)
  await fetch(Feed.getList.getPage, { page: '2' })
  expect(get(Feed.getList.schema)?.map(({ id }) => id)).toEqual(['1', '2'])
})

test('TST-2 a function beside "args" is warned about and responds to all arguments of its endpoint', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const both = { ...ann, response: ({ id }: { id: string }) => ({ id, name: `User ${id}` }) } as unknown as Fixture
  const { fetch } = open({ fixtures: [both] })
  expect(warn).toHaveBeenCalledOnce()
  expect((await fetch(UserResource.get, { id: '9' })).name).toBe('User 9')
})

test('TST-3 "this" of interceptors is one object for each store', async () => {
  const props: MockProps<{ users: { id: string; name: string }[] }> = {
    fixtures: [
      {
        endpoint: UserResource.getList,
        response() {
          return this.users
        },
      },
      {
        endpoint: UserResource.getList.push,
        response({ name }: { name: string }) {
          const user = { id: String(this.users.length), name }
          this.users.push(user)
          return user
        },
      },
    ],
    getInitialInterceptorData: () => ({ users: [] }),
  }
  const { fetch, get } = open(props)
  await fetch(UserResource.getList)
  await fetch(UserResource.getList.push, { name: 'Ann' })
  expect(get(UserResource.getList.schema)?.map(({ name }) => name)).toEqual(['Ann'])
  store!.stop()
  expect(await open(props).fetch(UserResource.getList)).toHaveLength(0)
})

test.each([
  [undefined, 'asked'],
  [true, 'later'],
])('TST-4 with delayCollapse %s the response is what was there when it was %s', async (delayCollapse, name) => {
  const clock = new TestClock()
  const data = { name: 'asked' }
  const response = ({ id }: any): any => ({ id, name: data.name })
  const slow: Interceptor = { endpoint: UserResource.get, response, delay: ({ id }) => Number(id) * 10, delayCollapse }
  const answer = open({ fixtures: [slow] }, { clock }).fetch(UserResource.get, { id: '5' })
  const settled = vi.fn()
  void answer.then(settled)
  await clock.pass(49)
  data.name = 'later'
  expect(settled).not.toHaveBeenCalled()
  await clock.pass(1)
  expect((await answer).name).toBe(name)
})

test('TST-4 a fixture and an error wait, too, and a timeout ends the waiting', async () => {
  const clock = new TestClock()
  const get = UserResource.get.extend({ timeout: 100 })
  const late = { ...ann, delay: 50 }
  const { fetch } = open(
    {
      fixtures: [
        late,
        { endpoint: get, args: [{ id: '6' }], response: new Error('gone'), error: true, delay: 50 },
        { endpoint: get, args: [{ id: '7' }], response: { id: '7' }, delay: 500 },
      ],
    },
    { clock },
  )
  const all = Promise.allSettled(['5', '6', '7'].map((id) => fetch(get, { id })))
  await clock.pass(100)
  const [good, gone, slow] = (await all) as any[]
  expect([good.value.name, gone.reason.message, slow.reason.name]).toEqual(['Ann', 'gone', 'TimeoutError'])
})

test.each([
  [
    'thrown',
    (): never => {
      throw new Error('refused')
    },
  ],
  ['rejected', () => Promise.reject(new Error('refused'))],
])('TST-5 what an interceptor has %s is what the fetch rejects with', async (_how, response) => {
  const { fetch, getError } = open({ fixtures: [{ endpoint: UserResource.get, response }] })
  await expect(fetch(UserResource.get, { id: '5' })).rejects.toThrow('refused')
  expect(getError(UserResource.get, { id: '5' })?.message).toBe('refused')
})

test('TST-6 fetchResponse is mocked like the network: parsed, and processed', async () => {
  const seen: unknown[] = []
  const getUser = new RestEndpoint({
    urlPrefix: 'http://api.test',
    path: '/processed/:id',
    schema: User,
    process: (value: any) => ({ ...value, name: value.name.toUpperCase() }),
  })
  const clock = new TestClock()
  const { fetch } = open(
    {
      fixtures: [
        {
          endpoint: getUser,
          fetchResponse(this: { name: string }, input, init) {
            seen.push(input, init.method)
            return { id: '5', name: this.name }
          },
          delay: 10,
        },
        { endpoint: UserResource.get, fetchResponse: () => new Response('busy', { status: 503 }) },
        { endpoint: UserResource.delete, fetchResponse: () => undefined },
      ],
      getInitialInterceptorData: () => ({ name: 'Ann' }),
    },
    { clock },
  )
  const user = fetch(getUser, { id: '5' })
  await vi.waitFor(async () => {
    await clock.pass(10)
    expect(clock.pending).toBeLessThan(2)
  })
  expect((await user).name).toBe('ANN')
  expect(seen).toEqual(['http://api.test/processed/5', 'GET'])
  await expect(fetch(UserResource.get, { id: '5' })).rejects.toMatchObject({ status: 503 })
  await expect(fetch(UserResource.delete, { id: '5' })).resolves.toMatchObject({ id: '5' })
})

test('TST-7 a fetch without a fixture goes to the network, with a warning where that is wanted', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const get = deferredEndpoint('unknown')
  const plain = Object.assign((id: number) => Promise.resolve(`plain ${id}`), { key: (id: number) => `plain ${id}` })
  const { fetch } = open({ fixtures: [ann] })
  const answer = fetch(get, 1)
  await get.calls[0].answer('real')
  expect(await answer).toBe('real')
  expect(await fetch(plain, 3)).toBe('plain 3')
  expect(warn).not.toHaveBeenCalled()
  store!.stop()
  void open({ silenceMissing: false })
    .fetch(get, 2)
    .catch(() => {})
  await tick()
  expect(warn.mock.calls[0]![0]).toContain('unknown [2]')
})

test('TST-10 polls, readers and dispatched actions get fixtures, one request at a time', async () => {
  const response = vi.fn(({ id }: any) => ({ id, name: 'Ann' }))
  const { dispatch } = open({ fixtures: [{ endpoint: UserResource.get, response }] })
  const view = store!.view(UserResource.get, { id: '5' })
  const [first, second] = await Promise.all([view.promise(), store!.controller.fetch(UserResource.get, { id: '5' })])
  expect(first).toBe(second)
  expect(response).toHaveBeenCalledOnce()
  const action = createFetch(UserResource.get, { args: [{ id: '6' }] })
  await dispatch(action)
  expect((await action.meta.promise).id).toBe('6')
})

test('TST-9 TST-15 mockInitialState holds responses and errors that never become stale', async () => {
  vi.useFakeTimers()
  try {
    const getTime = new Endpoint(async () => 'now', { name: 'getTime' })
    const state = mockInitialState([
      ann,
      { endpoint: getTime, args: [], response: 'noon' },
      {
        endpoint: UserResource.get,
        args: [{ id: '6' }],
        response: Object.assign(new Error('gone'), { status: 404 }),
        error: true,
      },
    ])
    for (const initialState of [state, deserializeState(serializeState(state))]) {
      vi.setSystemTime(Date.now() + 86_400_000)
      store = createStore({ initialState })
      const { fetchIfStale, getError } = store.controller
      expect(await fetchIfStale(UserResource.get, { id: '5' })).toMatchObject({ name: 'Ann' })
      expect(await fetchIfStale(getTime)).toBe('noon')
      expect(getError(UserResource.get, { id: '6' })).toMatchObject({ status: 404 })
      expect(store.view(UserResource.get, { id: '6' }).read().expiresAt).toBe(Infinity)
    }
  } finally {
    vi.useRealTimers()
  }
})

test('TST-15 createFixtureMap and collapseFixture serve other mock layers', () => {
  const getName: Interceptor = { endpoint: UserResource.get, response: ({ id }) => ({ id, name: 'x' }) }
  const [answers, interceptors] = createFixtureMap([ann, getName])
  expect([...answers.keys()]).toEqual([UserResource.get.key({ id: '5' })])
  expect(interceptors).toEqual([getName])
  expect(collapseFixture(ann, [])).toEqual({ response: ann.response, error: false })
  expect(collapseFixture({ ...ann, error: true, response: 1 } as never, [])).toEqual({ response: 1, error: true })
  const broken = {
    endpoint: UserResource.get,
    response: () => {
      throw new RangeError('x')
    },
  }
  expect(collapseFixture(broken, [{ id: '1' }])).toEqual({ response: new RangeError('x'), error: true })
  expect(createFixtureMap()).toEqual([new Map(), []])
})
