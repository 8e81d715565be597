import { afterEach, expect, test, vi } from 'vitest'
import { Endpoint } from './Endpoint.ts'
import { START } from './start.ts'

// Classes of users who write JavaScript.
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

test.each([
  ['the option', new Endpoint(add, { name: 'sum' }), 'sum'],
  ['the function', new Endpoint(add), 'add'],
  ['the parent, when fetch is replaced', new Endpoint(add).extend({ fetch: async () => 1 }), 'add'],
  ['the parent, when bound', new Endpoint(add).bind(null, 1), 'add'],
  ['an own name after extend', new Endpoint(add).extend({ name: 'other' }), 'other'],
])('EP-5 name comes from %s', (_, endpoint, name) => {
  expect(endpoint.name).toBe(name)
})

test('EP-5 no name with the default key: one error in the console', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const named = new Endpoint(async () => 1, { key: () => 'mine' })
  expect(named.key()).toBe('mine')
  expect(named.name).toBe('')
  expect(error).not.toHaveBeenCalled()
  const nameless = new Endpoint(async () => 1)
  expect(nameless.key()).toBe(' []')
  expect(nameless.key()).toBe(' []')
  expect(error).toHaveBeenCalledTimes(1)
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
