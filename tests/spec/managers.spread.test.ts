// Clients meet an event, a gap, a lost connection or a busy server all at once. Each of them acts at a moment of its own.
import fc from 'fast-check'
import {
  createStore,
  Entity,
  FocusManager,
  getDefaultManagers,
  type Manager,
  resource,
  type Spread,
  type Store,
} from 'restitch'
import { type LiveConnect, type LiveLink, LiveManager, type LiveOptions } from 'restitch/live'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'

class Task extends Entity {
  id = ''
  title = ''
  static override key = 'Task'
}

const ORIGIN = 'https://api.test'
let clock: TestClock
let store: Store
let live: LiveManager
let page: ReturnType<typeof createPage>
let sent: string[]
let links: { link: LiveLink; end(error?: unknown): void }[]
let reported: unknown[]
/** Of the record, as the server has it. */
let title: string
let respond: (path: string) => Response

beforeEach(() => {
  clock = new TestClock()
  page = createPage()
  sent = []
  links = []
  reported = []
  title = 'a'
  respond = (path) => Response.json(path === '/tasks/1' ? { id: '1', title } : [{ id: '1', title }])
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  vi.stubGlobal('fetch', (url: string) => {
    const { pathname } = new URL(url)
    sent.push(pathname)
    const response = respond(pathname)
    return new Promise((resolve) => clock.setTimeout(() => resolve(response), 20))
  })
})
afterEach(() => {
  store.stop()
  vi.unstubAllGlobals()
})

function createPage() {
  const listeners = new Set<() => void>()
  const one = {
    visibilityState: 'visible',
    addEventListener: (_: string, listener: () => void) => void listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => void listeners.delete(listener),
    show(state: 'visible' | 'hidden') {
      one.visibilityState = state
      listeners.forEach((listener) => listener())
    },
  }
  return one
}

const connect: LiveConnect = (link) =>
  new Promise((resolve, reject) => {
    links.push({ link, end: (error) => (error === undefined ? resolve(true) : reject(error as Error)) })
    link.open()
  })

const Tasks = resource({ urlPrefix: ORIGIN, path: '/tasks/:id', schema: Task, dataExpiryLength: 1e9 })
const strict = Tasks.get.extend({ invalidIfStale: true })
const SORTED = { sort: 'title' }

interface Given {
  readonly spread?: Spread | undefined
  readonly ofStore?: Spread | undefined
  readonly random?: number
  readonly options?: Partial<LiveOptions>
  readonly managers?: readonly Manager[]
}

/** A sorted list is on the screen, and has arrived. */
async function open({ spread, ofStore, random = 0.5, options, managers = [] }: Given = {}): Promise<void> {
  live = new LiveManager({
    connect,
    receive: ({ type, data }, { set, expire, controller }) =>
      type === 'all'
        ? expire(Tasks.getList)
        : type === 'strict'
          ? expire(strict)
          : type === 'app'
            ? void controller.set(Task, data, data)
            : set(Task, data),
    covers: [Tasks.getList],
    page,
    spread,
    ...options,
  })
  const focusManager = new FocusManager({ page, window: {} })
  store = createStore({
    managers: [live, ...managers, ...getDefaultManagers({ focusManager, networkManager: { retry: 3 } })],
    clock,
    random: () => random,
    spread: ofStore,
  })
  store.subscribe(Tasks.getList, [SORTED], () => {})
  await clock.pass(100)
  expect(sent.splice(0)).toEqual(['/tasks'])
}

async function say(data: { readonly id?: string; readonly title?: string }, type?: string): Promise<void> {
  title = data.title ?? title
  links.at(-1)!.link.receive(JSON.stringify(data), type)
  await clock.pass(16)
}

/** Milliseconds until something is sent; undefined if that takes longer than `most`. */
async function waitOf(most: number): Promise<number | undefined> {
  await clock.pass()
  for (let wait = 0; wait <= most; wait++) {
    if (sent.splice(0).length > 0) {
      return wait
    }
    await clock.pass(1)
  }
  return undefined
}

describe('LIV-16 what an event puts in doubt', () => {
  test.each<[Spread | undefined, Spread | undefined, number, number]>([
    [undefined, undefined, 0.5, 1_000],
    [undefined, undefined, 0.999, 1_998],
    [3_000, undefined, 0.5, 1_500],
    [undefined, 3_000, 0.5, 1_500],
    [1_000, 3_000, 0.5, 500],
    [(cause) => (cause === 'event' ? 400 : 1e6), undefined, 0.5, 200],
    [0, undefined, 0.5, 0],
  ])('is fetched within spread: %s, of the store %s, random %d: after %d ms', async (spread, ofStore, random, wait) => {
    await open({ spread, ofStore, random })
    await say({ id: '1', title: 'b' })
    expect(store.controller.get(Task, { id: '1' })?.title, 'the record shows at once').toBe('b')
    expect(await waitOf(3_000)).toBe(wait)
    expect(await waitOf(10_000)).toBe(undefined)
  })

  test.each([['all'], ['app']])('also by expire, or by the controller: %s', async (type) => {
    await open()
    await say({ id: '1', title: 'b' }, type)
    expect(await waitOf(3_000)).toBe(1_000)
  })

  test('is fetched once for all events in that time, and later ones have a moment of their own', async () => {
    await open()
    for (let i = 0; i < 50; i++) {
      await say({ id: '1', title: `t${i}` })
    }
    expect(await waitOf(3_000)).toBe(1_000 - 49 * 16)
    await say({ id: '1', title: 'x' })
    expect(await waitOf(3_000)).toBe(1_000)
  })

  test('a message that nobody can use is one that all clients receive', async () => {
    await open()
    links[0]!.link.receive('no JSON')
    await clock.pass(16)
    expect(await waitOf(3_000)).toBe(1_000)
    expect(reported).toMatchObject([{ code: 'live-message' }])
  })

  test('an event that arrives during the refetch waits for a moment of its own', async () => {
    await open()
    let arrive!: (response: Response) => void
    vi.stubGlobal('fetch', (url: string) => {
      sent.push(url)
      return new Promise((resolve) => (arrive = resolve))
    })
    await say({ id: '1', title: 'b' })
    expect(await waitOf(3_000)).toBe(1_000)
    await say({ id: '1', title: 'c' })
    arrive(Response.json([{ id: '1', title: 'b' }]))
    const wait = await waitOf(3_000)
    expect(wait).toBeGreaterThan(900)
  })

  test('is fetched at once where stale data may not be shown', async () => {
    await open({ spread: 60_000 })
    store.subscribe(strict, [{ id: '1' }], () => {})
    await clock.pass(100)
    sent.length = 0
    await say({}, 'strict')
    expect(await waitOf(10)).toBe(0)
  })

  test.each<[string, () => unknown]>([
    ['a reader that mounts', () => store.subscribe(Tasks.getList, [SORTED], () => {})],
    ['a caller of the view', () => store.view(Tasks.getList, SORTED).promise()],
    ['controller.fetch', () => store.controller.fetch(Tasks.getList, SORTED)],
    ['controller.fetchIfStale', () => store.controller.fetchIfStale(Tasks.getList, SORTED)],
    ['the focus of the user', () => page.show('visible')],
    ['expireAll by the app', () => store.controller.expireAll(Tasks.getList)],
    ['a write of the app', () => store.controller.set(Task, { id: '1' }, { id: '1', title: 'own' })],
    ['invalidate', () => store.controller.invalidate(Tasks.getList, SORTED)],
  ])('%s does not wait', async (_, act) => {
    await open({ spread: 60_000 })
    await say({ id: '1', title: 'b' })
    await clock.pass(1_000)
    expect(sent).toEqual([])
    void act()
    expect(await waitOf(10)).toBe(0)
    expect(await waitOf(100_000), 'and nothing is left to do').toBe(undefined)
  })

  test('a mutation does not wait', async () => {
    await open({ spread: 60_000 })
    await say({ id: '1', title: 'b' })
    title = 'own'
    void store.controller.fetch(Tasks.update, { id: '1' }, { title: 'own' } as never)
    await clock.pass(300)
    expect(sent).toEqual(['/tasks/1', '/tasks'])
  })

  test('an event after an own write does not make its refetch later', async () => {
    await open({ spread: 60_000 })
    void store.controller.set(Task, { id: '1' }, { id: '1', title: 'own' })
    links[0]!.link.receive('{"id":"1","title":"b"}')
    expect(await waitOf(300)).toBe(0)
  })

  test('a reader that has left and comes back finds no old moment', async () => {
    await open()
    await say({ id: '1', title: 'b' })
    const end = store.subscribe(Tasks.getList, [SORTED], () => {})
    expect(await waitOf(10)).toBe(0)
    end()
    await say({ id: '1', title: 'c' })
    expect(await waitOf(3_000), 'the moment of the first event').toBe(1_000 - 16)
  })

  test('explain() says when', async () => {
    await open({ spread: 60_000 })
    await say({ id: '1', title: 'b' })
    expect(store.controller.explain(Tasks.getList, SORTED).request.next).toMatch(/at a random moment .* in 30 s\.$/)
  })

  test('D3 property: whatever comes when, each event is followed by a request within spread, and each request by nothing but an event', async () => {
    const step = fc.tuple(fc.constantFrom('event', 'write', 'pass'), fc.integer({ min: 0, max: 3_000 }))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.double({ min: 0, max: 0.999 }), async (steps, random) => {
        clock = new TestClock()
        links = []
        sent = []
        await open({ random })
        let causes = 0
        /** The latest moment at which the oldest change has to be fetched. */
        let due = Infinity
        let number = 0
        for (const [what, wait] of steps) {
          number += 1
          if (what === 'event') {
            await say({ id: '1', title: `t${number}` })
            due = Math.min(due, clock.now() + 2_000 + 5_000)
            causes++
          } else if (what === 'write') {
            void store.controller.set(Task, { id: '1' }, { id: '1', title: `w${number}` })
            due = Math.min(due, clock.now() + 5_000)
            causes++
          }
          await clock.pass(wait)
          if (sent.splice(0).length > 0) {
            due = Infinity
          }
          expect(clock.now()).toBeLessThanOrEqual(due)
        }
        const before = causes
        await clock.pass(20_000)
        expect(sent.length).toBeLessThanOrEqual(before)
        const view = store.view(Tasks.getList, SORTED)
        expect(view.read().expiresAt).toBeGreaterThan(clock.now())
        store.stop()
      }),
      { numRuns: 60 },
    )
  })
})

describe('LIV-16 a connection that is lost', () => {
  test('is opened again within spread after its delay, and what was missed is fetched within spread after that', async () => {
    await open({ spread: 10_000 })
    links[0]!.end()
    // 750 ms is the delay of LIV-3 at this random number.
    await clock.pass(750 + 4_999)
    expect(links).toHaveLength(1)
    await clock.pass(1)
    expect([links.length, live.status]).toEqual([2, 'open'])
    expect(await waitOf(10_000)).toBe(5_000)
  })

  test('a user who comes back waits for neither', async () => {
    await open({ spread: 10_000, options: { pauseAfter: 10 } })
    page.show('hidden')
    await clock.pass(20)
    expect(live.status).toBe('paused')
    page.show('visible')
    expect(live.status).toBe('open')
    expect(await waitOf(10_000)).toBe(0)
  })

  test.each<[string, number]>([
    ['60', 60_000 * 1.25],
    ['9'.repeat(12), 3_600_000 * 1.25],
    ['soon', 750 + 5_000],
  ])('LIV-3 NET-16 refused with Retry-After %s: the next attempt follows after %d ms', async (after, wait) => {
    await open({ spread: 10_000 })
    const response = new Response('', { status: 503, headers: { 'Retry-After': after } })
    links[0]!.end(Object.assign(new Error('busy'), { status: 503, response }))
    await clock.pass(wait - 1)
    expect(links).toHaveLength(1)
    await clock.pass(1)
    expect(links).toHaveLength(2)
  })

  test('LIV-8 NET-16 the user does not end a Retry-After', async () => {
    await open({ spread: 0 })
    const response = new Response('', { status: 503, headers: { 'Retry-After': '60' } })
    links[0]!.end(Object.assign(new Error('busy'), { status: 503, response }))
    await clock.pass(30_000)
    page.show('visible')
    expect(links).toHaveLength(1)
    await clock.pass(45_000)
    expect(links).toHaveLength(2)
  })

  test('LIV-3 a server may set more than 30 s between attempts', async () => {
    await open({ spread: 0 })
    links[0]!.link.setDelay(120_000)
    links[0]!.end()
    await clock.pass(89_999)
    expect(links).toHaveLength(1)
    await clock.pass(1)
    expect(links).toHaveLength(2)
  })
})

describe('LIV-17 a hidden page owes', () => {
  test('what events and gaps put in doubt, and fetches it in one round when it is shown', async () => {
    await open({ spread: 5_000 })
    store.subscribe(Tasks.get, [{ id: '1' }], () => {})
    await clock.pass(100)
    sent.length = 0
    page.show('hidden')
    await say({ id: '1', title: 'b' })
    await clock.pass(60_000)
    await say({ id: '1', title: 'c' })
    links[0]!.end()
    await clock.pass(60_000)
    expect([sent, links.length, store.controller.get(Task, { id: '1' })?.title]).toEqual([[], 2, 'c'])
    expect(store.controller.explain(Tasks.getList, SORTED).request.next).toContain('when the page is shown')
    page.show('visible')
    await clock.pass(60_000)
    expect(sent).toEqual(['/tasks'])
  })

  test('a moment that comes while it is hidden is owed, too', async () => {
    await open()
    await say({ id: '1', title: 'b' })
    page.show('hidden')
    expect(await waitOf(10_000)).toBe(undefined)
    page.show('visible')
    expect(await waitOf(10_000)).toBe(0)
  })

  test('also without the FocusManager', async () => {
    await open({ options: {} })
    store.stop()
    live = new LiveManager({ connect, receive: ({ data }, { set }) => set(Task, data), covers: [], page })
    store = createStore({ managers: [live, ...getDefaultManagers({ focusManager: null })], clock, random: () => 0.5 })
    store.subscribe(Tasks.getList, [SORTED], () => {})
    await clock.pass(100)
    sent.length = 0
    page.show('hidden')
    await say({ id: '1', title: 'b' })
    expect(await waitOf(10_000)).toBe(undefined)
    page.show('visible')
    expect(await waitOf(10_000)).toBe(0)
  })

  test.each<[string, number | undefined, number]>([
    ['when its connection is open', 300, 300],
    ['after a second, if the connection takes longer', undefined, 1_000],
  ])('a page whose connection was paused fetches all of it in one round, %s', async (_, latency, wait) => {
    let isFirst = true
    const late: LiveConnect = (link) =>
      new Promise((_resolve, reject) => {
        link.signal.addEventListener('abort', () => reject(link.signal.reason as Error))
        links.push({ link, end: () => reject(new Error('lost')) })
        if (isFirst) {
          link.open()
        } else if (latency !== undefined) {
          clock.setTimeout(() => link.open(), latency)
        }
        isFirst = false
      })
    await open({ options: { connect: late, pauseAfter: 1_000, covers: [Tasks.get, Tasks.getList] } })
    store.subscribe(Tasks.get, [{ id: '1' }], () => {})
    await clock.pass(100)
    sent.length = 0
    page.show('hidden')
    await say({ id: '1', title: 'b' })
    await clock.pass(60_000)
    expect([live.status, sent]).toEqual(['paused', []])
    page.show('visible')
    expect(await waitOf(2_000)).toBe(wait)
    await clock.pass(30_000)
    expect(sent.length).toBeLessThanOrEqual(0)
  })

  test('nor does a page that is opened in the background fetch what was missed before its first connection', async () => {
    page.visibilityState = 'hidden'
    await open({ options: { strict: true, connect: () => new Promise(() => {}) } })
    store.stop()
    page = createPage()
    page.visibilityState = 'hidden'
    let connected!: () => void
    const late: LiveConnect = (link) => new Promise(() => (connected = () => link.open()))
    await open({ options: { strict: true, connect: late } })
    connected()
    expect(await waitOf(10_000)).toBe(undefined)
    page.show('visible')
    expect(await waitOf(10)).toBe(0)
  })

  test('own writes of a hidden page do not wait', async () => {
    await open()
    page.show('hidden')
    void store.controller.set(Task, { id: '1' }, { id: '1', title: 'own' })
    expect(await waitOf(10)).toBe(0)
  })
})

describe('NET-13 LIV-16 bad input', () => {
  test.each([[-1], [NaN], [Infinity], [3_600_001], ['5' as never], [null as never]])('spread: %s', (spread) => {
    store = createStore()
    const name = /The option "spread" of LiveManager is .* milliseconds from 0 to 3600000/
    expect(() => new LiveManager({ connect, receive: () => {}, spread })).toThrow(name)
    expect(() => new LiveManager({ connect, receive: () => {}, spread })).toThrow(TypeError)
    expect(() => createStore({ spread })).toThrow(/The option "spread" of createStore/)
  })

  test('a function that returns such a value is reported, and the default counts', async () => {
    await open({ spread: () => -1 })
    await say({ id: '1', title: 'b' })
    expect(await waitOf(3_000)).toBe(1_000)
    expect(reported).toMatchObject([{ code: 'spread', name: 'RestitchError' }])
  })
})
