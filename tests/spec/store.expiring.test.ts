// Readers that have no result of their own, and show the records of other results, follow what is expired.
import {
  createStore,
  deserializeState,
  Entity,
  getDefaultManagers,
  resource,
  serializeState,
  RestEndpoint,
} from 'restitch'
import { eventStream, LiveManager } from 'restitch/live'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'

class Ticket extends Entity {
  id = ''
  title = ''
  static override key = 'Ticket'
}

let rows: Map<string, { id: string; title: string }>
let lines: string[]
let stores: { stop(): void }[]
/** Requests whose responses wait until they are released. */
let holds: ReadonlySet<string>
let release: () => void
let streams: ReadableStreamDefaultController[]

beforeEach(() => {
  rows = new Map(['1', '2', '3'].map((id) => [id, { id, title: 'old' }]))
  lines = []
  stores = []
  holds = new Set()
  streams = []
  vi.stubGlobal('fetch', serve)
})
afterEach(() => {
  stores.forEach((store) => store.stop())
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** The server. */
async function serve(input: any, init: RequestInit): Promise<Response> {
  const { pathname } = new URL(String(input))
  if (pathname === '/events') {
    const body = new ReadableStream({ start: (stream) => void streams.push(stream) })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  const line = `${init.method ?? 'GET'} ${pathname}`
  lines.push(line)
  if (holds.has(line)) {
    await new Promise<void>((done) => (release = done))
  }
  const id = pathname.split('/')[2]
  if (pathname === '/touch') {
    return Response.json({})
  }
  if (id === undefined) {
    return Response.json([...rows.values()])
  }
  return rows.has(id) ? Response.json(rows.get(id)) : Response.json({ message: 'gone' }, { status: 404 })
}

const open = (options: { managers?: any[]; state?: any } = {}) => {
  const clock = new TestClock()
  const managers = [...(options.managers ?? []), ...getDefaultManagers()]
  const store = createStore({ clock, managers, initialState: options.state } as any)
  stores.push(store)
  const Tickets: any = resource({ urlPrefix: 'http://api', path: '/tickets/:id', schema: Ticket })
  const touch: any = new RestEndpoint({ urlPrefix: 'http://api', path: '/touch', method: 'POST', body: undefined })
  /** Lets all requests in flight settle, and `ms` pass. */
  const rest = async (ms = 0): Promise<void> => {
    await clock.pass(ms)
    for (let i = 0; i < 6; i++) {
      await new Promise((done) => setImmediate(done))
      await clock.pass()
    }
  }
  const read = (endpoint: any, ...args: any[]) => {
    const view = store.view(endpoint, ...(args as []))
    let notified = 0
    const end = view.subscribe(() => notified++)
    return {
      end,
      view,
      get title(): any {
        return (view.read().data as any)?.title
      },
      get error(): any {
        return view.read().error
      },
      get notified() {
        return notified
      },
    }
  }
  return { ...store, clock, Tickets, touch, rest, read }
}

/** A store with the list, and a reader of one of its records that needed no request. */
const shown = async (options?: { managers?: any[] }) => {
  const it = open(options)
  await it.controller.fetch(it.Tickets.getList)
  const detail = it.read(it.Tickets.get, { id: '1' })
  await it.rest()
  expect(lines).toEqual(['GET /tickets'])
  lines.length = 0
  rows.get('1')!.title = 'new'
  return { ...it, detail }
}

describe('EXP-12 a reader without a result of its own', () => {
  test.each<[string, (it: Awaited<ReturnType<typeof shown>>) => unknown]>([
    ['its endpoint is expired', ({ controller, Tickets }) => controller.expireAll(Tickets.get)],
    ['the list is expired', ({ controller, Tickets }) => controller.expireAll(Tickets.getList)],
    ['everything is expired', ({ controller }) => controller.expireAll({ testKey: () => true })],
    ['the list is invalidated', ({ controller, Tickets }) => controller.invalidate(Tickets.getList)],
    ['all results are invalidated', ({ controller }) => controller.invalidateAll({ testKey: () => true })],
    ['its endpoint is invalidated', ({ controller, Tickets }) => controller.invalidateAll(Tickets.get)],
    [
      'a mutation names its endpoint',
      ({ controller, Tickets, touch }) => controller.fetch(touch.extend({ expires: [Tickets.get] })),
    ],
    [
      'a mutation names the list',
      ({ controller, Tickets, touch }) => controller.fetch(touch.extend({ expires: [Tickets.getList] })),
    ],
    [
      'a mutation names the list after an event brought the record',
      async ({ controller, Tickets }) => {
        await controller.set(Ticket, { id: '1' }, { id: '1', title: 'event' })
        await controller.expireAll(Tickets.getList)
      },
    ],
  ])('fetches when %s', async (_, expire) => {
    const it = await shown()
    await expire(it)
    await it.rest()
    expect(it.detail.title).toBe('new')
    expect(lines.filter((line) => line !== 'POST /touch')).toEqual(['GET /tickets/1'])
    // It is fresh after that.
    await it.rest(10_000)
    expect(lines.filter((line) => line !== 'POST /touch')).toEqual(['GET /tickets/1'])
  })

  test('shows the error when the record was deleted', async () => {
    const { controller, Tickets, detail, rest } = await shown()
    rows.delete('1')
    await controller.expireAll(Tickets.getList)
    await rest()
    expect(detail.error).toMatchObject({ status: 404 })
    await rest(10_000)
    expect(lines).toEqual(['GET /tickets/1'])
  })

  test('leaves readers of other records alone, and those that have a result of their own', async () => {
    const { controller, Tickets, rest, read, touch } = await shown()
    await controller.fetch(Tickets.get, { id: '2' })
    const own = read(Tickets.get, { id: '2' })
    await rest()
    lines.length = 0
    await controller.expireAll(Tickets.getList)
    await rest()
    expect(lines).toEqual(['GET /tickets/1'])
    expect(own.notified).toBe(0)
    await controller.fetch(touch.extend({ expires: [touch] }))
    await rest()
    expect(lines).toEqual(['GET /tickets/1', 'POST /touch'])
  })

  test('that comes later is in doubt as well', async () => {
    const { controller, Tickets, rest, read } = open()
    await controller.fetch(Tickets.getList)
    const now = (): number => controller.clock.now()
    expect(controller.getResponse(Tickets.get, { id: '1' }).expiresAt).toBeGreaterThan(now())
    await controller.expireAll(Tickets.getList)
    expect(controller.getResponse(Tickets.get, { id: '1' })).toMatchObject({ expiresAt: 1, expiryStatus: 3 })
    rows.get('2')!.title = 'new'
    lines.length = 0
    expect(await controller.fetchIfStale(Tickets.get, { id: '2' })).toMatchObject({ title: 'new' })
    read(Tickets.get, { id: '3' })
    await rest()
    expect(lines).toEqual(['GET /tickets/2', 'GET /tickets/3'])
  })

  test('that comes after its endpoint was expired is in doubt, until its records have come again', async () => {
    const { controller, Tickets, touch, rest, read } = open()
    await controller.fetch(Tickets.getList)
    await controller.fetch(touch.extend({ expires: [Tickets.get] }))
    lines.length = 0
    expect(controller.getResponse(Tickets.get, { id: '1' }).expiresAt).toBe(1)
    await controller.fetchIfStale(Tickets.get, { id: '2' })
    expect(lines).toEqual(['GET /tickets/2'])
    await controller.fetch(Tickets.getList)
    read(Tickets.get, { id: '3' })
    await rest()
    await controller.fetchIfStale(Tickets.get, { id: '1' })
    expect(lines).toEqual(['GET /tickets/2', 'GET /tickets'])
  })

  test('many expirations forget no key', async () => {
    const { controller, Tickets } = open()
    await controller.fetch(Tickets.getList)
    await controller.expireAll({ testKey: Tickets.get.testKey.bind(Tickets.get) })
    for (let i = 0; i < 300; i++) {
      await controller.expireAll({ testKey: (key) => key === String(i) })
    }
    expect(controller.getResponse(Tickets.get, { id: '1' }).expiresAt).toBe(1)
  })

  test('waits for the refetch of a mounted list that has its record, and sends nothing of its own', async () => {
    const { controller, Tickets, rest, read } = open()
    const list = read(Tickets.getList)
    await rest()
    const details = ['1', '2', '3'].map((id) => read(Tickets.get, { id }))
    await rest()
    rows.get('1')!.title = 'new'
    holds = new Set(['GET /tickets'])
    for (const keys of [{ testKey: () => true }, Tickets.getList]) {
      lines.length = 0
      await controller.expireAll(keys)
      await rest(500)
      release()
      await rest(10_000)
      expect(lines).toEqual(['GET /tickets'])
      expect(details.map(({ title }) => title)).toEqual(['new', 'old', 'old'])
    }
    list.end()
  })

  test('fetches for itself when the refetched list does not bring its record', async () => {
    const { controller, Tickets, rest, read } = open()
    read(Tickets.getList)
    await rest()
    const detail = read(Tickets.get, { id: '1' })
    await rest()
    rows.delete('1')
    lines.length = 0
    await controller.expireAll({ testKey: () => true })
    await rest(4_000)
    expect(lines).toEqual(['GET /tickets', 'GET /tickets/1'])
    expect(detail.error).toMatchObject({ status: 404 })
    await rest(10_000)
    expect(lines).toHaveLength(2)
  })

  test('does not wait for ever for a list that does not respond', async () => {
    const { controller, Tickets, rest, read } = open()
    read(Tickets.getList)
    await rest()
    const detail = read(Tickets.get, { id: '1' })
    rows.get('1')!.title = 'new'
    holds = new Set(['GET /tickets'])
    lines.length = 0
    await controller.expireAll({ testKey: () => true })
    await rest(4_000)
    expect(lines).toEqual(['GET /tickets', 'GET /tickets/1'])
    expect(detail.title).toBe('new')
    release()
  })

  test('the doubt outlives a serialised state', async () => {
    const { controller, Tickets, getState } = open()
    await controller.fetch(Tickets.getList)
    await controller.expireAll(Tickets.getList)
    const next = open({ state: deserializeState(serializeState(getState())) })
    expect(next.controller.getResponse(next.Tickets.get, { id: '1' }).expiresAt).toBe(1)
  })

  test('an expired list of restored data reaches the reader', async () => {
    const { controller, Tickets, getState } = open()
    await controller.fetch(Tickets.getList)
    const next = open({ state: deserializeState(serializeState(getState())) })
    const detail = next.read(next.Tickets.get, { id: '1' })
    expect(next.controller.getResponse(next.Tickets.getList).data).toHaveLength(3)
    await next.rest()
    rows.get('1')!.title = 'new'
    lines.length = 0
    await next.controller.expireAll(next.Tickets.getList)
    await next.rest()
    expect(lines).toEqual(['GET /tickets/1'])
    expect(detail.title).toBe('new')
  })

  test('explain says it', async () => {
    const { controller, Tickets } = await shown()
    holds = new Set(['GET /tickets/1'])
    await controller.expireAll(Tickets.getList)
    const { freshness } = controller.explain(Tickets.get, { id: '1' })
    expect(freshness).toMatchObject({ status: 'stale', until: 0 })
    expect(freshness.why).toMatch(/^Just now: controller\.expireAll\(\) marked it stale/)
    expect(controller.explain(Ticket, { id: '1' }).freshness.status).toBe('stale')
  })
})

test.each([['by default'], ['with covers']])(
  'LIV-3 EXP-12 a gap of a live stream reaches a reader without a result of its own, %s',
  async (how) => {
    const covers: any[] = []
    const live = new LiveManager({
      connect: eventStream('http://api/events'),
      receive: () => {},
      ...(how === 'by default' ? {} : { covers }),
    } as any)
    const it = await shown({ managers: [live] })
    covers.push(it.Tickets.getList)
    await it.rest()
    streams[0]!.close()
    await it.rest()
    await it.rest(5_000)
    await it.rest()
    expect(streams).toHaveLength(2)
    expect(it.detail.title).toBe('new')
    expect(lines.filter((line) => line.startsWith('GET /tickets'))).toEqual(['GET /tickets/1'])
  },
)
