// @vitest-environment happy-dom
import { type ReactNode } from 'react'
import { Collection, Query, resource, RestEndpoint } from 'restitch'
import { useInfinite, useInfiniteDLE } from 'restitch/react'
import { describe, expect, test } from 'vitest'
import { deferred } from '../../src/testing/outcomes.ts'
import { act, counted, h, open, settle, show, tick, Todo, deferredEndpoint } from './cases.ts'

const PAGES: Record<string, string[]> = { '1': ['a', 'b'], '2': ['c', 'd'], '3': ['e'], '4': [] }
const items = (page: string): object[] => PAGES[page]!.map((id) => ({ id, title: id }))

/** Serves pages of `/todos` by a rule of the test, and records the requests. */
function serve(answer: (page: string) => Response): { asked: string[]; fetchResponse: any; fails: { now: boolean } } {
  const asked: string[] = []
  const fails = { now: false }
  const fetchResponse = (url: string): Promise<Response> => {
    const page = new URL(url, 'http://a.test').searchParams.get('page') ?? '1'
    asked.push(page)
    if (fails.now) {
      return Promise.reject(Object.assign(new Error('down'), { status: 503 }))
    }
    return Promise.resolve(answer(page))
  }
  return { asked, fetchResponse, fails }
}

const last = (page: string): boolean => !PAGES[String(Number(page) + 1)]?.length

// The ways in which servers say that there is more.
const WAYS: [name: string, make: () => { endpoint: any; asked: string[]; fails: { now: boolean }; pages: string[] }][] =
  [
    [
      'page numbers',
      () => {
        const { asked, fetchResponse, fails } = serve((page) => Response.json(items(page)))
        const { getList } = resource({ path: '/todos/:id', schema: Todo, paginationField: 'page' })
        return { endpoint: getList.extend({ fetchResponse }), asked, fails, pages: ['1', '2', '3', '4'] }
      },
    ],
    [
      'cursors in the response',
      () => {
        const { asked, fetchResponse, fails } = serve((page) =>
          Response.json({ results: items(page), next: last(page) ? null : String(Number(page) + 1) }),
        )
        const endpoint = new RestEndpoint({
          path: '/todos',
          schema: { results: new Collection([Todo]), next: '' },
          paginationField: 'page',
          getNextPage: ({ next }: any) => next ?? undefined,
          fetchResponse,
        } as any)
        return { endpoint, asked, fails, pages: ['1', '2', '3'] }
      },
    ],
    [
      'link headers',
      () => {
        const { asked, fetchResponse, fails } = serve((page) =>
          Response.json(items(page), {
            headers: last(page) ? {} : { link: `<http://a.test/todos?page=${Number(page) + 1}>; rel="next"` },
          }),
        )
        const endpoint = new RestEndpoint({
          path: '/todos',
          searchParams: {} as { page?: string },
          schema: { results: new Collection([Todo]), link: '' },
          async parseResponse(response: Response) {
            return { results: await response.json(), link: response.headers.get('link') ?? '' }
          },
          getNextPage({ link }: any) {
            const [, url] = /<([^>]+)>; rel="next"/.exec(link) ?? []
            return url ? [Object.fromEntries(new URL(url).searchParams)] : undefined
          },
          fetchResponse,
        } as any)
        return { endpoint, asked, fails, pages: ['1', '2', '3'] }
      },
    ],
  ]

describe.each(WAYS)('PAG-5 useInfinite with %s', (_name, make) => {
  test('PAG-5 PAG-1 loads page after page until the end', async () => {
    const { endpoint, asked, fails, pages } = make()
    let list: any
    const List = ({ params }: { params: any }): ReactNode => {
      list = useInfinite(endpoint, params)
      return [
        list.items?.map(({ id }: any) => id).join(),
        list.fetchingNextPage ? '…' : '',
        list.hasNextPage ? '>' : '',
      ]
    }
    const screen = await show(h(List, { params: {} }))
    await settle(() => new Promise((done) => setTimeout(done, 5)))
    expect(screen.text()).toBe('a,b>')
    const { fetchNextPage } = list
    let both!: Promise<void>[]
    await act(async () => {
      both = [list.fetchNextPage(), list.fetchNextPage()]
      await tick()
    })
    expect(both[0]).toBe(both[1])
    await settle(() => both[0])
    expect(screen.text()).toBe('a,b,c,d>')
    fails.now = true
    await settle(() => list.fetchNextPage())
    expect(list).toMatchObject({ error: { status: 503 }, fetchingNextPage: false, hasNextPage: true })
    fails.now = false
    for (let i = 0; i < 5 && list.hasNextPage; i++) {
      await settle(() => list.fetchNextPage())
    }
    expect(screen.text()).toBe('a,b,c,d,e')
    expect(list).toMatchObject({ error: undefined, fetchingNextPage: false, hasNextPage: false })
    expect(list.fetchNextPage).toBe(fetchNextPage)
    await settle(() => list.fetchNextPage())
    expect([...new Set(asked)]).toEqual(pages)
    await settle(() => screen.rerender(h(List, { params: null })))
    expect(list).toMatchObject({ items: undefined, hasNextPage: false })
    await settle(() => list.fetchNextPage())
  })
})

describe('PAG-5 a page that changes no item', () => {
  const make = (): any => {
    const { getList } = resource({ path: '/todos/:id', schema: Todo, paginationField: 'page' })
    return getList.extend({ fetch: async (params: any) => (params?.page ? [] : items('1')) } as any)
  }
  const shown: any[] = []
  const List = counted(({ endpoint, at }: { endpoint: any; at: number }): ReactNode => {
    shown[at] = useInfinite(endpoint)
    return shown[at].hasNextPage ? 'more ' : 'end '
  })
  const WAYS_TO_COME: [name: string, come: (endpoint: any, controller: any) => unknown][] = [
    ['one of the readers', () => shown[0].fetchNextPage()],
    ['the controller', (endpoint, controller) => controller.fetch(endpoint.getPage, { page: 2 })],
    ['setResponse', (endpoint, controller) => controller.setResponse(endpoint.getPage, { page: 2 }, [])],
  ]

  test.each(WAYS_TO_COME)(
    'PAG-5 RCT-8 notifies every reader that there is no next page, fetched by %s',
    async (_by, come) => {
      const endpoint = make()
      const screen = await show([h(List, { endpoint, at: 0, key: 0 }), h(List, { endpoint, at: 1, key: 1 })])
      await settle(() => tick())
      expect(screen.text()).toBe('more more ')
      const { items: before } = shown[1]
      await settle(() => come(endpoint, screen.store.controller))
      expect(screen.text()).toBe('end end ')
      expect(shown[1].items).toBe(before)
      // The same once more is no news.
      List.renders = 0
      await settle(() => screen.store.controller.fetch(endpoint.getPage, { page: 2 }))
      await settle(() => shown[1].fetchNextPage())
      expect(List.renders).toBe(0)
      screen.unmount()
      expect(screen.store.controller.core.store.pagers.size).toBe(0)
    },
  )
})

test('PAG-5 an endpoint without pages has no next one; a query shows its result', async () => {
  const fetchResponse = (): Promise<Response> => Promise.resolve(Response.json(items('1')))
  const sorted = new Query(new Collection([Todo]), (todos: any[]) => todos.toReversed())
  const endpoint = new RestEndpoint({ path: '/todos', schema: sorted, fetchResponse } as any)
  let list: any
  const List = (): ReactNode => {
    list = useInfinite(endpoint as any)
    return list.items.map(({ id }: any) => id).join()
  }
  const screen = await show(h(List))
  await settle(() => new Promise((done) => setTimeout(done, 5)))
  expect(screen.text()).toBe('b,a')
  expect(list.hasNextPage).toBe(false)
})

describe('a list with several pages that is fetched again', () => {
  type Trigger = (controller: any, endpoint: any) => unknown
  const TRIGGERS: [name: string, trigger: Trigger][] = [
    ['expireAll', (controller, endpoint) => controller.expireAll(endpoint)],
    ['invalidate', (controller, endpoint) => controller.invalidate(endpoint)],
    ['fetch', (controller, endpoint) => void controller.fetch(endpoint)],
  ]
  test.each(TRIGGERS)('PAG-7 stays on the screen, and loses what the server deleted: by %s', async (_name, trigger) => {
    let rows = ['a', 'b', 'c', 'd', 'e', 'f']
    let wait: Promise<void> | undefined
    const { getList } = resource({ path: '/todos/:id', schema: Todo, paginationField: 'page' })
    const requests: unknown[] = []
    const endpoint = getList.extend({
      fetch: async ({ page = 1 }: any = {}) => {
        requests.push(page)
        await wait
        return rows.slice(page * 2 - 2, page * 2).map((id) => ({ id, title: id }))
      },
    } as any) as any
    const shown = new Set<string>()
    let list: any
    const List = (): ReactNode => {
      list = useInfinite(endpoint)
      const text = list.items.map(({ id }: any) => id).join('')
      shown.add(text)
      return text
    }
    const screen = await show(h(List), { strict: true })
    await settle(() => tick())
    await settle(() => list.fetchNextPage())
    await settle(() => list.fetchNextPage())
    expect(screen.text()).toBe('abcdef')
    shown.clear()
    requests.length = 0
    rows = ['a', 'b', 'd', 'e', 'f']
    const held = deferred<void>()
    wait = held.promise
    await settle(() => trigger(screen.store.controller, endpoint))
    expect(screen.text()).toBe('abcdef')
    await settle(() => held.resolve())
    await settle(() => screen.clock.pass(0))
    expect(screen.text()).toBe('abdef')
    expect(requests).toEqual([1, 2, 3])
    expect([...shown].filter((text) => text !== 'abcdef')).toEqual(['abdef'])
  })
})

/** A timeline that can be read in both directions: `page` is a cursor, and each response names its neighbours. */
function timeline(): { endpoint: any; calls: any[] } {
  const calls: any[] = []
  const endpoint = new RestEndpoint({
    path: '/timeline',
    schema: { items: new Collection([Todo]), newer: '', older: '' },
    paginationField: 'page',
    getNextPage: ({ older }: any) => older,
    getPreviousPage: ({ newer }: any) => newer,
  } as any).extend({
    fetch: (params: any) =>
      new Promise((resolve, reject) => void calls.push({ page: params?.page, answer: resolve, fail: reject })),
  } as any)
  return { endpoint, calls }
}
const part = (ids: string, newer?: string, older?: string): object => ({
  items: ids.split('').map((id) => ({ id, title: id })),
  newer,
  older,
})

const HOOKS: [name: string, useHook: (endpoint: any) => any][] = [
  ['useInfinite', (endpoint) => useInfinite(endpoint)],
  ['useInfiniteDLE', (endpoint) => useInfiniteDLE(endpoint)],
]

describe.each(HOOKS)('PAG-9 PAG-10 %s', (_name, useHook) => {
  test.each([false, true])(
    'PAG-9 PAG-10 RE-30 reads in both directions, and a page that fails loses no other (Strict Mode: %s)',
    async (strict) => {
      const { endpoint, calls } = timeline()
      let list: any
      const List = counted((): ReactNode => {
        list = useHook(endpoint)
        return list.loading ? 'loading' : list.items.map(({ id }: any) => id).join('')
      })
      const screen = await show(h(List), { strict })
      expect(screen.text()).toBe('loading')
      await settle(() => calls[0].answer(part('ef', 'n1', 'o1')))
      expect(screen.text()).toBe('ef')
      expect(list).toMatchObject({
        hasNextPage: true,
        hasPreviousPage: true,
        fetchingNextPage: false,
        error: undefined,
      })
      List.renders = 0
      // Both at the same time.
      await settle(() => {
        void list.fetchNextPage()
        void list.fetchPreviousPage()
        void list.fetchPreviousPage()
      })
      expect(calls.map(({ page }) => page)).toEqual([undefined, 'o1', 'n1'])
      expect(list).toMatchObject({ fetchingNextPage: true, fetchingPreviousPage: true })
      expect(List.renders).toBe(strict ? 2 : 1)
      await settle(() => calls[2].answer(part('cd', 'n2', 'x')))
      expect(screen.text()).toBe('cdef')
      expect(list).toMatchObject({ fetchingNextPage: true, fetchingPreviousPage: false })
      await settle(() => calls[1].fail(new Error('no')))
      expect(list).toMatchObject({ error: { message: 'no' }, hasNextPage: true, fetchingNextPage: false })
      expect(screen.text()).toBe('cdef')
      await settle(() => void list.fetchNextPage())
      await settle(() => calls[3].answer(part('gh')))
      await settle(() => void list.fetchPreviousPage())
      await settle(() => calls[4].answer(part('ab')))
      expect(screen.text()).toBe('abcdefgh')
      expect(list).toMatchObject({ error: undefined, hasNextPage: false, hasPreviousPage: false })
      await settle(() => (list.fetchNextPage(), list.fetchPreviousPage()))
      expect(calls).toHaveLength(5)
    },
  )
})

test('PAG-10 useInfiniteDLE reports that the first page is loading or has failed, and renders once for each change', async () => {
  const list = deferredEndpoint('list', new Collection([Todo]))
  const { store, clock } = open()
  let seen: any
  const List = counted(() => {
    seen = useInfiniteDLE(list, {})
    return `${seen.loading} ${seen.items?.length} ${seen.error?.message}`
  })
  const screen = await show(h(List), { store, clock })
  expect([screen.text(), List.renders]).toEqual(['true undefined undefined', 1])
  await settle(() => list.calls[0].fail(new Error('no')))
  expect([screen.text(), List.renders]).toEqual(['false undefined no', 2])
  await settle(() => void store.controller.fetch(list, {}).catch(() => {}))
  await settle(() => list.calls[1].answer([{ id: '1', title: 'one' }]))
  expect([screen.text(), List.renders]).toEqual(['false 1 undefined', 3])
  // Invalidated, the items stay until they are fetched again.
  await settle(() => store.controller.invalidate(list, {}))
  expect(screen.text()).toBe('false 1 undefined')
})

describe('a list that changes while it is shown', () => {
  /** A list of numbers, newest first, three to a page; a page is named by the last item of the one before. */
  function numbers(rows: () => number[]): any {
    return new RestEndpoint({
      path: '/todos',
      schema: { results: new Collection([Todo]), next: '' },
      paginationField: 'before',
      getNextPage: ({ next }: any) => next,
      fetchResponse: (url: string) => {
        const before = Number(new URL(url, 'http://a.test').searchParams.get('before') ?? Infinity)
        const page = rows()
          .filter((row) => row < before)
          .slice(0, 3)
        const isLast = page.at(-1) === rows().at(-1)
        return Promise.resolve(
          Response.json({ results: page.map((id) => ({ id: `${id}`, title: '' })), next: isLast ? null : page.at(-1) }),
        )
      },
    } as any)
  }

  async function showNumbers(rows: () => number[]): Promise<{ pages: () => any; screen: any; endpoint: any }> {
    const endpoint = numbers(rows)
    let pages: any
    const List = (): ReactNode => {
      pages = useInfinite(endpoint)
      return pages.items.map(({ id }: Todo) => id).join(' ')
    }
    const screen = await show(h(List))
    await settle(() => tick())
    return { pages: () => pages, screen, endpoint }
  }

  test('PAG-7 EXT-11 the next page waits for a refetch of the list, and follows its new end', async () => {
    let rows = [15, 14, 13, 12, 11, 10]
    const { pages, screen, endpoint } = await showNumbers(() => rows)
    expect(screen.text()).toBe('15 14 13')
    rows = [19, 18, 17, 16, ...rows]
    await settle(async () => {
      void screen.store.controller.expireAll(endpoint)
      await tick()
      await pages().fetchNextPage()
    })
    await settle(() => tick())
    expect(screen.text()).toBe('19 18 17 16 15 14')
  })

  test('PAG-7 a refetch keeps all pages when an item is replaced by another', async () => {
    let rows = [9, 8, 7, 6, 5, 4, 3, 2]
    const { pages, screen, endpoint } = await showNumbers(() => rows)
    await settle(() => pages().fetchNextPage())
    await settle(() => pages().fetchNextPage())
    expect(screen.text()).toBe('9 8 7 6 5 4 3 2')
    rows = [9, 8, 7.5, 6, 5, 4, 3, 2]
    await settle(() => screen.store.controller.expireAll(endpoint))
    const look = async (): Promise<string> => {
      await settle(() => tick())
      return screen.text()
    }
    await expect.poll(look).toBe('9 8 7.5 6 5 4 3 2')
  })
})

test('PAG-11 PAG-7 a refetch that fails at a later page shows in refetchError; the next one that succeeds removes it', async () => {
  const { asked, fetchResponse, fails } = serve((page) => Response.json(items(page)))
  const { getList } = resource({ path: '/todos/:id', schema: Todo, paginationField: 'page' })
  const endpoint = getList.extend({
    fetchResponse: (url: string) => {
      fails.now = asked.length === 3
      return fetchResponse(url)
    },
  })
  let list: any
  const List = (): ReactNode => {
    list = useInfinite(endpoint)
    return [list.items.map(({ id }: any) => id).join(), list.stale ? ' stale' : '', list.refetchError ? ' failed' : '']
  }
  const screen = await show(h(List))
  await settle(() => tick())
  await settle(() => list.fetchNextPage())
  expect(screen.text()).toBe('a,b,c,d')
  await settle(() => list.refetch())
  await settle(() => tick())
  expect(asked).toEqual(['1', '2', '1', '2'])
  expect(screen.text()).toBe('a,b,c,d stale failed')
  expect(list).toMatchObject({ refetchError: { status: 503 }, error: undefined, fetching: false })
  await settle(() => list.refetch())
  await settle(() => tick())
  expect(screen.text()).toBe('a,b,c,d')
})

describe.each([useInfinite, useInfiniteDLE] as const)('%o', (useList: any) => {
  test('PAG-11 DLE-1 tells of the requests of the list, and renders for what is read', async () => {
    const list: any = deferredEndpoint(
      'list',
      { results: new Collection([Todo], { counts: ['total'] }), total: 0 },
      { dataExpiryLength: 100, errorPolicy: () => 'soft' },
    )
    const { store, clock } = open()
    const one = { results: [{ id: '1', title: 'one' }], total: 7 }
    await store.controller.setResponse(list, {}, one)
    const Items = counted(() => useList(list, {}).items.length)
    const Total = counted(() => useList(list, {}).data.total)
    let seen: any
    const All = counted(() => {
      const { items: _items, data: _data, ...rest } = useList(list, {})
      seen = rest
      return [seen.fetching ? 'fetching ' : '', seen.stale ? 'stale ' : '', seen.refetchError?.message]
    })
    const screen = await show([h(Items, { key: 1 }), ' ', h(Total, { key: 2 }), ' ', h(All, { key: 3 })], {
      store,
      clock,
    })
    expect(screen.text()).toBe('1 7 ')
    const { refetch } = seen
    expect(seen.fetchedAt).toBe(clock.now())
    Items.renders = Total.renders = 0
    await settle(() => clock.pass(101))
    expect(screen.text()).toBe('1 7 stale ')
    await settle(() => refetch())
    expect(screen.text()).toBe('1 7 fetching stale ')
    // A failure does not hide what is there, and does not stay silent.
    await settle(() => list.calls[0].fail(Object.assign(new Error('down'), { status: 503 })))
    expect(screen.text()).toBe('1 7 stale down')
    expect([Items.renders, Total.renders]).toEqual([0, 0])
    await settle(() => seen.refetch())
    await settle(() => list.calls[1].answer({ ...one, total: 8 }))
    expect(screen.text()).toBe('1 8 ')
    expect([Items.renders, Total.renders, seen.refetch === refetch]).toEqual([1, 1, true])
  })
})
