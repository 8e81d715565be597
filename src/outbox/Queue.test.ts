// The transactions of a queue, one by one; tests/outbox has what happens between them.
import { beforeEach, expect, test } from 'vitest'
import { memoryStorage } from '../disk/memoryStorage.ts'
import type { DiskStorage } from '../disk/DiskStorage.ts'
import type { Entry } from './Entry.ts'
import { CLAIM, type NewEntry, Queue } from './Queue.ts'
import { Sender } from './Sender.ts'
import { TestClock } from '../testing/TestClock.ts'

let storage: DiskStorage
let queue: Queue
const nobody = (): boolean => false
const request = { url: '/todo/5', method: 'PATCH', body: '{}' }

const entry = (id: string, more: Partial<Entry> = {}): NewEntry => ({
  id,
  endpoint: 'todo.update',
  args: [{ id: '5' }, { title: id }],
  records: ['Todo 5'],
  creates: [],
  version: 1,
  createdAt: 0,
  dueAt: 0,
  key: `key ${id}`,
  shown: [],
  ...more,
})
const creates = (id: string): NewEntry =>
  entry(id, { args: [{ title: id }], records: [`Todo optimistic-${id}-0`], creates: [`optimistic-${id}-0`] })
const dependent = (id: string, on: string, more: Partial<Entry> = {}): NewEntry =>
  entry(id, {
    args: [{ id: `optimistic-${on}-0` }, { deep: [{ todo: `optimistic-${on}-0`, text: `optimistic-${on}-0 inside` }] }],
    records: [`Todo optimistic-${on}-0`, `optimistic-${on}-0`],
    ...more,
  })
const openQueue = async (tab = 'a'): Promise<Queue> => new Queue(await storage.open('x'), tab)
const states = (): string[] => queue.entries.map(({ id, state }) => `${id} ${state}`)

beforeEach(async () => {
  storage = memoryStorage()
  queue = await openQueue()
})

test('OUT-3 an entry with a temporary id waits for the create, and is rewritten wherever the id is the whole text', async () => {
  await queue.add(creates('1'))
  await queue.add(dependent('2', '1'))
  expect(await queue.begin('2', request, 0, nobody)).toBeUndefined()
  await queue.begin('1', request, 0, nobody)
  await queue.settle('1', { at: 0, aliases: new Map([['optimistic-1-0', '77']]) })
  expect(queue.entries[0]).toMatchObject({
    args: [{ id: '77' }, { deep: [{ todo: '77', text: 'optimistic-1-0 inside' }] }],
    records: ['Todo 77', '77'],
  })
  // One that is saved later, by a page that still shows the temporary id, too.
  await queue.add(dependent('3', '1'))
  expect(queue.entries[1]!.args[0]).toEqual({ id: '77' })
  expect([...queue.aliases]).toEqual([['optimistic-1-0', '77']])
})

test('OUT-2 an entry without records waits for all earlier ones, and holds up all later ones', async () => {
  await queue.add(entry('1'))
  await queue.add(entry('2', { records: [] }))
  await queue.add(entry('3', { records: ['User 1'] }))
  expect(await queue.begin('2', request, 0, nobody)).toBeUndefined()
  expect(await queue.begin('3', request, 0, nobody)).toBeUndefined()
  await queue.begin('1', request, 0, nobody)
  await queue.settle('1', { at: 0, aliases: new Map() })
  expect(await queue.begin('3', request, 0, nobody)).toBeUndefined()
  expect(await queue.begin('2', request, 0, nobody)).toBeDefined()
})

test('OUT-7 every attempt has the request of the first one', async () => {
  await queue.add(entry('1'))
  await queue.begin('1', request, 5, nobody)
  await queue.postpone('1', 9, { message: 'no' }, false)
  expect(queue.entries[0]).toMatchObject({ dueAt: 9, unknownSince: 5, attempts: 1 })
  const second = await queue.begin('1', { ...request, url: '/other' }, 20, nobody)
  expect(second).toMatchObject({ request, unknownSince: 5, attempts: 2, key: 'key 1' })
  await queue.park('1', 'conflict', {})
  await queue.retry('1', 30, 'key 2', [{ id: '5' }, { title: 'merged' }])
  expect(queue.entries[0]).toMatchObject({ key: 'key 2', request: undefined, unknownSince: undefined, attempts: 0 })
})

test('a refused attempt of which the server knows nothing leaves no trace', async () => {
  await queue.add(entry('1'))
  await queue.begin('1', request, 5, nobody)
  await queue.postpone('1', 9, undefined, true)
  expect(queue.entries[0]).toMatchObject({ unknownSince: undefined, request: undefined, attempts: 0 })
})

test('OUT-8 the holder of a claim is suspended: another tab sends after its time, and the first one writes nothing', async () => {
  await queue.add(entry('1'))
  await queue.begin('1', request, 0, nobody)
  const other = await openQueue('b')
  expect(await other.begin('1', request, CLAIM - 1, nobody)).toBeUndefined()
  expect(await other.begin('1', request, CLAIM, nobody)).toMatchObject({ attempts: 2 })
  expect(await queue.settle('1', { at: 0, aliases: new Map() })).toBe(false)
  expect(queue.entries).toHaveLength(1)
})

test('OUT-8 the claim of a tab that is gone is void, and one from the future, of a clock that was set back', async () => {
  await queue.add(entry('1'))
  await queue.begin('1', request, 0, nobody)
  const other = await openQueue('b')
  expect(await other.begin('1', request, 1, (tab) => tab === 'a')).toBeDefined()
  expect(await queue.begin('1', request, -9 * CLAIM, nobody)).toBeDefined()
})

test('OUT-9 a failed create fails what depends on it; retry and discard take it along', async () => {
  await queue.add(creates('1'))
  await queue.add(dependent('2', '1', { creates: ['optimistic-2-0'] }))
  await queue.add(dependent('3', '2'))
  await queue.add(entry('4'))
  await queue.begin('1', request, 0, nobody)
  await queue.park('1', 'failed', { error: { message: 'no', status: 422 } })
  expect(states()).toEqual(['1 failed', '2 failed', '3 failed', '4 pending'])
  await queue.retry('1', 0, 'new')
  expect(states()).toEqual(['1 pending', '2 pending', '3 pending', '4 pending'])
  const gone = await queue.discard('1', 0, nobody)
  expect(gone.map(({ id }) => id)).toEqual(['1', '2', '3'])
  expect(states()).toEqual(['4 pending'])
})

test('an entry that is being sent cannot be discarded', async () => {
  await queue.add(entry('1'))
  await queue.begin('1', request, 0, nobody)
  expect(await queue.discard('1', 1, nobody)).toEqual([])
  expect(await queue.discard('1', CLAIM, nobody)).toHaveLength(1)
})

test('OUT-10 retrying an entry after a later one of its record was sent is a conflict, unless it is merged', async () => {
  await queue.add(entry('1'))
  await queue.begin('1', request, 0, nobody)
  await queue.park('1', 'failed', {})
  await queue.add(entry('2'))
  await queue.begin('2', request, 0, nobody)
  await queue.settle('2', { at: 0, aliases: new Map() })
  await queue.retry('1', 0, 'k')
  expect(states()).toEqual(['1 conflict'])
  await queue.retry('1', 0, 'k', [{ id: '5' }, {}])
  expect(states()).toEqual(['1 pending'])
})

test('two offline edits of one record with one ETag: the second starts from the response of the first', async () => {
  await queue.add(entry('1', { ifMatch: '"a"' }))
  await queue.add(entry('2', { ifMatch: '"a"' }))
  await queue.begin('1', request, 0, nobody)
  await queue.settle('1', { at: 0, aliases: new Map(), etag: '"b"' })
  expect(queue.entries[0]).toMatchObject({ id: '2', ifMatch: '"b"' })
})

test('OUT-13 a real id is stored for 30 days', async () => {
  const day = 86_400_000
  const giveAt = async (id: string, at: number): Promise<void> => {
    await queue.add(entry(id))
    await queue.begin(id, request, 0, nobody)
    await queue.settle(id, { at, aliases: new Map([[`optimistic-${id}-0`, `real ${id}`]]) })
  }
  await giveAt('1', 0)
  await giveAt('2', 5 * day)
  await giveAt('3', 31 * day)
  const later = await openQueue('b')
  await later.load()
  expect([...later.aliases.values()]).toEqual(['real 2', 'real 3'])
})

/** A sender that notes what it delivers. */
function senderOf(tabQueue: Queue, more: object = {}): { sender: Sender; sent: string[]; clock: TestClock } {
  const clock = new TestClock()
  const sent: string[] = []
  const sender: Sender = new Sender(tabQueue, {
    clock,
    random: () => 0.5,
    tab: 'a',
    version: 3,
    tabs: { living: () => Promise.resolve(undefined), alone: (run) => run() },
    knows: () => true,
    deliver: async (one, begin) => {
      sent.push(one.id)
      return (await begin(request)) ? { verdict: 'done' } : undefined
    },
    apply: () => ({ aliases: new Map() }),
    changed: () => {},
    ...more,
  })
  return { sender, sent, clock }
}

test('OUT-8 version 3 holds the lock while version 4 has the entries: it leaves them alone, and sends nothing while version 4 runs', async () => {
  await queue.add(entry('1', { version: 4, records: ['A 1'] }))
  await queue.add(entry('2', { version: 3, records: ['B 1'] }))
  const living = new Map([['b', 4]])
  const old = senderOf(queue, { tabs: { living: () => Promise.resolve(living), alone: (run: any) => run() } })
  await old.sender.drain()
  expect(old.sent).toEqual([])
  living.clear()
  await old.sender.drain()
  expect(old.sent).toEqual(['2'])
  expect(states()).toEqual(['1 pending'])
})

test('OUT-7 an outcome that is unknown for more than a day is a conflict', async () => {
  await queue.add(entry('1'))
  await queue.begin('1', request, 0, nobody)
  await queue.postpone('1', 0, undefined, false)
  const { sender, sent, clock } = senderOf(queue)
  clock.time = 90_000_000
  await sender.drain()
  expect(sent).toEqual([])
  expect(queue.entries[0]).toMatchObject({ state: 'conflict', error: { code: 'outbox-key-expired' } })
})

test('OUT-6 an unknown outcome is tried again later each time, as the server says, and waits for nobody else', async () => {
  await queue.add(entry('1'))
  const { sender, clock } = senderOf(queue, {
    deliver: async (one: Entry, begin: any) => {
      await begin(request)
      return { verdict: 'unknown', error: { message: '503' }, after: one.attempts === 2 ? 60_000 : 0 }
    },
  })
  const waits: number[] = []
  for (let i = 0; i < 4; i++) {
    await sender.drain()
    waits.push(queue.entries[0]!.dueAt - clock.time)
    clock.time = queue.entries[0]!.dueAt
  }
  expect(waits).toEqual([750, 1_500, 60_000, 6_000])
})
