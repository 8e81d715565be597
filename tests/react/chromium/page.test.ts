// In a page as users have it: React schedules by itself, and keys are pressed by the browser.
import { memo, type ReactNode, StrictMode, Suspense, useState, useTransition } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { Collection, createStore, Endpoint, type Store } from 'restitch'
import { AsyncBoundary, DataProvider, useController, useLive, useQuery, useSuspense } from 'restitch/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { counted, Failed, h, Todo, deferredEndpoint } from '../cases.ts'

const one = { id: '1', title: 'one' }
let host: HTMLElement
let root: Root
let store: Store

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  host = document.createElement('div')
  document.body.append(host)
  root = createRoot(host)
  store = createStore()
})
afterEach(() => {
  root.unmount()
  host.remove()
  store.stop()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Puts a tree on the page, and waits for a text. */
async function show(tree: ReactNode, text: string, strict = false): Promise<void> {
  const app = h(DataProvider, { store }, h(AsyncBoundary<Error>, { fallback: 'loading', errorComponent: Failed }, tree))
  root.render(strict ? h(StrictMode, null, app) : app)
  await waitFor(text)
}
const waitFor = (text: string): Promise<void> => vi.waitFor(() => expect(host.innerText).toBe(text))
/** Two frames: what was to be painted has been. */
const painted = (): Promise<void> =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => void setTimeout(done))))

const Title = ({ ep, id = '1' }: { ep: any; id?: string }): ReactNode => (useSuspense(ep, { id }) as any).title

test.each([false, true])('HK-6 BND-4 Suspense, an error, another try, the data (Strict Mode: %s)', async (strict) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const ep = deferredEndpoint('get', Todo)
  await show([h(Title, { ep, key: 1 }), ' ', h(Title, { ep, key: 2 })], 'loading', strict)
  await ep.calls[0].fail(new Error('no'))
  await waitFor('failed: no')
  host.querySelector('button')!.click()
  await waitFor('loading')
  expect(ep.calls).toHaveLength(2)
  await ep.calls[1].answer(one)
  await waitFor('one one')
  expect(ep.calls).toHaveLength(2)
})

test.each([false, true])(
  'EXP-9 data that is not kept: one request, then the data (Strict Mode: %s)',
  async (strict) => {
    const ep = deferredEndpoint('get', undefined, { dataExpiryLength: 0 })
    await show(h(Title, { ep }), 'loading', strict)
    await ep.calls[0].answer(one)
    await waitFor('one')
    await painted()
    expect(ep.calls).toHaveLength(1)
  },
)

test('RCT-8 a transition keeps the old screen, and typing goes on', async () => {
  const ep = deferredEndpoint('get', Todo)
  let go!: () => void
  const App = (): ReactNode => {
    const [id, setId] = useState('1')
    const [isPending, start] = useTransition()
    const [text, setText] = useState('')
    go = () => start(() => setId('2'))
    return [
      h('input', { key: 'i', value: text, onChange: (event: any) => setText(event.target.value) }),
      h('p', { key: 'p' }, h(Title, { ep, id }), isPending && '…', text),
    ]
  }
  await show(h(App), 'loading')
  await ep.calls[0].answer(one)
  await waitFor('one')
  go()
  await waitFor('one…')
  await userEvent.type(host.querySelector('input')!, 'abc')
  await waitFor('one…abc')
  await ep.calls[1].answer({ id: '2', title: 'two' })
  await waitFor('twoabc')
  expect(ep.calls).toHaveLength(2)
})

test('RCT-8 10,000 readers of one record each: one write, one render', async () => {
  const rows = Array.from({ length: 10_000 }, (_, i) => ({ id: `${i}`, title: 'x' }))
  const list = new Endpoint(() => Promise.resolve(rows), { name: 'list', schema: new Collection([Todo]) })
  await store.controller.fetch(list)
  const Cell = counted(({ id }: { id: string }) => (useQuery(Todo, { id }) as any).title)
  await show(
    rows.map(({ id }) => h(Cell, { id, key: id })),
    'x'.repeat(10_000),
  )
  Cell.renders = 0
  void store.controller.set(Todo, { id: '5000' }, { id: '5000', title: 'Y' })
  await vi.waitFor(() => expect(host.innerText).toContain('Y'))
  await painted()
  expect(Cell.renders).toBe(1)
})

test('RCT-8 HK-4 a list of 10,000 with one changed row renders the list and that row', async () => {
  const rows = Array.from({ length: 10_000 }, (_, i) => ({ id: `${i}`, title: 'x' }))
  const list = deferredEndpoint('list', new Collection([Todo]), { dataExpiryLength: Infinity })
  await store.controller.setResponse(list, {}, rows)
  const Row = counted(({ todo }: { todo: any }) => todo.title)
  const Memo = memo(Row)
  const List = counted(() => (useSuspense(list, {}) as any[]).map((todo) => h(Memo, { todo, key: todo.id })))
  await show(h(List), 'x'.repeat(10_000))
  Row.renders = List.renders = 0
  void store.controller.set(Todo, { id: '5000' }, { id: '5000', title: 'Y' })
  await vi.waitFor(() => expect(host.innerText).toContain('Y'))
  await painted()
  expect([List.renders, Row.renders]).toEqual([1, 1])
})

test('RCT-9 ST-19 1,000 writes in one task: each of 1,000 readers renders once', async () => {
  for (let i = 0; i < 1_000; i++) {
    void store.controller.set(Todo, { id: `${i}` }, { id: `${i}`, title: 'x' })
  }
  const renders = new Map<string, number>()
  const Cell = ({ id }: { id: string }): ReactNode => {
    renders.set(id, (renders.get(id) ?? 0) + 1)
    return (useQuery(Todo, { id }) as any).title
  }
  await show(
    Array.from({ length: 1_000 }, (_, i) => h(Cell, { id: `${i}`, key: i })),
    'x'.repeat(1_000),
  )
  renders.clear()
  for (let i = 0; i < 1_000; i++) {
    void store.controller.set(Todo, { id: `${i}` }, { id: `${i}`, title: 'y' })
  }
  await waitFor('y'.repeat(1_000))
  await painted()
  expect(renders.size).toBe(1_000)
  expect(Math.max(...renders.values())).toBe(1)
})

test('NET-15 the fetch of a component that unmounts is aborted, and it can mount again', async () => {
  const ep = deferredEndpoint('get', Todo)
  let turn!: () => void
  const App = (): ReactNode => {
    const [isOn, setOn] = useState(true)
    turn = () => setOn(!isOn)
    return isOn ? h(Suspense, { fallback: 'waiting' }, h(Title, { ep })) : 'gone'
  }
  await show(h(App), 'waiting')
  turn()
  await waitFor('gone')
  turn()
  await waitFor('waiting')
  await ep.calls.at(-1).answer(one)
  await waitFor('one')
  // A mounted reader releases its request.
  void store.controller.invalidate(ep, { id: '1' })
  await waitFor('waiting')
  turn()
  await waitFor('gone')
  await vi.waitFor(() => expect(ep.calls.at(-1).signal.aborted).toBe(true))
})

test('POL-9 polling rests while the page is hidden, and makes up for it once', async () => {
  let visibility = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility as never)
  const turn = (state: string): void => {
    visibility = state
    document.dispatchEvent(new Event('visibilitychange'))
  }
  let calls = 0
  const ep = new Endpoint(() => Promise.resolve({ id: '1', title: `poll ${++calls}` }), {
    name: 'poll',
    schema: Todo,
    pollFrequency: 50,
  })
  const Live = (): ReactNode => useLive(ep).title
  await show(h(Live), 'poll 3')
  turn('hidden')
  const before = calls
  await new Promise((done) => setTimeout(done, 400))
  expect(calls - before).toBeLessThanOrEqual(1)
  turn('visible')
  await vi.waitFor(() => expect(calls).toBeGreaterThan(before + 1))
})

test('FOC-1 FOC-3 the default managers refetch stale data on the screen when the window gets the focus', async () => {
  const counts = { stale: 0, off: 0, fresh: 0 }
  const make = (name: keyof typeof counts, more: object): any =>
    new Endpoint(() => Promise.resolve(`${name} ${++counts[name]} `), { name, ...more })
  const stale = make('stale', { dataExpiryLength: 1 })
  const off = make('off', { dataExpiryLength: 1, refetchOnFocus: false })
  const fresh = make('fresh', { dataExpiryLength: 1e9 })
  const Show = (): ReactNode => [stale, off, fresh].map((ep) => useSuspense(ep) as string)
  await show(h(Show), 'stale 1 off 1 fresh 1')
  await painted()
  window.dispatchEvent(new Event('focus'))
  await waitFor('stale 2 off 1 fresh 1')
  expect(counts).toEqual({ stale: 2, off: 1, fresh: 1 })
})

test.each([false, true])(
  'RCT-9 typing in the middle of an input that the store holds (Strict Mode: %s)',
  async (strict) => {
    await store.controller.set(Todo, { id: '1' }, { id: '1', title: 'hello world' })
    const Edit = (): ReactNode => {
      const controller = useController()
      const { title } = useQuery(Todo, { id: '1' }) as any
      const onChange = ({ target }: { target: HTMLInputElement }): void =>
        void controller.set(Todo, { id: '1' }, { id: '1', title: target.value })
      return [h('input', { key: 'i', value: title, onChange: onChange as never }), h('p', { key: 'p' }, title)]
    }
    await show(h(Edit), 'hello world', strict)
    const input = host.querySelector('input')!
    input.focus()
    input.setSelectionRange(5, 5)
    for (const [index, letter] of ', my dear'.split('').entries()) {
      await userEvent.keyboard(letter)
      expect(input.selectionStart).toBe(6 + index)
    }
    await waitFor('hello, my dear world')
    await userEvent.keyboard('{Backspace}{Backspace}')
    expect(input.value).toBe('hello, my de world')
    expect(input.selectionStart).toBe(12)
  },
)
