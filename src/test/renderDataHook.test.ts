// @vitest-environment happy-dom
import { createElement, type ReactNode, StrictMode, use, useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { act, cleanup } from '@testing-library/react'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { DataProvider } from '../react/DataProvider.ts'
import { useCache } from '../react/hooks/useCache.ts'
import { useController } from '../react/hooks/useController.ts'
import { useDLE } from '../react/hooks/useDLE.ts'
import { useFetch } from '../react/hooks/useFetch.ts'
import { useLive } from '../react/hooks/useLive.ts'
import { useSuspense } from '../react/hooks/useSuspense.ts'
import { resource } from '../rest/resource.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'
import { makeRenderDataHook, renderDataHook } from './renderDataHook.ts'

const UserResource = resource({ urlPrefix: 'http://api.test', path: '/users/:id', schema: User })
const { get } = UserResource
const answer = (id: string, more: object = {}): any => ({
  endpoint: get,
  args: [{ id }],
  response: { id, name: `User ${id}` },
  ...more,
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('TST-11 the result is undefined while the hook suspends, then what it returns', async () => {
  const { result, waitForNextUpdate, controller } = renderDataHook(() => useSuspense(get, { id: '5' }), {
    resolverFixtures: [answer('5')],
  })
  expect(result.current).toBeUndefined()
  await waitForNextUpdate()
  expect(result.current.name).toBe('User 5')
  expect(controller.get(User, { id: '5' })).toBe(result.current)
})

test('TST-11 initial fixtures are there at once; what changes is followed, and new props are rendered', async () => {
  const { result, rerender, waitFor, controller } = renderDataHook(
    ({ id }: { id: string }) => useSuspense(get, { id }),
    {
      initialFixtures: [answer('5'), answer('6')],
      initialProps: { id: '5' },
    },
  )
  expect(result.current.name).toBe('User 5')
  await act(() => controller.set(User, { id: '5' }, { id: '5', name: 'Ann' }))
  expect(result.current.name).toBe('Ann')
  rerender({ id: '6' })
  expect(result.current.name).toBe('User 6')
  rerender()
  await waitFor(() => expect(result.current.id).toBe('6'))
})

test.each([
  ['alone', () => useDLE(get, { id: '5' }), (shown: any) => shown],
  ['in an object', () => ({ user: useDLE(get, { id: '5' }) }), (shown: any) => shown.user],
  ['in a list', () => [useDLE(get, { id: '5' }), useController()], (shown: any) => shown[0]],
])('TST-11 members that nobody has read yet are followed, too: the result %s', async (_, use, select) => {
  const { result, waitForNextUpdate } = renderDataHook<unknown>(use, { resolverFixtures: [answer('5')] })
  await waitForNextUpdate()
  expect(select(result.current).data.name).toBe('User 5')
})

test('TST-11 a response that a test awaits outside of act is rendered, and React does not warn', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const complain = vi.spyOn(console, 'error')
  let count = 0
  const { result, controller, waitForNextUpdate } = renderDataHook(
    () => ({ user: useSuspense(get, { id: '5' }), own: useController() }),
    { resolverFixtures: [{ endpoint: get, response: ({ id }) => ({ id, name: `User ${++count}` }) }] },
  )
  await waitForNextUpdate()
  await result.current.own.fetch(get, { id: '5' })
  expect(result.current.user.name).toBe('User 2')
  await controller.setResponse(get, { id: '5' }, { id: '5', name: 'Ann' })
  expect(result.current.user.name).toBe('Ann')
  expect(complain).not.toHaveBeenCalled()
})

test('TST-20 each write is rendered when its act ends, also several of one task', async () => {
  const { result, controller } = renderDataHook(() => useCache(get, { id: '5' })?.name, {
    initialFixtures: [answer('5')],
  })
  const names: (string | undefined)[] = []
  for (const name of ['first', 'second', 'third']) {
    act(() => void controller.set(User, { id: '5' }, { id: '5', name }))
    names.push(result.current)
  }
  const save = UserResource.partialUpdate.extend({
    fetch: () => new Promise<never>(() => {}),
    getOptimisticResponse: (_snapshot, { id }, { name }: any) => ({ id, name }) as any,
  })
  for (const name of ['fourth', 'fifth']) {
    act(() => void controller.fetch(save, { id: '5' }, { name }).catch(() => {}))
    names.push(result.current)
  }
  expect(names).toEqual(['first', 'second', 'third', 'fourth', 'fifth'])
})

test('TST-11 a hook that suspends again has no result, and then one', async () => {
  vi.useFakeTimers()
  let name = 'first'
  const { result, waitFor, controller } = renderDataHook(() => useSuspense(get, { id: '5' }), {
    resolverFixtures: [{ endpoint: get, response: ({ id }) => ({ id, name }), delay: 5 }],
  })
  await waitFor(() => expect(result.current.name).toBe('first'))
  name = 'second'
  await act(() => controller.invalidate(get, { id: '5' }))
  expect(result.current).toBeUndefined()
  await waitFor(() => expect(result.current.name).toBe('second'))
})

test('TST-11 what the hook throws is the error, until it is rendered again', async () => {
  let fails = true
  const response = ({ id }: any): any => {
    if (fails) {
      throw new Error('gone')
    }
    return { id, name: 'Ann' }
  }
  const { result, waitFor, waitForNextUpdate, rerender, controller } = renderDataHook(
    () => useSuspense(get, { id: '5' }),
    { resolverFixtures: [{ endpoint: get, response }] },
  )
  await waitForNextUpdate()
  expect(result.error).toMatchObject({ message: 'gone' })
  expect(result.current).toBeUndefined()
  fails = false
  await act(() => controller.invalidate(get, { id: '5' }))
  rerender()
  await waitFor(() => expect(result.current.name).toBe('Ann'))
  expect(result.error).toBeUndefined()
})

test('TST-11 a hook that threw and is rendered again has no error while it suspends', async () => {
  const ep = deferredEndpoint('get', User)
  const { result, rerender, waitForNextUpdate } = renderDataHook(
    ({ id }: { id: string }) => useSuspense(ep, { id }) as any,
    { initialProps: { id: '1' } },
  )
  await act(async () => ep.calls[0].fail(new Error('down')))
  expect(result.error).toMatchObject({ message: 'down' })
  queueMicrotask(() => rerender({ id: '2' }))
  await waitForNextUpdate()
  expect(result).toEqual({ current: undefined, error: undefined })
  await act(async () => ep.calls[1].answer({ id: '2', name: 'Bob' }))
  expect(result.current).toMatchObject({ name: 'Bob' })
})

test('TST-11 allSettled waits for everything that is being fetched', async () => {
  const fixture = { endpoint: get, response: ({ id }: any) => ({ id, name: 'Ann' }), delay: 10 }
  const { result, allSettled, controller } = renderDataHook(() => useDLE(get, { id: '5' }), {
    resolverFixtures: [fixture],
  })
  const other = controller.fetch(get, { id: '6' })
  expect(result.current.loading).toBe(true)
  await allSettled()
  expect(result.current).toMatchObject({ loading: false, data: { name: 'Ann' } })
  expect((await other).id).toBe('6')
})

test('TST-11 cleanup stops the store', async () => {
  const slow = deferredEndpoint('slow')
  const { controller, cleanup: end } = renderDataHook(() => useDLE(slow, 1))
  const waiting = controller.fetch(slow, 2)
  end()
  await expect(waiting).rejects.toMatchObject({ name: 'ResetError' })
})

test('TST-11 a wrapper stands between the provider and the hook', async () => {
  const wrapper = ({ children }: { children?: ReactNode }): ReactNode => {
    useController()
    return createElement(StrictMode, null, children)
  }
  const response = vi.fn(({ id }: any) => ({ id, name: 'Ann' }))
  const { waitForNextUpdate, result } = renderDataHook(() => useSuspense(get, { id: '5' }), {
    resolverFixtures: [{ endpoint: get, response }],
    wrapper,
  })
  await waitForNextUpdate()
  expect(result.current.name).toBe('Ann')
  expect(response).toHaveBeenCalledOnce()
})

test('TST-11 a wrapper gets the props of the hook', async () => {
  const seen: unknown[] = []
  const wrapper = ({ children, ...props }: { children?: ReactNode; id?: string }): ReactNode => {
    seen.push(props)
    return children
  }
  const { rerender } = renderDataHook(({ id }: { id: string }) => id, { wrapper, initialProps: { id: '1' } })
  rerender({ id: '2' })
  expect(seen).toEqual([{ id: '1' }, { id: '2' }])
  renderDataHook(() => 1, { wrapper })
  expect(seen.at(-1)).toEqual({})
})

test.each([
  ['at once', {}],
  ['after a while', { delay: 20 }],
])('TST-11 HK-6 use(useFetch()) shows what comes %s', async (_name, more) => {
  const complain = vi.spyOn(console, 'error')
  const { result, waitFor, rerender } = renderDataHook(({ id }: { id: string }) => use(useFetch(get, { id })), {
    resolverFixtures: [answer('5', more), answer('6', more)],
    initialProps: { id: '5' },
  })
  expect(result.current).toBeUndefined()
  await waitFor(() => expect(result.current.name).toBe('User 5'))
  expect(complain).not.toHaveBeenCalled()
  // React wants an `act` to be awaited in which something suspends by use().
  await act(async () => rerender({ id: '6' }))
  await waitFor(() => expect(result.current.name).toBe('User 6'))
  expect(complain).not.toHaveBeenCalled()
})

test('TST-16 cleanup and allSettled of the function mean all hooks that it rendered', async () => {
  const render = makeRenderDataHook(DataProvider)
  const fixture = { endpoint: get, response: ({ id }: any) => ({ id, name: `User ${id}` }), delay: 10 }
  const hooks = ['1', '2'].map((id) => render(() => useSuspense(get, { id }), { resolverFixtures: [fixture] }))
  await render.allSettled()
  expect(hooks.map(({ result }) => result.current.name)).toEqual(['User 1', 'User 2'])
  const slow = deferredEndpoint('slow')
  const waiting = hooks.map(({ controller }) => controller.fetch(slow, 2))
  render.cleanup()
  for (const promise of waiting) {
    await expect(promise).rejects.toMatchObject({ name: 'ResetError' })
  }
  // A wait does not outlive its hook.
  await render.allSettled()
  expect([renderDataHook.cleanup, renderDataHook.allSettled]).toEqual([expect.any(Function), expect.any(Function)])
})

describe('TST-16 a wait that is not awaited', () => {
  const leave = (): void => {
    const { result, waitFor, waitForNextUpdate, allSettled } = renderDataHook(() =>
      useDLE(deferredEndpoint('never'), 1),
    )
    waitFor(() => expect(result.current.loading).toBe(false)).catch(() => {})
    waitForNextUpdate().catch(() => {})
    void allSettled()
  }
  const follow = async (): Promise<void> => {
    const { result, waitFor } = renderDataHook(() => useState('a'))
    act(() => result.current[1]('b'))
    expect(result.current[0]).toBe('b')
    const { result: user, waitFor: wait } = renderDataHook(() => useSuspense(get, { id: '5' }), {
      resolverFixtures: [answer('5')],
    })
    await wait(() => expect(user.current.name).toBe('User 5'))
    await act(async () => result.current[1]('c'))
    await waitFor(() => expect(result.current[0]).toBe('c'))
  }

  test('TST-16 with real timers: the test that follows runs as if alone', async () => {
    expect.hasAssertions()
    leave()
    await follow()
    leave()
    await new Promise((done) => setTimeout(done, 1))
    await follow()
  })

  test('TST-16 with fake timers: it ends with them', async () => {
    const error = vi.spyOn(console, 'error')
    vi.useFakeTimers()
    leave()
    vi.useRealTimers()
    await new Promise((done) => setTimeout(done, 1))
    await follow()
    expect(error).not.toHaveBeenCalled()
  })
})

test('TST-11 waiting ends with the last fault', async () => {
  const { waitFor, waitForNextUpdate } = renderDataHook(() => 1)
  await expect(waitFor(() => Promise.reject(new Error('not yet')), { timeout: 20, interval: 5 })).rejects.toThrow(
    'not yet',
  )
  await expect(waitForNextUpdate({ timeout: 20, interval: 5 })).rejects.toThrow('Nothing was rendered')
})

test('TST-12 another provider', async () => {
  const seen = vi.fn()
  const Provider = (props: any): ReactNode => {
    seen(Object.keys(props).sort())
    return createElement(DataProvider, props)
  }
  const { result } = makeRenderDataHook(Provider)(() => useCache(get, { id: '5' }), { initialFixtures: [answer('5')] })
  expect(result.current?.name).toBe('User 5')
  expect(seen).toHaveBeenCalledWith(['children', 'devButton', 'initialState', 'managers'])
})

describe('fake timers', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  test('TST-13 waitFor and waitForNextUpdate move the clock on', async () => {
    const { result, waitForNextUpdate, waitFor, controller } = renderDataHook(() => useSuspense(get, { id: '5' }), {
      resolverFixtures: [answer('5', { delay: 300 })],
    })
    const begun = Date.now()
    await waitForNextUpdate()
    expect(result.current.name).toBe('User 5')
    expect(Date.now() - begun).toBeGreaterThanOrEqual(300)
    await act(() => controller.set(User, { id: '5' }, { id: '5', name: 'Ann' }))
    await waitFor(() => expect(result.current.name).toBe('Ann'))
  })

  test('TST-13 allSettled moves the clock on, too', async () => {
    const { result, allSettled } = renderDataHook(() => useSuspense(get, { id: '5' }), {
      resolverFixtures: [answer('5', { delay: 3_000 })],
    })
    await allSettled()
    expect(result.current.name).toBe('User 5')
  })

  test.each([
    ['vitest', undefined],
    ['jest', ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'queueMicrotask'] as const],
  ])('TST-13 TST-8 polls respond as the fake timers of %s advance', async (_, toFake) => {
    if (toFake) {
      vi.useFakeTimers({ toFake: [...toFake] })
    }
    const getTime = new Endpoint(async (): Promise<number> => 0, { name: 'getTime', pollFrequency: 1_000 })
    const { result, waitForNextUpdate } = renderDataHook(() => useLive(getTime), {
      resolverFixtures: [
        {
          endpoint: getTime,
          response() {
            return ++this.count
          },
        },
      ],
      getInitialInterceptorData: () => ({ count: 0 }),
    })
    await waitForNextUpdate()
    expect(result.current).toBe(1)
    await act(async () => void (await vi.advanceTimersByTimeAsync(3_000)))
    expect(result.current).toBe(4)
  })
})
