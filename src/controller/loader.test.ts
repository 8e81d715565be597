// When readers fetch, when they stop, and what they get instead.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { NetworkManager } from '../managers/NetworkManager.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { deferredEndpoint, watch } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'
import type { Controller } from './Controller.ts'

const args = { id: '1' }
const one = { id: '1', title: 'a' }

let clock: TestClock
let store: Store
let controller: Controller

beforeEach(() => {
  clock = new TestClock()
  store = createStore({ clock, managers: [new NetworkManager()] })
  ;({ controller } = store)
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  store.stop()
  vi.restoreAllMocks()
})

describe('a key whose requests are used up', () => {
  const abortAll = async (ep: any): Promise<void> => {
    for (let i = 0; i < 5; i++) {
      await controller.abort(ep, args)
      await tick()
    }
  }
  const fail = (ep: any): Promise<void> => controller.setError(ep, args, new Error('the last one'))

  test.each<[string, (ep: any) => unknown, object]>([
    ['nothing is stored: not-usable', () => {}, { error: { code: 'not-usable', status: 400, refused: true } }],
    ['an error is stored: the error', fail, { error: { message: 'the last one' } }],
    ['data is stored: the data', (ep) => controller.setResponse(ep, args, one), { value: { title: 'a' } }],
    [
      'data and a later error are stored: the error',
      async (ep) => {
        await controller.setResponse(ep, args, one)
        await fail(ep)
      },
      { error: { message: 'the last one' } },
    ],
  ])('NET-17 its readers get what is stored, after three requests: %s', async (_name, prepare, expected) => {
    const ep = deferredEndpoint('get', Todo)
    await prepare(ep)
    await clock.pass(61_000)
    const out = watch(store.view(ep, args).promise())
    await abortAll(ep)
    expect(ep.calls).toHaveLength(3)
    expect(out).toMatchObject(expected)
  })
})
