import { afterEach, expect, test, vi } from 'vitest'
import { Endpoint } from './Endpoint.ts'
import { START } from './start.ts'

// Classes of apps written in JavaScript.
const AnyEndpoint = Endpoint as unknown as new (...args: any[]) => any
afterEach(() => {
  vi.restoreAllMocks()
})

async function add(this: unknown, a: number, b: number): Promise<number> {
  return a + b
}

test('EP-1 a call runs fetch with the endpoint as this', async () => {
  let self: unknown
  const endpoint = new Endpoint(async function (this: unknown, n: number) {
    self = this
    return n
  })
  expect(await endpoint(5)).toBe(5)
  expect(self).toBe(endpoint)
  expect(endpoint).toBeTypeOf('function')
  expect(endpoint).toBeInstanceOf(Endpoint)
})

test('EP-1 INIT-5 a fetch function that throws makes the call reject', async () => {
  const endpoint = new Endpoint((): Promise<void> => {
    throw new RangeError('sync')
  })
  await expect(endpoint()).rejects.toThrow(RangeError)
})

test('EP-2 options become own members, unknown ones too, and getters stay getters', async () => {
  let calls = 0
  const endpoint = new Endpoint(
    async function (this: any) {
      return [this.token, this.live]
    },
    {
      token: 'abc',
      get live() {
        return ++calls
      },
    } as object,
  )
  expect(Object.hasOwn(endpoint, 'token')).toBe(true)
  expect(await endpoint()).toEqual(['abc', 1])
  expect(await endpoint.extend({})()).toEqual(['abc', 2])
})

test('EP-2 undefined for a member that has a default counts as not given', () => {
  const endpoint = new Endpoint(add, { name: undefined, key: undefined as never, schema: undefined })
  expect(endpoint.key(1, 2)).toBe('add [1,2]')
})

test('EP-3 call and apply run the endpoint, whatever this they are given', async () => {
  let self: unknown
  const endpoint = new Endpoint(async function (this: unknown, a: number, b: number) {
    self = this
    return a + b
  })
  expect(await endpoint.call({}, 1, 2)).toBe(3)
  expect(self).toBe(endpoint)
  expect(await endpoint.apply(null, [3, 4])).toBe(7)
  expect(self).toBe(endpoint)
  expect(await new Endpoint(async () => 'none').apply(null, [])).toBe('none')
})

test('EP-4 bind fixes the first arguments, of calls and of keys', async () => {
  const endpoint = new Endpoint(add, { schema: 'x', sideEffect: true, extra: 5 })
  const bound = endpoint.bind(null, 1)
  expect(await bound(2)).toBe(3)
  expect(bound.key(2)).toBe('add [1,2]')
  expect(bound.requestKey(2)).toBe('add [1,2]')
  expect(bound.testKey(bound.key(2))).toBe(true)
  expect({ ...bound }).toMatchObject({ name: 'add', schema: 'x', sideEffect: true, extra: 5 })
  expect(bound).toBeInstanceOf(Endpoint)
  expect(await (bound as never as { [START](args: unknown[]): Promise<number> })[START]([5])).toBe(6)
  expect(await bound.bind(null, 2)()).toBe(3)
  expect(bound.bind(null, 2).key()).toBe('add [1,2]')
  expect(endpoint.key(1, 2)).toBe('add [1,2]')
})

async function fetchUsers(id: number): Promise<string> {
  return `user ${id}`
}
async function fetchAsset(id: number): Promise<string> {
  return `asset ${id}`
}

test.each([
  ['the option', new Endpoint(add, { name: 'sum' }), 'sum'],
  ['the function', new Endpoint(add), 'add'],
  ['the new function, when fetch is replaced', new Endpoint(fetchUsers).extend({ fetch: fetchAsset }), 'fetchAsset'],
  [
    'the new function, whatever the old endpoint was called',
    new Endpoint(add, { name: 'sum' }).extend({ fetch: fetchAsset }),
    'fetchAsset',
  ],
  ['the option, when fetch is replaced', new Endpoint(add).extend({ fetch: fetchAsset, name: 'mine' }), 'mine'],
  [
    'the parent, when a key comes with fetch',
    new Endpoint(add).extend({ fetch: async () => 1, key: () => 'x' }),
    'add',
  ],
  ['the parent, when bound', new Endpoint(add).bind(null, 1), 'add'],
  ['the parent, when bound twice', new Endpoint(add).bind(null, 1).bind(null, 2), 'add'],
  ['the parent, when fetch stays', new Endpoint(add).extend({ dataExpiryLength: 5 }), 'add'],
  ['an own name after extend', new Endpoint(add).extend({ name: 'other' }), 'other'],
  ['nothing, when fetch has none', new Endpoint(add).extend({ fetch: async () => 1 }), ''],
])('EP-5 name comes from %s', (_, endpoint, name) => {
  expect(endpoint.name).toBe(name)
})

test('EP-5 an endpoint with another function has keys of its own', () => {
  const users = new Endpoint(fetchUsers)
  const assets = users.extend({ fetch: fetchAsset })
  expect([users.key(1), assets.key(1)]).toEqual(['fetchUsers [1]', 'fetchAsset [1]'])
  expect([users.testKey(assets.key(1)), assets.testKey(assets.key(1))]).toEqual([false, true])
})

const called = { fetch: async () => 1 }
test.each<[string, any]>([
  ['an arrow function', () => new Endpoint(async () => 1)],
  ['a function that is named after the option', () => new Endpoint(called.fetch)],
  ['a bound function', () => new Endpoint(fetchUsers.bind(null, 1))],
  ['a function replaced by a method', () => new Endpoint(add).extend({ fetch: async () => 1 })],
  ['no function', () => new AnyEndpoint()],
])('EP-5 without a name there is no key, and the error says what to do: %s', async (_, make) => {
  const endpoint = make()
  expect(endpoint.name).toBe('')
  expect(() => endpoint.key()).toThrow(expect.objectContaining({ code: 'endpoint-no-name' }))
  expect(() => endpoint.key()).toThrow(/Give it a name: new Endpoint\(fetchUser, \{ name: 'fetchUser' \}\)/)
  expect(endpoint.testKey(' []')).toBe(false)
  expect(endpoint.extend({ key: () => 'mine' }).key()).toBe('mine')
})

test('EP-5 a direct call needs no name', async () => {
  const timers = { setTimeout: () => 0, clearTimeout: () => {} }
  expect(await new Endpoint(async () => 1)()).toBe(1)
  const slow = new Endpoint(async () => 2, { timeout: 5 })
  expect(await slow[START]([], { clock: timers })).toBe(2)
})

test('EP-5 two functions of one name do not share keys, as after minifying', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const first = async function t(): Promise<number> {
    return 1
  }
  const second = async function t(): Promise<number> {
    return 2
  }
  const [one, two, oneAgain] = [new Endpoint(first), new Endpoint(second), new Endpoint(first)]
  expect(one.key()).toBe('t []')
  expect(two.key()).toMatch(/^t~\w+ \[\]$/)
  expect(oneAgain.key()).toBe(one.key())
  // The same in every process: it follows from the text of the function alone.
  expect(new Endpoint(second).key()).toBe(two.key())
  expect(one.testKey(two.key())).toBe(false)
  expect(warn.mock.calls.flat()).toEqual([expect.stringMatching(/^Two functions are called "t"/)])
})

test('EP-5 functions that one factory makes look alike: development says that they share their keys', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const make = (result: number) =>
    async function produced(): Promise<number> {
      return result
    }
  expect(new Endpoint(make(1)).key()).toBe(new Endpoint(make(2)).key())
  expect(warn.mock.calls.flat()).toEqual([expect.stringMatching(/^Two functions are called "produced"/)])
  const named = new Endpoint(make(3), { name: 'third' })
  expect(named.key()).toBe('third []')
  expect(warn).toHaveBeenCalledTimes(1)
})

test.each([
  [[1, 2], 'foo [1,2]'],
  [[undefined], 'foo [null]'],
  [[{ a: undefined }], 'foo [{}]'],
  [[{ b: 1, a: { d: 1, c: 2 } }], 'foo [{"a":{"c":2,"d":1},"b":1}]'],
  [[], 'foo []'],
])('EP-6 key of %o', (args, key) => {
  const foo = new Endpoint(async (..._: unknown[]) => 1, { name: 'foo' })
  expect(foo.key(...args)).toBe(key)
  expect(foo.testKey(key)).toBe(true)
})

test('EP-7 testKey is not misled by a longer name', () => {
  const foo = new Endpoint(async () => 1, { name: 'foo' })
  expect(foo.testKey('foo []')).toBe(true)
  expect(foo.testKey('foobar []')).toBe(false)
})

test('EP-8 a plain endpoint reads unless it says otherwise', () => {
  expect(new Endpoint(add).sideEffect).toBeUndefined()
  expect(new Endpoint(add, { sideEffect: true }).sideEffect).toBe(true)
})

test('EP-9 extend overrides members and leaves the parent alone', async () => {
  class Special extends AnyEndpoint {}
  const parent = new Special(add, { schema: 1, extra: 'a' }) as Endpoint
  const child = parent.extend({ extra: 'b', fetch: async (a: number) => a * 10 } as object)
  expect(child).toBeInstanceOf(Special)
  expect({ ...child }).toMatchObject({ schema: 1, extra: 'b' })
  expect(parent.extra).toBe('a')
  expect(await child(3, 4)).toBe(30)
  expect(await parent(3, 4)).toBe(7)
})

test('EP-10 options of a plain endpoint hold from the first call on', async () => {
  class Fields extends AnyEndpoint {
    name = 'field'
    dataExpiryLength = -1
  }
  const make = (options: object): any => new Fields(add, options)
  expect(await make({ dataExpiryLength: 0 })(1, 2)).toBe(3)
  expect(make({ name: 'option' }).key(1)).toBe('option [1]')
  expect(make({ name: 'option' }).testKey('option [1]')).toBe(true)
})

test('VALID-3 VALID-4 a plain endpoint checks what its function resolved to', async () => {
  const schema = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) =>
        typeof value === 'number' ? { value: value + 1 } : { issues: [{ message: 'no' }] },
    },
  } as const
  const endpoint = new Endpoint(async (value: unknown) => value, { name: 'echo', validateResponse: schema })
  expect(await endpoint(1)).toBe(2)
  await expect(endpoint('x')).rejects.toMatchObject({ code: 'validate-response', status: 400, response: 'x' })
  await expect(endpoint(null)).rejects.toThrow('"echo [null]" was refused')
})
