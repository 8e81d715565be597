import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup } from '@testing-library/react'
import { Endpoint, Entity, resource } from 'restitch'
import { useController, useDLE, useLive, useSubscription, useCache, useSuspense } from 'restitch/react'
import { act, renderDataHook } from 'restitch/test'

class User extends Entity {
  id = ''
  name = ''
  static key = 'User'
}
const { get, update } = resource({ urlPrefix: 'http://api.test', path: '/users/:id', schema: User })
const getCount = new Endpoint(async () => 0, { name: 'getCount', pollFrequency: 1_000 })
const fixture = { endpoint: get, args: [{ id: '5' }], response: { id: '5', name: 'Ann' } }
const counting = {
  endpoint: getCount,
  response() {
    return ++this.count
  },
}
/** Lets virtual time pass, and the screen follow. */
const pass = (milliseconds) => act(() => jest.advanceTimersByTimeAsync(milliseconds))

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  cleanup()
  jest.useRealTimers()
})

test('TST-11 TST-13 a fixture that takes a while is there when that time is over', async () => {
  const { result } = renderDataHook(() => useSuspense(get, { id: '5' }), {
    resolverFixtures: [{ ...fixture, delay: 300 }],
  })
  expect(result.current).toBeUndefined()
  await pass(299)
  expect(result.current).toBeUndefined()
  await pass(1)
  expect(result.current).toMatchObject({ id: '5', name: 'Ann' })
})

test('TST-11 an initial fixture is there at once, and a fixture that fails gives its error', async () => {
  const there = renderDataHook(() => useSuspense(get, { id: '5' }), { initialFixtures: [fixture] })
  expect(there.result.current.name).toBe('Ann')
  const failing = renderDataHook(() => useDLE(get, { id: '6' }), {
    resolverFixtures: [{ endpoint: get, args: [{ id: '6' }], response: new Error('gone'), error: true, delay: 50 }],
  })
  expect(failing.result.current).toMatchObject({ loading: true, error: undefined })
  await pass(50)
  expect(failing.result.current).toMatchObject({ loading: false, error: { message: 'gone' } })
})

test('TST-8 TST-13 an interceptor responds to its arguments, after its delay, and keeps its data', async () => {
  const { result } = renderDataHook(() => ({ controller: useController(), user: useSuspense(get, { id: '5' }) }), {
    initialFixtures: [fixture],
    resolverFixtures: [
      {
        endpoint: update,
        response({ id }, { name }) {
          return { id, name: `${name} ${++this.times}` }
        },
        delay: 200,
      },
    ],
    getInitialInterceptorData: () => ({ times: 0 }),
  })
  const { controller } = result.current
  for (const times of [1, 2]) {
    let answer
    act(() => void (answer = controller.fetch(update, { id: '5' }, { name: 'Bea' })))
    await pass(199)
    expect(result.current.user.name).toBe(times === 1 ? 'Ann' : 'Bea 1')
    await pass(1)
    expect(result.current.user.name).toBe(`Bea ${times}`)
    expect((await answer).name).toBe(`Bea ${times}`)
  }
})

test.each([
  ['useLive', () => useLive(getCount)],
  [
    'useSubscription',
    () => {
      useSubscription(getCount)
      return useCache(getCount)
    },
  ],
])('TST-8 TST-13 POL-5 %s polls as virtual time passes', async (_, hook) => {
  const { result, unmount } = renderDataHook(hook, {
    resolverFixtures: [counting],
    getInitialInterceptorData: () => ({ count: 0 }),
  })
  await pass(0)
  expect(result.current).toBe(1)
  await pass(999)
  expect(result.current).toBe(1)
  await pass(1)
  expect(result.current).toBe(2)
  await pass(3_000)
  expect(result.current).toBe(5)
  unmount()
  await jest.advanceTimersByTimeAsync(5_000)
  expect(result.current).toBe(5)
})

test('TST-13 waitFor, waitForNextUpdate and allSettled move the fake clock themselves', async () => {
  const resolverFixtures = [{ endpoint: get, response: ({ id }) => ({ id, name: `User ${id}` }), delay: 400 }]
  const { result, rerender, waitFor, waitForNextUpdate, allSettled } = renderDataHook(
    ({ id }) => useSuspense(get, { id }),
    { resolverFixtures, initialProps: { id: '1' } },
  )
  const begun = Date.now()
  await waitForNextUpdate()
  expect(result.current.name).toBe('User 1')
  expect(Date.now() - begun).toBeGreaterThanOrEqual(400)
  act(() => rerender({ id: '2' }))
  await waitFor(() => expect(result.current?.name).toBe('User 2'))
  act(() => rerender({ id: '3' }))
  await allSettled()
  expect(result.current.name).toBe('User 3')
})
