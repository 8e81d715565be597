// How long a fallback stays on the screen after the response. Only a real browser has React's own timing.
import { lazy, Profiler, type ReactNode, Suspense } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { Collection, createStore, Endpoint } from 'restitch'
import { AsyncBoundary, DataProvider, useQuery, useSuspense } from 'restitch/react'
import { DataProvider as NativeProvider } from 'restitch/react/native'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createNextProvider } from '../../../src/react/ssr/createNextProvider.ts'
import { counted, h, is18, Todo, deferredEndpoint } from '../cases.ts'

const NextProvider = createNextProvider(() => {}, false)
const one = { id: '1', title: 'one' }
let host: HTMLElement
let root: Root | undefined

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  host = document.createElement('div')
  document.body.append(host)
})
afterEach(() => {
  root?.unmount()
  host.remove()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const shown = (text: string): Promise<void> =>
  new Promise((done) => {
    const look = (): void => {
      if (host.innerText === text) {
        observer.disconnect()
        done()
      }
    }
    const observer = new MutationObserver(look)
    observer.observe(host, { childList: true, subtree: true, characterData: true, attributes: true })
    look()
  })
const wait = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms))
/** Two frames: what was to be painted has been. */
const painted = (): Promise<void> =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => void setTimeout(done))))

/** Milliseconds from a response, 20 ms after the fallback is on the screen, to the data. */
async function measure(tree: (Show: () => ReactNode) => ReactNode): Promise<number> {
  const ep = deferredEndpoint('get', Todo)
  const Show = (): ReactNode => (useSuspense(ep, { id: '1' }) as any).title
  root = createRoot(host)
  root.render(tree(Show))
  await shown('loading')
  await wait(20)
  const start = performance.now()
  void ep.calls[0].answer(one)
  await shown('one')
  const took = performance.now() - start
  root.unmount()
  return took
}

/** The best of several: a busy machine may delay one, but React holds each back for almost 300 ms. */
async function best(tree: (Show: () => ReactNode) => ReactNode): Promise<number> {
  let least = Infinity
  for (let i = 0; i < 50 && least >= 60; i++) {
    least = Math.min(least, await measure(tree))
  }
  return least
}

const PROVIDERS: [string, any][] = [
  ['web', DataProvider],
  ['Next.js', NextProvider],
  ['React Native', NativeProvider],
]

describe.each(PROVIDERS)('RCT-15 the provider of %s', (_name, Provider) => {
  test.each<[string, any]>([
    ['Suspense', Suspense],
    ['AsyncBoundary', AsyncBoundary],
  ])('RCT-15 shows data within 60 ms of the response, in %s', async (_boundary, Boundary) => {
    expect(
      await best((Show) => h(Provider, { devButton: null }, h(Boundary, { fallback: 'loading' }, h(Show)))),
    ).toBeLessThan(60)
  })
})

test('RCT-15 AsyncBoundary shows data within 60 ms, also while a boundary inside begins to wait', async () => {
  const never = deferredEndpoint('never', Todo)
  const Never = (): ReactNode => (useSuspense(never, { id: '2' }), null)
  const inside = (Show: () => ReactNode): ReactNode => {
    const Outer = (): ReactNode => [h(Show, { key: 1 }), h(AsyncBoundary, { key: 2, fallback: '' }, h(Probe))]
    const Probe = (): ReactNode => h(Never)
    return h(DataProvider, { devButton: null }, h(AsyncBoundary, { fallback: 'loading' }, h(Outer)))
  }
  expect(await best(inside)).toBeLessThan(60)
})

test('RCT-15 a response renders none of 10,000 mounted readers, and several at once update the provider once', async () => {
  const store = createStore()
  const rows = Array.from({ length: 10_000 }, (_, i) => ({ id: `r${i}`, title: 'x' }))
  await store.controller.fetch(
    new Endpoint(() => Promise.resolve(rows), { name: 'list', schema: new Collection([Todo]) }),
  )
  const get = deferredEndpoint('get', Todo)
  const Cell = counted(({ id }: { id: string }) => (useQuery(Todo, { id }) as any).title)
  const Late = ({ id }: { id: string }): ReactNode => (useSuspense(get, { id }) as any).title
  const late = (id: string): ReactNode => h(Suspense, { key: id, fallback: '-' }, h(Late, { id }))
  root = createRoot(host)
  const app = [
    h(
      'p',
      { key: 0, style: { display: 'none' } },
      rows.map(({ id }) => h(Cell, { id, key: id })),
    ),
    late('1'),
    late('2'),
  ]
  let commits = 0
  const onRender = (): void => void commits++
  root.render(h(Profiler, { id: 'app', onRender }, h(DataProvider, { store }, app)))
  await shown('--')
  await painted()
  Cell.renders = commits = 0
  void get.calls[0].answer(one)
  void get.calls[1].answer({ id: '2', title: 'two' })
  await shown('onetwo')
  await painted()
  // React 18 also renders what was waiting by itself.
  expect([Cell.renders, commits]).toEqual([0, is18 ? 2 : 1])
  store.stop()
})

test.skipIf(is18)('RCT-15 a page from the server keeps its HTML where it is not hydrated yet', async () => {
  const store = createStore()
  const get = deferredEndpoint('get', Todo)
  const Late = (): ReactNode => (useSuspense(get, { id: '1' }) as any).title
  let load!: (module: any) => void
  const module = new Promise<any>((done) => (load = done))
  const Lazy = lazy(() => module)
  const errors: unknown[] = []
  const Never = (): ReactNode => {
    // oxlint-disable-next-line typescript/only-throw-error -- that is how a component suspends
    throw new Promise(() => {})
  }
  const tree = (inner: ReactNode, late: ReactNode): ReactNode =>
    h(DataProvider, { store, devButton: null }, [
      h(Suspense, { key: 1, fallback: 'lost' }, inner),
      h(AsyncBoundary, { key: 2, fallback: '-' }, late),
    ])
  host.innerHTML = renderToString(tree(h('b', null, 'server'), h(Never)))
  root = hydrateRoot(host, tree(h(Lazy), h(Late)), { onRecoverableError: (error) => void errors.push(error) })
  await vi.waitFor(() => expect(get.calls).toHaveLength(1))
  await painted()
  errors.length = 0
  void get.calls[0].answer(one)
  await shown('serverone')
  load({ default: () => h('b', null, 'server') })
  await painted()
  expect(host.innerText).toBe('serverone')
  expect(errors).toEqual([])
  store.stop()
})
