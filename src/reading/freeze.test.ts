import { afterEach, describe, expect, test, vi } from 'vitest'

/** The library as it loads in a mode. */
async function load(mode: 'development' | 'production') {
  vi.resetModules()
  vi.stubEnv('NODE_ENV', mode)
  const { createDriver } = await import('../testing/drivers.ts')
  const { Entity } = await import('../kinds/Entity.ts')
  const { Collection } = await import('../kinds/Collection.ts')
  const { Query } = await import('../kinds/Query.ts')
  const { All } = await import('../kinds/All.ts')
  const { Values } = await import('../kinds/Values.ts')
  class User extends Entity {
    id = ''
    tags: string[] = []
    static override key = 'User'
    static override schema = { at: Date, self: User }
  }
  return { createDriver, Collection, Query, All, Values, User }
}

class Own {
  value = [1]
}

/** Everything a store hands out, and everything it was given. */
async function readings(mode: 'development' | 'production') {
  const { createDriver, Collection, Query, All, Values, User } = await load(mode)
  const key = (name: string) => (): string => name
  const endpoint = (name: string, schema: unknown): any =>
    Object.assign(() => Promise.resolve(), { key: key(name), path: name, schema })
  const driver = createDriver()
  const body = { id: '1', tags: ['a'], deep: { list: [{ x: 1 }] } }
  const special = {
    own: new Own(),
    blob: new Blob([]),
    bytes: new Uint8Array(2),
    stream: new ReadableStream(),
    date: new Date(0),
  }
  driver.set(User, [{ id: 1 }], { ...body, ...special, at: '2020-01-01', self: '1' })
  driver.setResponse(endpoint('list', new Collection([User])), [], [body])
  driver.setResponse(endpoint('map', new Collection(new Values(User), { name: 'm' })), [], { a: body })
  driver.setResponse(endpoint('values', new Values(User)), [], { a: body })
  driver.setResponse(endpoint('array', [User]), [], [body])
  driver.setResponse(endpoint('object', { user: User, more: 0 }), [], { user: body, more: { plain: [1] } })
  const given = { plain: [{ a: 1 }] }
  driver.setResponse(endpoint('none', undefined), [], given)
  const user = driver.read(User, [1]).data
  const read = (name: string, schema: unknown): any => driver.read(endpoint(name, schema), []).data
  const object = read('object', { user: User, more: 0 })
  const handedOut: Record<string, unknown> = {
    user,
    'a plain field': user.tags,
    'a deep plain field': user.deep.list[0],
    list: read('list', new Collection([User])),
    map: read('map', new Collection(new Values(User), { name: 'm' })),
    values: read('values', new Values(User)),
    array: read('array', [User]),
    object,
    'a plain member': object.more.plain,
    'a result without schema': read('none', undefined),
    'its parts': read('none', undefined).plain[0],
    all: driver.read(new All(User), []).data,
    query: driver.read(new Query(new All(User), (users) => users.filter(() => true)), []).data,
    'a query that makes objects': driver.read(new Query(User, () => ({ n: [1] })), [1]).data,
  }
  const notOurs: Record<string, unknown> = {
    body,
    'its parts': body.deep.list[0],
    tags: body.tags,
    'a result as it was given': given,
    'its part': given.plain[0],
    own: user.own,
    'parts of own': user.own.value,
    blob: user.blob,
    bytes: user.bytes,
    stream: user.stream,
    date: user.date,
    converted: user.at,
  }
  return { handedOut, notOurs, user, special }
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

const frozen = (values: Record<string, unknown>): string[] =>
  Object.keys(values).filter((name) => Object.isFrozen(values[name]))

describe('ENT-9', () => {
  test('ENT-9 in development values that are read are frozen, and no object of the app is', async () => {
    const { handedOut, notOurs, user, special } = await readings('development')
    expect(frozen(handedOut)).toEqual(Object.keys(handedOut))
    expect(frozen(notOurs)).toEqual([])
    for (const [name, value] of Object.entries(special)) {
      expect(user[name]).toBe(value)
    }
    expect(() => {
      user.tags.push('b')
    }).toThrow(TypeError)
    expect(() => {
      user.name = 'b'
    }).toThrow(TypeError)
  })

  test('ENT-9 G-7 in production nothing is frozen, and the readings are the same', async () => {
    const production = await readings('production')
    expect(frozen(production.handedOut)).toEqual([])
    expect(frozen(production.notOurs)).toEqual([])
    const text = (values: object): string =>
      JSON.stringify(values, (name, value: unknown) => (name === 'self' ? 'self' : value))
    const development = await readings('development')
    expect(text(production.handedOut)).toBe(text(development.handedOut))
  })

  test('ENT-9 the store keeps its own copy of what the app gives', async () => {
    for (const mode of ['development', 'production'] as const) {
      const { createDriver, User } = await load(mode)
      const driver = createDriver()
      const body = { id: '1', tags: ['a'], deep: { list: [1] } }
      driver.set(User, [1], body)
      const none = Object.assign(() => Promise.resolve(), { key: () => 'x', schema: undefined }) as any
      const answer = { list: [1] }
      driver.setResponse(none, [], answer)
      body.tags.push('b')
      body.deep.list.push(2)
      answer.list.push(2)
      expect(driver.read(User, [1]).data).toMatchObject({ tags: ['a'], deep: { list: [1] } })
      expect(driver.read(none, []).data).toEqual({ list: [1] })
    }
  })

  test('COL-8 INV-4 QRY-8 G-6 production refuses what development refuses, and names it', async () => {
    const { createDriver, Collection, Query, User } = await load('production')
    const { Invalidate } = await import('../kinds/Invalidate.ts')
    const endpoint = (name: string, schema: unknown): any =>
      Object.assign(() => Promise.resolve(), { key: () => name, path: name, schema })
    const driver = createDriver()
    driver.open(endpoint('/followers', new Collection([User])), [{ id: 1 }]).answer([{ id: 5 }])
    const refused = (run: () => unknown, code: string, ...parts: string[]): void => {
      expect(run).toThrow(expect.objectContaining({ code, status: 400 }))
      for (const part of parts) {
        expect(run).toThrow(part)
      }
    }
    const following = endpoint('/following', new Collection([User]))
    const shared = (): unknown => driver.open(following, [{ id: 1 }]).answer([{ id: 6 }])
    refused(shared, 'collection-shared', '[User]', '/followers', '/following')
    expect(driver.read(User, [6]).data).toBeUndefined()
    const remove = endpoint('remove', new Invalidate(User))
    refused(() => driver.open(remove, []).answer({}), 'invalidate-missing-pk', 'User')
    const query = new Query(User, () => {
      throw new Error('mine')
    })
    refused(() => driver.read(query, [5]), 'query-failed', 'User')
  })

  test('ENT-9 a value of more than 10,000 parts is read all the same', async () => {
    const { createDriver, User } = await load('development')
    const driver = createDriver()
    const big = Array.from({ length: 20_000 }, (_, n) => [n])
    driver.set(User, [1], { id: 1, big })
    const read = driver.read(User, [1]).data.big
    expect(read).toEqual(big)
    expect(Object.isFrozen(read)).toBe(true)
  })
})
