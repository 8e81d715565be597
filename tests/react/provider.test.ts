// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { type ReactNode, Suspense, useContext, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { Controller, createStore, deserializeState, NetworkManager, serializeState } from 'restitch'
import * as restitch from 'restitch/react'
import {
  CacheProvider,
  ControllerContext,
  DataProvider,
  getDefaultManagers,
  useCache,
  useController,
  useDLE,
  useQuery,
  useSuspense,
} from 'restitch/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { act, counted, h, open, settle, Todo, deferredEndpoint } from './cases.ts'

const args = { id: '1' }
const one = { id: '1', title: 'one' }

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Finds the controller of a provider. */
function finder(): { Find: () => ReactNode; found: Controller[] } {
  const found: Controller[] = []
  const Find = (): ReactNode => {
    found.push(useController())
    return null
  }
  return { Find, found }
}

const macrotask = (): Promise<void> => act(() => new Promise<void>((done) => void setTimeout(done, 1)))

describe('DataProvider', () => {
  test('RCT-1 RCT-3 RCT-10 each has its own store with the default managers; the Controller stays the same', async () => {
    const { Find, found } = finder()
    const seen: unknown[] = []
    const See = (): ReactNode => (seen.push(useContext(ControllerContext)), null)
    const tree = (): ReactNode => h(DataProvider, null, h(Find), h(See), h(CacheProvider, null, h(Find)))
    const { rerender } = render(tree())
    rerender(tree())
    expect(new Set(found).size).toBe(2)
    expect(seen).toContain(found[0])
    expect(getDefaultManagers().some((manager) => manager instanceof NetworkManager)).toBe(true)
  })

  test('RCT-2 what it is given counts at the first render', async () => {
    class Mine extends Controller {}
    const { Find, found } = finder()
    const log: string[] = []
    const manager = (name: string): any => ({
      middleware: () => (next: any) => (action: any) => next(action),
      init: () => log.push(`${name} init`),
      cleanup: () => log.push(`${name} cleanup`),
    })
    const tree = (name: string, props: object = {}): ReactNode =>
      h(DataProvider, { managers: [manager(name), new NetworkManager()], Controller: Mine, ...props }, h(Find))
    const { rerender, unmount } = render(tree('a'))
    rerender(tree('b', { Controller: Controller }))
    expect(found[0]).toBeInstanceOf(Mine)
    expect(new Set(found).size).toBe(1)
    unmount()
    await macrotask()
    expect(log).toEqual(['a init', 'a cleanup'])
  })

  test('RCT-4 a component without a boundary shows "loading..." with a warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const ep = deferredEndpoint('get', Todo)
    const App = (): ReactNode => (useSuspense(ep, args) as any).title
    const { container } = await act(async () => render(h(DataProvider, null, h(App))))
    expect(container.textContent).toBe('loading...')
    expect(warn.mock.calls[0]![0]).toContain('AsyncBoundary')
    await settle(() => ep.calls[0].answer(one))
    expect(container.textContent).toBe('one')
  })

  test('RCT-7 on a server it says that it does not serve there', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const error = vi.spyOn(console, 'error')
    vi.stubGlobal('window', undefined)
    expect(renderToString(h(DataProvider, null, 'text'))).toContain('text')
    expect(warn.mock.calls[0]![0]).toContain('restitch/react/ssr')
    expect(error).not.toHaveBeenCalled()
  })

  test('RCT-11 the developer button is there with the extension alone', async () => {
    const { container, rerender } = render(h(DataProvider, null, 'x'))
    expect(container.querySelector('button')).toBeNull()
    const openTools = vi.fn()
    vi.stubGlobal('__REDUX_DEVTOOLS_EXTENSION__', {
      open: openTools,
      connect: () => ({ init() {}, subscribe() {}, send() {} }),
    })
    rerender(h('div', null, h(DataProvider, { devButton: 'top-left' }, 'x')))
    await act(async () => container.querySelector('button')!.click())
    expect(openTools).toHaveBeenCalledOnce()
    expect(container.querySelector('button')!.style.top).toBe('8px')
    expect(container.innerHTML).not.toMatch(/https?:|<img/)
    rerender(h(DataProvider, { devButton: null }, 'x'))
    expect(container.querySelector('button')).toBeNull()
  })

  test('RCT-12 a store made outside is neither started nor stopped, unless it is owned', async () => {
    const { store } = open()
    const first = render(h(DataProvider, { store }, 'x'))
    first.unmount()
    await macrotask()
    expect(store.controller.core.requests.isStopped).toBe(false)
    const own = createStore({ start: false })
    const starts = vi.spyOn(own, 'start')
    const second = render(h(DataProvider, { store: own, own: true }, 'x'))
    expect(starts).toHaveBeenCalled()
    second.unmount()
    await macrotask()
    expect(own.controller.core.requests.isStopped).toBe(true)
    store.stop()
  })

  test('RCT-12 HK-1 data that a router loaded is there', async () => {
    const { store } = open()
    const ep = deferredEndpoint('get', Todo)
    const loading = store.controller.fetch(ep, args)
    await ep.calls[0].answer(one)
    await loading
    const App = (): ReactNode => (useSuspense(ep, args) as any).title
    const { container } = render(h(DataProvider, { store }, h(App)))
    expect(container.textContent).toBe('one')
    expect(ep.calls).toHaveLength(1)
  })

  test.each(['managers', 'initialState', 'Controller', 'gcPolicy'])(
    'RCT-12 %s beside a store: provider-props',
    (name) => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      const { store } = open()
      expect(() => render(h(DataProvider, { store, [name]: [] } as never))).toThrow(
        expect.objectContaining({ code: 'provider-props' }),
      )
    },
  )

  test('MGR-5 what is dispatched after the provider has gone is ignored', async () => {
    vi.spyOn(console, 'info').mockImplementation(() => {})
    const { Find, found } = finder()
    render(h(DataProvider, null, h(Find))).unmount()
    await macrotask()
    await found[0]!.set(Todo, args, one)
    expect(found[0]!.get(Todo, args)).toBeUndefined()
  })

  test('SSR-12 every file that uses hooks or context is for the client', async () => {
    expect.hasAssertions()
    const { readdirSync, readFileSync } = await import('node:fs')
    const folder = `${import.meta.dirname}/../../src/react`
    for (const file of readdirSync(folder, { recursive: true }) as string[]) {
      if (!file.endsWith('.ts') || /\.test|\.d\.ts$/.test(file)) {
        continue
      }
      const text = readFileSync(`${folder}/${file}`, 'utf8')
      if (/\buse[A-Z]\w*\(|createContext|extends Component/.test(text)) {
        expect(text.startsWith(`'use client'`), file).toBe(true)
      }
    }
  })

  test('BND-6 RCT-10 the entry has all names', () => {
    expect(Object.keys(restitch)).toEqual(
      expect.arrayContaining([
        'NetworkErrorBoundary',
        'UniversalSuspense',
        'BackupLoading',
        '__INTERNAL__',
        'actionTypes',
        'ExpiryStatus',
        'GCPolicy',
        'IdlingNetworkManager',
      ]),
    )
    expect(restitch.__INTERNAL__).toMatchObject({ initialState: {}, actions: {} })
  })
})

describe('SSR-11 taking a page over', () => {
  const ep = deferredEndpoint('get', Todo, { dataExpiryLength: 60_000 })
  const Title = counted(() => {
    const { title } = useSuspense(ep, args) as any
    return h(
      'b',
      null,
      title,
      '|',
      (useQuery(Todo, args) as any).title,
      '|',
      (useCache(ep, args) as any).title,
      '|',
      useDLE(ep, args).data!.title,
    )
  })
  const page = (props: object): ReactNode => h(DataProvider, props, h(Suspense, { fallback: '…' }, h(Title)))

  test('SSR-4 SSR-11 no request, no mismatch, also where the store has moved on', async () => {
    const errors: unknown[] = []
    const store = createStore()
    await store.controller.setResponse(ep, args, one)
    const html = renderToString(page({ store }))
    expect(html).toContain('one')
    const initialState = deserializeState(serializeState(store.getState()))
    for (const moves of [false, true]) {
      const host = document.createElement('div')
      document.body.append(host)
      host.innerHTML = html
      Title.renders = 0
      let show!: () => void
      const Late = (): ReactNode => {
        const controller = useController()
        const [done, setDone] = useState(false)
        show = () => setDone(true)
        // This happens before the boundary below is hydrated.
        if (moves && !done) {
          void controller.set(Todo, args, { id: '1', title: 'moved' })
        }
        return null
      }
      const root = await act(async () =>
        hydrateRoot(
          host,
          h(DataProvider, { initialState }, h(Suspense, { fallback: '…' }, h(Title)), moves && h(Late)),
          { onRecoverableError: (error) => errors.push(error) },
        ),
      )
      expect(host.textContent).toBe(moves ? 'moved|moved|moved|moved' : 'one|one|one|one')
      if (!moves) {
        expect(Title.renders).toBe(1)
      }
      await act(async () => show?.())
      await act(async () => root.unmount())
      host.remove()
    }
    expect(errors).toEqual([])
    expect(ep.calls).toHaveLength(0)
  })
})
