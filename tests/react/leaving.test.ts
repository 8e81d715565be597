// @vitest-environment happy-dom
// Requests when records are deleted, when readers unmount, and when they mount again.
import { Component, type ReactNode, Suspense, useState } from 'react'
import { resource } from 'restitch'
import { useDLE, useSuspense } from 'restitch/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deferred } from '../../src/testing/outcomes.ts'
import { h, is18, open, settle, show, Todo, deferredEndpoint } from './cases.ts'

const args = { id: '1' }
const one = { id: '1', title: 'one' }

afterEach(() => vi.restoreAllMocks())

/** A delete that the test settles. */
function deletion(optimistic: boolean): { remove: any; answer: () => void } {
  const response = deferred()
  const { delete: remove }: any = resource({ path: '/todos/:id', schema: Todo, optimistic })
  return { remove: remove.extend({ fetch: () => response.promise }), answer: () => response.resolve(args) }
}

/** A list, and a detail that can be opened and left. */
function pages(get: any, isOpen: boolean): { App: () => ReactNode; go: (isOpen: boolean) => void } {
  const Detail = (): ReactNode => (useSuspense(get, args) as any).title
  const on = {
    App: (): ReactNode => {
      const [isThere, set] = useState(isOpen)
      on.go = set
      return isThere ? h(Detail) : 'list'
    },
    go: undefined as never as (isOpen: boolean) => void,
  }
  return on
}

test('NET-17 NET-15 an aborted request counts as never sent, however often readers mount and unmount', async () => {
  const find = deferredEndpoint('find', [Todo])
  let type!: (text: string) => void
  const Found = (): ReactNode => {
    const [text, set] = useState('a')
    type = set
    const { data, loading, error }: any = useDLE(find, { text })
    return loading ? 'loading' : error ? `failed: ${error.code}` : data.length
  }
  const screen = await show(h(Found))
  for (const text of ['ab', 'a', 'ab', 'a', 'ab', 'a']) {
    await settle(() => screen.clock.pass(100))
    await settle(() => type(text))
  }
  expect(screen.text()).toBe('loading')
  expect(find.calls).toHaveLength(7)
  await settle(() => type('ab'))
  await settle(() => screen.clock.pass(2_000))
  await settle(() => type('a'))
  await settle(() => screen.clock.pass(60_000))
  expect(screen.text()).toBe('loading')
  expect(find.calls.filter(({ signal }: any) => !signal.aborted)).toHaveLength(1)
})

describe('a reader that leaves when its response has come, before React has committed it', () => {
  test.each([
    [true, 'loading'],
    [false, 'one'],
  ])(
    'HK-10 EXP-7 and comes back later judges the data as of then (invalidIfStale: %s)',
    async (invalidIfStale, text) => {
      const get = deferredEndpoint('get', Todo, { dataExpiryLength: 5_000, invalidIfStale })
      const on = pages(get, false)
      const screen = await show(h(on.App))
      await settle(() => on.go(true))
      await settle(() => {
        void get.calls[0].answer(one)
        on.go(false)
      })
      expect(screen.text()).toBe('list')
      await settle(() => screen.clock.pass(40_000))
      await settle(() => on.go(true))
      expect(screen.container.textContent).toContain(text)
      expect(get.calls).toHaveLength(2)
      await settle(() => get.calls[1].answer({ ...one, title: 'new' }))
      expect(screen.text()).toBe('new')
      expect(get.calls).toHaveLength(2)
    },
  )

  test('HK-10 and mounts again at once shows the response, however short its expiry', async () => {
    const get = deferredEndpoint('get', Todo, { dataExpiryLength: 0, invalidIfStale: true })
    const on = pages(get, false)
    const screen = await show(h(on.App))
    await settle(() => on.go(true))
    await settle(() => get.calls[0].answer(one))
    await settle(() => screen.clock.pass(500))
    expect(screen.text()).toBe('one')
    expect(get.calls).toHaveLength(1)
  })

  test('HK-10 one that waits for another reader does not call its data old, however long that takes', async () => {
    const get = deferredEndpoint('get', Todo, { dataExpiryLength: 0, invalidIfStale: true })
    const Inner = (): ReactNode => (useSuspense(get, { id: '2' }) as any).title
    const Outer = (): ReactNode => [(useSuspense(get, args) as any).title, h(Inner, { key: 1 })]
    const screen = await show(h(Outer))
    await settle(() => screen.clock.pass(8_000))
    await settle(() => get.calls[0].answer(one))
    await settle(() => screen.clock.pass(8_000))
    await settle(() => get.calls[1].answer({ id: '2', title: 'two' }))
    expect(screen.text()).toBe('onetwo')
    expect(get.calls).toHaveLength(2)
  })

  test('HK-10 a view that is subscribed to long after its promise fetches data that is stale by then', async () => {
    const get = deferredEndpoint('get', Todo, { dataExpiryLength: 5_000 })
    const { clock, store } = open()
    const view = store.view(get, args)
    const promise = view.promise()
    await get.calls[0].answer(one)
    await promise
    await clock.pass(40_000)
    const end = view.subscribe(() => {})
    expect(get.calls).toHaveLength(2)
    end()
  })
})

describe('an error boundary of the app that is tried again', () => {
  class Own extends Component<{ children: ReactNode; on: { retry?: () => void } }> {
    override state: { error?: Error } = {}
    static getDerivedStateFromError(error: Error): object {
      return { error }
    }
    override render(): ReactNode {
      this.props.on.retry = () => this.setState({ error: undefined })
      return this.state.error ? `own: ${this.state.error.message}` : this.props.children
    }
  }

  test.each([
    ['fetches once the error has expired', 100, 500, 2],
    ['fetches after an error that expires at once', 0, 500, 2],
    ['repeats an error that is still fresh', 10_000, 500, 1],
  ])('HK-10 ERR-3 %s', async (_title, errorExpiryLength, later, calls) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const get = deferredEndpoint('get', Todo, { errorExpiryLength })
    const Detail = (): ReactNode => (useSuspense(get, args) as any).title
    const on: { retry?: () => void } = {}
    const screen = await show(h(Own, { on } as never, h(Detail)))
    await settle(() => get.calls[0].fail(new Error('no')))
    expect(screen.text()).toBe('own: no')
    expect(get.calls).toHaveLength(1)
    await settle(() => screen.clock.pass(later))
    await settle(() => on.retry!())
    expect(get.calls).toHaveLength(calls)
    expect(screen.text()).toBe(calls === 1 ? 'own: no' : 'loading')
    if (calls === 2) {
      await settle(() => get.calls[1].answer(one))
      expect(screen.text()).toBe('one')
    }
  })
})

describe('a record that is deleted', () => {
  test('OPT-15 DEL-3 a reader that unmounted during the delete, and mounts again, fetches', async () => {
    const { remove, answer } = deletion(true)
    const get = deferredEndpoint('get', Todo)
    const on = pages(get, false)
    const screen = await show(h(on.App))
    const { controller } = screen.store
    // As a list brings it.
    await settle(() => controller.set(Todo, args, one))
    await settle(() => on.go(true))
    await settle(() => void controller.fetch(remove, args).then(() => on.go(false)))
    await settle(() => answer())
    await settle(() => screen.clock.pass(10_000))
    expect(get.calls).toHaveLength(0)
    await settle(() => on.go(true))
    expect(screen.text()).toBe('loading')
    expect(get.calls).toHaveLength(1)
  })

  test.skipIf(is18)('OPT-15 DEL-3 a reader that unmounts because of it does not fetch', async () => {
    const { remove, answer } = deletion(true)
    const get = deferredEndpoint('get', Todo)
    const on = pages(get, true)
    const screen = await show(h(on.App))
    await settle(() => get.calls[0].answer(one))
    await settle(() => void screen.store.controller.fetch(remove, args).then(() => on.go(false)))
    await settle(() => answer())
    expect(screen.text()).toBe('list')
    await settle(() => screen.clock.pass(10_000))
    expect(get.calls).toHaveLength(1)
  })

  test('OPT-15 DEL-3 a reader that stays fetches', async () => {
    const { remove, answer } = deletion(true)
    const get = deferredEndpoint('get', Todo)
    const screen = await show(h(pages(get, true).App))
    await settle(() => get.calls[0].answer(one))
    await settle(() => void screen.store.controller.fetch(remove, args))
    await settle(() => answer())
    await settle(() => screen.clock.pass(0))
    expect(get.calls).toHaveLength(2)
  })

  // The error of a refetch was not shown, since there was data; when that goes it may be long over.
  test.each([
    ['EXP-7 DEL-3 an old error is not shown instead: it is fetched', 30_000, 'loading', 3],
    ['ERR-2 ERR-3 an error that is still fresh is shown', 500, 'failed: 500', 2],
  ])('%s', async (_title, later, text, calls) => {
    const { remove, answer } = deletion(false)
    const get = deferredEndpoint('get', Todo, { errorPolicy: () => 'soft' })
    const Detail = (): ReactNode => {
      const { data, loading, error }: any = useDLE(get, args)
      return loading ? 'loading' : error ? `failed: ${error.message}` : data.title
    }
    const screen = await show(h(Detail))
    const { controller } = screen.store
    await settle(() => get.calls[0].answer(one))
    await settle(() => controller.expireAll(get))
    await settle(() => get.calls[1].fail(Object.assign(new Error('500'), { status: 500 })))
    expect(screen.text()).toBe('one')
    await settle(() => screen.clock.pass(later))
    answer()
    await settle(() => controller.fetch(remove, args))
    expect(screen.text()).toBe(text)
    expect(get.calls).toHaveLength(calls)
    if (calls === 2) {
      return
    }
    await settle(() => get.calls[2].fail(Object.assign(new Error('404'), { status: 404 })))
    expect(screen.text()).toBe('failed: 404')
    await settle(() => screen.clock.pass(later))
    await settle(() => screen.rerender(h(Detail)))
    expect(screen.text()).toBe('failed: 404')
    expect(get.calls).toHaveLength(3)
  })
})

test('NET-17 not-usable: an endpoint without a schema with an empty response is fetched once', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const ping = deferredEndpoint('ping')
  const Ping = (): ReactNode => `got ${useSuspense(ping)}`
  const screen = await show(h(Ping))
  await settle(() => ping.calls[0].answer(undefined))
  expect(screen.text()).toMatch(/^failed: .*is undefined.*return null.*\[not-usable\]/)
  expect(ping.calls).toHaveLength(1)
  // An explicit fetch sends another request.
  await settle(() => screen.getByRole('button').click())
  expect(ping.calls).toHaveLength(2)
  await settle(() => ping.calls[1].answer(null))
  expect(screen.text()).toBe('got null')
})

test.each([
  ['mounts before the other suspends', [1, 2, 3]],
  ['mounts after the other has suspended', [2, 3, 1]],
])('NET-15 a reader that %s and unmounts does not abort the request', async (_case, [first, second]) => {
  const get = deferredEndpoint('get', Todo)
  let set!: (shown: number) => void
  const Detail = (): ReactNode => (useSuspense(get, args) as any).title
  const DetailDLE = (): ReactNode => (useDLE(get, args) as any).data?.title
  const App = (): ReactNode => {
    const [shown, setShown] = useState(first!)
    set = setShown
    return [
      shown & 1 ? h(DetailDLE, { key: 1 }) : null,
      h(Suspense, { key: 2, fallback: 'loading' }, shown & 2 ? h(Detail) : null),
    ]
  }
  const screen = await show(h(App))
  await settle(() => set(second!))
  await settle(() => set(3))
  await settle(() => set(2))
  await settle(() => screen.clock.pass(10))
  expect(get.calls).toHaveLength(1)
  expect(get.calls[0].signal.aborted).toBe(false)
  await settle(() => get.calls[0].answer(one))
  expect(screen.text()).toBe('one')
})
