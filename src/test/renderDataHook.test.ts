// @vitest-environment happy-dom
import { createElement, type ReactNode, StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { act, cleanup } from '@testing-library/react'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { wire } from '../managers/cases.ts'
import { DataProvider } from '../react/DataProvider.ts'
import { useCache } from '../react/hooks/useCache.ts'
import { useController } from '../react/hooks/useController.ts'
import { useDLE } from '../react/hooks/useDLE.ts'
import { useLive } from '../react/hooks/useLive.ts'
import { useSuspense } from '../react/hooks/useSuspense.ts'
import { resource } from '../rest/resource.ts'
import { Entity } from '../schema/Entity.ts'
import { makeRenderDataHook, renderDataHook } from './renderDataHook.ts'

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}
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
  const ep = wire('get', User)
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
  const slow = wire('slow')
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
  ])('TST-13 TST-8 polls are answered as time is moved by hand, by what %s makes fake', async (_, toFake) => {
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
