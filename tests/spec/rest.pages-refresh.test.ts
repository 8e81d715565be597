// A list with several pages is fetched again with all of them: by focus, by polls, when it is expired or invalidated.
import {
  Collection,
  createStore,
  deserializeState,
  serializeState,
  type State,
  Entity,
  FocusManager,
  getDefaultManagers,
  NetworkError,
  RestEndpoint,
  type Store,
} from 'restitch'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { readPages } from '../../src/testing/readPages.ts'
import { TestClock, tick } from '../../src/testing/TestClock.ts'
import { cases } from '../effort.ts'

class Item extends Entity {
  id = ''
  static override key = 'Item'
}

const SIZE = 2
const KINDS = ['page numbers', 'string cursors', 'links'] as const
type Kind = (typeof KINDS)[number]

/** A server whose responses a test can delay, and a store that reads its list. */
class World {
  rows: string[] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  readonly kind: Kind
  /** The cursors of all requests; the list itself is `-`. */
  readonly log: string[] = []
  /** Responses wait for `release` while it is true. */
  isSlow = false
  readonly waiting: (() => void)[] = []
  respond: (cursor: string) => Response | undefined = () => undefined
  readonly clock = new TestClock()
  readonly window = new EventTarget()
  readonly store: Store
  readonly list: any
  /** Every state that a reader was notified of. */
  readonly states: string[] = []

  constructor(kind: Kind, more: object = {}, initialState?: State) {
    this.kind = kind
    this.list = new RestEndpoint({
      path: '/items',
      schema: { items: new Collection([Item]), next: '' },
      paginationField: 'cursor',
      ...(kind === 'links' && { getNextPage: (value: any) => value.next }),
      fetchResponse: (url: string) => this.serve(url),
      ...more,
    } as never)
    const { clock, window } = this
    const focus = new FocusManager({ page: undefined, window: window as never })
    this.store = createStore({ clock, random: () => 0, initialState, managers: [focus, ...getDefaultManagers()] })
  }

  get shown(): string {
    return (this.store.view(this.list, {}).read().data as any)?.items?.map(({ id }: Item) => id).join('') ?? ''
  }

  /** Mounts a reader and loads three pages. */
  async open(pages = 2): Promise<() => void> {
    const stop = this.store.subscribe(this.list, [{}] as never, () => this.states.push(this.shown))
    await this.settle()
    const cursors: any = this.kind === 'page numbers' ? [2, 3, 4] : this.rows.filter((_, i) => i % SIZE === 1)
    for (const cursor of cursors.slice(0, pages)) {
      await this.store.controller.fetch(this.list.getPage, { cursor } as never)
    }
    this.log.length = 0
    this.states.length = 0
    return stop
  }

  async settle(): Promise<void> {
    for (let i = 0; i < 8; i++) {
      await this.clock.pass(0)
      await new Promise((done) => setImmediate(done))
    }
  }

  async release(): Promise<void> {
    this.waiting.shift()?.()
    await this.settle()
  }

  private async serve(url: string): Promise<Response> {
    const cursor = new URL(url, 'http://a.test').searchParams.get('cursor') ?? '-'
    this.log.push(cursor)
    if (this.isSlow) {
      await new Promise<void>((done) => this.waiting.push(done))
    }
    const response = this.respond(cursor) ?? this.page(cursor)
    if (!response.ok) {
      throw new NetworkError(response, url)
    }
    return response
  }

  private page(cursor: string): Response {
    const after = this.rows.findIndex((id) => id > cursor)
    const isNumber = this.kind === 'page numbers'
    const start = cursor === '-' ? 0 : isNumber ? (Number(cursor) - 1) * SIZE : after < 0 ? this.rows.length : after
    const page = this.rows.slice(start, start + SIZE)
    const next = start + SIZE < this.rows.length ? page.at(-1) : null
    return Response.json({ items: page.map((id) => ({ id })), next })
  }
}

const cursorsOf = (kind: Kind): string[] => (kind === 'page numbers' ? ['-', '2', '3'] : ['-', 'b', 'd'])

type Trigger = (world: World) => unknown
const TRIGGERS: [name: string, trigger: Trigger][] = [
  ['expireAll', ({ store, list }) => store.controller.expireAll(list)],
  ['invalidate', ({ store, list }) => store.controller.invalidate(list, {} as never)],
  ['invalidateAll', ({ store, list }) => store.controller.invalidateAll(list)],
  ['fetch', ({ store, list }) => void store.controller.fetch(list, {} as never)],
  [
    'focus',
    async ({ clock, window }) => {
      await clock.pass(100_000)
      window.dispatchEvent(new Event('focus'))
    },
  ],
  [
    'a poll',
    async ({ store, list, clock }) => {
      await store.controller.subscribe(list.extend({ pollFrequency: 5_000 }), {} as never)
      await clock.pass(5_000)
    },
  ],
]

const FAILURES: [how: string, respond: () => Response][] = [
  ['fails', () => new Response('', { status: 503 })],
  ['is refused', () => Response.json({ items: 'none' })],
]

describe.each(KINDS)('by %s', (kind) => {
  test.each(TRIGGERS)('PAG-7 all loaded pages are fetched again, in order: by %s', async (_name, trigger) => {
    const world = new World(kind)
    const stop = await world.open()
    expect(world.shown).toBe('abcdef')
    // The second page loses a row; the list itself and the last page stay as they were.
    world.rows = ['a', 'b', 'd', 'e', 'f', 'g', 'h']
    await trigger(world)
    await world.settle()
    expect(world.log).toEqual(kind === 'links' ? ['-', 'b', 'e'] : cursorsOf(kind))
    expect(world.shown).toBe(kind === 'string cursors' ? 'abdef' : 'abdefg')
    // Nobody was shown anything between the old list and the new one.
    expect(world.states.filter((state) => !['abcdef', world.shown].includes(state))).toEqual([])
    stop()
    world.store.stop()
  })

  test('PAG-7 the list stays on the screen while its pages are fetched, and a second reader joins', async () => {
    const world = new World(kind)
    await world.open()
    world.rows = ['c', 'd', 'e', 'f', 'g', 'h']
    world.isSlow = true
    await world.store.controller.expireAll(world.list)
    for (let i = 0; i < 3; i++) {
      await world.settle()
      expect(world.shown).toBe('abcdef')
      expect(world.log).toHaveLength(i + 1)
      const other = world.store.subscribe(world.list, [{}] as never, () => {})
      await world.settle()
      expect(world.log).toHaveLength(i + 1)
      other()
      await world.release()
    }
    // Without getNextPage the cursors are those of before.
    expect(world.shown).toBe(kind === 'string cursors' ? 'cdef' : 'cdefgh')
    expect(world.states.filter((state) => !['abcdef', world.shown].includes(state))).toEqual([])
  })

  test('PAG-7 pages that the server does not have any more are gone', async () => {
    const world = new World(kind)
    await world.open()
    world.rows = ['a', 'b', 'c']
    await world.store.controller.expireAll(world.list)
    await world.settle()
    expect(world.shown).toBe('abc')
    expect(world.log).toEqual(kind === 'links' ? ['-', 'b'] : cursorsOf(kind))
    world.rows = ['x']
    await world.store.controller.invalidate(world.list, {} as never)
    await world.settle()
    expect(world.shown).toBe('x')
  })

  test.each(FAILURES)('PAG-7 EXT-11 a page in the middle that %s leaves the list as it is', async (_how, respond) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const world = new World(kind)
    await world.open()
    world.rows = ['a', 'b', 'd', 'e', 'f', 'g', 'h']
    world.respond = (cursor) => (['3', 'd', 'e'].includes(cursor) ? respond() : undefined)
    const fetching = world.store.controller.fetch(world.list, {} as never)
    await expect(fetching).rejects.toBeInstanceOf(Error)
    await world.settle()
    expect(world.shown.replace('c', '')).toBe('abdef')
    expect((world.store.view(world.list, {}).read() as any).error).toBeUndefined()
    expect(world.store.controller.core.requests.open.size).toBe(0)
    world.respond = () => undefined
    await world.store.controller.fetch(world.list, {} as never)
    expect(world.shown).toBe(kind === 'string cursors' ? 'abdef' : 'abdefg')
    vi.restoreAllMocks()
  })

  test.each(FAILURES)('PAG-7 after invalidate, a page in the middle that %s loses nothing', async (_how, respond) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const world = new World(kind)
    await world.open()
    world.respond = (cursor) => (['3', 'd'].includes(cursor) ? respond() : undefined)
    await world.store.controller.invalidate(world.list, {} as never)
    await world.settle()
    expect(world.shown).toBe('abcdef')
    world.respond = () => undefined
    await world.store.controller.fetch(world.list, {} as never)
    expect(world.shown).toBe('abcdef')
    expect(world.store.view(world.list, {}).read().expiryStatus).toBe(3)
    vi.restoreAllMocks()
  })

  test('PAG-8 RE-29 maxPages limits how many pages are fetched again; later ones leave the list', async () => {
    const world = new World(kind, { maxPages: 2 })
    await world.open()
    expect(world.shown).toBe('abcdef')
    await world.store.controller.expireAll(world.list)
    await world.settle()
    expect(world.log).toEqual(cursorsOf(kind).slice(0, 2))
    expect(world.shown).toBe('abcd')
  })

  test('PAG-7 a page that was loaded while the others were fetched again stays', async () => {
    const world = new World(kind)
    await world.open()
    world.isSlow = true
    const refetch = world.store.controller.fetch(world.list, {} as never)
    await world.release()
    const more = world.store.controller.fetch(world.list.getPage, {
      cursor: kind === 'page numbers' ? 4 : 'f',
    } as never)
    for (let i = 0; i < 4; i++) {
      await world.release()
    }
    await Promise.all([refetch, more])
    expect(world.shown).toBe('abcdefgh')
  })

  test('NET-16 PAG-7 a refetch that has begun fetches its remaining pages during the Retry-After of another page', async () => {
    const world = new World(kind)
    await world.open()
    const { controller } = world.store
    world.rows = ['a', 'b', 'd', 'e', 'f', 'g', 'h']
    const last = kind === 'page numbers' ? 4 : 'g'
    const headers = { 'retry-after': '30' }
    world.respond = (cursor) => (cursor === `${last}` ? new Response('', { status: 503, headers }) : undefined)
    world.isSlow = true
    await controller.expireAll(world.list)
    await world.settle()
    const other = controller.fetch(world.list.getPage, { cursor: last } as never)
    other.catch(() => {})
    await world.settle()
    const [list] = world.waiting.splice(0, 1)
    await world.release()
    await expect(other).rejects.toMatchObject({ status: 503 })
    expect(controller.core.result(world.list.key({})).pace.retryAt).toBe(world.clock.now() + 30_000)
    world.waiting.push(list!)
    for (let i = 0; i < 3; i++) {
      await world.release()
    }
    expect(world.log).toEqual(['-', `${last}`, ...(kind === 'links' ? ['b', 'e'] : cursorsOf(kind).slice(1))])
    expect(world.shown).toBe(kind === 'string cursors' ? 'abdef' : 'abdefg')
  })

  test('NET-16 PAG-7 a list that is stored after its pages does not end a Retry-After that came since its response', async () => {
    const world = new World(kind)
    await world.open()
    const { controller } = world.store
    const last = kind === 'page numbers' ? 4 : 'g'
    const headers = { 'retry-after': '30' }
    world.respond = (cursor) => (cursor === `${last}` ? new Response('', { status: 503, headers }) : undefined)
    world.isSlow = true
    const refetch = controller.fetch(world.list, {} as never)
    await world.settle()
    await world.release()
    const other = controller.fetch(world.list.getPage, { cursor: last } as never)
    other.catch(() => {})
    await world.settle()
    for (let i = 0; i < 3; i++) {
      await world.release()
    }
    await expect(other).rejects.toMatchObject({ status: 503 })
    await refetch
    expect(controller.core.result(world.list.key({})).pace.retryAt).toBe(world.clock.now() + 30_000)
  })

  test('NET-16 PAG-7 a refetch that fails with the Retry-After of a page can be repeated when that is over', async () => {
    const world = new World(kind)
    const stop = await world.open()
    const headers = { 'retry-after': '30' }
    world.respond = (cursor) => (cursor === '-' ? undefined : new Response('', { status: 503, headers }))
    await world.store.controller.expireAll(world.list)
    await world.settle()
    expect(world.log).toHaveLength(2)
    world.respond = () => undefined
    await world.store.controller.expireAll(world.list)
    await world.clock.pass(29_999)
    expect(world.log).toHaveLength(2)
    await world.clock.pass(1)
    await world.settle()
    expect(world.log).toHaveLength(5)
    stop()
  })

  test('PAG-7 NET-17 expireAll repeats a refetch that has failed because of a page, as often as it is called', async () => {
    const world = new World(kind)
    const stop = await world.open()
    world.respond = (cursor) => (cursor === '-' ? undefined : new Response('', { status: 500 }))
    for (let i = 0; i < 5; i++) {
      world.log.length = 0
      await world.store.controller.expireAll(world.list)
      await world.settle()
      expect(world.log).toHaveLength(2)
    }
    stop()
  })

  test('PAG-7 a list whose own response is empty keeps its pages, unless that is the end', async () => {
    const world = new World(kind)
    await world.open()
    world.respond = (cursor) => (cursor === '-' ? Response.json({ items: [], next: null }) : undefined)
    await world.store.controller.fetch(world.list, {} as never)
    expect(world.shown).toBe(kind === 'links' ? '' : 'cdef')
  })

  test('PAG-7 without readers the pages are not fetched either', async () => {
    const world = new World(kind)
    const stop = await world.open()
    world.isSlow = true
    await world.store.controller.expireAll(world.list)
    await world.settle()
    await world.release()
    expect(world.log).toHaveLength(2)
    stop()
    await world.settle()
    expect(world.store.controller.core.requests.open.size).toBe(0)
    await world.release()
    expect(world.log).toHaveLength(2)
    expect(world.shown).toBe('abcdef')
  })

  test('PAG-7 a reset, or an abort, in the middle ends all of it', async () => {
    for (const end of [
      (world: World) => world.store.controller.resetEntireStore(),
      (world: World) => world.store.controller.abort(world.list, {} as never),
    ]) {
      const world = new World(kind)
      const stop = await world.open()
      stop()
      world.isSlow = true
      const refetch = world.store.controller.fetch(world.list, {} as never)
      refetch.catch(() => {})
      await world.settle()
      await world.release()
      await end(world)
      await expect(refetch).rejects.toBeInstanceOf(Error)
      expect(world.store.controller.core.requests.open.size).toBe(0)
    }
  })

  test('PAG-7 invalidated in the middle, everything is fetched once more', async () => {
    const world = new World(kind)
    await world.open()
    world.isSlow = true
    const refetch = world.store.controller.fetch(world.list, {} as never)
    await world.settle()
    await world.release()
    world.rows = ['a', 'b', 'd', 'e', 'f', 'g', 'h']
    await world.store.controller.invalidate(world.list, {} as never)
    world.isSlow = false
    world.waiting.splice(0).forEach((done) => done())
    await world.settle()
    await refetch
    expect(world.shown).toBe(kind === 'string cursors' ? 'abdef' : 'abdefg')
  })
})

test('PAG-7 a page that a caller fetches is a request of its own, and goes on when the refetch is aborted', async () => {
  const world = new World('page numbers')
  const stop = await world.open()
  stop()
  world.isSlow = true
  const refetch = world.store.controller.fetch(world.list, {} as never)
  refetch.catch(() => {})
  await world.settle()
  await world.release()
  const page = world.store.controller.fetch(world.list.getPage, { cursor: 2 } as never)
  await world.settle()
  expect(world.log).toEqual(['-', '2', '2'])
  await world.store.controller.abort(world.list, {} as never)
  await world.release()
  await world.release()
  expect(((await page) as any).items).toHaveLength(6)
  expect(world.store.controller.core.requests.open.size).toBe(0)
})

test.each([503, 403])(
  'PAG-7 NET-17 a refetch that fails because of a page (%s) is stored as a soft error, and is sent once, also after two expireAll in one task',
  async (status) => {
    const world = new World('page numbers')
    const stop = await world.open()
    const { controller } = world.store
    world.respond = (cursor) => (cursor === '3' ? new Response('', { status }) : undefined)
    void controller.expireAll(world.list)
    void controller.expireAll(world.list)
    await world.settle()
    await world.clock.pass(5_000)
    await world.settle()
    expect(world.log).toEqual(['-', '2', '3'])
    expect(world.store.view(world.list, {}).read()).toMatchObject({ error: undefined })
    expect([world.shown, controller.core.getState().meta[world.list.key({})]]).toMatchObject([
      'abcdef',
      { error: { status }, errorPolicy: 'soft' },
    ])
    world.respond = () => undefined
    await controller.expireAll(world.list)
    await world.settle()
    expect(controller.core.getState().meta[world.list.key({})]!.error).toBe(undefined)
    stop()
  },
)

test('PAG-7 an abort of a page ends the refetch, even if the page has responded', async () => {
  for (const responses of [1, 2]) {
    const world = new World('page numbers')
    const stop = await world.open()
    stop()
    world.rows = ['a', 'b', 'd', 'e', 'f', 'g', 'h']
    world.isSlow = true
    const refetch = world.store.controller.fetch(world.list, {} as never)
    refetch.catch(() => {})
    await world.settle()
    for (let i = 0; i < responses; i++) {
      await world.release()
    }
    await world.store.controller.abort(world.list.getPage, { cursor: 2 } as never)
    await expect(refetch).rejects.toMatchObject({ name: 'AbortError' })
    expect(world.shown).toBe('abcdef')
    expect(world.store.controller.core.requests.open.size).toBe(0)
  }
})

test('PAG-7 a refetch rejects if getNextPage throws', async () => {
  const world = new World('links')
  const stop = await world.open()
  stop()
  world.isSlow = true
  const getNextPage = (): never => {
    throw new TypeError('no page')
  }
  const list: any = world.list.extend({ getNextPage } as never)
  const { controller } = world.store
  const refetch = controller.fetch(list, {} as never)
  refetch.catch(() => {})
  await world.settle()
  await world.release()
  await expect(refetch).rejects.toThrow('no page')
})

test('PAG-7 where pages are counted, a page that is not found is not there any more', async () => {
  const world = new World('page numbers')
  await world.open()
  world.rows = ['a', 'b', 'c', 'd']
  world.respond = (cursor) => (cursor === '3' ? new Response('', { status: 404 }) : undefined)
  await world.store.controller.fetch(world.list, {} as never)
  expect(world.shown).toBe('abcd')
})

test('PAG-7 PAG-1 an item that was pushed is gone when nothing of what was read to the end has it', async () => {
  const world = new World('links')
  await world.open(3)
  const { controller } = world.store
  await controller.set<any>(world.list.schema.items.push, {}, { id: 'z' })
  expect(world.shown).toBe('abcdefghz')
  await controller.fetch(world.list, {} as never)
  await tick()
  expect(world.shown).toBe('abcdefgh')
})

test.each(KINDS)(
  'PAG-7 ST-5 a list that was stored and restored is fetched again with all its pages, by %s',
  async (kind) => {
    const old = new World(kind)
    await old.open()
    const world = new World(kind, {}, deserializeState(serializeState(old.store.getState())))
    expect(world.shown).toBe('abcdef')
    world.rows = ['a', 'b', 'd', 'e', 'f', 'g', 'h']
    await world.store.controller.fetch(world.list, {} as never)
    expect(world.log).toEqual(kind === 'links' ? ['-', 'b', 'e'] : cursorsOf(kind))
    expect(world.shown).toBe(kind === 'string cursors' ? 'abdef' : 'abdefg')
  },
)

// The list and its pages, under inserts and deletes, refetched now and then: what is shown then is the server's.
test.each(KINDS)('PAG-7 property: a list that is fetched again is what the server has, by %s', async (kind) => {
  const step = fc.tuple(fc.constantFrom('insert', 'delete', 'more', 'more', 'refetch'), fc.nat(1_000))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const world = new World(kind)
      const { controller } = world.store
      const { tables } = controller.core.store
      await controller.fetch(world.list, {} as never)
      for (const [what, at] of [...steps, ['refetch', 0] as const]) {
        const letter = String.fromCodePoint(97 + (at % 26))
        if (what === 'insert') {
          world.rows = [...new Set([...world.rows, letter])].sort()
        }
        if (what === 'delete') {
          world.rows = world.rows.filter((row) => row !== letter)
        }
        if (what === 'more') {
          const cursor =
            kind === 'string cursors' ? world.shown.at(-1) : readPages(tables, world.list, [{}]).next?.[0].cursor
          await (cursor && controller.fetch(world.list.getPage, { cursor } as never))
        }
        if (what === 'refetch') {
          await controller.fetch(world.list, {} as never)
          const shown = world.shown.split('')
          // Cursors that stay the same have gaps between their pages where rows came, and overlap where rows went.
          const expected =
            kind === 'string cursors'
              ? world.rows.filter((row) => shown.includes(row))
              : world.rows.slice(0, SIZE * (1 + readPages(tables, world.list, [{}]).loaded))
          expect(shown).toEqual(expected)
        }
      }
    }),
    { numRuns: cases(60) },
  )
})

test('PAG-7 PAG-1 an item that was pushed stays until the list is fetched again', async () => {
  const world = new World('links')
  await world.open()
  const { controller } = world.store
  await controller.set<any>(world.list.schema.items.push, {}, { id: 'z' })
  expect(world.shown).toBe('abcdefz')
  await controller.fetch(world.list, {} as never)
  expect(world.shown).toBe('abcdef')
})
