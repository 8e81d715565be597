// TAB-1 to TAB-8: what tabs say to one another, and what they make of it.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Store } from '../client/createStore.ts'
import { createStore } from '../client/createStore.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Channels } from '../testing/FakeChannel.ts'
import { SavedTodo as Todo, Tabs } from '../testing/Tabs.ts'
import { tabs as connectTabs } from './tabs.ts'

let tabs: Tabs
let channels: Channels
const never = (): Promise<never> => new Promise(() => {})

/** Opens a tab that talks to the others. */
const open = async (name: string, options: object = {}): Promise<Store> => {
  channels.tab = name
  const store = tabs.open(options, [connectTabs()])
  await tabs.clock.pass(0)
  channels.deliver()
  return store
}
/** Time for requests, and for messages. */
const settle = async (milliseconds = 0): Promise<void> => {
  for (let i = 0; i < 3; i++) {
    await tabs.clock.pass(0)
    channels.deliver()
  }
  await tabs.clock.pass(milliseconds)
  channels.deliver()
}
const titles = (store: Store): string[] | undefined =>
  (tabs.read(store, tabs.getTodos) as { title: string }[] | undefined)?.map(({ title }) => title)
const show = (store: Store, target: any, ...args: any[]): (() => void) =>
  store.view(target, ...(args as [])).subscribe(() => {})
const count = (name: string): number => tabs.sent.filter((one) => one === name).length

beforeEach(() => {
  tabs = new Tabs()
  channels = new Channels()
  vi.stubGlobal('BroadcastChannel', channels.Channel)
})
afterEach(() => {
  tabs.close()
  vi.unstubAllGlobals()
})

describe('TAB-1 what a tab writes is an event in the others', () => {
  test('a record changes, joins lists and leaves them, and no request is sent', async () => {
    const [one, two] = [await open('one'), await open('two')]
    show(two, tabs.getTodos)
    await settle(200)
    tabs.server['putTodo'] = { id: '1', title: 'changed', done: true }
    await one.controller.fetch(tabs.putTodo, { id: '1' }, {})
    tabs.clock.time += 10
    await settle()
    expect(titles(two)).toEqual(['changed', 'b'])
    tabs.server['addTodo'] = { id: '3', title: 'c', done: false }
    await one.controller.fetch(tabs.addTodo, { title: 'c' })
    await settle()
    expect(titles(two)).toEqual(['changed', 'b', 'c'])
    const remove = tabs.endpoint('remove', new Invalidate(Todo), { sideEffect: true })
    tabs.server['remove'] = { id: '2' }
    await one.controller.fetch(remove, { id: '2' })
    await settle()
    expect(titles(two)).toEqual(['changed', 'c'])
    expect(count('getTodos')).toBe(1)
  })

  test('query#6310 a value that the app sets reaches the other tabs and the disk', async () => {
    const [one, two] = [await open('one'), await open('two')]
    await one.controller.set(Todo, { id: '7' }, { id: '7', title: 'set', done: true })
    await settle(200)
    expect(two.controller.get(Todo, { id: '7' })?.title).toBe('set')
    expect((await tabs.disk()).has('row/1/Todo\n7')).toBe(true)
  })

  test('the receiver writes nothing of it to disk, and passes nothing on', async () => {
    const [one, two] = [await open('one'), await open('two')]
    await one.controller.set(Todo, { id: '7' }, { id: '7', title: 'set', done: true })
    await settle(500)
    expect([one.persisted!.lastWrittenAt, two.persisted!.lastWrittenAt]).toEqual([expect.any(Number), undefined])
  })

  test('a mutation whose outcome is unknown puts the same in doubt', async () => {
    const [one, two] = [await open('one'), await open('two')]
    show(one, tabs.getTodos)
    show(two, tabs.getTodos)
    await settle(200)
    const before = count('getTodos')
    tabs.server['putTodo'] = () => Promise.reject(new Error('lost'))
    await one.controller.fetch(tabs.putTodo, { id: '1' }, {}).catch(() => {})
    await settle(200)
    expect(count('getTodos') - before).toBeGreaterThanOrEqual(1)
    expect(two.controller.getResponse(tabs.getTodos).expiresAt).toBeGreaterThan(1)
  })

  test('a slow GET of one tab against a write of another', async () => {
    const [one, two] = [await open('one'), await open('two')]
    show(two, tabs.getTodos)
    await settle(200)
    let respond!: (value: unknown) => void
    tabs.server['getTodos'] = () => new Promise((done) => (respond = done))
    const slow = one.controller.fetch(tabs.getTodos)
    await settle(50)
    tabs.server['putTodo'] = { id: '1', title: 'written', done: true }
    await two.controller.fetch(tabs.putTodo, { id: '1' }, {})
    await settle(50)
    respond([
      { id: '1', title: 'a', done: false },
      { id: '2', title: 'b', done: false },
    ])
    await slow
    await settle(50)
    expect(titles(two)![0]).toBe('written')
    expect(titles(one)![0]).toBe('written')
  })

  test('an hour-old message of a thawed tab after a fresh read', async () => {
    const [one, two] = [await open('one'), await open('two')]
    show(two, tabs.getTodos)
    await settle(200)
    let respond!: (value: unknown) => void
    tabs.server['putTodo'] = () => new Promise((done) => (respond = done))
    const old = one.controller.fetch(tabs.putTodo, { id: '1' }, {})
    await settle(0)
    tabs.clock.time += 3_600_000
    tabs.server['getTodos'] = [{ id: '1', title: 'fresh', done: true }]
    await two.controller.fetch(tabs.getTodos)
    await settle(200)
    respond({ id: '1', title: 'an hour old', done: false })
    await old
    const seen: unknown[] = []
    two.view(tabs.getTodos).subscribe(() => seen.push(titles(two)))
    await settle(200)
    expect(seen).not.toContainEqual(['an hour old'])
    expect(titles(two)).toEqual(['fresh'])
  })
})

describe('TAB-2 reads are announced, and pulled by a tab that shows that data', () => {
  test('the other tab shows the news without a request', async () => {
    const [one, two] = [await open('one'), await open('two')]
    show(two, tabs.getTodos)
    await settle(1_000)
    tabs.server['getTodos'] = [{ id: '2', title: 'new', done: true }]
    await one.controller.fetch(tabs.getTodos)
    await settle()
    expect(titles(two)).toEqual(['new'])
    expect(count('getTodos')).toBe(2)
    expect(two.controller.getResponse(tabs.getTodos).expiresAt).toBe(
      one.controller.getResponse(tabs.getTodos).expiresAt,
    )
  })

  test('a tab that shows something else pulls nothing', async () => {
    const [one, two] = [await open('one'), await open('two')]
    await one.controller.fetch(tabs.getTodos)
    await settle(100)
    expect(tabs.read(two, tabs.getTodos)).toBeUndefined()
    expect(two.getState().entities).toEqual({})
  })

  test('what was requested here after the other tab had sent its request stays', async () => {
    const [one, two] = [await open('one'), await open('two')]
    let respond!: (value: unknown) => void
    tabs.server['getTodos'] = () => new Promise((done) => (respond = done))
    const slow = one.controller.fetch(tabs.getTodos)
    await settle(100)
    tabs.server['getTodos'] = [{ id: '1', title: 'later', done: true }]
    show(two, tabs.getTodos)
    await settle(100)
    respond([{ id: '1', title: 'earlier', done: true }])
    await slow
    await settle(100)
    expect(titles(two)).toEqual(['later'])
  })
})

describe('TAB-3 messages that were missed', () => {
  test('query#10543 updates dropped between tabs: a gap puts what is shown in doubt', async () => {
    const [one, two] = [await open('one'), await open('two')]
    show(two, tabs.getTodos)
    await settle(1_000)
    tabs.server['getTodos'] = [{ id: '1', title: 'changed', done: true }]
    await one.controller.set(Todo, { id: '1' }, { id: '1', title: 'changed', done: true })
    channels.lose()
    await settle(100)
    expect(titles(two)).toEqual(['a', 'b'])
    await one.controller.set(Todo, { id: '9' }, { id: '9', title: 'other', done: true })
    await settle(1_000)
    expect(titles(two)).toEqual(['changed'])
  })

  test('a frozen tab drops what is queued, and is in doubt about what it shows', async () => {
    const [one, two] = [await open('one'), await open('two')]
    show(two, tabs.getTodos)
    await settle(1_000)
    channels.frozen.add('two')
    await one.controller.set(Todo, { id: '1' }, { id: '1', title: 'queued', done: true })
    await settle(60_000)
    channels.frozen.clear()
    tabs.server['getTodos'] = [{ id: '1', title: 'of the server', done: true }]
    const seen: unknown[] = []
    two.view(tabs.getTodos).subscribe(() => seen.push(titles(two)?.[0]))
    await settle(1_000)
    expect(seen).not.toContain('queued')
    expect(titles(two)).toEqual(['of the server'])
  })

  test('query#11242 a tab muted for the session: a message that cannot be carried out mutes nobody', async () => {
    const [one, two] = [await open('one'), await open('two')]
    const channel = new (channels.Channel as any)('restitch tabs 1 0')
    for (const data of [null, 'x', { from: 'x' }, { from: 'x', type: 'wrote', count: 1, sentAt: tabs.clock.time }]) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      channel.postMessage(data)
    }
    try {
      channels.deliver()
    } catch {
      // A page reports it.
    }
    channels.lose()
    await one.controller.set(Todo, { id: '1' }, { id: '1', title: 'heard', done: true })
    await settle(100)
    expect(two.controller.get(Todo, { id: '1' })?.title).toBe('heard')
  })
})

describe('TAB-4 tabs that come', () => {
  test('query#11391 an empty newcomer wipes no data', async () => {
    const one = await open('one')
    show(one, tabs.getTodos)
    await settle(100)
    await open('two', { storage: tabs.mortal().storage })
    await open('three', { user: () => undefined })
    await settle(100)
    expect(titles(one)).toEqual(['a', 'b'])
    expect(count('getTodos')).toBe(1)
  })

  test('db#1486 the second tab is there with the data of the first one, without a request', async () => {
    const one = await open('one')
    await one.controller.fetch(tabs.getTodos)
    await settle(300)
    tabs.server['getTodos'] = never
    const two = await open('two')
    show(two, tabs.getTodos)
    await settle(100)
    expect(titles(two)).toEqual(['a', 'b'])
  })

  test('a tab that comes learns of what was written just before, and is not on the disk yet', async () => {
    const one = await open('one')
    await one.controller.fetch(tabs.getTodos)
    await settle(300)
    tabs.clock.time += 10
    await one.controller.set(Todo, { id: '1' }, { id: '1', title: 'just now', done: true })
    const two = await open('two')
    await settle(0)
    expect(titles(two)).toEqual(['just now', 'b'])
  })
})

describe('TAB-5 users and sessions', () => {
  test('two users do not hear each other', async () => {
    const ann = await open('one', { user: () => 'ann' })
    const bob = await open('two', { user: () => 'bob' })
    await ann.controller.set(Todo, { id: '1' }, { id: '1', title: 'of ann', done: true })
    await settle(100)
    expect(bob.getState().entities).toEqual({})
  })

  test('versions do not hear each other', async () => {
    const old = await open('one', { version: 2 })
    const next = await open('two', { version: 3 })
    await old.controller.set(Todo, { id: '1' }, { id: '1', title: 'old', done: true })
    await settle(100)
    expect(next.getState().entities).toEqual({})
  })

  test('what a tab writes that has not heard of a sign-out yet never reaches the next user', async () => {
    const session: { user: string | undefined } = { user: 'ann' }
    const user = (): string | undefined => session.user
    const one = await open('one', { user })
    const two = await open('two', { user })
    await settle(200)
    channels.frozen.add('two')
    session.user = undefined
    const ended = one.controller.resetEntireStore()
    await two.controller.set(Todo, { id: '1' }, { id: '1', title: 'of ann', done: true })
    channels.deliver()
    await ended
    session.user = 'bob'
    tabs.server['getTodos'] = []
    await one.controller.fetch(tabs.getTodos)
    await settle(2_000)
    expect(one.persisted).toMatchObject({ status: 'open' })
    expect(one.controller.get(Todo, { id: '1' })).toBeUndefined()
    expect([...(await tabs.disk('restitch bob')).values()].join()).not.toContain('of ann')
  })

  test('a sign-out resets all tabs, also without a database', async () => {
    const make = async (name: string): Promise<Store> => {
      channels.tab = name
      const store = createStore({
        clock: tabs.clock,
        managers: [connectTabs({ user: () => 'ann' }), ...getDefaultManagers()],
      })
      await settle()
      return store
    }
    const [one, two] = [await make('one'), await make('two')]
    await one.controller.set(Todo, { id: '1' }, { id: '1', title: 'a', done: true })
    await settle()
    expect(two.controller.get(Todo, { id: '1' })?.title).toBe('a')
    await one.controller.resetEntireStore()
    await settle()
    expect(two.controller.get(Todo, { id: '1' })).toBeUndefined()
    one.stop()
    two.stop()
  })
})

test('TAB-6 pending changes of another tab are not shown', async () => {
  const [one, two] = [await open('one'), await open('two')]
  show(two, tabs.getTodos)
  await settle(100)
  const put = tabs.endpoint('put', Todo, {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, { id }: any) => ({ id, title: 'pending' }),
  })
  tabs.server['put'] = never
  void one.controller.fetch(put, { id: '1' })
  await settle(100)
  expect(one.controller.get(Todo, { id: '1' })?.title).toBe('pending')
  expect(titles(two)![0]).toBe('a')
})

test('TAB-7 a record that cannot be sent is fetched again by the others', async () => {
  const [one, two] = [await open('one'), await open('two')]
  vi.spyOn(console, 'error').mockImplementation(() => {})
  show(two, tabs.getTodos)
  await settle(1_000)
  await one.controller.set(Todo, { id: '1' }, { id: '1', title: () => 'x', done: true })
  await settle(1_000)
  expect(count('getTodos')).toBe(2)
})

test('TAB-8 on a server, and where tabs cannot talk, nothing happens', async () => {
  vi.stubGlobal('BroadcastChannel', undefined)
  const store = tabs.open({}, [connectTabs()])
  await store.controller.fetch(tabs.getTodos)
  await settle(100)
  expect(titles(store)).toEqual(['a', 'b'])
})
