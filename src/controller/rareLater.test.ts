import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { Collection } from '../schema/Collection.ts'
import { Entity } from '../schema/Entity.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { deferred } from '../base/clock.ts'
import * as later from './loadRareLater.ts'

// As in a browser, where the code for rare responses is a chunk of its own.
const { loadRare } = vi.hoisted(() => ({ loadRare: vi.fn() }))
vi.mock('#rare', () => ({ loadRare }))

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
  loadRare.mockImplementation(later.loadRare)
  store = createStore({ clock: new TestClock() })
  await store.controller.fetch(getList, {})
})
afterEach(() => {
  store.stop()
  vi.restoreAllMocks()
  loadRare.mockReset()
})

test('PAG-7 a browser loads the refresh of pages with the first page, and uses it when the list is fetched again', async () => {
  expect(loadRare).not.toHaveBeenCalled()
  await store.controller.fetch(getList.getPage, { page: 2 })
  expect(loadRare).toHaveBeenCalledOnce()
  served = { 1: 'xb', 2: 'yd' }
  await store.controller.fetch(getList, {})
  expect(shown()).toBe('xbyd')
})

test('PAG-7 where it cannot be loaded, the list is stored without its pages, and they stay', async () => {
  loadRare.mockRejectedValue(new Error('offline'))
  await store.controller.fetch(getList.getPage, { page: 2 })
  served = { 1: 'xb', 2: 'yd' }
  await store.controller.fetch(getList, {})
  expect(shown()).toBe('xbcd')
})

test('PAG-7 NET-19 if the response is refused as well, only its caller gets the error', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  loadRare.mockRejectedValue(new Error('offline'))
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
  loadRare.mockReturnValue(loaded)
  served = { 1: 'xb', 2: 'yd' }
  const fetching = store.controller.fetch(getList, {})
  await vi.waitFor(() => expect(loadRare).toHaveBeenCalledTimes(2))
  store.controller.abort(getList, {})
  await expect(fetching).rejects.toMatchObject({ name: 'AbortError' })
  load(await later.loadRare())
  await tick()
  expect(shown()).toBe('abcd')
})

describe('a mutation whose response says nothing of its record', () => {
  let title: string
  let reads: number
  class Note extends Entity {
    id = ''
    title = ''
    static override key = 'Note'
  }
  const getNote: any = new RestEndpoint({
    path: '/notes/:id',
    schema: Note,
    fetch: async ({ id }: any) => {
      reads++
      return { id, title }
    },
  } as never)
  const change = (response: unknown): any =>
    getNote.extend({
      method: 'PATCH',
      fetch: async (_: unknown, body: any) => {
        title = `${body.title}!`
        return response
      },
    })
  const read = (): unknown => store.view(getNote, { id: '1' }).read().data

  beforeEach(async () => {
    title = 'old'
    reads = 0
    store.subscribe(getNote, [{ id: '1' }], () => {})
    await store.view(getNote, { id: '1' }).promise()
    reads = 0
  })

  test.each([null, { id: '1' }])('RES-11 %j: a browser loads the code that completes it', async (response) => {
    expect(loadRare).not.toHaveBeenCalled()
    const changed = await store.controller.fetch(change(response), { id: '1' }, { title: 'new' })
    expect(loadRare).toHaveBeenCalledOnce()
    expect([changed, read()]).toMatchObject([{ title: 'new' }, { title: 'new' }])
    await vi.waitFor(() => expect(read()).toMatchObject({ title: 'new!' }))
  })

  test.each([
    [null, undefined],
    [{ id: '1' }, { id: '1' }],
  ])('RES-11 %j: without that code, the record is fetched again', async (response, outcome) => {
    loadRare.mockRejectedValue(new Error('offline'))
    const changed = await store.controller.fetch(change(response), { id: '1' }, { title: 'new' })
    expect(changed).toEqual(outcome)
    await vi.waitFor(() => expect(read()).toMatchObject({ title: 'new!' }))
    expect(reads).toBe(1)
  })

  test('RES-11 a mutation that is aborted while it is loaded leaves its record in doubt', async () => {
    const { promise: loaded, resolve: load } = deferred<unknown>()
    loadRare.mockReturnValue(loaded)
    const put = change(null)
    const changing = store.controller.fetch(put, { id: '1' }, { title: 'new' })
    await vi.waitFor(() => expect(loadRare).toHaveBeenCalledOnce())
    void store.controller.abort(put, { id: '1' }, { title: 'new' })
    await expect(changing).rejects.toMatchObject({ name: 'AbortError' })
    load(await later.loadRare())
    await vi.waitFor(() => expect(read()).toMatchObject({ title: 'new!' }))
  })
})
