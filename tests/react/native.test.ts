// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { createContext, type ReactNode } from 'react'
import { RestEndpoint } from 'restitch'
import * as web from 'restitch/react'
import * as native from 'restitch/react/native'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { bundle, runAlone } from '../bundle.ts'
import { act, h, open, settle, Todo, deferredEndpoint } from './cases.ts'

const { AsyncBoundary, DataProvider, ErrorBoundary, useDLE, useDLEAll, useFetch, useLive, useSubscription } = native
const { useSuspense, useSuspenseAll } = native
const args = { id: '1' }
const one = { id: '1', title: 'one' }

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** A screen of React Navigation, moved by hand. */
function screenOf(): any {
  const listeners = new Map<() => void, string>()
  const screen = {
    focused: true,
    isFocused: () => screen.focused,
    addListener(type: string, listener: () => void) {
      listeners.set(listener, type)
      return () => listeners.delete(listener)
    },
    turn(focused: boolean) {
      screen.focused = focused
      for (const [listener, type] of new Map(listeners)) {
        if (type === (focused ? 'focus' : 'blur')) {
          listener()
        }
      }
    },
    listeners,
  }
  return screen
}

const NavigationContext = createContext<any>(undefined)
const appListeners = new Set<(state: string) => void>()
const AppState = {
  addEventListener(_type: 'change', listener: (state: string) => void) {
    appListeners.add(listener)
    return { remove: () => appListeners.delete(listener) }
  },
}
let after: (() => void)[] = []
const InteractionManager = {
  runAfterInteractions(run: () => void) {
    after.push(run)
    return { cancel: () => (after = after.filter((other) => other !== run)) }
  },
}
const Text = ({ children, role }: any): ReactNode => h('span', { role }, children)

async function start(tree: ReactNode, platform: object, navigation?: any): Promise<any> {
  const { store, clock } = open()
  const wrap = (children: ReactNode): ReactNode =>
    h(
      DataProvider,
      { store, platform },
      h(NavigationContext.Provider, { value: navigation }, h(AsyncBoundary, { fallback: '…' }, children)),
    )
  const screen = await act(async () => render(wrap(tree)))
  return { ...screen, store, clock, again: (next: ReactNode) => act(async () => screen.rerender(wrap(next))) }
}

describe.each([
  ['useSuspense', (ep: any, params: any) => (useSuspense(ep, params) as any)?.title],
  ['useDLE', (ep: any, params: any) => (useDLE(ep, params) as any).data?.title],
  ['useFetch', (ep: any, params: any) => (void useFetch(ep, params), '')],
  ['useSuspenseAll', (ep: any, params: any) => (useSuspenseAll([[ep, params]]) as any)[0]?.title],
  ['useDLEAll', (ep: any, params: any) => (useDLEAll([[ep, params]]) as any)[0].data?.title],
])('NAT-1 %s', (_name, useHook) => {
  test('NAT-1 refetches stale data when the screen is focused again, after interactions, with the current arguments', async () => {
    const ep = deferredEndpoint('get', Todo, { dataExpiryLength: 100 })
    const navigation = screenOf()
    const Show = ({ id }: { id: string | null }): ReactNode => useHook(ep, id === null ? null : { id })
    const { clock, again, unmount } = await start(
      h(Show, { id: '1' }),
      { InteractionManager, NavigationContext },
      navigation,
    )
    await settle(() => ep.calls[0].answer(one))
    await settle(() => navigation.turn(true))
    expect(after).toHaveLength(0)
    await again(h(Show, { id: '2' }))
    await settle(() => ep.calls[1].answer({ id: '2', title: 'two' }))
    await settle(() => clock.pass(101))
    await settle(() => navigation.turn(false))
    await settle(() => navigation.turn(true))
    expect(ep.calls).toHaveLength(2)
    await settle(() => after.splice(0).forEach((run) => run()))
    expect(ep.calls).toHaveLength(3)
    expect(ep.calls[2].args).toEqual([{ id: '2' }])
    await settle(() => ep.calls[2].answer({ id: '2', title: 'two' }))
    // Fresh: nothing to ask.
    await settle(() => navigation.turn(false))
    await settle(() => navigation.turn(true))
    await settle(() => after.splice(0).forEach((run) => run()))
    expect(ep.calls).toHaveLength(3)
    await again(h(Show, { id: null }))
    unmount()
    expect(navigation.listeners.size).toBe(0)
  })

  test('NAT-7 the app comes to the foreground: focused screens alone', async () => {
    const ep = deferredEndpoint('get', Todo, { dataExpiryLength: 100 })
    const navigation = screenOf()
    const Show = (): ReactNode => useHook(ep, args)
    const { clock, unmount } = await start(h(Show), { AppState, NavigationContext }, navigation)
    await settle(() => ep.calls[0].answer(one))
    await settle(() => clock.pass(101))
    const tell = (state: string): Promise<void> => settle(() => appListeners.forEach((listener) => listener(state)))
    await tell('background')
    navigation.turn(false)
    await tell('active')
    expect(ep.calls).toHaveLength(1)
    navigation.focused = true
    await tell('active')
    expect(ep.calls).toHaveLength(2)
    unmount()
    expect(appListeners.size).toBe(0)
  })

  test('NAT-3 without React Navigation as on the web', async () => {
    const ep = deferredEndpoint('get', Todo)
    const Show = (): ReactNode => useHook(ep, args)
    const { clock } = await start(h(Show), {})
    await settle(() => ep.calls[0].answer(one))
    await settle(() => clock.pass(1e6))
    expect(ep.calls).toHaveLength(1)
  })
})

test('NAT-2 a subscription rests while its screen is behind', async () => {
  const ep = deferredEndpoint('get', Todo, { pollFrequency: 100 })
  const navigation = screenOf()
  const Live = (): ReactNode => (useLive(ep, args) as any).title
  const Sub = (): ReactNode => (useSubscription(ep, args), null)
  const { clock } = await start([h(Live, { key: 1 }), h(Sub, { key: 2 })], { NavigationContext }, navigation)
  await settle(() => ep.calls[0].answer(one))
  await settle(() => clock.pass(100))
  expect(ep.calls).toHaveLength(2)
  await settle(() => ep.calls[1].answer(one))
  await settle(() => navigation.turn(false))
  await settle(() => clock.pass(1000))
  expect(ep.calls).toHaveLength(2)
  await settle(() => navigation.turn(true))
  await settle(() => clock.pass(0))
  expect(ep.calls).toHaveLength(3)
})

test('NAT-6 text is shown in a Text, and there is no developer button', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('__REDUX_DEVTOOLS_EXTENSION__', {
    open() {},
    connect: () => ({ init() {}, subscribe() {}, send() {} }),
  })
  const Broken = (): ReactNode => {
    throw new Error('broken')
  }
  const { getByRole, container } = await start(h(Broken), { Text })
  expect(getByRole('alert')).toMatchObject({ tagName: 'SPAN', textContent: 'broken' })
  const { container: plain } = render(h(DataProvider, null, h(ErrorBoundary, null, h(Broken))))
  expect(plain.innerHTML.toLowerCase()).toContain('<rcttext role="alert">broken')
  expect(container.querySelector('button')).toBeNull()
  vi.unstubAllGlobals()
})

test('NAT-6 RCT-4 what suspends without a boundary shows a Text as well', async () => {
  const ep = deferredEndpoint('get', Todo)
  const Show = (): ReactNode => (useSuspense(ep, args) as any).title
  const { store } = open()
  const { container } = await act(async () => render(h(DataProvider, { store, platform: { Text } }, h(Show))))
  expect(container.innerHTML).toBe('<span>loading...</span>')
})

test('NAT-4 requests wait for idle time where the app says so', async () => {
  const idle: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run))
  const ep = deferredEndpoint('get', Todo)
  const Show = (): ReactNode => (useSuspense(ep, args) as any).title
  const managers = native.getDefaultManagers({ networkManager: new native.IdlingNetworkManager() })
  await act(async () => render(h(DataProvider, { managers }, h(Show))))
  expect(ep.calls).toHaveLength(0)
  await settle(() => idle.splice(0).forEach((run) => run()))
  expect(ep.calls).toHaveLength(1)
  vi.unstubAllGlobals()
})

test('NAT-5 parameters are sorted without URLSearchParams.sort', () => {
  vi.stubGlobal(
    'URLSearchParams',
    class extends URLSearchParams {
      override sort = undefined as never
    },
  )
  const find = new RestEndpoint({ path: '/find', searchParams: {} as { b: string; a: string } })
  expect(find.url({ b: '1', a: '2' })).toBe('/find?a=2&b=1')
  vi.unstubAllGlobals()
})

test('NAT-3 the entry has the names of restitch/react', () => {
  expect(Object.keys(native).sort()).toEqual(Object.keys(web).sort())
})

test('NAT-3 G-4 it needs no global of the DOM, at import or in use', async () => {
  const code = await bundle(
    `import { Entity, RestEndpoint } from 'restitch'
     import { DataProvider, useSuspense, useLive, AsyncBoundary } from 'restitch/react/native'
     import { createElement as h } from 'react'
     import { renderToReadableStream } from 'react-dom/server.edge'
     class User extends Entity { id = ''; name = ''; static key = 'User' }
     const get = new RestEndpoint({ path: '/u/:id', schema: User, fetchResponse: async () => new Response('{"id":"1","name":"Ann"}', { headers: { 'content-type': 'application/json' } }) })
     const Name = () => { useLive(get.extend({ pollFrequency: 1000 }), { id: '1' }); return useSuspense(get, { id: '1' }).name }
     globalThis.done = renderToReadableStream(h(DataProvider, null, h(AsyncBoundary, { fallback: '…' }, h(Name))))
       .then(async (stream) => { await stream.allReady; return new Response(stream).text() })`,
  )
  const {
    AbortController,
    Headers,
    MessageChannel,
    queueMicrotask,
    ReadableStream,
    Response,
    setTimeout,
    clearTimeout,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
  } = globalThis as any
  const globals: Record<string, unknown> = {
    AbortController,
    console,
    Headers,
    MessageChannel,
    queueMicrotask,
    ReadableStream,
    Response,
    setTimeout,
    clearTimeout,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
  }
  const world = runAlone(code, globals)
  expect(await world['done']).toContain('Ann')
})
