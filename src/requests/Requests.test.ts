// The life of a request: shared, responded to twice, dropped, reset.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { NetworkManager } from '../managers/NetworkManager.ts'
import { TestClock } from '../testing/TestClock.ts'
import { deferredEndpoint, endpoint, watch } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'
import { createDriver, type Driver, type DrivenRequest } from '../testing/drivers.ts'

let clock: TestClock
let store: Store
beforeEach(() => {
  clock = new TestClock()
  store = createStore({ clock, managers: [] })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  store.stop()
  vi.restoreAllMocks()
})

const args = { id: '1' }
const ann = { id: '1', name: 'Ann' }

test('OPT-8 OPT-12 callers that share a read show its optimistic response once', async () => {
  const { controller } = store
  const ep = deferredEndpoint('get', User, { getOptimisticResponse: () => ({ id: '1', name: 'early' }) })
  const outs = [watch(controller.fetch(ep, args)), watch(controller.fetch(ep, args))]
  expect(controller.get(User, args)).toMatchObject({ name: 'early' })
  const [request, ...others] = controller.core.requests.open.values()
  expect([others.length, store.getState().optimistic.length]).toEqual([0, 1])
  const { requestId, fetchedAt } = request!.action.meta
  await controller.resolve(ep, { args: [args], response: ann, requestId, fetchedAt })
  await clock.pass()
  expect(outs).toMatchObject([{ value: ann }, { value: ann }])
  expect(controller.get(User, args)).toMatchObject(ann)
  expect(store.getState().optimistic).toEqual([])
})

test('CNT-1 each request counts as running once, however often it is ended', async () => {
  const { core, fetch } = store.controller
  const counted: number[] = []
  core.store.onRequest = (_key, by) => counted.push(by)
  void watch(fetch(deferredEndpoint('get', User), args))
  const [request] = core.requests.open.values()
  core.requests.drop(request!)
  core.requests.drop(request!)
  await clock.pass()
  expect(counted).toEqual([1, -1])
})

describe('a response that arrives after the end of its request', () => {
  const end: Record<string, (request: DrivenRequest) => void> = {
    'got a response': (request) => request.answer(ann),
    failed: (request) => request.fail(Object.assign(new Error('no'), { status: 422 })),
    'was dropped': (request) => request.drop(),
  }
  test.each(Object.keys(end).flatMap((how) => (['read', 'mutation'] as const).map((kind) => [how, kind] as const)))(
    'CTL-11 NET-6 is stored, where it %s and is a %s',
    (how, kind) => {
      const driver: Driver = createDriver(clock)
      const ep = endpoint('change', User, { sideEffect: kind === 'mutation' || undefined })
      const request = driver.open(ep, [args])
      end[how]!(request)
      const { fetchedAt } = request.action.meta
      driver.resolve(ep, { args: [args], response: { id: '2', name: 'late' }, fetchedAt })
      expect(driver.read(User, [{ id: '2' }]).data?.name).toBe('late')
    },
  )
})

test.each<[string, () => unknown, string]>([
  [
    'an endpoint',
    () => createDriver().open(endpoint('/x', User, { errorExpiryLength: -1 }), []),
    'errorExpiryLength of "/x"',
  ],
  ['a manager', () => new NetworkManager({ dataExpiryLength: -5 }), 'dataExpiryLength of "NetworkManager"'],
])('EP-14 a negative length is refused by its name: %s', (_name, create, text) => {
  const [length, owner] = text.split(' of ')
  expect(create).toThrow(`"${length}" of ${owner} is -`)
})
