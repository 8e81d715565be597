import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import * as actionTypes from '../requests/actionTypes.ts'
import { TestClock } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'
import * as actions from './createActions.ts'

let store: Store
beforeEach(() => {
  store = createStore({ clock: new TestClock(), start: false })
})
afterEach(() => store.stop())

const one = { id: '1', title: 'a' }
const args = [{ id: '1' }] as const

test('NET-2 CTL-13 actions made by hand do what the methods do', async () => {
  const get = deferredEndpoint('get', Todo)
  const { dispatch, get: read, getError } = store.controller
  const fetch = actions.createFetch(get, { args })
  await dispatch(fetch)
  await get.calls[0].answer(one)
  expect(await fetch.meta.promise).toBe(read(Todo, args[0]))
  await dispatch(actions.createSetResponse(get, { args, response: { id: '1', title: 'b' } }))
  expect(read(Todo, args[0])!.title).toBe('b')
  await dispatch(actions.createSetResponse(get, { args, response: new Error('no'), error: true }))
  expect(getError(get, ...args)).toMatchObject({ message: 'no' })
  await dispatch(actions.createSet(Todo, { args, value: { id: '1', title: 'c' } }))
  expect(read(Todo, args[0])!.title).toBe('c')
  await dispatch(actions.createExpireAll(() => true))
  expect(store.getState().meta[get.key(...args)]!.expiresAt).toBe(1)
  for (const invalidate of [actions.createInvalidate(get, { args }), actions.createInvalidateAll(() => true)]) {
    await dispatch(actions.createSetResponse(get, { args, response: one }))
    await dispatch(invalidate)
    expect(store.getState().meta[get.key(...args)]!.invalidated).toBe(true)
  }
  await dispatch(actions.createReset())
  expect(store.getState().entities).toEqual({})
  const about = { key: get.key(...args), args, endpoint: get }
  expect(actions.createSubscription(get, { args })).toEqual({ type: 'rdc/subscribe', ...about })
  expect(actions.createUnsubscription(get, { args })).toEqual({ type: 'rdc/unsubscribe', ...about })
})

test('MGR-2 the names of actions do not change', () => {
  expect({ ...actionTypes }).toEqual({
    FETCH: 'rdc/fetch',
    SET: 'rdc/set',
    SET_RESPONSE: 'rdc/setresponse',
    OPTIMISTIC: 'rdc/optimistic',
    RESET: 'rdc/reset',
    SUBSCRIBE: 'rdc/subscribe',
    UNSUBSCRIBE: 'rdc/unsubscribe',
    INVALIDATE: 'rdc/invalidate',
    INVALIDATEALL: 'rdc/invalidateall',
    EXPIREALL: 'rdc/expireall',
    GC: 'rdc/gc',
  })
})
