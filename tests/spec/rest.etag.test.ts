// ETag, 304, If-Match and 412: against a server that keeps versions, and one that lies about them.
import type { ServerResponse } from 'node:http'
import { Collection, createStore, Entity, getDefaultManagers, NetworkError, resource } from 'restitch'
import { adaptEndpoint } from 'restitch/adapt'
import { createAuth } from 'restitch/auth'
import { withBatch } from 'restitch/batch'
import { ConflictError, etagEndpoint, ifMatch } from 'restitch/etag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { recording } from '../../src/explain/observers.ts'
import { rejectionOf, until } from '../../src/testing/outcomes.ts'
import { TestClock } from '../../src/testing/TestClock.ts'
import { json, openServer, type Received, send, type TestServer } from '../server.ts'

class Note extends Entity {
  id = ''
  text = ''
  static override key = 'Note'
}

let server: TestServer
let stores: { stop(): void }[]
let texts: Map<string, string>
let version: number
/** Responds in another way than the server would: returns true where it has. */
let lie: ((request: Received, response: ServerResponse) => boolean) | undefined
/** Responses that are held back until they are released. */
let held: (() => void)[]
let holds: (request: Received) => boolean

const tag = (): string => `"v${version}"`
beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())
beforeEach(() => {
  stores = []
  texts = new Map([
    ['1', 'one'],
    ['2', 'two'],
  ])
  version = 1
  lie = undefined
  held = []
  holds = () => false
  server.answer((request, response) => {
    const respond = (): void => {
      if (lie?.(request, response)) {
        return
      }
      const id = request.url.split('?')[0]!.split('/')[2]
      const { headers, method } = request
      const value =
        id === undefined ? [...texts].map(([one, text]) => ({ id: one, text })) : { id, text: texts.get(id) }
      const reply = (status: number, body?: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json', etag: tag() })
        response.end(body === undefined ? undefined : JSON.stringify(body))
      }
      if (id !== undefined && !texts.has(id)) {
        return reply(404, { message: 'gone' })
      }
      if (method === 'GET') {
        return headers['if-none-match'] === tag() ? reply(304) : reply(200, value)
      }
      if (headers['if-match'] !== undefined && headers['if-match'] !== tag()) {
        return reply(412, { message: 'changed' })
      }
      version++
      if (method === 'DELETE') {
        texts.delete(id!)
        return reply(204)
      }
      if (method === 'POST') {
        texts.set('9', 'nine')
        return reply(201, { id: '9', text: 'nine' })
      }
      texts.set(id!, JSON.parse(request.body.toString()).text)
      return reply(200, { id, text: texts.get(id!) })
    }
    if (holds(request)) {
      held.push(respond)
    } else {
      respond()
    }
  })
})
afterEach(() => {
  stores.forEach((store) => store.stop())
  vi.restoreAllMocks()
})

const open = (options: object = {}) => {
  const clock = new TestClock()
  const store = createStore({ clock })
  stores.push(store)
  const shared = { urlPrefix: server.origin, Endpoint: etagEndpoint() }
  const Notes = resource({ ...shared, path: '/notes/:id', schema: Note, ...options } as {
    path: '/notes/:id'
    schema: typeof Note
  })
  const watch = (endpoint: any, ...args: any[]) => {
    const view = store.view(endpoint, ...(args as []))
    const seen: string[] = []
    view.subscribe((change) => seen.push(change))
    return { view, seen }
  }
  return { ...store, clock, Notes, watch, fetch: store.controller.fetch }
}
/** Another user. */
const edit = (id: string, text: string): void => {
  texts.set(id, text)
  version++
}
const sent = (header: 'if-none-match' | 'if-match'): (string | undefined)[] =>
  server.received.map(({ method, headers }) => `${method} ${headers[header] as string | undefined}`)

/** Lets time pass until something holds. */
const passUntil = async (clock: TestClock, holdsNow: () => boolean): Promise<void> => {
  for (let i = 0; i < 200 && !holdsNow(); i++) {
    await new Promise((done) => setImmediate(done))
    await clock.pass(100)
  }
}

describe('reads', () => {
  test('ETG-1 stored data is requested with its ETag; a 304 renews its age, and parses and renders nothing', async () => {
    const parse = vi.fn()
    const { Notes, controller, watch, clock, fetch } = open({
      process: (value: unknown) => {
        parse()
        return value
      },
    })
    const { view, seen } = watch(Notes.get, { id: '1' })
    await until(() => view.read().data !== undefined)
    const { data, expiresAt } = view.read()
    const { length } = parse.mock.calls
    const notified = seen.length
    clock.time += 50_000
    expect(await fetch(Notes.get, { id: '1' })).toBe(data)
    expect(sent('if-none-match')).toEqual(['GET undefined', 'GET "v1"'])
    expect(view.read()).toMatchObject({ expiresAt: expiresAt + 50_000, expiryStatus: 3 })
    expect(view.read().data).toBe(data)
    expect([parse.mock.calls.length, seen.length]).toEqual([length, notified])
    // It is fresh again, so nothing is sent.
    expect(await controller.fetchIfStale(Notes.get, { id: '1' })).toBe(data)
  })

  test('ETG-1 a conditional request does not ask caches to be passed over: Express ignores the ETag then', async () => {
    const { Notes, fetch } = open()
    await fetch(Notes.get, { id: '1' })
    await fetch(Notes.get, { id: '1' })
    const [first, second] = server.received
    expect(first!.headers['cache-control']).toBeUndefined()
    expect(second!.headers['if-none-match']).toBe('"v1"')
    expect(second!.headers['cache-control']).toBe('max-age=0')
    expect(second!.headers).not.toHaveProperty('pragma')
    // A mutation is not conditional in this way, and a mode that the app sets stays.
    await fetch(Notes.partialUpdate, { id: '1' }, { text: 'x' })
    expect(server.last.headers['if-match']).toBe('"v1"')
    const sends = vi.spyOn(globalThis, 'fetch')
    const own = open({ requestInit: { cache: 'no-store' } })
    await own.fetch(own.Notes.get, { id: '1' })
    await own.fetch(own.Notes.get, { id: '1' })
    expect(sends.mock.calls.map(([, init]) => init?.cache)).toEqual(['no-store', 'no-store'])
  })

  test('ETG-1 data that was marked stale is confirmed by a 304, and changed data is replaced', async () => {
    const { Notes, controller, watch } = open()
    const { view } = watch(Notes.getList)
    await until(() => view.read().data !== undefined)
    const list = view.read().data
    await controller.expireAll(Notes.getList)
    await until(() => server.received.length === 2)
    await until(() => !controller.core.requests.open.size)
    expect(view.read().data).toBe(list)
    expect(await controller.fetchIfStale(Notes.getList)).toBe(list)
    edit('2', 'changed')
    await controller.expireAll(Notes.getList)
    await until(() => view.read().data[1].text === 'changed')
    expect(view.read().data[0]).toBe(list[0])
    await controller.fetch(Notes.getList)
    expect(sent('if-none-match')).toEqual(['GET undefined', 'GET "v1"', 'GET "v1"', 'GET "v2"'])
  })

  test('ETG-1 data without a schema, text in it, and endpoints with other URLs of the same record', async () => {
    const { fetch, Notes } = open()
    const Endpoint = etagEndpoint()
    const getPlain = new Endpoint({ urlPrefix: server.origin, path: '/notes', searchParams: {} as { q?: string } })
    const first = await fetch(getPlain, { q: 'a' })
    expect(await fetch(getPlain, { q: 'a' })).toBe(first)
    await fetch(Notes.get, { id: '1' })
    const alias = Notes.get.extend({ path: '/notes/1', strict: false })
    await fetch(alias.extend({ searchParams: {} as { as: string } }), { as: 'me' })
    expect(sent('if-none-match').slice(1)).toEqual(['GET "v1"', 'GET undefined', 'GET undefined'])
  })

  test('ETG-2 data that has changed in the store is requested without an ETag', async () => {
    const { Notes, controller, fetch } = open()
    await fetch(Notes.get, { id: '1' })
    await controller.set(Note, { id: '1' }, { id: '1', text: 'written here' })
    expect(await fetch(Notes.get, { id: '1' })).toMatchObject({ text: 'one' })
    await controller.invalidate(Notes.get, { id: '1' })
    await fetch(Notes.get, { id: '1' })
    await controller.resetEntireStore()
    await fetch(Notes.get, { id: '1' })
    expect(sent('if-none-match')).toEqual(Array(4).fill('GET undefined'))
  })

  test('ETG-2 data that changes while the request is in flight is requested again, whole', async () => {
    const { Notes, controller, fetch } = open()
    await fetch(Notes.get, { id: '1' })
    holds = ({ headers }) => headers['if-none-match'] !== undefined
    const done = fetch(Notes.get, { id: '1' })
    await until(() => held.length === 1)
    await controller.set(Note, { id: '1' }, { id: '1', text: 'written here' })
    held[0]!()
    await done
    expect(sent('if-none-match')).toEqual(['GET undefined', 'GET "v1"', 'GET undefined'])
  })

  test('ETG-2 the response of a change is not taken for the whole record', async () => {
    const { Notes, fetch } = open()
    await fetch(Notes.get, { id: '1' })
    await fetch(Notes.partialUpdate, { id: '1' }, { text: 'b' })
    await fetch(Notes.get, { id: '1' })
    expect(sent('if-none-match')).toEqual(['GET undefined', 'PATCH undefined', 'GET undefined'])
  })

  /** The server filters `?q=`. */
  const search = ({ method, url, headers }: Received, response: ServerResponse): boolean => {
    const q = new URL(url, 'http://a').searchParams.get('q')
    if (method !== 'GET' || q === null) {
      return false
    }
    const isSame = headers['if-none-match'] === tag()
    const found = [...texts].filter(([, text]) => text.includes(q)).map(([id, text]) => ({ id, text }))
    response.writeHead(isSame ? 304 : 200, { 'content-type': 'application/json', etag: tag() })
    response.end(isSame ? undefined : JSON.stringify(found))
    return true
  }

  test('ETG-2 the ETag of a list that crossed a write is not noted: the refetch brings the record', async () => {
    const { Notes, controller, fetch, watch, clock } = open({ searchParams: {} as { q?: string } })
    const getList: any = Notes.getList
    lie = search
    await fetch(Notes.get, { id: '1' })
    const { view } = watch(getList, { q: 'moved' })
    await until(() => view.read().data !== undefined)
    expect(view.read().data).toEqual([])
    // The server responds to the list after the change, and its response arrives after that of the change.
    holds = ({ url }) => url.includes('q=')
    const read = fetch(getList, { q: 'moved' })
    await until(() => held.length === 1)
    await fetch(Notes.partialUpdate, { id: '1' }, { text: 'moved' })
    holds = () => false
    held[0]!()
    await read
    await passUntil(clock, () => controller.core.requests.open.size === 0 && view.read().expiresAt > 1)
    expect(view.read()).toMatchObject({ data: [{ id: '1', text: 'moved' }] })
    expect(view.read().expiresAt).toBeGreaterThan(clock.now())
    // By now it has been taken whole.
    await fetch(getList, { q: 'moved' })
    expect(
      sent('if-none-match')
        .filter((line) => line?.startsWith('GET'))
        .slice(2),
    ).toEqual(['GET "v1"', 'GET undefined', 'GET "v2"'])
  })

  test('ETG-2 the ETag of a response whose fields lost to a later one is not noted', async () => {
    const { Notes, fetch } = open()
    holds = ({ url }) => url === '/notes'
    const list = fetch(Notes.getList)
    await until(() => held.length === 1)
    edit('1', 'newer')
    await fetch(Notes.get, { id: '1' })
    // The same content as before, and the same ETag.
    texts.set('1', 'one')
    version = 1
    held[0]!()
    expect(await list).toMatchObject([{ text: 'newer' }, { text: 'two' }])
    holds = () => false
    expect(await fetch(Notes.getList)).toMatchObject([{ text: 'one' }, { text: 'two' }])
    expect(sent('if-none-match')).toEqual(['GET undefined', 'GET undefined', 'GET undefined'])
  })

  test('ETG-2 the ETag of a response that a newer one of the same data has overtaken is not noted', async () => {
    const { Notes, fetch, controller } = open()
    holds = () => true
    const first = fetch(Notes.get, { id: '1' })
    await until(() => held.length === 1)
    await controller.expireAll(Notes.get)
    const second = fetch(Notes.get, { id: '1' })
    await until(() => held.length === 2)
    holds = () => false
    edit('1', 'newer')
    held[1]!()
    await second
    texts.set('1', 'one')
    version = 1
    held[0]!()
    expect(await first).toMatchObject({ text: 'newer' })
    expect(await fetch(Notes.get, { id: '1' })).toMatchObject({ text: 'one' })
    expect(sent('if-none-match')).toEqual(['GET undefined', 'GET undefined', 'GET "v2"'])
  })

  test('ETG-2 what is in doubt is requested without a condition', async () => {
    const { Notes, fetch, controller, watch, clock } = open()
    const get: any = Notes.get
    await fetch(Notes.getList)
    lie = ({ method, headers }, response) => {
      // A server that is wrong about what its changes touch.
      if (method === 'PATCH') {
        texts.set('1', 'changed')
        response.writeHead(500).end()
        return true
      }
      if (headers['if-none-match']) {
        response.writeHead(304).end()
        return true
      }
      return false
    }
    const { view } = watch(Notes.getList)
    await fetch(Notes.partialUpdate, { id: '1' }, { text: 'changed' }).catch(() => {})
    await passUntil(clock, () => (view.read().data as any)[0].text === 'changed')
    await controller.fetch(get, { id: '1' })
    expect(sent('if-none-match')).toEqual(['GET undefined', 'PATCH undefined', 'GET undefined', 'GET undefined'])
  })

  test('ETG-1 EXP-12 a 304 of a list confirms its records for readers without a result', async () => {
    const { Notes, fetch, controller, watch } = open()
    await fetch(Notes.getList)
    watch(Notes.get, { id: '1' })
    await until(() => controller.core.requests.open.size === 0)
    watch(Notes.getList)
    await controller.expireAll(Notes.getList)
    await until(() => server.received.length === 2)
    await until(() => controller.core.requests.open.size === 0)
    expect(controller.getResponse(Notes.get, { id: '1' }).expiresAt).toBeGreaterThan(1)
    expect(sent('if-none-match')).toEqual(['GET undefined', 'GET "v1"'])
  })

  test('ETG-3 a list with loaded pages is requested whole', async () => {
    const { fetch, controller } = open()
    const Endpoint = etagEndpoint()
    const getNotes = new Endpoint({
      urlPrefix: server.origin,
      path: '/notes',
      schema: new Collection([Note]),
      paginationField: 'page',
    })
    lie = ({ url, headers }, response) => {
      const id = url.includes('page=2') ? '2' : '1'
      if (headers['if-none-match']) {
        response.writeHead(304, { etag: '"p1"' }).end()
      } else {
        response.writeHead(200, { etag: '"p1"', 'content-type': 'application/json' }).end(JSON.stringify([{ id }]))
      }
      return true
    }
    await fetch(getNotes)
    await fetch(getNotes.getPage, { page: 2 })
    await fetch(getNotes)
    expect(controller.getResponse(getNotes).data).toHaveLength(2)
    await fetch(getNotes)
    expect(sent('if-none-match').filter((one) => one !== 'GET undefined')).toEqual([])
  })

  test('ETG-4 an ETag that is no ETag is not used, and an own header of the app counts', async () => {
    const { Notes, fetch } = open()
    for (const etag of ['abc', '"a b"', `"${'x'.repeat(300)}"`, '']) {
      lie = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', etag }).end('{"id":"1","text":"a"}')
        return true
      }
      await fetch(Notes.get, { id: '1' })
      await fetch(Notes.get, { id: '1' })
    }
    expect(sent('if-none-match')).toEqual(Array(8).fill('GET undefined'))
    lie = undefined
    await fetch(Notes.get, { id: '2' })
    const own = Notes.get.extend({ getHeaders: () => ({ 'if-none-match': '"mine"' }) })
    await fetch(own, { id: '2' })
    expect(sent('if-none-match').at(-1)).toBe('GET "mine"')
  })
})

describe('servers that lie', () => {
  const unmodified =
    (etag?: string, isAlways?: boolean) =>
    ({ headers }: Received, response: ServerResponse): boolean => {
      if (!isAlways && headers['if-none-match'] === undefined) {
        return false
      }
      response.writeHead(304, etag === undefined ? {} : { etag }).end()
      return true
    }

  test('ETG-5 a 304 with another ETag is not believed: the whole record is requested', async () => {
    const { Notes, fetch } = open()
    await fetch(Notes.get, { id: '1' })
    edit('1', 'new')
    lie = unmodified('"v7"')
    expect(await fetch(Notes.get, { id: '1' })).toMatchObject({ text: 'new' })
    expect(sent('if-none-match')).toEqual(['GET undefined', 'GET "v1"', 'GET undefined'])
  })

  test('ETG-5 a 304 without an ETag, or with the weak form of it, is believed', async () => {
    const { Notes, fetch } = open()
    const note = await fetch(Notes.get, { id: '1' })
    for (const etag of [undefined, 'W/"v1"']) {
      lie = unmodified(etag)
      expect(await fetch(Notes.get, { id: '1' })).toBe(note)
    }
  })

  test('ETG-5 a 304 to a request without an ETag is an error, and stored data stays on the screen', async () => {
    const { Notes, fetch, controller } = open()
    lie = unmodified(undefined, true)
    const first = await rejectionOf(fetch(Notes.get, { id: '1' }))
    expect(first).toMatchObject({ code: 'etag-unasked', status: 400, refused: true })
    expect(first.message).toContain('with 304 (not modified), although the request had no If-None-Match')
    lie = undefined
    const note = await fetch(Notes.get, { id: '1' })
    lie = unmodified('"other"', true)
    await expect(fetch(Notes.get, { id: '1' })).rejects.toMatchObject({ code: 'etag-unasked' })
    expect(controller.getResponse(Notes.get, { id: '1' }).data).toBe(note)
    expect(controller.getError(Notes.get, { id: '1' })).toBeUndefined()
  })

  test('ETG-5 a body under an ETag that has not changed is stored', async () => {
    const { Notes, fetch } = open()
    await fetch(Notes.get, { id: '1' })
    lie = (_request, response) => {
      response.writeHead(200, { etag: '"v1"', 'content-type': 'application/json' }).end('{"id":"1","text":"other"}')
      return true
    }
    expect(await fetch(Notes.get, { id: '1' })).toMatchObject({ text: 'other' })
  })

  test('ETG-5 faults after a request with an ETag leave the data as it is', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { Notes, fetch, controller } = open()
    const note = await fetch(Notes.get, { id: '1' })
    for (const fault of [
      (response: ServerResponse) => response.destroy(),
      (response: ServerResponse) => response.writeHead(503).end(),
      (response: ServerResponse) => response.writeHead(200, { etag: '"v9"' }).end('<html>'),
    ]) {
      lie = (_request, response) => {
        fault(response)
        return true
      }
      await rejectionOf(fetch(Notes.get, { id: '1' }))
      expect(controller.getResponse(Notes.get, { id: '1' }).data).toBe(note)
    }
    lie = undefined
    expect(await fetch(Notes.get, { id: '1' })).toBe(note)
    expect(sent('if-none-match').at(-1)).toBe('GET "v1"')
  })
})

describe('changes', () => {
  test('ETG-6 a change sends the ETag of the stored record, and the next one that of the response', async () => {
    const { Notes, fetch } = open()
    await fetch(Notes.get, { id: '1' })
    await fetch(Notes.update, { id: '1' }, { text: 'a' })
    await fetch(Notes.partialUpdate, { id: '1' }, { text: 'b' })
    await fetch(Notes.delete, { id: '1' })
    expect(sent('if-match').slice(1)).toEqual(['PUT "v1"', 'PATCH "v2"', 'DELETE "v3"'])
    expect(texts.has('1')).toBe(false)
  })

  test('ETG-6 nothing is sent for other mutations, unknown records, weak ETags and records that have changed here', async () => {
    const { Notes, fetch, controller } = open()
    await fetch(Notes.getList)
    await fetch(Notes.create, { text: 'nine' })
    await fetch(Notes.update, { id: '1' }, { text: 'a' })
    await fetch(Notes.get, { id: '2' })
    await controller.set(Note, { id: '2' }, { id: '2', text: 'by an event' })
    await fetch(Notes.update, { id: '2' }, { text: 'c' })
    lie = ({ method }, response) => {
      if (method === 'GET') {
        response.writeHead(200, { etag: 'W/"x"', 'content-type': 'application/json' }).end('{"id":"1","text":"w"}')
      }
      return method === 'GET'
    }
    await fetch(Notes.get, { id: '1' })
    await fetch(Notes.update, { id: '1' }, { text: 'd' })
    expect(sent('if-match').filter((line) => !line!.endsWith('undefined'))).toEqual([])
  })

  test('ETG-7 a 412 is a ConflictError with the fresh record, which is stored', async () => {
    const { Notes, fetch, watch } = open({ optimistic: true })
    const { view } = watch(Notes.get, { id: '1' })
    await until(() => view.read().data !== undefined)
    edit('1', 'theirs')
    const done = rejectionOf(fetch(Notes.partialUpdate, { id: '1' }, { text: 'mine' }))
    expect(view.read().data.text).toBe('mine')
    const error = await done
    expect(error).toBeInstanceOf(ConflictError)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ name: 'ConflictError', status: 412, message: 'changed', method: 'PATCH' })
    expect(error.current).toBeInstanceOf(Note)
    expect(error.current).toMatchObject({ text: 'theirs' })
    expect(view.read().data).toBe(error.current)
    expect(JSON.stringify(error)).not.toContain('theirs')
    // Saving once more is meant.
    await fetch(Notes.partialUpdate, { id: '1' }, { text: 'both' })
    expect(texts.get('1')).toBe('both')
    expect(
      server.received.map(({ method, headers }) => [method, headers['if-match'] ?? headers['if-none-match']]),
    ).toEqual([
      ['GET', undefined],
      ['PATCH', '"v1"'],
      ['GET', undefined],
      ['PATCH', '"v2"'],
    ])
  })

  test('ETG-7 a record that was deleted, or cannot be fetched, leaves `current` empty', async () => {
    const { Notes, fetch, controller } = open()
    await fetch(Notes.get, { id: '1' })
    lie = ({ method }, response) => {
      response.writeHead(method === 'GET' ? 404 : 412).end()
      return true
    }
    const error = await rejectionOf(fetch(Notes.update, { id: '1' }, { text: 'a' }))
    expect(error).toBeInstanceOf(ConflictError)
    expect([error.current, error.cause.status]).toEqual([undefined, 404])
    expect(controller.get(Note, { id: '1' })).toMatchObject({ text: 'one' })
  })

  test('ETG-7 a 412 to a request without an ETag stays as it is', async () => {
    const { Notes, fetch } = open()
    lie = (request, response) => {
      json({ message: 'no' }, 412)(request, response)
      return true
    }
    const error = await rejectionOf(fetch(Notes.update, { id: '1' }, { text: 'a' }))
    expect(error).not.toBeInstanceOf(ConflictError)
    expect(error).toMatchObject({ name: 'NetworkError', status: 412 })
  })

  test('ETG-7 a server that refuses an ETag and sends it again contradicts itself', async () => {
    const { Notes, fetch, controller } = open()
    const note = await fetch(Notes.get, { id: '1' })
    lie = ({ method }, response) => {
      if (method === 'PUT') {
        response.writeHead(412).end()
      }
      return method === 'PUT'
    }
    const error = await rejectionOf(fetch(Notes.update, { id: '1' }, { text: 'a' }))
    expect(error).toMatchObject({ code: 'etag-contradiction', status: 412 })
    expect(error.message).toContain('and then sent the record with that ETag')
    expect(controller.get(Note, { id: '1' })).toBe(note)
  })

  test('ETG-8 changes of one record wait for each other, so that nobody conflicts with himself', async () => {
    const { Notes, fetch, watch } = open({ optimistic: true })
    const { view } = watch(Notes.get, { id: '1' })
    await until(() => view.read().data !== undefined)
    await fetch(Notes.get, { id: '2' })
    holds = ({ method }) => method === 'PATCH'
    const all = ['a', 'b', 'c'].map((text) => fetch(Notes.partialUpdate, { id: '1' }, { text }))
    const other = fetch(Notes.partialUpdate, { id: '2' }, { text: 'x' }).catch(() => {})
    expect(view.read().data.text).toBe('c')
    await until(() => held.length === 2)
    expect(server.received.filter(({ url, method }) => method === 'PATCH' && url === '/notes/1')).toHaveLength(1)
    holds = () => false
    held[0]!()
    await Promise.all(all)
    held[1]!()
    await other
    const matches = server.received.filter(({ url }) => url === '/notes/1').map(({ headers }) => headers['if-match'])
    expect(matches).toEqual([undefined, '"v1"', '"v2"', '"v3"'])
    expect(texts.get('1')).toBe('c')
  })

  test('ETG-8 after a conflict those that wait conflict, too', async () => {
    const { Notes, fetch } = open({ optimistic: true })
    await fetch(Notes.get, { id: '1' })
    edit('1', 'theirs')
    const results = await Promise.allSettled(
      ['a', 'b'].map((text) => fetch(Notes.partialUpdate, { id: '1' }, { text })),
    )
    expect(results.map((one) => (one as PromiseRejectedResult).reason.current.text)).toEqual(['theirs', 'theirs'])
    expect(texts.get('1')).toBe('theirs')
  })

  test('ETG-9 ifMatch compares with the record that is passed, although a newer one is stored', async () => {
    const { Notes, fetch } = open()
    const draft = await fetch(Notes.get, { id: '1' })
    edit('1', 'theirs')
    const newer = await fetch(Notes.get, { id: '1' })
    const error = await rejectionOf(fetch(ifMatch(Notes.partialUpdate, draft), { id: '1' }, { text: 'mine' }))
    expect(error.current).toMatchObject({ text: 'theirs' })
    expect(await fetch(ifMatch(Notes.partialUpdate, newer), { id: '1' }, { text: 'mine' })).toMatchObject({
      text: 'mine',
    })
    expect(sent('if-match').filter((line) => line!.startsWith('PATCH'))).toEqual(['PATCH "v1"', 'PATCH "v2"'])
  })

  test('ETG-9 without an ETag nothing is sent', async () => {
    const { Notes, fetch } = open()
    const [note] = await fetch(Notes.getList)
    const { length } = server.received
    const error = await rejectionOf(fetch(ifMatch(Notes.partialUpdate, note!), { id: '1' }, { text: 'mine' }))
    expect(error).toMatchObject({ code: 'etag-unknown' })
    expect(error.message).toContain('Fetch it from there first')
    expect(server.received).toHaveLength(length)
    const Plain = resource({ path: '/notes/:id', schema: Note })
    expect(() => ifMatch(Plain.update, note!)).toThrow('ifMatch() needs an endpoint of etagEndpoint()')
  })
})

test('ETG-10 it combines with tokens, casing and batches; direct calls send no ETag', async () => {
  const auth = createAuth({ origins: [server.origin], refresh: () => ({ accessToken: 'b' }) })
  await auth.signIn({ accessToken: 'a' })
  const Endpoint = etagEndpoint(adaptEndpoint({ casing: 'snake' }, auth.Endpoint))
  const Notes = resource({ urlPrefix: server.origin, path: '/notes/:id', schema: Note, Endpoint }).extend(
    ({ get }) => ({ get: withBatch(get, { param: 'ids' }) }),
  )
  const { controller } = createStore({ managers: [auth.manager, ...getDefaultManagers()] })
  const note = await controller.fetch(Notes.get, { id: '1' })
  let refusals = 0
  lie = ({ headers }, response) => {
    const isOld = headers.authorization === 'Bearer a'
    if (isOld) {
      refusals++
      send('', {}, 401)({} as never, response)
    }
    return isOld
  }
  expect(await controller.fetch(Notes.get, { id: '1' })).toBe(note)
  await controller.fetch(Notes.update, { id: '1' }, { text: 'a' })
  await Notes.get({ id: '1' })
  expect(refusals).toBe(1)
  expect(
    server.received.map(({ method, headers }) => [method, headers['if-match'] ?? headers['if-none-match']]),
  ).toEqual([
    ['GET', undefined],
    ['GET', '"v1"'],
    ['GET', '"v1"'],
    ['PUT', '"v1"'],
    ['GET', undefined],
  ])
})

test('ETG-10 data that expires at once, and data that is hidden while it is stale, is renewed', async () => {
  const { Notes, watch, controller, clock } = open({ invalidIfStale: true, dataExpiryLength: 1_000 })
  const { view, seen } = watch(Notes.get, { id: '1' })
  await until(() => view.read().data !== undefined)
  clock.time += 2_000
  const { length } = seen
  await controller.fetch(Notes.get, { id: '1' })
  expect(view.read()).toMatchObject({ data: { text: 'one' }, expiryStatus: 2 })
  expect(view.read().expiresAt).toBeGreaterThan(clock.now())
  expect(seen.length).toBe(length + 1)
})

test('ETG-10 an error is over after a 304', async () => {
  const { Notes, fetch, controller } = open({ errorPolicy: () => undefined })
  await fetch(Notes.get, { id: '1' })
  lie = (_request, response) => {
    response.writeHead(503).end()
    return true
  }
  await rejectionOf(fetch(Notes.get, { id: '1' }))
  expect(controller.getError(Notes.get, { id: '1' })).toMatchObject({ status: 503 })
  lie = undefined
  await fetch(Notes.get, { id: '1' })
  expect(sent('if-none-match').at(-1)).toBe('GET "v1"')
  expect(controller.getError(Notes.get, { id: '1' })).toBeUndefined()
  expect(String(controller.explain(Notes.get, { id: '1' }))).toContain('fresh')
})

test('ETG-10 the devtools, which note all responses, change nothing', async () => {
  recording.isOn = true
  try {
    const { Notes, fetch } = open({ optimistic: true })
    const note = await fetch(Notes.get, { id: '1' })
    expect(await fetch(Notes.get, { id: '1' })).toBe(note)
    edit('1', 'theirs')
    const error = await rejectionOf(fetch(Notes.partialUpdate, { id: '1' }, { text: 'mine' }))
    expect(error).toBeInstanceOf(ConflictError)
    expect((error as ConflictError).current).toMatchObject({ text: 'theirs' })
    await fetch(ifMatch(Notes.partialUpdate, (error as ConflictError).current), { id: '1' }, { text: 'mine' })
    expect(sent('if-none-match').filter((line) => line?.startsWith('GET'))).toEqual([
      'GET undefined',
      'GET "v1"',
      'GET undefined',
    ])
    expect(sent('if-match').filter((line) => line?.startsWith('PATCH'))).toEqual(['PATCH "v1"', 'PATCH "v2"'])
  } finally {
    recording.isOn = false
  }
})
