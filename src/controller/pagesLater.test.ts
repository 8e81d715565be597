import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { Collection } from '../schema/Collection.ts'
import { Entity } from '../schema/Entity.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { deferred } from '../base/clock.ts'
import * as later from './loadPagesLater.ts'

// As in a browser, where the code that fetches pages again is a chunk of its own.
const { loadPages } = vi.hoisted(() => ({ loadPages: vi.fn() }))
vi.mock('#pages', () => ({ loadPages }))

class Item extends Entity {
  id = ''
  static override key = 'Item'
}

let served: Record<string, string>
let store: Store
const getList: any = new RestEndpoint({
  path: '/items',
  schema: new Collection([Item]),
  paginationField: 'page',
  fetch: async (params: any = {}) => served[params.page ?? '1']!.split('').map((id) => ({ id })),
} as never)
const shown = (): string =>
  (store.view(getList, {}).read().data as Item[] | undefined)?.map(({ id }) => id).join('') ?? ''

beforeEach(async () => {
  served = { 1: 'ab', 2: 'cd' }
  loadPages.mockImplementation(later.loadPages)
  store = createStore({ clock: new TestClock() })
  await store.controller.fetch(getList, {})
})
afterEach(() => {
  store.stop()
  vi.restoreAllMocks()
  loadPages.mockReset()
})

test('PAG-7 a browser loads the refresh of pages with the first page, and uses it when the list is fetched again', async () => {
  expect(loadPages).not.toHaveBeenCalled()
  await store.controller.fetch(getList.getPage, { page: 2 })
  expect(loadPages).toHaveBeenCalledOnce()
  served = { 1: 'xb', 2: 'yd' }
  await store.controller.fetch(getList, {})
  expect(shown()).toBe('xbyd')
})

test('PAG-7 where it cannot be loaded, the list is stored without its pages, and they stay', async () => {
  loadPages.mockRejectedValue(new Error('offline'))
  await store.controller.fetch(getList.getPage, { page: 2 })
  served = { 1: 'xb', 2: 'yd' }
  await store.controller.fetch(getList, {})
  expect(shown()).toBe('xbcd')
})

test('PAG-7 NET-19 if the response is refused as well, only its caller gets the error', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  loadPages.mockRejectedValue(new Error('offline'))
  await store.controller.fetch(getList.getPage, { page: 2 })
  const refused = getList.extend({ fetch: async () => [{ name: 'without a key' }] })
  await expect(store.controller.fetch(refused, {})).rejects.toMatchObject({ code: 'entity-missing-pk' })
  // Node tells of unhandled rejections after all microtasks.
  await new Promise(setImmediate)
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  expect(shown()).toBe('abcd')
})

test('PAG-7 a list that is aborted while it is loaded stays as it is', async () => {
  await store.controller.fetch(getList.getPage, { page: 2 })
  const { promise: loaded, resolve: load } = deferred<unknown>()
  loadPages.mockReturnValue(loaded)
  served = { 1: 'xb', 2: 'yd' }
  const fetching = store.controller.fetch(getList, {})
  await vi.waitFor(() => expect(loadPages).toHaveBeenCalledTimes(2))
  store.controller.abort(getList, {})
  await expect(fetching).rejects.toMatchObject({ name: 'AbortError' })
  load(await later.loadPages())
  await tick()
  expect(shown()).toBe('abcd')
})
