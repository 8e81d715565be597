import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { Collection } from '../kinds/Collection.ts'
import { User } from '../testing/entities.ts'
import { hookifyResource } from './hookifyResource.ts'
import { RestEndpoint } from './RestEndpoint.ts'

const get = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/users/:id', schema: User })
const getList = get.extend({ path: '/users', schema: new Collection([User]) })
const update = get.extend({ method: 'PUT' })
const members = { get, getList, update, extend: () => members, path: '/users/:id', later: undefined as undefined }

/** The resource with hooks, and what the next render finds in its context. */
function open<R extends object>(resource: R) {
  const context: { init: RequestInit | undefined } = { init: {} }
  return { context, hooks: hookifyResource(resource, () => context.init) }
}

test('HKF-1 HKF-8 every endpoint becomes a hook; what is no endpoint is left out', () => {
  expect(Object.keys(open(members).hooks)).toEqual(['useGet', 'useGetList', 'useUpdate'])
  expect(Object.keys(open({ ...members, search: get }).hooks)).toContain('useSearch')
  expect(open({}).hooks).toEqual({})
})

test('HKF-2 HKF-3 each call of a hook calls useInit once, and nothing calls it before', () => {
  const useInit = vi.fn(() => ({ headers: { 'Access-Token': 'a' } }))
  const hooks = hookifyResource(members, useInit)
  expect(useInit).not.toHaveBeenCalled()
  const endpoint = hooks.useGet()
  expect(useInit).toHaveBeenCalledTimes(1)
  expect(endpoint.requestInit).toEqual({ headers: { 'Access-Token': 'a' } })
  expect(endpoint).toBeInstanceOf(RestEndpoint)
  expect(get.requestInit).toBeUndefined()
})

test('HKF-2 useInit may return nothing', () => {
  const { context, hooks } = open(members)
  const plain = hooks.useGet()
  context.init = undefined
  expect(hooks.useGet()).toBe(plain)
})

test.each([
  ['the same object', { mode: 'cors' }, { mode: 'cors' }, true],
  ['another value', { mode: 'cors' }, { mode: 'no-cors' }, false],
  ['one member more', { mode: 'cors' }, { mode: 'cors', cache: 'no-store' }, false],
  ['one member less', { mode: 'cors', cache: 'no-store' }, { mode: 'cors' }, false],
  ['equal headers', { headers: { a: '1', b: '2' } }, { headers: { b: '2', a: '1' } }, true],
  ['headers in another case', { headers: { Accept: '1' } }, { headers: { accept: '1' } }, true],
  ['headers of another kind', { headers: { a: '1' } }, { headers: new Headers({ a: '1' }) }, true],
  ['headers as pairs', { headers: { a: '1' } }, { headers: [['a', '1']] }, true],
  ['another token', { headers: { a: '1' } }, { headers: { a: '2' } }, false],
  ['no token', { headers: { a: '1' } }, {}, false],
  ['a token that is not there yet', { headers: { a: undefined } }, {}, true],
] as [string, RequestInit, RequestInit, boolean][])(
  'HKF-4 %s: the same endpoint, or another',
  (_, first, second, same) => {
    const { context, hooks } = open(members)
    context.init = first
    const before = hooks.useGet()
    expect(hooks.useGet()).toBe(before)
    context.init = second
    expect(hooks.useGet() === before).toBe(same)
    expect(hooks.useGetList()).not.toBe(before)
  },
)

test('HKF-4 an init that is changed in place is another one', () => {
  const { context, hooks } = open(members)
  const headers: Record<string, string> = { token: 'a' }
  context.init = { headers }
  const first = hooks.useGet()
  headers['token'] = 'b'
  expect(hooks.useGet()).not.toBe(first)
  expect(first.requestInit).toEqual({ headers: { token: 'a' } })
})

test('HKF-4 the last 50 values are remembered', () => {
  const model: string[] = []
  const { context, hooks } = open(members)
  const seen = new Map<string, unknown>()
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), (number) => {
      const token = `${number}`
      context.init = { headers: { token } }
      const endpoint = hooks.useGet()
      const at = model.indexOf(token)
      expect(at >= 0).toBe(endpoint === seen.get(token))
      expect(endpoint.requestInit).toEqual({ headers: { token } })
      seen.set(token, endpoint)
      if (at >= 0) {
        model.splice(at, 1)
      }
      model.unshift(token)
      model.length = Math.min(model.length, 50)
    }),
    { numRuns: 250 + cases(2_000) },
  )
  expect(model).toHaveLength(50)
})

test('HKF-5 keys do not differ by user', () => {
  const { context, hooks } = open(members)
  context.init = { headers: { token: 'a' } }
  const one = hooks.useGet().key({ id: 5 })
  context.init = { headers: { token: 'b' } }
  expect(hooks.useGet().key({ id: 5 })).toBe(one)
  expect(one).toBe(get.key({ id: 5 }))
})

test('HKF-7 the init of the resource stands under that of the hook', () => {
  const base = get.extend({
    requestInit: { credentials: 'include', mode: 'cors', headers: { Accept: 'a', 'X-App': 'b' } },
  })
  const { context, hooks } = open({ get: base })
  context.init = { mode: 'no-cors', headers: { accept: 'c', token: 'd' } }
  expect(hooks.useGet().requestInit).toEqual({
    credentials: 'include',
    mode: 'no-cors',
    headers: { accept: 'c', 'X-App': 'b', token: 'd' },
  })
})
