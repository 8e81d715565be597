// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react'
import { type ReactNode, Suspense, use, useEffect, useState } from 'react'
import { Collection, Invalidate, Query, All, schema } from 'restitch'
import {
  ErrorBoundary,
  useCache,
  useCancelling,
  useController,
  useDebounce,
  useDLE,
  useError,
  useFetch,
  useInfinite,
  useLive,
  useLoading,
  useQuery,
  useSubscription,
  useSuspense,
} from 'restitch/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { act, counted, h, is18, open, settle, show, Todo, deferredEndpoint } from './cases.ts'

const one = { id: '1', title: 'one' }
const args = { id: '1' }
const get = (more?: object): any => deferredEndpoint('get', Todo, more)

afterEach(() => vi.restoreAllMocks())

describe('useSuspense', () => {
  const Title = ({ ep, params = args }: { ep: any; params?: any }): ReactNode => {
    const todo: any = useSuspense(ep, params)
    return todo?.title ?? 'nothing'
  }

  test('HK-6 NET-3 it suspends until the data is there, with one request', async () => {
    const ep = get()
    const screen = await show([h(Title, { ep, key: 1 }), h(Title, { ep, key: 2 })])
    expect(screen.text()).toBe('loading')
    expect(ep.calls).toHaveLength(1)
    await settle(() => ep.calls[0].answer(one))
    expect(screen.text()).toBe('oneone')
    expect(ep.calls).toHaveLength(1)
  })

  test.each<[string, any, any]>([
    ['a nested list', { data: { items: [Todo], total: 0 } }, { data: { items: [one], total: 1 } }],
    ['schema.Object', new schema.Object({ viewer: { todos: [Todo] } }), { viewer: { todos: [one] } }],
  ])('OBJ-6 HK-6 an envelope is fetched: %s', async (_name, envelope, response) => {
    const ep = deferredEndpoint('envelope', envelope)
    const Text = (): ReactNode => JSON.stringify(useSuspense(ep, {}))
    const screen = await show(h(Text))
    expect(screen.text()).toBe('loading')
    await settle(() => ep.calls[0].answer(response))
    expect(JSON.parse(screen.text())).toEqual(response)
    expect(ep.calls).toHaveLength(1)
  })

  test('HK-1 null fetches nothing', async () => {
    const ep = get()
    const screen = await show(h(Title, { ep, params: null }))
    expect(screen.text()).toBe('nothing')
    expect(ep.calls).toHaveLength(0)
  })

  test('HK-2 equal arguments are the same arguments', async () => {
    const ep = get()
    const { store, ...screen } = await show(h(Title, { ep, params: { id: '1' } }))
    await settle(() => ep.calls[0].answer(one))
    const nodes = [...store.controller.core.mounted]
    screen.rerender(h(Title, { ep, params: { id: '1' } }))
    expect([...store.controller.core.mounted]).toEqual(nodes)
    expect(ep.calls).toHaveLength(1)
  })

  test('HK-8 another key is judged again, and shows nothing of the one before', async () => {
    const ep = get()
    const screen = await show(h(Title, { ep }))
    await settle(() => ep.calls[0].answer(one))
    await act(async () => screen.rerender(h(Title, { ep, params: { id: '2' } })))
    expect(screen.getByText('loading')).toBeDefined()
    await settle(() => ep.calls[1].answer({ id: '2', title: 'two' }))
    expect(screen.text()).toBe('two')
  })

  test('BND-2 BND-4 an error goes to the boundary, and a retry fetches again, however fresh it is', async () => {
    const ep = get({ errorExpiryLength: 1e6 })
    const screen = await show(h(Title, { ep }))
    await settle(() => ep.calls[0].fail(new Error('no')))
    expect(screen.text()).toBe('failed: no')
    await settle(() => screen.getByRole('button').click())
    expect(ep.calls).toHaveLength(2)
    await settle(() => ep.calls[1].answer(one))
    expect(screen.text()).toBe('one')
  })

  test('BND-4 of several that failed inside each is fetched again', async () => {
    const [a, b] = [get({ errorExpiryLength: 1e6 }), deferredEndpoint('other', Todo, { errorExpiryLength: 1e6 })]
    const screen = await show([h(Title, { ep: a, key: 1 }), h(Title, { ep: b, key: 2 })])
    await settle(() => a.calls[0].fail(new Error('a')))
    await settle(() => b.calls[0].fail(new Error('b')))
    await settle(() => screen.clock.pass(0))
    const before = b.calls.length
    await settle(() => screen.getByRole('button').click())
    await settle(() => a.calls.at(-1).answer(one))
    await settle(() => b.calls.at(-1).answer(one))
    expect(screen.text()).toBe('oneone')
    expect(b.calls.length).toBeLessThanOrEqual(before + 1)
  })

  test('ERR-3 an expired error hides no data: it is shown, and refetched', async () => {
    const ep = get({ errorPolicy: () => 'hard' })
    const { store, clock } = open()
    await store.controller.set(Todo, args, one)
    await store.controller.setError(ep, args, new Error('no'))
    const before = await show(h(Title, { ep }), { store, clock })
    expect(before.text()).toBe('failed: no')
    before.unmount()
    clock.time += 1001
    const screen = await show(h(Title, { ep }), { store, clock })
    expect(screen.text()).toBe('one')
    expect(ep.calls).toHaveLength(1)
    await settle(() => ep.calls[0].fail(new Error('again')))
    expect(screen.text()).toBe('failed: again')
  })

  test('ERR-3 an error that expires at once is shown and does not fetch for ever', async () => {
    const ep = get({ errorExpiryLength: 0 })
    const screen = await show(h(Title, { ep }))
    for (let i = 0; i < 5; i++) {
      screen.clock.time += 5
      await settle(() => ep.calls[i].fail(new Error(`no ${i}`)))
      expect(screen.text()).toBe(`failed: no ${i}`)
      screen.clock.time += 5
      await settle(() => screen.getByRole('button').click())
      expect(ep.calls).toHaveLength(i + 2)
    }
  })

  test('NET-17 a boundary of the app that tries again and again gets an error, not an endless wait', async () => {
    const ep = get({ errorExpiryLength: 0 })
    const Try = (): ReactNode => {
      const [times, setTimes] = useState(0)
      return [h('i', { key: 'i', onClick: () => setTimes(times + 1) }), h(Title, { ep, key: times })]
    }
    const { store, clock } = open()
    for (let i = 0; i < 6; i++) {
      clock.time += 40_000
      const screen = await show(h(Try), { store, clock })
      await settle(() => ep.calls[i]?.fail(new Error('no')))
      expect(screen.text()).toBe('failed: no')
      screen.unmount()
    }
  })

  test.each([false, true])(
    'EXP-9 data that is not kept is shown after one request (Strict Mode: %s)',
    async (strict) => {
      const ep = deferredEndpoint('get', undefined, { dataExpiryLength: 0 })
      const screen = await show(h(Title, { ep }), { strict })
      screen.clock.time += 50
      await settle(() => ep.calls[0].answer(one))
      screen.clock.time += 50
      await settle(() => screen.rerender(h(Title, { ep })))
      await act(() => screen.clock.pass(100))
      expect(screen.text()).toBe('one')
      expect(ep.calls).toHaveLength(1)
    },
  )

  test.each([false, true])(
    'EXP-7 EXP-8 invalidIfStale with no freshness at all ends as well (Strict Mode: %s)',
    async (strict) => {
      const ep = get({ dataExpiryLength: 0, invalidIfStale: true })
      const screen = await show(h(Title, { ep }), { strict })
      screen.clock.time += 50
      await settle(() => ep.calls[0].answer(one))
      screen.clock.time += 50
      await settle(() => screen.rerender(h(Title, { ep })))
      expect(screen.text()).toBe('one')
      expect(ep.calls).toHaveLength(1)
    },
  )

  test('EXP-7 EXP-8 stale data: shown and refetched at mount; with invalidIfStale it suspends; nothing happens with time', async () => {
    const [shown, hidden] = [
      get({ dataExpiryLength: 10 }),
      deferredEndpoint('h', Todo, { dataExpiryLength: 10, invalidIfStale: true }),
    ]
    const { store, clock } = open()
    await store.controller.setResponse(shown, args, one)
    await store.controller.setResponse(hidden, args, one)
    clock.time += 11
    const first = await show(h(Title, { ep: shown }), { store, clock })
    expect(first.text()).toBe('one')
    expect(shown.calls).toHaveLength(1)
    const second = await show(h(Title, { ep: hidden }), { store, clock })
    expect(second.text()).toBe('loading')
    await settle(() => hidden.calls[0].answer({ id: '1', title: 'new' }))
    expect(second.text()).toBe('new')
    clock.time += 1000
    await settle(() => second.rerender(h(Title, { ep: hidden })))
    expect(second.text()).toBe('new')
    expect(hidden.calls).toHaveLength(1)
    await settle(() => store.controller.expireAll(hidden))
    expect(second.getByText('loading')).toBeDefined()
    expect(hidden.calls).toHaveLength(2)
  })

  test('EXP-7 invalidated and deleted data suspend again', async () => {
    const ep = get()
    const screen = await show(h(Title, { ep }))
    await settle(() => ep.calls[0].answer(one))
    await settle(() => screen.store.controller.invalidate(ep, args))
    expect(screen.getByText('loading')).toBeDefined()
    await settle(() => ep.calls[1].answer({ id: '1', title: 'again' }))
    expect(screen.text()).toBe('again')
    await settle(() => (screen.store.controller.set as any)(new Invalidate(Todo), args, args))
    expect(ep.calls).toHaveLength(3)
  })

  test('OPT-15 an optimistic delete under it: no request until it settles, equal data when it fails', async () => {
    const ep = get()
    const remove = deferredEndpoint('delete', new Invalidate(Todo), {
      sideEffect: true,
      getOptimisticResponse: (_: any, p: any) => p,
    })
    const screen = await show(h(Title, { ep }))
    await settle(() => ep.calls[0].answer(one))
    await settle(() => void screen.store.controller.fetch(remove, args).catch(() => {}))
    expect(screen.getByText('loading')).toBeDefined()
    expect(ep.calls).toHaveLength(1)
    await settle(() => remove.calls[0].fail(new Error('no')))
    expect(screen.text()).toBe('one')
    expect(ep.calls).toHaveLength(1)
  })

  test('NET-9 a reset or an abort under a waiting reader: it follows the next request', async () => {
    const ep = get()
    const screen = await show(h(Title, { ep }))
    await settle(() => screen.store.controller.resetEntireStore())
    expect(screen.text()).toBe('loading')
    await settle(() => screen.clock.pass(0))
    expect(ep.calls).toHaveLength(2)
    await settle(() => ep.calls.at(-1).answer(one))
    expect(screen.text()).toBe('one')
    await settle(() => screen.store.controller.invalidate(ep, args))
    await settle(() => screen.store.controller.abort(ep, args))
    await settle(() => ep.calls.at(-1).answer({ id: '1', title: 'three' }))
    expect(screen.text()).toBe('three')
  })

  test.each(['suspended', 'mounted'])(
    'NET-9 TOK-8 a %s reader that a sign-out removes while it loads fetches nothing',
    async (how) => {
      const ep = get()
      let signOut!: () => void
      const Reader = (): ReactNode =>
        how === 'mounted' ? h('b', null, useDLE(ep, args).loading ? 'wait' : 'there') : h(Title, { ep })
      const App = (): ReactNode => {
        const [isIn, setIn] = useState(true)
        signOut = () => setIn(false)
        return isIn ? h(Suspense, { fallback: 'wait' }, h(Reader)) : 'login'
      }
      const screen = await show(h(App))
      expect([screen.text(), ep.calls.length]).toEqual(['wait', 1])
      await settle(() => {
        void screen.store.controller.resetEntireStore()
        signOut()
      })
      await settle(() => screen.clock.pass(1_000))
      expect([screen.text(), ep.calls.length]).toEqual(['login', 1])
    },
  )

  test('NET-20 a store that has been stopped: an error, not an endless wait', async () => {
    vi.spyOn(console, 'info').mockImplementation(() => {})
    const { store, clock } = open()
    store.stop()
    const screen = await show(h(Title, { ep: get() }), { store, clock })
    expect(screen.text()).toContain('failed')
  })

  test('HK-6 siblings begin their requests side by side', async () => {
    const [a, b] = [get(), deferredEndpoint('b', Todo)]
    await show([h(Title, { ep: a, key: 1 }), h(Title, { ep: b, key: 2 })])
    expect([a.calls.length, b.calls.length]).toEqual([1, 1])
  })

  test('NET-15 a request without readers is aborted', async () => {
    const ep = get()
    const screen = await show(h(Title, { ep }))
    screen.unmount()
    await settle(() => screen.clock.pass(40_000))
    expect(ep.calls).toHaveLength(1)
    const again = await show(h(Title, { ep }), screen)
    await settle(() => ep.calls.at(-1).answer(one))
    expect(again.text()).toBe('one')
  })

  test('NET-15 a reader that mounts again after an abort fetches again', async () => {
    const ep = get()
    const screen = await show(h(Title, { ep }))
    await settle(() => ep.calls[0].answer(one))
    await settle(() => screen.store.controller.invalidate(ep, args))
    expect(screen.text()).toContain('loading')
    await settle(() => screen.rerender('away'))
    await settle(() => screen.clock.pass(10))
    await settle(() => screen.rerender(h(Title, { ep })))
    expect(screen.text()).toContain('loading')
    await settle(() => ep.calls.at(-1).answer(one))
    expect(screen.text()).toBe('one')
  })
})

describe('useDLE', () => {
  test('OBJ-5 HK-1 while it loads the data has its default shape; nothing for null', async () => {
    const ep = deferredEndpoint('list', { results: new Collection([Todo]), total: 0 })
    const seen: any[] = []
    const List = ({ params }: { params: any }): ReactNode => {
      seen.push(useDLE(ep, params))
      return null
    }
    const screen = await show(h(List, { params: null }))
    expect(seen.at(-1)).toMatchObject({ data: { results: undefined, total: 0 }, loading: false, error: undefined })
    await settle(() => screen.rerender(h(List, { params: {} })))
    expect(seen.at(-1)).toMatchObject({ data: { results: undefined, total: 0 }, loading: true, error: undefined })
    await settle(() => ep.calls[0].answer({ results: [one], total: 1 }))
    expect(seen.at(-1)).toMatchObject({ data: { results: [one], total: 1 }, loading: false, error: undefined })
    await settle(() => screen.store.controller.invalidate(ep, {}))
    expect(seen.at(-1)).toMatchObject({ data: { results: undefined, total: 0 }, loading: true, error: undefined })
    await settle(() => ep.calls[1].fail(Object.assign(new Error('no'), { status: 404 })))
    expect(seen.at(-1)).toMatchObject({ loading: false, error: { message: 'no' } })
    expect(ep.calls).toHaveLength(2)
  })

  test('ERR-2 data stays beside a hard error; a soft one is not shown', async () => {
    const ep = get({ errorPolicy: (error: any) => (error.status >= 500 ? 'soft' : 'hard') })
    let seen: any
    const Show = (): ReactNode => {
      seen = useDLE(ep, args)
      return null
    }
    const { store } = await show(h(Show))
    await settle(() => ep.calls[0].answer(one))
    await settle(() => store.controller.setError(ep, args, Object.assign(new Error('soft'), { status: 500 })))
    expect(seen).toMatchObject({ data: one, loading: false, error: undefined })
    await settle(() => store.controller.setError(ep, args, Object.assign(new Error('hard'), { status: 400 })))
    expect(seen).toMatchObject({ data: one, loading: false, error: { message: 'hard' } })
  })

  test('EXP-7 with stale data that must not be shown it stays loading, whatever renders it in the meantime', async () => {
    const ep = get({ dataExpiryLength: 10, invalidIfStale: true })
    const { store, clock } = open()
    await store.controller.setResponse(ep, args, one)
    clock.time += 11
    let seen: any
    const Show = (): ReactNode => {
      seen = useDLE(ep, args)
      return null
    }
    const screen = await show(h(Show), { store, clock })
    expect(seen).toMatchObject({ data: undefined, loading: true, error: undefined })
    await settle(() => screen.rerender(h(Show)))
    expect(seen.loading).toBe(true)
    await settle(() => ep.calls[0].answer(one))
    expect(seen).toMatchObject({ data: one, loading: false })
    expect(ep.calls).toHaveLength(1)
  })
})

describe('useFetch', () => {
  test('HK-6 a promise that carries its state, the same while nothing changed', async () => {
    const ep = get()
    const seen: any[] = []
    const Show = (): ReactNode => {
      seen.push(useFetch(ep, args))
      return null
    }
    const screen = await show(h(Show))
    await settle(() => screen.rerender(h(Show)))
    expect(new Set(seen).size).toBe(1)
    expect(seen[0]).toMatchObject({ status: 'pending', resolved: false })
    await settle(() => ep.calls[0].answer(one))
    expect(await seen[0]).toMatchObject(one)
    expect(seen[0]).toMatchObject({ status: 'fulfilled', resolved: true, value: one })
    const last = seen.at(-1)
    expect(last).toMatchObject({ status: 'fulfilled', resolved: true, value: one })
    await settle(() => screen.rerender(h(Show)))
    expect(seen.at(-1)).toBe(last)
    await settle(() => screen.store.controller.setError(ep, args, new Error('no')))
    expect(seen.at(-1)).toMatchObject({ status: 'rejected', resolved: true, reason: { message: 'no' } })
    await expect(seen.at(-1)).rejects.toThrow('no')
  })

  test('HK-1 null gives nothing', async () => {
    let seen: unknown = 1
    const Show = (): ReactNode => {
      seen = useFetch(get(), null)
      return null
    }
    await show(h(Show))
    expect(seen).toBeUndefined()
  })

  test.skipIf(is18)('HK-6 use(useFetch()) is useSuspense: it suspends, shows, and throws', async () => {
    const ep = get({ errorExpiryLength: 1e6 })
    const Title = counted(() => use(useFetch(ep, args) as Promise<any>).title)
    const screen = await show(h(Title))
    expect(screen.text()).toBe('loading')
    await settle(() => ep.calls[0].answer(one))
    expect(screen.text()).toBe('one')
    const { renders } = Title
    const second = await show(h(Title), screen)
    // A settled one does not suspend: one render is enough.
    expect(second.text()).toBe('one')
    expect(Title.renders).toBe(renders + 1)
    await settle(() => screen.store.controller.setError(ep, args, new Error('no')))
    expect(screen.text()).toBe('failed: no')
  })

  test('NET-9 it never rejects with ResetError or AbortError while its hook lives', async () => {
    const ep = get()
    const all: any[] = []
    const Show = (): ReactNode => {
      all.push(useFetch(ep, args))
      return null
    }
    const { store, clock } = await show(h(Show))
    const [seen] = all
    await settle(() => store.controller.resetEntireStore())
    await settle(() => clock.pass(0))
    await settle(() => store.controller.abort(ep, args))
    expect(seen.status).toBe('pending')
    await settle(() => ep.calls.at(-1).answer(one))
    expect(await seen).toMatchObject(one)
  })
})

describe('useCache, useError, useQuery', () => {
  test('HK-9 EXP-7 useCache of data that was too old to be shown: it is shown once it is confirmed', async () => {
    const ep = get({ invalidIfStale: true, dataExpiryLength: 10 })
    const { store, clock } = open()
    await store.controller.setResponse(ep, args, one)
    clock.time += 11
    let seen: unknown
    const Show = counted((): ReactNode => {
      seen = useCache(ep, args)
      return null
    })
    await show(h(Show), { store, clock })
    expect(seen).toBeUndefined()
    await settle(() => store.controller.setResponse(ep, args, { ...one }))
    expect(seen).toMatchObject(one)
    expect(Show.renders).toBe(2)
    // It is on the screen now: what grows old there stays, and a confirmation is no news.
    clock.time += 11
    await settle(() => store.controller.setResponse(ep, args, { ...one }))
    expect(Show.renders).toBe(2)
    expect(ep.calls).toHaveLength(0)
  })

  test('HK-5 they never ask; mutations have a cache too', async () => {
    const ep = get({ invalidIfStale: true, dataExpiryLength: 10 })
    const save = deferredEndpoint('save', Todo, { sideEffect: true })
    let seen: any[] = []
    const Show = (): ReactNode => {
      seen = [useCache(ep, args), useError(ep, args), useQuery(Todo, args), useCache(save, args), useQuery(Todo, null)]
      return null
    }
    const { store, clock, ...screen } = await show(h(Show))
    expect(seen).toEqual([undefined, undefined, undefined, undefined, undefined])
    await settle(() => store.controller.setResponse(ep, args, one))
    expect(seen.slice(0, 3)).toMatchObject([one, undefined, one])
    await settle(() => store.controller.setError(ep, args, new Error('no')))
    expect(seen[1]).toMatchObject({ message: 'no' })
    clock.time += 2000
    await settle(() => screen.rerender(h(Show)))
    expect(seen[0]).toMatchObject(one)
    // A new reader would suspend, so it is shown nothing.
    await show(h(Show), { store, clock })
    expect(seen[0]).toBeUndefined()
    await settle(() => store.controller.invalidate(ep, args))
    expect([ep.calls.length, save.calls.length]).toEqual([0, 0])
  })

  test('QRY-8 a query that throws surfaces where it is used', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    const bad = new Query(new All(Todo), () => {
      throw new Error('mine')
    })
    const Show = (): ReactNode => {
      useQuery(bad)
      return null
    }
    const { store, ...screen } = await show(h(Show))
    await settle(() => store.controller.set(Todo, args, one))
    expect(screen.text()).toContain('mine')
    // And nowhere else.
    expect(report).not.toHaveBeenCalled()
    vi.unstubAllGlobals()
  })

  test('QRY-10 a schema made during render is warned about, once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const [a, b] = [new Query(new All(Todo), (all) => all), new Query(new All(Todo), (all) => all.length)]
    const Show = ({ inline, n }: { inline?: boolean; n: number }): ReactNode => {
      useQuery(inline ? new Query(new All(Todo), (all) => all.slice(1)) : n % 2 ? a : b)
      return null
    }
    const screen = await show(h(Show, { n: 0 }))
    for (let n = 1; n < 6; n++) {
      screen.rerender(h(Show, { n }))
    }
    expect(warn).not.toHaveBeenCalled()
    for (let n = 1; n < 6; n++) {
      screen.rerender(h(Show, { n, inline: true }))
    }
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn.mock.calls[0]![0]).toContain('Query')
  })

  test('HK-7 GC-2 readers of more queries than the cache keeps hold their values', async () => {
    const { store, clock } = open()
    for (let i = 0; i < 500; i++) {
      void store.controller.set(Todo, { id: `${i}` }, { id: `${i}`, title: `t${i}` })
    }
    const Show = ({ id }: { id: string }): ReactNode => (useQuery(Todo, { id }) as any)?.title
    await show(
      Array.from({ length: 500 }, (_, i) => h(Show, { id: `${i}`, key: i })),
      { store, clock },
    )
    const nodes = [...store.controller.core.mounted].map((reader) => reader.node)
    expect(nodes).toHaveLength(500)
    expect(nodes.every((node) => node.deps.length > 0 || node.source !== undefined)).toBe(true)
  })
})

describe('useSubscription, useLive', () => {
  test('POL-5 POL-6 HK-1 polls at the smallest frequency, from mount to unmount', async () => {
    const ep = get()
    const [slow, fast] = [ep.extend({ pollFrequency: 1000 }), ep.extend({ pollFrequency: 400 })]
    const Live = ({ of }: { of: any }): ReactNode => (useLive(of, args) as any).title
    const Sub = (): ReactNode => {
      useSubscription(fast, args)
      useSubscription(fast, null)
      return null
    }
    const screen = await show(h(Live, { of: slow }))
    await settle(() => ep.calls[0].answer(one))
    await settle(() => screen.clock.pass(1000))
    expect(ep.calls).toHaveLength(2)
    await settle(() => ep.calls[1].answer({ id: '1', title: 'two' }))
    expect(screen.text()).toBe('two')
    await settle(() => screen.rerender([h(Live, { of: slow, key: 1 }), h(Sub, { key: 2 })]))
    await settle(() => screen.clock.pass(400))
    expect(ep.calls).toHaveLength(3)
    await settle(() => ep.calls[2].answer(one))
    screen.unmount()
    await settle(() => screen.clock.pass(5000))
    expect(ep.calls).toHaveLength(3)
  })

  test('RCT-6 a new frequency of the same key takes over without a gap; Strict Mode polls once', async () => {
    const ep = get()
    const Sub = ({ pollFrequency }: { pollFrequency: number }): ReactNode => {
      useSubscription(ep.extend({ pollFrequency }), args)
      return null
    }
    const error = vi.spyOn(console, 'error')
    const screen = await show(h(Sub, { pollFrequency: 1000 }), { strict: true })
    await settle(() => screen.clock.pass(0))
    expect(ep.calls).toHaveLength(1)
    await settle(() => ep.calls[0].answer(one))
    await settle(() => screen.rerender(h(Sub, { pollFrequency: 300 })))
    await settle(() => screen.clock.pass(300))
    expect(ep.calls).toHaveLength(2)
    await settle(() => ep.calls[1].answer(one))
    screen.unmount()
    await settle(() => screen.clock.pass(5000))
    expect(ep.calls).toHaveLength(2)
    expect(error).not.toHaveBeenCalled()
  })
})

describe('useLoading', () => {
  test('LOAD it runs, fails, recovers, overlaps and outlives its component', async () => {
    const ends: [(value: string) => void, (error: Error) => void][] = []
    const run = (): Promise<string> => new Promise((...end) => ends.push(end))
    let state: any
    const Show = (): ReactNode => {
      state = useLoading(run)
      return null
    }
    const screen = await show(h(Show))
    const call = (): Promise<Promise<string>[]> => settle(() => [state[0]()])
    const [first] = await call()
    const [second] = await call()
    expect(state.slice(1)).toEqual([true, undefined])
    await settle(() => ends[0]![0]('a'))
    expect(await first).toBe('a')
    expect(state[1]).toBe(true)
    await settle(() => ends[1]![1](new Error('no')))
    expect(await second).toBeUndefined()
    expect(state.slice(1)).toEqual([false, expect.objectContaining({ message: 'no' })])
    const wrapped = state[0]
    await call()
    expect(state[0]).toBe(wrapped)
    expect(state.slice(1)).toEqual([true, undefined])
    const error = vi.spyOn(console, 'error')
    screen.unmount()
    await settle(() => ends[2]![0]('late'))
    expect(error).not.toHaveBeenCalled()
  })

  test('LOAD a child that calls it when it is mounted, and one that calls it later, are followed', async () => {
    const answers: (() => void)[] = []
    let run!: () => Promise<void>
    const Child = ({ load }: { load: () => unknown }): ReactNode => {
      useEffect(() => void load(), [load])
      return null
    }
    const Parent = (): ReactNode => {
      const [load, loading] = useLoading(() => new Promise<void>((resolve) => void answers.push(resolve)), [])
      run = load
      return [loading ? 'loading' : 'idle', h(Child, { load, key: 1 })]
    }
    const screen = await show(h(Parent))
    expect(screen.text()).toBe('loading')
    await settle(() => answers[0]!())
    expect(screen.text()).toBe('idle')
    await settle(() => void run())
    expect(screen.text()).toBe('loading')
  })

  test.each(['text', undefined, 5])('LOAD ERR-8 %s that is thrown becomes an Error', async (thrown) => {
    let run!: () => Promise<unknown>
    const Save = (): ReactNode => {
      const [save, , error] = useLoading(() => Promise.reject(thrown), [])
      run = save
      return error instanceof Error ? `${error.message}, ${error.cause === thrown}` : 'well'
    }
    const screen = await show(h(Save))
    await settle(() => run())
    expect(screen.text()).toBe(`${thrown}, true`)
  })
})

describe('useDebounce', () => {
  test('DEB RCT-8 what is typed back while the screen of the other value is awaited stays', async () => {
    const ep = get()
    let type!: (text: string) => void
    const Name = ({ id }: { id: string }): ReactNode => (useSuspense(ep, { id }) as any).title
    const App = (): ReactNode => {
      const [text, set] = useState('a')
      type = set
      const [id] = useDebounce(text, 200)
      return [text, ': ', h(Name, { id, key: 1 })]
    }
    const screen = await show(h(App))
    await settle(() => ep.calls[0].answer({ id: 'a', title: 'todo a' }))
    await settle(() => type('ab'))
    await settle(() => screen.clock.pass(200))
    await settle(() => type('a'))
    await settle(() => screen.clock.pass(1_000))
    await settle(() => ep.calls[1].answer({ id: 'ab', title: 'todo ab' }))
    expect(screen.text()).toBe('a: todo a')
  })

  test('DEB it follows after quiet, inside a transition; it can be frozen', async () => {
    const ep = get({ dataExpiryLength: Infinity })
    const seen: any[] = []
    const Results = ({ id }: { id: string }): ReactNode => (useSuspense(ep, { id }) as any).title
    const Search = ({ text, updatable = true }: { text: string; updatable?: boolean }): ReactNode => {
      const [id, isPending] = useDebounce(text, 100, updatable)
      seen.push([id, isPending])
      return h(Results, { id })
    }
    const screen = await show(h(Search, { text: '1' }))
    await settle(() => ep.calls[0].answer(one))
    await settle(() => screen.rerender(h(Search, { text: '2' })))
    await settle(() => screen.clock.pass(50))
    await settle(() => screen.rerender(h(Search, { text: '3' })))
    await settle(() => screen.clock.pass(99))
    expect(seen.at(-1)).toEqual(['1', false])
    await settle(() => screen.clock.pass(1))
    expect(screen.text()).toBe('one')
    expect(seen).toContainEqual(['1', true])
    await settle(() => ep.calls[1].answer({ id: '3', title: 'three' }))
    expect(screen.text()).toBe('three')
    expect(seen.at(-1)).toEqual(['3', false])
    expect(ep.calls).toHaveLength(2)
    await settle(() => screen.rerender(h(Search, { text: '4', updatable: false })))
    await settle(() => screen.clock.pass(1000))
    expect(seen.at(-1)).toEqual(['3', false])
    await settle(() => screen.rerender(h(Search, { text: '5' })))
    screen.unmount()
    await settle(() => screen.clock.pass(1000))
    expect(ep.calls).toHaveLength(2)
  })
})

describe('useCancelling', () => {
  const Search = ({ ep, id, seen = [] }: { ep: any; id: string; seen?: any[] }): ReactNode => {
    const endpoint = useCancelling(ep, { id })
    seen.push(endpoint)
    useFetch(endpoint as any, { id })
    return null
  }

  // React 18 forgets in Strict Mode what the first of two renders remembered, the signal among it.
  test.each(is18 ? [false] : [false, true])(
    'NET-15 it aborts when the key changes, and at unmount (Strict Mode: %s)',
    async (strict) => {
      const ep = get()
      const seen: any[] = []
      const screen = await show(h(Search, { ep, id: '1', seen }), { strict })
      await settle(() => screen.rerender(h(Search, { ep, id: '1', seen })))
      await settle(() => screen.clock.pass(0))
      expect(seen.at(-1)).toBe(seen.at(-2))
      expect(seen.at(-1).signal.aborted).toBe(false)
      await settle(() => screen.rerender(h(Search, { ep, id: '2', seen })))
      await settle(() => screen.clock.pass(0))
      expect(seen[0].key({ id: '1' })).toBe(ep.key({ id: '1' }))
      expect(ep.calls.map(({ signal }: any) => signal.aborted)).toEqual([true, false])
      screen.unmount()
      await screen.clock.pass(0)
      expect(ep.calls.map(({ signal }: any) => signal.aborted)).toEqual([true, true])
    },
  )

  test('NET-15 not a request that another reader needs', async () => {
    const ep = get()
    const screen = await show(h(Search, { ep, id: '1' }))
    const other = screen.store.controller.fetch(ep, args)
    screen.unmount()
    await screen.clock.pass(0)
    expect(ep.calls[0].signal.aborted).toBe(false)
    await ep.calls[0].answer(one)
    expect(await other).toMatchObject(one)
  })

  test('NET-15 in a parent that stays: the request of a child is aborted when the arguments change', async () => {
    const find = deferredEndpoint('find', [Todo])
    let type!: (text: string) => void
    const Results = ({ ep, text }: { ep: any; text: string }): ReactNode => (useSuspense(ep, { text }) as any).length
    const Search = (): ReactNode => {
      const [text, set] = useState('')
      type = set
      const ep = useCancelling(find, { text })
      return h(Suspense, { fallback: 'searching' }, h(Results, { ep, text }))
    }
    const screen = await show(h(Search))
    await settle(() => find.calls[0].answer([]))
    for (const text of ['a', 'ab', 'abc']) {
      await settle(() => type(text))
      await settle(() => screen.clock.pass(50))
    }
    expect(find.calls.slice(1).map(({ signal }: any) => signal.aborted)).toEqual([true, true, false])
    await settle(() => find.calls[3].answer([one]))
    await settle(() => screen.clock.pass(50))
    expect(screen.container.textContent).toBe('1')
    expect(find.calls).toHaveLength(4)
  })

  test.each([false, true])('NET-15 a reader without its signal fetches again; it came first: %s', async (isFirst) => {
    const find = deferredEndpoint('find', [Todo])
    let type!: (text: string) => void
    const Results = ({ ep, text }: { ep: any; text: string }): ReactNode => (useSuspense(ep, { text }) as any).length
    const other = h(Suspense, { fallback: 'waits ', key: 'other' }, h(Results, { ep: find, text: 'a' }))
    const Search = (): ReactNode => {
      const [text, set] = useState('a')
      type = set
      const ep = useCancelling(find, { text })
      const mine = h(Suspense, { fallback: 'searching ', key: 'mine' }, h(Results, { ep, text }))
      return isFirst ? [other, mine] : [mine, other]
    }
    const screen = await show(h(Search))
    expect(find.calls).toHaveLength(1)
    await settle(() => type('ab'))
    await settle(() => screen.clock.pass(50))
    const alive = find.calls.filter(({ signal }: any) => !signal?.aborted)
    expect(alive.map((call: any) => call.args[0].text).toSorted()).toEqual(['a', 'ab'])
    for (const call of alive) {
      await settle(() => call.answer([one]))
    }
    await settle(() => screen.clock.pass(50))
    expect(screen.text()).toBe('11')
  })

  test.each([
    ['useSuspense', (ep: any) => (useSuspense(ep, args) as any).title],
    ['useFetch', (ep: any) => (is18 ? useSuspense(ep, args) : (use(useFetch(ep, args)) as any)).title],
  ])(
    'NET-21 %s throws the reason of a signal that fires, or has fired, and its request is aborted',
    async (_name, useTitle) => {
      const ep = get()
      const aborters = [new AbortController(), new AbortController()]
      const eps = aborters.map(({ signal }) => ep.extend({ signal }))
      aborters[0]!.abort(new Error('first'))
      const Title = ({ by }: { by: any }): ReactNode => useTitle(by)
      const part = (by: any, key: string): ReactNode =>
        h(
          Suspense,
          { fallback: 'loading ', key },
          h(ErrorBoundary<Error>, { fallbackComponent: ({ error }) => `${error.message} ` }, h(Title, { by }), ' '),
        )
      const screen = await show([part(eps[0], 'a'), part(eps[1], 'b')])
      expect(screen.text()).toBe('first loading ')
      expect(ep.calls).toHaveLength(1)
      await settle(() => aborters[1]!.abort(new Error('second')))
      await settle(() => screen.clock.pass(50))
      expect(ep.calls.map(({ signal }: any) => signal.aborted)).toEqual([true])
      expect(screen.text()).toBe('first second ')
      expect(ep.calls).toHaveLength(1)
    },
  )

  test('NET-21 useDLE shows the reason of its signal; a new signal sends the request again', async () => {
    const ep = get()
    const aborters = [new AbortController(), new AbortController()]
    const eps = aborters.map(({ signal }) => ep.extend({ signal }))
    let renew!: () => void
    const Title = (): ReactNode => {
      const [by, set] = useState(0)
      renew = () => set(1)
      const { data, loading, error } = useDLE(eps[by], args) as any
      return loading ? 'loading' : (error?.message ?? data.title)
    }
    const screen = await show(h(Title))
    expect([screen.text(), ep.calls.length]).toEqual(['loading', 1])
    await settle(() => aborters[0]!.abort(new Error('mine')))
    await settle(() => screen.clock.pass(50))
    expect([screen.text(), ep.calls.length, ep.calls[0].signal.aborted]).toEqual(['mine', 1, true])
    await settle(() => renew())
    expect([screen.text(), ep.calls.length]).toEqual(['loading', 2])
    await settle(() => ep.calls[1].answer(one))
    expect(screen.text()).toBe('one')
    await settle(() => aborters[1]!.abort())
    await settle(() => screen.clock.pass(50))
    expect([screen.text(), ep.calls.length]).toEqual(['one', 2])
  })

  test('NET-21 a component whose signal fires leaves the request to another that waits for it', async () => {
    const ep = get()
    const aborter = new AbortController()
    const Title = ({ by }: { by: any }): ReactNode => {
      const { data, loading, error } = useDLE(by, args) as any
      return `${loading ? 'loading' : (error?.message ?? data.title)} `
    }
    const mine = ep.extend({ signal: aborter.signal })
    const screen = await show([h(Title, { by: mine, key: 'a' }), h(Title, { by: ep, key: 'b' })])
    await settle(() => aborter.abort(new Error('mine')))
    await settle(() => screen.clock.pass(50))
    expect([screen.text(), ep.calls.length, ep.calls[0].signal.aborted]).toEqual(['mine loading ', 1, false])
    await settle(() => ep.calls[0].answer(one))
    expect(screen.text()).toBe('one one ')
  })

  test('NET-15 what was fetched through it alone is aborted', async () => {
    const ep = get()
    const seen: any[] = []
    const Only = (): ReactNode => {
      seen.push(useCancelling(ep, args))
      return null
    }
    const screen = await show(h(Only))
    const promise = screen.store.controller.fetch(seen[0], args)
    screen.unmount()
    await screen.clock.pass(0)
    await expect(promise).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('RCT-5 without a provider', () => {
  const ep = get()
  test.each([
    ['useSuspense', () => useSuspense(ep, args)],
    ['useFetch', () => useFetch(ep, args)],
    ['useDLE', () => useDLE(ep, args)],
    ['useCache', () => useCache(ep, args)],
    ['useQuery', () => useQuery(Todo, args)],
    ['useSubscription', () => useSubscription(ep, args)],
    ['useLive', () => useLive(ep, args)],
    ['useController', () => useController()],
    ['useError', () => useError(ep, args)],
    ['useInfinite', () => useInfinite(ep, args)],
  ])('RCT-5 %s throws provider-missing', (_name, hook) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() => renderHook(hook)).toThrow(expect.objectContaining({ code: 'provider-missing' }))
  })

  test('RCT-5 LOAD useLoading works', async () => {
    let answer!: (value: number) => void
    const { result } = renderHook(() => useLoading(() => new Promise<number>((done) => (answer = done)), []))
    let done!: Promise<number | undefined>
    act(() => void (done = result.current[0]()))
    expect(result.current[1]).toBe(true)
    await act(async () => answer(5))
    expect([result.current[1], await done]).toEqual([false, 5])
  })

  test('RCT-5 useCancelling works, by the timers of the page', async () => {
    vi.useFakeTimers()
    try {
      const { result, rerender, unmount } = renderHook(({ id }) => useCancelling(ep, { id }), {
        initialProps: { id: '1' },
      })
      const first: any = result.current
      rerender({ id: '1' })
      expect(result.current).toBe(first)
      rerender({ id: '2' })
      const second: any = result.current
      await act(async () => vi.advanceTimersByTime(0))
      expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false])
      unmount()
      await act(async () => vi.advanceTimersByTime(0))
      expect(second.signal.aborted).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })

  test('RCT-5 DEB useDebounce works, by the timers of the page', async () => {
    vi.useFakeTimers()
    try {
      const { result, rerender } = renderHook(({ text }) => useDebounce(text, 100), { initialProps: { text: 'a' } })
      rerender({ text: 'b' })
      await act(async () => vi.advanceTimersByTime(99))
      expect(result.current).toEqual(['a', false])
      await act(async () => vi.advanceTimersByTime(1))
      expect(result.current).toEqual(['b', false])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('readers of one key with other options', () => {
  const Both = ({ eps }: { eps: readonly any[] }): ReactNode => eps.map((ep, i) => h(One, { ep, key: i }))
  const One = ({ ep }: { ep: any }): ReactNode => {
    const { data, loading }: any = useDLE(ep, args)
    return `${loading ? '-' : data.title} `
  }
  const strict = get({ dataExpiryLength: 10, invalidIfStale: true })
  const loose = strict.extend({ invalidIfStale: false })

  test.each([
    ['the strict one first', [strict, loose], '- one ', 'two two '],
    ['the strict one last', [loose, strict], 'one - ', 'two two '],
    ['the strict one on both sides', [strict, loose, strict], '- one - ', 'two two two '],
  ])('EXP-7 HK-9 each is judged by its own: %s', async (_, eps, stale, fresh) => {
    const { clock, store } = open()
    strict.calls.length = 0
    await store.controller.setResponse(strict, args, one)
    await clock.pass(20)
    const screen = await show(h(Both, { eps }), { clock, store })
    expect(screen.text()).toBe(stale)
    expect(strict.calls).toHaveLength(1)
    await settle(() => store.controller.set(Todo, { id: '7' }, { id: '7', title: 'other' }))
    expect(screen.text()).toBe(stale)
    await settle(() => strict.calls[0].answer({ id: '1', title: 'two' }))
    expect(screen.text()).toBe(fresh)
    expect(strict.calls).toHaveLength(1)
    await settle(() => store.controller.expireAll({ testKey: () => true }))
    expect(screen.text()).toBe(stale.replaceAll('one', 'two'))
    expect(strict.calls).toHaveLength(2)
    await settle(() => strict.calls[1].answer({ id: '1', title: 'two' }))
    expect(screen.text()).toBe(fresh)
    expect(strict.calls).toHaveLength(2)
  })

  test('EXP-7 HK-9 an endpoint with other options takes the place of one', async () => {
    const { clock, store } = open()
    strict.calls.length = 0
    await store.controller.setResponse(strict, args, one)
    await clock.pass(20)
    const screen = await show(h(Both, { eps: [loose] }), { clock, store })
    expect(screen.text()).toBe('one ')
    screen.rerender(h(Both, { eps: [strict] }))
    expect(screen.text()).toBe('- ')
    screen.rerender(h(Both, { eps: [loose] }))
    expect(screen.text()).toBe('one ')
  })
})
