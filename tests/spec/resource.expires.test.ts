// "After this, that is old": mutations that name what the server computes from the data they change.
import type { ServerResponse } from 'node:http'
import { Collection, createStore, Endpoint, Entity, resource, RestEndpoint } from 'restitch'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'
import { json, openServer, type TestServer } from '../server.ts'

class Task extends Entity {
  id = ''
  title = ''
  isClosed = false
  static override key = 'Task'
}
class Badge extends Entity {
  id = ''
  count = 0
  static override key = 'Badge'
}

let server: TestServer
/** The number that the server computes. */
let closed: number
let stores: { stop(): void }[]
/** Holds the responses to these requests back, and how they are sent. */
let held: Map<string, () => void>
let holds: ReadonlySet<string>
/** Responds to a `POST` in another way. */
let onPost: ((response: ServerResponse) => void) | undefined

beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())
beforeEach(() => {
  closed = 0
  stores = []
  held = new Map()
  holds = new Set()
  onPost = undefined
  server.answer((request, response) => {
    const line = `${request.method} ${request.url}`
    if (request.method !== 'GET') {
      closed++
    }
    const { length } = server.received
    const value = line.startsWith('GET /stats')
      ? { closed }
      : line === 'GET /badges'
        ? [{ id: 'b', count: closed }]
        : line.startsWith('GET /badges')
          ? { id: 'b', count: closed }
          : line === 'GET /tasks'
            ? [{ id: '1', title: 'a', isClosed: false }]
            : { id: '1', title: 'a', isClosed: true }
    const respond = (): void => {
      if (onPost && request.method === 'POST') {
        return onPost(response)
      }
      json(value)(request, response)
    }
    if (holds.has(line)) {
      held.set(`${line}${held.has(line) ? length : ''}`, respond)
    } else {
      respond()
    }
  })
})
afterEach(() => {
  stores.forEach((store) => store.stop())
  vi.restoreAllMocks()
})

const lines = (): string[] => server.received.map(({ method, url }) => `${method} ${url}`)
const count = (line: string): number => lines().filter((one) => one === line).length

const open = (options: { optimistic?: boolean; mutationsExpire?: any } = {}) => {
  const clock = new TestClock()
  const store = createStore({ clock })
  stores.push(store)
  const shared = { urlPrefix: server.origin }
  const getStats = new RestEndpoint({ ...shared, path: '/stats', searchParams: {} as { team?: string } | undefined })
  const Badges = resource({ ...shared, path: '/badges/:id', schema: Badge })
  const Tasks = resource({ ...shared, path: '/tasks/:id', schema: Task, ...options }).extend('close', {
    path: '/tasks/:id/close',
    method: 'POST',
    body: undefined,
  })
  const watch = (endpoint: any, ...args: any[]) => {
    const view = store.view(endpoint, ...(args as []))
    let notified = 0
    view.subscribe(() => notified++)
    return {
      get data(): any {
        return view.read().data
      },
      get notified() {
        return notified
      },
    }
  }
  /** Lets time pass, a little at a time, until something has come. */
  const passUntil = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) {
      await new Promise((done) => setImmediate(done))
      await clock.pass(16)
    }
  }
  return { ...store, clock, getStats, Badges, Tasks, watch, passUntil, fetch: store.controller.fetch }
}

test('AFT-1 results of the named endpoints are refetched after the response, and shown until then', async () => {
  const { getStats, Tasks, watch, passUntil, fetch, controller } = open()
  const close = Tasks.close.extend({ expires: [getStats] })
  const all = watch(getStats)
  const team = watch(getStats, { team: 'a' })
  await passUntil(() => team.data !== undefined && all.data !== undefined)
  await fetch(close, { id: '1' })
  expect(all.data).toEqual({ closed: 0 })
  await passUntil(() => all.data.closed === 1 && team.data.closed === 1)
  expect(lines().slice(2)).toEqual(['POST /tasks/1/close', 'GET /stats', 'GET /stats?team=a'])
  // Without readers it is stale, and fetched when it is next needed.
  await fetch(getStats, { team: 'b' })
  await fetch(close, { id: '1' })
  expect(count('GET /stats?team=b')).toBe(1)
  await controller.fetchIfStale(getStats, { team: 'b' })
  expect(count('GET /stats?team=b')).toBe(2)
  await controller.fetchIfStale(getStats, { team: 'b' })
  expect(count('GET /stats?team=b')).toBe(2)
})

test('AFT-1 anything with `testKey` can be named, such as several endpoints at once', async () => {
  const { getStats, Badges, Tasks, controller, fetch } = open()
  await fetch(getStats)
  await fetch(Badges.getList)
  await fetch(Tasks.close.extend({ expires: [{ testKey: (key) => /stats|badges/.test(key) }] }), { id: '1' })
  await controller.fetchIfStale(getStats)
  await controller.fetchIfStale(Badges.getList)
  expect([count('GET /stats'), count('GET /badges')]).toEqual([2, 2])
})

test('AFT-2 an Entity stands for its records and its lists, wherever they came from', async () => {
  const { Badges, Tasks, watch, passUntil, fetch, getStats } = open()
  const getBoard = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/badges/b',
    schema: Badge,
    searchParams: {} as { of: string },
  })
  const list = watch(Badges.getList)
  const record = watch(getBoard, { of: 'x' })
  const stats = watch(getStats)
  await passUntil(() => list.data && record.data && stats.data)
  await fetch(Tasks.close.extend({ expires: [Badge] }), { id: '1' })
  await passUntil(() => list.data[0].count === 1 && count('GET /badges') === 2 && count('GET /badges/b?of=x') === 2)
  expect(count('GET /stats')).toBe(1)
})

test('AFT-2 also an empty list of the Entity is stale', async () => {
  const { Tasks, fetch, controller } = open()
  const getBadges = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/stats',
    process: () => [],
    schema: new Collection([Badge]),
  })
  await fetch(getBadges)
  await fetch(Tasks.close.extend({ expires: [Badge] }), { id: '1' })
  await controller.fetchIfStale(getBadges)
  expect(count('GET /stats')).toBe(2)
})

describe('AFT-3 it counts whether the server may have done it', () => {
  test.each([
    ['an empty response', (response: ServerResponse) => void response.writeHead(204).end(), 2],
    ['a response that is refused', (response: ServerResponse) => void response.writeHead(200).end('[1'), 2],
    ['a connection that breaks', (response: ServerResponse) => void response.destroy(), 2],
    ['a gateway that fails', (response: ServerResponse) => void response.writeHead(502).end(), 2],
    ['a mutation that is refused', (response: ServerResponse) => void response.writeHead(422).end('{}'), 1],
  ])('%s', async (_, respond, expected) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { getStats, Tasks, fetch, controller } = open()
    await fetch(getStats)
    onPost = respond
    await fetch(Tasks.close.extend({ expires: [getStats] }), { id: '1' }).catch(() => {})
    await controller.fetchIfStale(getStats)
    expect(count('GET /stats')).toBe(expected)
  })

  test('a mutation that is not sent', async () => {
    const { getStats, Tasks, fetch, controller } = open()
    await fetch(getStats)
    const getHeaders = (): never => {
      throw new Error('no token')
    }
    await fetch(Tasks.close.extend({ expires: [getStats], getHeaders }), { id: '1' }).catch(() => {})
    await controller.fetchIfStale(getStats)
    expect(lines()).toEqual(['GET /stats'])
  })
})

test('AFT-4 an optimistic update refetches nothing before its response', async () => {
  const { getStats, Tasks, watch, passUntil, fetch } = open({ optimistic: true })
  const update = Tasks.partialUpdate.extend({ expires: [getStats] })
  const stats = watch(getStats)
  const task = watch(Tasks.get, { id: '1' })
  await passUntil(() => stats.data && task.data)
  holds = new Set(['PATCH /tasks/1'])
  const done = fetch(update, { id: '1' }, { title: 'b' })
  expect(task.data.title).toBe('b')
  await passUntil(() => held.size === 1)
  expect(count('GET /stats')).toBe(1)
  held.get('PATCH /tasks/1')!()
  await done
  await passUntil(() => stats.data.closed === 1)
  expect(count('GET /stats')).toBe(2)
})

test.each([
  ['an endpoint', 'GET /stats', (all: any) => [all.getStats, all.getStats]],
  ['a list of an Entity', 'GET /badges', (all: any) => [Badge, all.Badges.getList]],
  ['a record of an Entity', 'GET /badges/b', (all: any) => [Badge, all.Badges.get, { id: 'b' }]],
])('AFT-4 a request that was sent before the response does not count: %s', async (_, line, choose) => {
  const all = open()
  const { Tasks, watch, passUntil, fetch } = all
  const [expired, ...target] = choose(all)
  holds = new Set([line])
  const view = watch(...(target as [any]))
  await passUntil(() => held.size === 1)
  await fetch(Tasks.close.extend({ expires: [expired] }), { id: '1' })
  holds = new Set()
  held.get(line)!()
  await passUntil(() => count(line) === 2)
  expect(view.data).toBeDefined()
})

test('AFT-4 readers are notified once for the response and what it makes stale, and data that stays the same renders nothing', async () => {
  const { getStats, Tasks, watch, passUntil, fetch } = open()
  const stats = watch(getStats)
  const task = watch(Tasks.get, { id: '1' })
  await passUntil(() => stats.data && task.data)
  const before = task.notified
  await fetch(Tasks.partialUpdate.extend({ expires: [Task, getStats] }), { id: '1' }, { title: 'a' })
  expect(task.notified - before).toBeLessThanOrEqual(1)
  await passUntil(() => stats.data.closed === 1 && count('GET /tasks/1') === 2)
})

test('AFT-5 mutationsExpire counts for every mutation of a resource, also for those that are added', async () => {
  const { Badges, getStats, controller } = open()
  const { Tasks } = open({ mutationsExpire: [getStats, Badge] })
  const { Tasks: Plain } = open()
  const isStale = async (run: () => Promise<unknown>): Promise<number> => {
    const { controller } = createStore()
    await controller.fetch(getStats)
    const before = count('GET /stats')
    await run.call(controller)
    await controller.fetchIfStale(getStats)
    return count('GET /stats') - before
  }
  expect(Tasks.create.expires).toEqual([getStats, Badge])
  const mutations: [any, ...any[]][] = [
    [Tasks.create, { title: 'a' }],
    [Tasks.update, { id: '1' }, { title: 'a' }],
    [Tasks.partialUpdate, { id: '1' }, { title: 'a' }],
    [Tasks.delete, { id: '1' }],
    [Tasks.close, { id: '1' }],
    [Tasks.getList.unshift, { title: 'a' }],
    [Tasks.getList.move, { id: '1' }, { title: 'a' }],
  ]
  for (const [endpoint, ...args] of mutations) {
    const stale = await isStale(function (this: any) {
      return this.fetch(endpoint, ...args)
    })
    expect([endpoint.name, stale]).toEqual([endpoint.name, 1])
  }
  const read = await isStale(function (this: any) {
    return this.fetch(Tasks.getList)
  })
  const plain = await isStale(function (this: any) {
    return this.fetch(Plain.close, { id: '1' })
  })
  expect([read, plain]).toEqual([0, 0])
  // A member has its own.
  const { close } = Tasks.extend({ close: { expires: [Badges.getList] } })
  await controller.fetch(getStats)
  await controller.fetch(close, { id: '1' })
  const before = count('GET /stats')
  await controller.fetchIfStale(getStats)
  expect(count('GET /stats')).toBe(before)
})

test('AFT-6 an event that is stored as the response of a mutation has the same effect; a read has none', async () => {
  const { getStats, Tasks, watch, passUntil, fetch, controller } = open()
  const close = Tasks.close.extend({ expires: [getStats] })
  const stats = watch(getStats)
  await passUntil(() => stats.data)
  closed = 7
  await controller.setResponse(close, { id: '1' }, { id: '1', isClosed: true })
  await passUntil(() => stats.data.closed === 7)
  await fetch(Tasks.get.extend({ expires: [getStats] }), { id: '1' })
  await controller.fetchIfStale(getStats)
  expect(count('GET /stats')).toBe(2)
})

test('AFT-6 it works for endpoints of any kind', async () => {
  const { controller } = open()
  let version = 0
  const getVersion = new Endpoint(async () => ({ version: ++version }), { name: 'getVersion' })
  const touch = new Endpoint(async () => ({}), { name: 'touch', sideEffect: true as const, expires: [getVersion] })
  await controller.fetch(getVersion)
  await controller.fetch(touch)
  expect(await controller.fetchIfStale(getVersion)).toEqual({ version: 2 })
})

test('AFT-7 a member that is not there yet expires nothing, and causes a warning; a getter is read later', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { getStats, Tasks, fetch, controller } = open()
  const close = Tasks.close.extend({ expires: [undefined as never, getStats] })
  await fetch(getStats)
  expect(await fetch(close, { id: '1' })).toMatchObject({ isClosed: true })
  expect(String(warn.mock.calls)).toContain('"expires" of "/tasks/:id/close" contains undefined')
  await controller.fetchIfStale(getStats)
  let later: typeof getStats | undefined
  const closeLater = Tasks.close.extend({
    get expires() {
      return [later!]
    },
  })
  later = getStats
  await fetch(closeLater, { id: '1' })
  await controller.fetchIfStale(getStats)
  expect(count('GET /stats')).toBe(3)
})
