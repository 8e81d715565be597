// @vitest-environment happy-dom
import * as react from 'react'
import { type ReactNode, startTransition, useDeferredValue, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { Collection, createStore, deserializeState, Entity, serializeState } from 'restitch'
import {
  DataProvider,
  useCache,
  useDLE,
  useFetching,
  useInfinite,
  useInfiniteDLE,
  useMutating,
  useMutation,
  useSuspense,
} from 'restitch/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { act, counted, h, is18, open, settle, show, TestClock, Todo, deferredEndpoint } from './cases.ts'

const args = { id: '1' }
const one = { id: '1', title: 'one' }
const soft = { errorPolicy: ({ status = 500 }: any) => (status >= 500 ? 'soft' : 'hard') }
const get = (more?: object): any => deferredEndpoint('get', Todo, { dataExpiryLength: 1000, ...more })
const MEMBERS = ['data', 'loading', 'error', 'fetching', 'refetchError', 'fetchedAt', 'stale', 'placeholder']

afterEach(() => vi.restoreAllMocks())

/** A component that shows what `read` takes of the result, and each text it has shown. */
function probe(use: (props: any) => unknown): { Probe: any; seen: string[] } {
  const seen: string[] = []
  const Probe = counted((props: any) => {
    const text = String(use(props))
    seen.push(text)
    return text
  })
  return { Probe, seen }
}

describe('DLE-1 members', () => {
  // Events, and the members of a mounted reader that they change.
  const EVENTS: [name: string, run: (it: any) => unknown, changed: string[]][] = [
    [
      'a refetch begins',
      ({ controller, ep, clock }) => ((clock.time += 10), void controller.fetch(ep, args)),
      ['fetching'],
    ],
    ['it brings the same', ({ ep }) => ep.calls[0].answer(one), ['fetching', 'fetchedAt']],
    [
      'it is marked stale',
      ({ controller }) => controller.expireAll({ testKey: () => true }),
      // It is refetched, too.
      ['fetching', 'stale'],
    ],
    [
      'the refetch fails',
      ({ ep }) => ep.calls[1].fail(Object.assign(new Error('no'), { status: 500 })),
      ['fetching', 'refetchError'],
    ],
    [
      'another refetch brings other data',
      async ({ controller, ep, clock }) => {
        clock.time += 10
        controller.fetch(ep, args).catch(() => {})
        await ep.calls[2].answer({ id: '1', title: 'two' })
      },
      ['data', 'fetching', 'refetchError', 'fetchedAt', 'stale'],
    ],
    ['time passes', ({ clock }) => clock.pass(1100), ['stale']],
    ['a write changes it', ({ controller }) => controller.set(Todo, args, { id: '1', title: 'three' }), ['data']],
    [
      'it is invalidated',
      ({ controller, ep }) => controller.invalidate(ep, args),
      ['data', 'loading', 'fetching', 'fetchedAt', 'stale'],
    ],
    [
      'it fails, and the record that is stored stays beside the error',
      ({ ep }) => ep.calls[3].fail(Object.assign(new Error('gone'), { status: 404 })),
      MEMBERS.filter((name) => name !== 'placeholder'),
    ],
  ]

  test.each([false, true])('DLE-1 RCT-8 a component renders for what it reads (Strict Mode: %s)', async (strict) => {
    const { store, clock } = open()
    const { controller } = store
    const ep = get(soft)
    await controller.setResponse(ep, args, one)
    const readers = MEMBERS.map((name) => counted(() => void (useDLE(ep, args) as any)[name] as never))
    const nothing = counted(() => (useDLE(ep, args), null))
    const rest = counted(() => {
      const { data: _data, ...others } = useDLE(ep, args)
      return Object.keys(others).join()
    })
    const all = [...readers, nothing, rest]
    const screen = await show(
      all.map((Reader, key) => h(Reader, { key })),
      { store, clock, strict },
    )
    expect(screen.text()).toBe([...MEMBERS.slice(1), 'refetch'].join())
    for (const [name, run, changed] of EVENTS) {
      for (const Reader of all) {
        Reader.renders = 0
      }
      await settle(() => run({ controller, ep, clock }))
      const rendered = MEMBERS.filter((_, at) => readers[at]!.renders > 0)
      expect([name, ...rendered]).toEqual([name, ...changed])
      expect(nothing.renders).toBe(0)
      if (changed.some((member) => member !== 'data')) {
        expect(rest.renders).toBeGreaterThan(0)
      }
      // One render each, unless the event is two: marked stale, and then fetched.
      expect(Math.max(...all.map(({ renders }) => renders))).toBeLessThanOrEqual(strict ? 4 : 2)
    }
  })

  test('DLE-1 HK-1 null, with the default shape of an object', async () => {
    const ep = deferredEndpoint('list', { results: new Collection([Todo]), total: 0 })
    let seen: any
    const Show = (): ReactNode => {
      seen = { ...useDLE(ep, null) }
      return null
    }
    await show(h(Show))
    expect(seen).toEqual({
      data: { results: undefined, total: 0 },
      loading: false,
      error: undefined,
      fetching: false,
      refetchError: undefined,
      fetchedAt: undefined,
      stale: false,
      placeholder: false,
      refetch: expect.any(Function),
    })
  })

  test('DLE-1 one response renders a component once that reads everything', async () => {
    const ep = get()
    const { Probe, seen } = probe(() => {
      const { data, ...rest } = useDLE(ep, args) as any
      return `${data?.title} ${rest.loading} ${rest.fetching} ${rest.stale} ${rest.fetchedAt}`
    })
    await show(h(Probe))
    await settle(() => ep.calls[0].answer(one))
    expect(seen).toEqual(['undefined true true false undefined', 'one false false false 1000000'])
  })

  test('DLE-1 a member that is read later, by a child or after a while, is followed from then on', async () => {
    const ep = get()
    const Child = ({ dle }: { dle: any }): ReactNode => `${dle.fetching}`
    let look!: (value: boolean) => void
    const Parent = (): ReactNode => {
      const dle = useDLE(ep, args)
      const [isLooking, setLooking] = useState(false)
      look = setLooking
      return isLooking ? h(Child, { dle }) : 'closed'
    }
    const screen = await show(h(Parent))
    await settle(() => ep.calls[0].answer(one))
    await settle(() => look(true))
    expect(screen.text()).toBe('false')
    await settle(() => void screen.store.controller.fetch(ep, args))
    expect(screen.text()).toBe('true')
    await settle(() => ep.calls[1].answer(one))
    expect(screen.text()).toBe('false')
  })

  test('DLE-1 RCT-8 a render that React discards leaves the screen right', async () => {
    const ep = get()
    const other = get({ name: 'other' })
    let go!: (id: string) => void
    const App = (): ReactNode => {
      const [id, setId] = useState('1')
      go = (next) => startTransition(() => setId(next))
      const { data, fetching } = useDLE(ep, { id }) as any
      return [`${id} ${data?.title} ${fetching}`, id === '2' && h(Other, { key: 1 })]
    }
    const Other = (): ReactNode => useSuspense(other, {}) as any
    const screen = await show(h(App))
    await settle(() => ep.calls[0].answer(one))
    await settle(() => go('2'))
    expect(screen.text()).toBe('1 one false')
    await settle(() => screen.store.controller.set(Todo, args, { id: '1', title: 'uno' }))
    expect(screen.text()).toBe('1 uno false')
    await settle(() => void screen.store.controller.fetch(ep, args))
    expect(screen.text()).toBe('1 uno true')
  })
})

describe('DLE-2 fetching', () => {
  test('DLE-2 data that is stale at mount: true from the first render, and one request', async () => {
    const { store, clock } = open()
    const ep = get()
    await store.controller.setResponse(ep, args, one)
    clock.time += 1001
    const { Probe, seen } = probe(() => {
      const { data, fetching, stale } = useDLE(ep, args) as any
      return `${data.title} ${fetching} ${stale}`
    })
    await show(h(Probe), { store, clock })
    expect(seen).toEqual(['one true true'])
    await settle(() => ep.calls[0].answer(one))
    expect(seen).toEqual(['one true true', 'one false false'])
    expect(ep.calls).toHaveLength(1)
  })

  test.each([
    ['fresh data', args],
    ['null', null],
  ])('DLE-2 %s: false', async (_name, params) => {
    const { store, clock } = open()
    const ep = get()
    await store.controller.setResponse(ep, args, one)
    const { Probe, seen } = probe(() => `${useDLE(ep, params).fetching}`)
    await show(h(Probe), { store, clock })
    expect(seen).toEqual(['false'])
  })

  test('DLE-2 a request that is aborted, or of another key', async () => {
    const ep = get()
    const { Probe, seen } = probe(() => `${useDLE(ep, args).fetching}`)
    const { store } = await show(h(Probe))
    await settle(() => ep.calls[0].answer(one))
    await settle(() => void store.controller.fetch(ep, { id: '2' }))
    expect(seen).toEqual(['true', 'false'])
    await settle(() => void store.controller.fetch(ep, args).catch(() => {}))
    await settle(() => store.controller.abort(ep, args))
    expect(seen).toEqual(['true', 'false', 'true', 'false'])
  })
})

describe('DLE-3 refetchError', () => {
  const failed = (status: number): Error => Object.assign(new Error(`${status}`), { status })

  test('DLE-3 ERR-2 a soft error beside data, until the next success; a hard one is the error too', async () => {
    const ep = get(soft)
    const { Probe, seen } = probe(() => {
      const { data, error, refetchError } = useDLE(ep, args) as any
      return `${data?.title} ${error?.message} ${refetchError?.message}`
    })
    const { store, clock } = await show(h(Probe))
    const refetch = async (end: (call: any) => unknown): Promise<void> => {
      await settle(() => void store.controller.fetch(ep, args).catch(() => {}))
      clock.time += 1
      await settle(() => end(ep.calls.at(-1)))
    }
    await refetch((call) => call.fail(failed(404)))
    await refetch((call) => call.answer(one))
    await refetch((call) => call.fail(failed(500)))
    await refetch((call) => call.answer(one))
    await refetch((call) => call.fail(failed(404)))
    expect(seen).toEqual([
      'undefined undefined undefined',
      // Without data there is nothing that was refetched.
      'undefined 404 undefined',
      'one undefined undefined',
      'one undefined 500',
      'one undefined undefined',
      'one 404 404',
    ])
  })

  test('DLE-3 setError without a request', async () => {
    const { store, clock } = open()
    const ep = get(soft)
    await store.controller.setResponse(ep, args, one)
    const { Probe, seen } = probe(() => (useDLE(ep, args).refetchError as any)?.message)
    await show(h(Probe), { store, clock })
    await settle(() => store.controller.setError(ep, args, new Error('no')))
    expect(seen).toEqual(['undefined', 'no'])
  })
})

describe('DLE-4 fetchedAt, stale', () => {
  test.each([
    ['an entity', Todo],
    ['no schema', undefined],
  ])('DLE-4 of %s: when the data was requested; a failure leaves it', async (_name, schema) => {
    const ep = deferredEndpoint('get', schema, { dataExpiryLength: 1000, ...soft })
    const { Probe, seen } = probe(() => `${(useDLE(ep, args).fetchedAt ?? 0) % 1_000}`)
    const { store, clock } = await show(h(Probe))
    clock.time += 5
    await settle(() => ep.calls[0].answer(one))
    clock.time += 5
    await settle(() => void store.controller.fetch(ep, args).catch(() => {}))
    clock.time += 5
    await settle(() => ep.calls[1].fail(new Error('no')))
    await settle(() => void store.controller.fetch(ep, args).catch(() => {}))
    await settle(() => ep.calls[2].fail(new Error('no')))
    expect(seen).toEqual(['0', '0'])
    await settle(() => void store.controller.fetch(ep, args))
    await settle(() => ep.calls[3].answer(one))
    expect(seen).toEqual(['0', '0', '15'])
    clock.time += 5
    await settle(() => store.controller.setResponse(ep, args, one))
    expect(seen).toEqual(['0', '0', '15', '20'])
  })

  test('DLE-4 of a record that only a list brought: that of the list', async () => {
    const { store, clock } = open()
    const list = deferredEndpoint('list', new Collection([Todo]))
    const ep = get()
    await store.controller.setResponse(list, {}, [one])
    clock.time += 5
    const { Probe, seen } = probe(() => `${useDLE(ep, args).fetchedAt}`)
    await show(h(Probe), { store, clock })
    expect(seen).toEqual(['1000000'])
    expect(ep.calls).toHaveLength(0)
  })

  test('DLE-4 stale follows time, and a refetch that comes before', async () => {
    const { store, clock } = open()
    const ep = get()
    await store.controller.setResponse(ep, args, one)
    const { Probe, seen } = probe(() => `${useDLE(ep, args).stale}`)
    await show(h(Probe), { store, clock })
    await settle(() => clock.pass(900))
    await settle(() => store.controller.setResponse(ep, args, one))
    await settle(() => clock.pass(1000))
    expect(seen).toEqual(['false'])
    await settle(() => clock.pass(1))
    expect(seen).toEqual(['false', 'true'])
    await settle(() => store.controller.setResponse(ep, args, one))
    expect(seen).toEqual(['false', 'true', 'false'])
    // Only stale data that is shown is refetched by itself, and time is no reason to.
    expect(ep.calls).toHaveLength(0)
  })

  test('DLE-4 data that never expires sets no timer, nor does a component that does not read stale', async () => {
    const { store, clock } = open()
    const ep = get({ dataExpiryLength: Infinity })
    const other = deferredEndpoint('other', Todo, { dataExpiryLength: 1000 })
    await store.controller.setResponse(ep, args, one)
    await store.controller.setResponse(other, args, one)
    const before = clock.pending
    const Two = (): ReactNode => `${useDLE(ep, args).stale} ${(useDLE(other, args) as any).data.title}`
    const screen = await show(h(Two), { store, clock })
    expect(screen.text()).toBe('false one')
    expect(clock.pending).toBe(before)
  })
})

describe('DLE-5 keepPrevious', () => {
  const pages = (): any => deferredEndpoint('page', new Collection([Todo]), { dataExpiryLength: 1000 })
  const text = ({ data, loading, error, placeholder, fetching }: any): string =>
    `${data?.map(({ title }: any) => title).join('+')} ${loading ? 'loading' : ''}${error?.message ?? ''}${placeholder ? 'placeholder' : ''}${fetching ? '…' : ''}`
  const row = (title: string): object => ({ id: title, title })

  test.each([false, true])(
    'DLE-5 the old page is shown until the new one arrives (Strict Mode: %s)',
    async (strict) => {
      const ep = pages()
      const { Probe, seen } = probe(({ page }) => text(useDLE({ endpoint: ep, keepPrevious: true }, page && { page })))
      const screen = await show(h(Probe, { page: 1 }), { strict })
      const go = (page: number | null): Promise<void> => act(async () => screen.rerender(h(Probe, { page })))
      expect(screen.text()).toBe('undefined loading…')
      await settle(() => ep.calls[0].answer([row('a')]))
      expect(screen.text()).toBe('a ')
      await go(2)
      expect(screen.text()).toBe('a placeholder…')
      // A third before the second has arrived.
      await go(3)
      expect(screen.text()).toBe('a placeholder…')
      await settle(() => ep.calls[2].answer([row('c')]))
      expect(screen.text()).toBe('c ')
      // One that is known.
      await go(1)
      expect(screen.text()).toBe('a ')
      await go(4)
      await settle(() => ep.calls.at(-1).fail(Object.assign(new Error('no'), { status: 404 })))
      expect(screen.text()).toBe('undefined no')
      await go(1)
      await go(null)
      expect(screen.text()).toBe('undefined ')
      await go(5)
      expect(screen.text()).not.toContain('placeholder')
      expect(seen.filter((shown) => shown.includes('undefined loading')).length).toBeGreaterThan(0)
    },
  )

  test('DLE-5 DLE-8 arguments that were skipped have no data to keep, whatever the schema', async () => {
    const schema = { items: new Collection([Todo]), total: 0 }
    const ep = deferredEndpoint('search', schema, { paginationField: 'page' }) as any
    const state = ({ loading, placeholder }: any): string => `${loading ? 'loading' : ''}${placeholder ? 'kept' : ''}`
    const { Probe } = probe(({ q }) =>
      [useDLE as any, useInfiniteDLE].map((use) => state(use({ endpoint: ep, keepPrevious: true }, q && { q }))).join(),
    )
    const screen = await show(h(Probe, { q: null }))
    const go = (q: string | null): Promise<void> => act(async () => screen.rerender(h(Probe, { q })))
    expect(screen.text()).toBe(',')
    await go('a')
    expect(screen.text()).toBe('loading,loading')
    await settle(() => ep.calls[0].answer({ items: [row('a')], total: 1 }))
    await go('b')
    expect(screen.text()).toBe('kept,kept')
    await go(null)
    await go('c')
    expect(screen.text()).toBe('loading,loading')
  })

  test('DLE-5 without it the old data is not shown', async () => {
    const ep = pages()
    const { Probe } = probe(({ page }) => text(useDLE({ endpoint: ep }, { page })))
    const screen = await show(h(Probe, { page: 1 }))
    await settle(() => ep.calls[0].answer([row('a')]))
    await act(async () => screen.rerender(h(Probe, { page: 2 })))
    expect(screen.text()).toBe('undefined loading…')
  })

  test('DLE-5 RCT-8 what stays on the screen follows the store, renders once for each change, and is held against collection', async () => {
    const ep = pages()
    const { Probe, seen } = probe(({ page }) => {
      const { data, loading, placeholder } = useDLE({ endpoint: ep, keepPrevious: true }, { page })
      return text({ data, loading, placeholder })
    })
    const screen = await show(h(Probe, { page: 1 }))
    await settle(() => ep.calls[0].answer([row('a')]))
    await act(async () => screen.rerender(h(Probe, { page: 2 })))
    seen.length = 0
    await settle(() => screen.store.controller.set(Todo, { id: 'a' }, { id: 'a', title: 'A' }))
    expect(seen).toEqual(['A placeholder'])
    await settle(() => ep.calls[1].answer([row('b')]))
    expect(seen).toEqual(['A placeholder', 'b '])
    // The first page is nothing to the component any more.
    await settle(() => screen.store.controller.set(Todo, { id: 'a' }, { id: 'a', title: 'B' }))
    expect(seen).toHaveLength(2)
    await settle(() => screen.store.controller.invalidate(ep, { page: 2 }))
    expect(seen.at(-1)).toBe('undefined loading')
  })

  test('DLE-5 a page that was invalidated since is no placeholder', async () => {
    const ep = pages()
    const { Probe } = probe(({ page }) => text(useDLE({ endpoint: ep, keepPrevious: true }, { page })))
    const screen = await show(h(Probe, { page: 1 }))
    await settle(() => ep.calls[0].answer([row('a')]))
    await act(async () => screen.rerender(h(Probe, { page: 2 })))
    await settle(() => screen.store.controller.resetEntireStore())
    expect(screen.text()).toBe('undefined loading…')
  })

  test('DLE-5 another component with the same arguments shows nothing of it', async () => {
    const ep = pages()
    const { Probe } = probe(({ page }) => text(useDLE({ endpoint: ep, keepPrevious: true }, { page })))
    const App = ({ page }: { page: number }): ReactNode => [
      h(Probe, { page, key: 'same' }),
      h(Probe, { page, key: page }),
    ]
    const screen = await show(h(App, { page: 1 }))
    await settle(() => ep.calls[0].answer([row('a')]))
    await act(async () => screen.rerender(h(App, { page: 2 })))
    expect(screen.text()).toBe('a placeholder…undefined loading…')
  })
})

describe('DLE-8 useInfiniteDLE', () => {
  const list = (): any => deferredEndpoint('list', new Collection([Todo]), { paginationField: 'page' })
  const todo = (title: string): object => ({ id: title, title })
  const titles = (items: any): string => items?.map(({ title }: any) => title).join('+')

  test('DLE-8 DLE-5 keepPrevious: the items of all pages stay until the new list arrives; they have no next page', async () => {
    const ep = list()
    const { Probe, seen } = probe(({ group }) => {
      const { items, loading, placeholder, hasNextPage } = useInfiniteDLE(
        { endpoint: ep, keepPrevious: true },
        { group },
      )
      return `${titles(items)} ${loading} ${placeholder} ${hasNextPage}`
    })
    const screen = await show(h(Probe, { group: 1 }))
    await settle(() => ep.calls[0].answer([todo('a'), todo('b')]))
    expect(screen.text()).toBe('a+b false false true')
    seen.length = 0
    await act(async () => screen.rerender(h(Probe, { group: 2 })))
    expect(screen.text()).toBe('a+b false true false')
    await settle(() => screen.store.controller.set(Todo, { id: 'a' }, { id: 'a', title: 'A' }))
    expect(screen.text()).toBe('A+b false true false')
    await settle(() => ep.calls[1].answer([todo('c')]))
    expect(screen.text()).toBe('c false false true')
  })

  test('DLE-8 HK-8 useInfinite keeps the items of before by useDeferredValue', async () => {
    const ep = list()
    let setGroup!: (group: number) => void
    const Items = ({ group }: { group: number }): ReactNode => titles(useInfinite(ep, { group }).items)
    const App = (): ReactNode => {
      const [group, set] = useState(1)
      setGroup = set
      return h(Items, { group: useDeferredValue(group) })
    }
    const screen = await show(h(App))
    await settle(() => ep.calls[0].answer([todo('a')]))
    await settle(() => setGroup(2))
    expect(screen.text()).toBe('a')
    await settle(() => ep.calls[1].answer([todo('b')]))
    expect(screen.text()).toBe('b')
  })
})

describe('DLE-6 placeholder', () => {
  class Person extends Entity {
    id = ''
    name = ''
    bio = ''
    static override key = 'Person'
  }

  test('DLE-6 a summary in the store stands for the record until that arrives', async () => {
    const { store, clock } = open()
    const list = deferredEndpoint('list', new Collection([Person]))
    const ep = deferredEndpoint('person', Person)
    await store.controller.setResponse(list, {}, [{ id: '1', name: 'Ann' }])
    const { Probe, seen } = probe(() => {
      const { data, loading, placeholder } = useDLE(
        { endpoint: ep, placeholder: (controller) => controller.get(Person, args) as any },
        args,
      ) as any
      return `${data.name} ${data.bio} ${loading} ${placeholder}`
    })
    await show(h(Probe), { store, clock })
    expect(seen).toEqual(['Ann  false true'])
    await settle(() => ep.calls[0].answer({ id: '1', name: 'Ann', bio: 'long' }))
    expect(seen).toEqual(['Ann  false true', 'Ann long false false'])
  })

  test('DLE-6 it is called once for each key, may make a new object, and may find nothing', async () => {
    const ep = get()
    const placeholder = vi.fn(() => ({ title: 'made' }))
    const { Probe } = probe(({ id, use = placeholder }) => {
      const { data, loading } = useDLE({ endpoint: ep, placeholder: use as any }, { id }) as any
      return `${data?.title} ${loading}`
    })
    const screen = await show(h(Probe, { id: '1' }))
    await act(async () => screen.rerender(h(Probe, { id: '1' })))
    expect(screen.text()).toBe('made false')
    expect(placeholder).toHaveBeenCalledTimes(1)
    await act(async () => screen.rerender(h(Probe, { id: '2', use: () => undefined })))
    expect(screen.text()).toBe('undefined true')
  })

  test('DLE-6 data that is stored needs none', async () => {
    const { store, clock } = open()
    const ep = get()
    await store.controller.setResponse(ep, args, one)
    const placeholder = vi.fn()
    const { Probe, seen } = probe(() => `${useDLE({ endpoint: ep, placeholder }, args).placeholder}`)
    await show(h(Probe), { store, clock })
    expect(seen).toEqual(['false'])
    expect(placeholder).not.toHaveBeenCalled()
  })
})

describe('DLE-9 a page from a server', () => {
  test('DLE-9 SSR-4 nothing that depends on time or requests differs while React takes the page over', async () => {
    const consoleError = vi.spyOn(console, 'error')
    const errors: unknown[] = []
    const ep = get({ dataExpiryLength: 1000 })
    const save = deferredEndpoint('save', Todo, { sideEffect: true })
    const Show = (): ReactNode => {
      const { data, loading, fetching, stale, fetchedAt, refetchError, placeholder } = useDLE(ep, args) as any
      const { status } = useMutation(save)
      const numbers = [useFetching(), useMutating()]
      return h(
        'b',
        null,
        [data.title, loading, fetching, stale, fetchedAt > 0, refetchError, placeholder, status, numbers].join(),
      )
    }
    const server = createStore()
    await server.controller.setResponse(ep, args, one)
    const html = renderToString(h(DataProvider, { store: server, devButton: null }, h(Show)))
    const initialState = deserializeState(serializeState(server.getState()))
    const host = document.createElement('div')
    host.innerHTML = html
    expect(host.textContent).toBe('one,false,false,false,false,,false,idle,0,0')
    const clock = new TestClock(Date.now() + 5000)
    const client = createStore({ clock, initialState })
    const other = deferredEndpoint('other')
    void client.controller.fetch(other, {}).catch(() => {})
    const root = await act(async () =>
      hydrateRoot(host, h(DataProvider, { store: client, devButton: null }, h(Show)), {
        onRecoverableError: (error) => errors.push(error),
      }),
    )
    // The data is old by now: it is refetched.
    expect(host.textContent).toBe('one,false,true,true,true,,false,idle,2,0')
    expect(errors).toEqual([])
    expect(consoleError).not.toHaveBeenCalled()
    await act(async () => root.unmount())
  })
})

test('DLE-10 refetch sends the request, fails silently, and is the same function', async () => {
  const ep = get(soft)
  const functions = new Set<unknown>()
  let last: any
  const { Probe } = probe(({ id }) => {
    last = useDLE(ep, id === undefined ? null : { id }) as any
    functions.add(last.refetch)
    return `${last.data?.title} ${last.error?.message} ${last.refetchError?.message}`
  })
  const screen = await show(h(Probe, { id: '1' }))
  await settle(() => ep.calls[0].fail(Object.assign(new Error('down'), { status: 400 })))
  expect(screen.text()).toBe('undefined down undefined')
  await settle(() => expect(last.refetch()).toBeUndefined())
  await settle(() => ep.calls[1].answer(one))
  expect(screen.text()).toBe('one undefined undefined')
  await settle(() => last.refetch())
  await settle(() => ep.calls[2].fail(Object.assign(new Error('busy'), { status: 503 })))
  expect(screen.text()).toBe('one undefined busy')
  expect(functions.size).toBe(1)
  await settle(() => screen.rerender(h(Probe, {})))
  last.refetch()
  expect(ep.calls).toHaveLength(3)
})

describe('HK-8 useSuspense keeps the screen by React itself', () => {
  test('HK-8 a transition, and useDeferredValue', async () => {
    const ep = get()
    let setId!: (id: string) => void
    const Title = ({ id }: { id: string }): ReactNode => (useSuspense(ep, { id }) as any).title
    const App = (): ReactNode => {
      const [id, set] = useState('1')
      setId = set
      const deferred = useDeferredValue(id)
      return h(
        'p',
        { style: { opacity: id === deferred ? 1 : 0.5 } },
        h(Title, { id: deferred }),
        id === deferred ? '' : '…',
      )
    }
    const screen = await show(h(App))
    await settle(() => ep.calls[0].answer(one))
    await settle(() => setId('2'))
    expect(screen.text()).toBe('one…')
    await settle(() => ep.calls[1].answer({ id: '2', title: 'two' }))
    expect(screen.text()).toBe('two')
    await settle(() => startTransition(() => setId('3')))
    expect(screen.text()).toBe('two')
    await settle(() => ep.calls[2].answer({ id: '3', title: 'three' }))
    expect(screen.text()).toBe('three')
  })
})

test.skipIf(is18)('DLE-1 RCT-6 hidden by an Activity and shown again', async () => {
  const { Activity } = react as any
  const ep = get()
  const { Probe } = probe(() => {
    const { data, fetching } = useDLE(ep, args) as any
    return `${data?.title} ${fetching}`
  })
  const App = ({ mode }: { mode: string }): ReactNode => [
    h(Activity, { mode, key: 1 }, h(Probe)),
    h(Cached, { key: 2 }),
  ]
  const Cached = (): ReactNode => ` ${(useCache(ep, args) as any)?.title}`
  const screen = await show(h(App, { mode: 'visible' }))
  await settle(() => ep.calls[0].answer(one))
  await act(async () => screen.rerender(h(App, { mode: 'hidden' })))
  await settle(() => void screen.store.controller.fetch(ep, args))
  await act(async () => screen.rerender(h(App, { mode: 'visible' })))
  expect(screen.text()).toBe('one true one')
  await settle(() => ep.calls[1].answer({ id: '1', title: 'two' }))
  expect(screen.text()).toBe('two false two')
})
