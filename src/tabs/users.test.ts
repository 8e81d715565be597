// TAB-5, TAB-9, TAB-10: users and sessions of tabs without a database.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import type { Manager } from '../managers/Manager.ts'
import { outbox } from '../outbox/outbox.ts'
import { Channels } from '../testing/FakeChannel.ts'
import { SavedTodo as Todo } from '../testing/Tabs.ts'
import { TestClock } from '../testing/TestClock.ts'
import { tabs as connectTabs } from './tabs.ts'
import type { TabsOptions } from './TabsOptions.ts'

let clock: TestClock
let channels: Channels
const stores: Store[] = []

const settle = async (milliseconds = 0): Promise<void> => {
  for (let i = 0; i < 3; i++) {
    await clock.pass(i < 2 ? 0 : milliseconds)
    channels.deliver()
  }
}
const open = async (name: string, options: TabsOptions, managers: readonly Manager[] = []): Promise<Store> => {
  channels.tab = name
  const store = createStore({ clock, managers: [...managers, connectTabs(options), ...getDefaultManagers()] })
  stores.push(store)
  await settle(10)
  return store
}
const set = async (store: Store, id: string, title: string): Promise<void> => {
  await store.controller.set(Todo, { id }, { id, title, done: true })
}
const title = (store: Store, id: string): unknown => store.controller.get(Todo, { id })?.title

beforeEach(() => {
  clock = new TestClock(1_700_000_000_000)
  channels = new Channels()
  vi.stubGlobal('BroadcastChannel', channels.Channel)
})
afterEach(() => {
  stores.splice(0).forEach((store) => store.stop())
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test.each([10, 3_600_000])(
  'TAB-5 what a tab writes that has not heard of a sign-out yet is not heard, and it resets %i ms later',
  async (milliseconds) => {
    const user = (): string => 'ann'
    const [one, two] = [await open('one', { user }), await open('two', { user })]
    await set(one, '1', 'before')
    await settle(10)
    expect(title(two, '1')).toBe('before')
    channels.frozen.add('two')
    await one.controller.resetEntireStore()
    await clock.pass(10)
    await set(one, '2', 'after')
    await set(two, '3', 'of the session before')
    channels.deliver()
    expect(title(one, '3')).toBeUndefined()
    await clock.pass(milliseconds)
    channels.frozen.clear()
    await settle()
    expect([title(two, '1'), title(two, '3')]).toEqual([undefined, undefined])
    await set(two, '4', 'fresh')
    await settle()
    expect(title(one, '4')).toBe('fresh')
  },
)

test('TAB-5 a tab that comes after a sign-out resets nobody', async () => {
  const user = (): string => 'ann'
  const one = await open('one', { user })
  await one.controller.resetEntireStore()
  await clock.pass(10)
  await set(one, '1', 'after')
  const two = await open('two', { user })
  await settle(10)
  await set(two, '2', 'of two')
  await settle()
  expect([title(one, '1'), title(one, '2')]).toEqual(['after', 'of two'])
})

test('TAB-9 the user of an app that resets first and changes its user then', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const session = { user: 'ann' as string | undefined }
  const [ann, bob] = [await open('ann', { user: () => 'ann' }), await open('bob', { user: () => 'bob' })]
  const one = await open('one', { user: () => session.user })
  await one.controller.resetEntireStore()
  session.user = undefined
  await settle(10)
  session.user = 'bob'
  await set(one, '1', 'of bob')
  await settle(10)
  expect([title(one, '1'), title(bob, '1'), title(ann, '1')]).toEqual(['of bob', 'of bob', undefined])
  expect(warn).not.toHaveBeenCalled()
})

test('TAB-9 a user who changes without a reset: nothing of one user reaches the other', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const session = { user: 'ann' }
  const [ann, bob] = [await open('ann', { user: () => 'ann' }), await open('bob', { user: () => 'bob' })]
  const one = await open('one', { user: () => session.user })
  await set(one, '1', 'of ann')
  await set(bob, '9', 'of bob')
  await settle(10)
  session.user = 'bob'
  await set(one, '2', 'of bob')
  await settle(10)
  expect([title(ann, '1'), title(ann, '2')], 'the session of ann is over').toEqual([undefined, undefined])
  expect([title(bob, '1'), title(bob, '9')]).toEqual([undefined, 'of bob'])
  expect(title(one, '1')).toBeUndefined()
  expect(warn.mock.calls).toEqual([[expect.stringContaining('[user-changed]')]])
  await set(one, '3', 'of bob')
  await settle(10)
  expect(title(bob, '3')).toBe('of bob')
  expect(title(ann, '3')).toBeUndefined()
})

test('TAB-9 a message that comes when the user has changed is not carried out', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const session = { user: 'ann' }
  const ann = await open('ann', { user: () => 'ann' })
  const one = await open('one', { user: () => session.user })
  await set(ann, '1', 'of ann')
  session.user = 'bob'
  await settle(10)
  expect(title(one, '1')).toBeUndefined()
})

test('TAB-10 the name of the app counts in a store with an outbox, too', async () => {
  const make = (): Manager => outbox({ endpoints: {} })
  const [one, two] = [await open('one', { name: 'shop' }, [make()]), await open('two', { name: 'shop' }, [make()])]
  const other = await open('other', { name: 'blog' }, [make()])
  expect(one.controller.core.tabs!.channelName).toBe('shop  tabs 1')
  await set(one, '1', 'shared')
  await settle(10)
  expect([title(two, '1'), title(other, '1')]).toEqual(['shared', undefined])
})
