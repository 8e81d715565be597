// Responses and actions from outside of the network, while requests are open.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { Collection } from '../kinds/Collection.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { deferredEndpoint, watch } from '../testing/endpoints.ts'
import { Todo, User } from '../testing/entities.ts'

let store: Store
beforeEach(() => {
  store = createStore({ clock: new TestClock() })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  store.stop()
  vi.restoreAllMocks()
})

const args = { id: '1' }
const one = { id: '1', title: 'a' }
const get = (): any => deferredEndpoint('get', Todo)
const put = (more?: object): any => deferredEndpoint('put', Todo, { sideEffect: true, ...more })

describe('a response that no request is waiting for', () => {
  test.each<[string, (ep: any) => unknown, object]>([
    ['setResponse', (ep) => store.controller.setResponse(ep, args, { ...one, title: 'pushed' }), { title: 'pushed' }],
    [
      'setError',
      (ep) => store.controller.setError(ep, args, new Error('pushed')),
      { title: 'a', error: { message: 'pushed' } },
    ],
  ])('CTL-9 CTL-10 ST-18 %s is a write: a read that was sent before does not undo it', async (...row) => {
    const [, write, { title, ...shown }] = row as [string, (ep: any) => unknown, { title: string }]
    const ep = get()
    const view = store.view(ep, args)
    const promise = watch(store.controller.fetch(ep, args))
    const end = view.subscribe(() => {}, true)
    await write(ep)
    await tick()
    // A request waits for its own response.
    expect(promise).toStrictEqual({})
    await ep.calls[0].answer(one)
    expect(Object.keys(promise)).toEqual(['value'])
    expect(view.read()).toMatchObject({ data: { title }, ...shown })
    end()
  })

  test.each([
    ['setResponse', (ep: any) => store.controller.setResponse(ep, args, one)],
    ['setError', (ep: any) => store.controller.setError(ep, args, new Error('pushed'))],
  ])('CTL-9 CTL-10 NET-6 %s leaves the callers of a mutation waiting', async (_name, write) => {
    const ep = put()
    const promise = watch(store.controller.fetch(ep, args))
    await write(ep)
    await tick()
    expect(promise).toStrictEqual({})
    await ep.calls[0].answer(one)
    expect(promise.value).toMatchObject(one)
  })
})

describe('a second caller while a read is open', () => {
  const mutate = async (ep: any, response: unknown): Promise<void> => {
    watch(store.controller.fetch(ep, args, {}))
    await ep.calls[0].answer(response)
  }
  const fail = async (ep: any, error: object): Promise<void> => {
    watch(store.controller.fetch(ep, args, {}))
    await ep.calls[0].fail(Object.assign(new Error('no'), error))
  }
  const read = async (ep: any, response: unknown): Promise<void> => {
    watch(store.controller.fetch(ep, args))
    await ep.calls[0].answer(response)
  }
  const other = deferredEndpoint('other', undefined)
  const user = { sideEffect: true, schema: User }
  test.each<[string, joins: boolean, before: (ep: any) => unknown]>([
    ['another read of the record', true, () => read(deferredEndpoint('also', Todo), one)],
    ['another read that lists it', true, () => read(deferredEndpoint('all', new Collection([Todo])), [one])],
    ['set', true, () => store.controller.set(Todo, args, one)],
    ['a mutation of the record', false, () => mutate(put(), one)],
    ['a mutation without a response', false, () => mutate(put(), undefined)],
    ['a mutation that may have been done', false, () => fail(put(), { status: 500 })],
    ['a mutation that the server refused', true, () => fail(put(), { status: 422 })],
    ['a mutation of a nested record', false, () => mutate(put(user), { id: '5' })],
    ['invalidate', false, (ep) => store.controller.invalidate(ep, args)],
    ['invalidate of another key', true, (ep) => store.controller.invalidate(ep, { id: '2' })],
    ['invalidateAll', false, (ep) => store.controller.invalidateAll(ep)],
    ['invalidateAll of another endpoint', true, () => store.controller.invalidateAll(other)],
    ['expireAll', false, (ep) => store.controller.expireAll(ep)],
  ])('NET-3 after %s joins it: %s', async (_name, joins, before) => {
    const ep = get()
    watch(store.controller.fetch(ep, args))
    await ep.calls[0].answer(one)
    watch(store.controller.fetch(ep, args))
    await before(ep)
    watch(store.controller.fetch(ep, args))
    expect(ep.calls).toHaveLength(joins ? 2 : 3)
  })

  test('NET-3 RES-12 after a create without a response it does not join a read of a list', async () => {
    const list = new Collection([Todo])
    const ep = deferredEndpoint('list', list)
    watch(store.controller.fetch(ep, {}))
    await ep.calls[0].answer([one])
    watch(store.controller.fetch(ep, {}))
    await mutate(deferredEndpoint('create', list.push, { sideEffect: true }), undefined)
    watch(store.controller.fetch(ep, {}))
    expect(ep.calls).toHaveLength(3)
  })
})
