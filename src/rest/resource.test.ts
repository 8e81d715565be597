import { afterEach, describe, expect, test, vi } from 'vitest'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { Collection } from '../kinds/Collection.ts'
import { unshift } from '../schema/merges.ts'
import { CollectionAdder } from '../kinds/CollectionAdder.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Union } from '../kinds/Union.ts'
import { Values } from '../kinds/Values.ts'
import { Link } from '../testing/entities.ts'
import type { RestGenerics } from './RestOptions.ts'
import { RestEndpoint } from './RestEndpoint.ts'
import { resource } from './resource.ts'

class User extends Entity {
  id = ''
  name = ''
  group = ''
  age = 0
  static override key = 'User'
}
class Note extends Entity {
  id = ''
  type = 'note'
  text = ''
  static override key = 'Note'
}
const item = new Union({ link: Link, note: Note }, 'type')

const make = (more: object = {}): any => resource({ path: '/users/:id', schema: User, ...more } as never)

afterEach(() => vi.restoreAllMocks())

describe('members', () => {
  const users = make({ paginationField: 'page' })
  test.each([
    ['get', 'GET', '/users/:id', 'User.get'],
    ['getList', 'GET', '/users', 'User.getList'],
    ['getList.push', 'POST', '/users', 'User.getList.create'],
    ['create', 'POST', '/users', 'User.create'],
    ['getList.unshift', 'POST', '/users', 'User.getList.create'],
    ['getList.getPage', 'GET', '/users', 'User.getList.getPage'],
    ['getList.move', 'PATCH', '/users/:id', 'User.getList.partialUpdate'],
    ['getList.remove', 'PATCH', '/users', 'User.getList.partialUpdate'],
    ['update', 'PUT', '/users/:id', 'User.update'],
    ['partialUpdate', 'PATCH', '/users/:id', 'User.partialUpdate'],
    ['delete', 'DELETE', '/users/:id', 'User.delete'],
  ])('RES-1 %s is %s %s, named %s', (member, method, path, name) => {
    const endpoint = member.split('.').reduce((at, step) => at[step], users)
    expect([endpoint.method, endpoint.path, endpoint.name]).toEqual([method, path, name])
    expect(endpoint.sideEffect).toBe(method === 'GET' ? undefined : true)
    expect(endpoint).toBeInstanceOf(RestEndpoint)
  })

  test('RES-1 the schemas: one record, the list, the deleted record', () => {
    expect(users.get.schema).toBe(User)
    expect(users.update.schema).toBe(User)
    expect(users.partialUpdate.schema).toBe(User)
    expect(users.getList.schema).toBeInstanceOf(Collection)
    expect(users.create.schema).toBeInstanceOf(CollectionAdder)
    expect(users.create.schema).toBe(users.getList.schema.push)
    expect(users.delete.schema).toBeInstanceOf(Invalidate)
    expect(Object.keys(users)).toEqual(['get', 'getList', 'update', 'partialUpdate', 'delete', 'create', 'extend'])
  })

  test('RES-1 a schema that cannot be invalidated is also that of delete', () => {
    const schema = { data: User }
    expect(resource({ path: '/users/:id', schema }).delete.schema).toBe(schema)
  })

  test('UNI-6 the members of a union are named after it, and delete takes it out', () => {
    const items = resource({ path: '/items/:id', schema: item })
    expect(items.get.name).toBe('Union.get')
    expect(items.delete.schema).toBeInstanceOf(Invalidate)
  })

  test('EXT-7 without paginationField there is no getPage', () => {
    expect(make().getList.getPage).toBeUndefined()
  })
})

describe('options', () => {
  const all = (users: any): any[] => [
    users.get,
    users.getList,
    users.create,
    users.update,
    users.partialUpdate,
    users.delete,
  ]

  test('RES-5 every other option is given to all members, unknown ones too', () => {
    const shared = {
      urlPrefix: 'https://api.test',
      requestInit: { credentials: 'include' },
      getHeaders: () => ({ a: 'b' }),
      getRequestInit: () => ({}),
      fetchResponse: () => Promise.reject(new Error('no')),
      parseResponse: () => Promise.resolve(5),
      dataExpiryLength: 1,
      errorExpiryLength: 2,
      errorPolicy: () => 'soft',
      invalidIfStale: true,
      pollFrequency: 3,
      mine: { anything: true },
    }
    for (const endpoint of all(make(shared))) {
      expect({ ...endpoint }).toMatchObject(shared)
    }
  })

  test('RES-5 what belongs to one member is not given to the others', () => {
    const users = make({
      optimistic: true,
      nonFilterArgumentKeys: ['page'],
      paginationField: 'page',
      Endpoint: RestEndpoint,
    })
    for (const endpoint of all(users)) {
      for (const name of ['optimistic', 'nonFilterArgumentKeys', 'Endpoint', 'Collection']) {
        expect(name in endpoint).toBe(false)
      }
    }
    expect(users.get.paginationField).toBeUndefined()
    expect(users.getList.schema.nonFilterArgumentKeys('page')).toBe(true)
    expect(users.getList.schema.nonFilterArgumentKeys('order')).toBe(false)
    expect(make().getList.schema.nonFilterArgumentKeys('orderBy')).toBe(true)
  })

  test('RES-6 body: undefined takes the argument away, where there is one', () => {
    const users = make({ body: undefined, urlPrefix: 'https://api.test' })
    for (const endpoint of [users.update, users.partialUpdate, users.create, users.getList.unshift]) {
      expect('body' in endpoint).toBe(true)
    }
    expect(users.update.key({ id: 5 })).toBe('PUT https://api.test/users/5')
    expect(users.create.key({ group: 'a' })).toBe('POST https://api.test/users?group=a')
    const typed = make({ body: {}, searchParams: {} })
    expect('body' in typed.delete).toBe(false)
    expect('body' in typed.get).toBe(false)
    expect('searchParams' in typed.update).toBe(false)
  })

  test('RES-7 Endpoint is the class of all members; its fields stand', () => {
    class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
      override urlPrefix = 'https://api.test'
      override readonly paginationField: any = 'cursor'
    }
    const users = make({ Endpoint: Api })
    for (const endpoint of [...all(users), users.getList.move]) {
      expect(endpoint).toBeInstanceOf(Api)
    }
    expect(users.getList.url()).toBe('https://api.test/users')
    expect(users.getList.getPage.key({ cursor: 5 })).toBe('GET https://api.test/users')
  })

  test('RES-7 COL-26 Collection is the class of the list; it may say how items move', () => {
    class Newest extends Collection<any> {
      constructor(schema: any, options: any) {
        super(schema, options)
        this.move = this.moveWith(unshift)
      }
    }
    const users = make({ Collection: Newest })
    expect(users.getList.schema).toBeInstanceOf(Newest)
    const driver = createDriver()
    driver.open(users.getList, [{ group: 'a' }]).answer([{ id: '1', group: 'a' }])
    driver.open(users.getList, [{ group: 'b' }]).answer([{ id: '2', group: 'b' }])
    driver.open(users.getList.move, [{ id: '1' }, { group: 'b' }]).answer({ id: '1', group: 'b' })
    expect(ids(driver, users.getList, { group: 'b' })).toEqual(['1', '2'])
  })

  test('RES-8 a class with a lower-case name warns once', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    for (let i = 0; i < 2; i++) {
      make({ endpoint: RestEndpoint, collection: Collection })
    }
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining('"Endpoint" with a capital letter'),
      expect.stringContaining('"Collection" with a capital letter'),
    ])
  })

  test.each(['/users', '', '/a\\:b'])('RES-4 a path without a parameter is refused at once: "%s"', (path) => {
    expect(() => make({ path })).toThrow(/^Resource path requires at least one :parameter or \*wildcard/)
    expect(() => make({ path })).toThrow(expect.objectContaining({ code: 'path-no-param' }) as Error)
  })

  test.each(['validateResponse', 'validateBody', 'getOptimisticResponse'])(
    'VALID-10 ROP-4 %s is given per member, and refused here',
    (name) => {
      expect(() => make({ [name]: () => {} })).toThrow(expect.objectContaining({ code: 'option-per-member' }) as Error)
      expect(make().extend({ update: { [name]: () => {} } }).update[name]).toBeTypeOf('function')
    },
  )
})

describe('delete', () => {
  const params = { id: '5' }
  test.each([
    [
      { id: '5', a: 1 },
      { id: '5', a: 1 },
    ],
    ['5', '5'],
    [5, 5],
    [0, 0],
    [null, params],
    [undefined, params],
    ['', params],
    [{}, params],
    [[], params],
    [true, params],
    [false, params],
  ])('DEL-1 process of %o gives %o', (answer, value) => {
    expect(make().delete.process(answer, params)).toEqual(value)
  })

  test('DEL-1 what the class or the options unwrap counts', async () => {
    class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
      override process(value: any): any {
        return value.data
      }
    }
    const users = make({ Endpoint: Api })
    expect(users.delete.process({ data: { id: '7' } }, params)).toEqual({ id: '7' })
    expect(users.delete.process({ data: null }, params)).toBe(params)
    expect(users.delete.process(null, params)).toBe(params)
    const later = make({ process: async (value: any) => value.data })
    await expect(later.delete.process({ data: {} }, params)).resolves.toBe(params)
    await expect(later.delete.process({ data: '7' }, params)).resolves.toBe('7')
  })

  test('DEL-5 INV-4 a response that names no record is an error', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const users = make()
    expect(() => createDriver().open(users.delete, [params]).answer({ ok: true })).toThrow(
      expect.objectContaining({ status: 400 }) as Error,
    )
  })
})

describe('extend', () => {
  const users = make()

  test('REX-1 a function gets the members, and what it returns wins', () => {
    const time = new Endpoint(async () => 5, { name: 'time' })
    const more = users.extend((base: any) => ({
      current: base.get.extend({ path: '/me' }),
      update: base.partialUpdate,
      time,
    }))
    expect(more.current.path).toBe('/me')
    expect(more.update).toBe(users.partialUpdate)
    expect(more.time).toBe(time)
    expect(more.getList).toBe(users.getList)
    expect(users.extend((base: any) => ({ again: base.extend('x', {}).x })).again.name).toBe('User.x')
  })

  test('REX-2 each named member is extended', () => {
    const more = users.extend({ get: { path: '/people/:id' }, delete: { dataExpiryLength: 5 } })
    expect({ ...more.get }).toMatchObject({ path: '/people/:id', name: 'User.get', schema: User })
    expect({ ...more.delete }).toMatchObject({ dataExpiryLength: 5, method: 'DELETE' })
  })

  test.each(['nope', 'extend', 'toString', 'constructor'])('REX-2 "%s" is no member', (name) => {
    expect(() => users.extend({ [name]: {} })).toThrow(
      new RegExp(`^extend\\(\\): '${name}' is not a member of this resource \\(get, getList, .*create\\)`),
    )
    expect(() => users.extend({ [name]: {} })).toThrow(expect.objectContaining({ code: 'resource-no-member' }) as Error)
  })

  test('RES-5 a resource without a schema, as in files that import one another, is refused', () => {
    expect(() => resource({ path: '/users/:id', schema: undefined as never })).toThrow(
      expect.objectContaining({ code: 'resource-no-schema' }) as Error,
    )
  })

  test('REX-3 one new member is made of get; one that is there is extended', () => {
    const more = users.extend('archive', { path: '/users/:id/archive', method: 'POST' })
    expect({ ...more.archive }).toMatchObject({ name: 'User.archive', method: 'POST', schema: User })
    expect(more.archive.sideEffect).toBe(true)
    expect(users.extend('mine', { name: 'Mine' }).mine.name).toBe('Mine')
    expect({ ...users.extend('update', { method: 'POST' }).update }).toMatchObject({
      name: 'User.update',
      method: 'POST',
    })
    expect(users.extend('toString', { path: '/x' }).toString.path).toBe('/x')
  })

  test('REX-3 EP-9 methods may call super', () => {
    const more = users.extend('archive', {
      url(params: object): string {
        return `/v2${super.url(params)}`
      },
    } as never)
    expect(more.archive.url({ id: 5 })).toBe('/v2/users/5')
  })

  test('REX-4 the receiver stays as it is, and additions add up', () => {
    const keys = Object.keys(users)
    const more = users
      .extend('a', {})
      .extend({ get: { dataExpiryLength: 5 } })
      .extend(() => ({ b: users.get }))
    expect(Object.keys(users)).toEqual(keys)
    expect(users.get.dataExpiryLength).toBeUndefined()
    expect(Object.keys(more).toSorted()).toEqual([...keys, 'a', 'b'].toSorted())
    expect(more.get.dataExpiryLength).toBe(5)
    const { extend } = more
    expect(extend('c', {}).c.name).toBe('User.c')
  })

  const path = '/groups/:group/users'
  test.each<[string, (from: any) => any]>([
    ['several', (from) => from.extend({ getList: { path } })],
    ['one', (from) => from.extend('getList', { path })],
    ['a function', (from) => from.extend((base: any) => ({ getList: base.getList.extend({ path }) }))],
    ['two steps', (from) => from.extend('x', {}).extend({ getList: { path } })],
  ])('REX-5 create follows a replaced getList: %s', (_title, change) => {
    const more = change(users)
    expect({ ...more.create }).toMatchObject({ path, name: 'User.create', method: 'POST' })
    expect(more.create.schema).toBe(more.getList.schema.push)
    expect(users.create.path).toBe('/users')
  })

  test('REX-5 a create that was given stays; its options meet the new list', () => {
    const given = users.extend('create', { path: '/users/new' }).extend({ getList: { path } })
    expect(given.create.path).toBe('/users/new')
    const both = users.extend({ create: { dataExpiryLength: 5 }, getList: { path } })
    expect({ ...both.create }).toMatchObject({ path, dataExpiryLength: 5, name: 'User.create' })
    const own = users.extend(() => ({ getList: users.getList.extend({ path }), create: users.update }))
    expect(own.create).toBe(users.update)
  })

  test.each([
    ['an array', [User]],
    ['a map', new Collection(new Values(User))],
    ['nothing', undefined],
  ])('REX-5 create stays where the new list is %s, which cannot be pushed to', (_title, schema) => {
    expect(users.extend({ getList: { schema } }).create).toBe(users.create)
    expect(() => users.extend({ getList: { schema } }).getList.push).toThrow(
      expect.objectContaining({ code: 'endpoint-no-collection' }) as Error,
    )
  })

  test('REX-6 the list of a factory may be an object; its Collection is found', () => {
    function paged(options: any): any {
      return resource({ ...options, paginationField: 'skip' }).extend({
        getList: { schema: { results: new Collection([options.schema]), total: 0, limit: 0, skip: 0 } },
      } as never)
    }
    const pages = paged({ path: '/users/:id', schema: User })
    const driver = createDriver()
    const page = (results: object[]): object => ({ results, total: 3, limit: 2, skip: 0 })
    driver.open(pages.getList, [{}]).answer(page([{ id: '1' }, { id: '2' }]))
    driver.open(pages.getList.getPage, [{ skip: 2 }]).answer(page([{ id: '2' }, { id: '3' }]))
    driver.open(pages.create, [{ name: 'x' }]).answer({ id: '4', name: 'x' })
    const { data } = driver.read(pages.getList, [{}])
    expect(data.results.map(({ id }: User) => id)).toEqual(['1', '2', '3', '4'])
    expect(data).toMatchObject({ limit: 2, skip: 0 })
    driver.open(pages.getList.move, [{ id: '4' }, { name: 'y' }]).answer({ id: '4', name: 'y' })
    driver.open(pages.delete, [{ id: '1' }]).answer({ id: '1' })
    expect(driver.read(pages.getList, [{}]).data.results.map(({ id }: User) => id)).toEqual(['2', '3', '4'])
  })

  test('REX-7 move keeps the path of a single item, unless it is given another', () => {
    expect(users.extend({ getList: { path } }).getList.move.path).toBe('/users/:id')
    expect(users.extend({ getList: { path, movePath: '/m/:id' } }).getList.move.path).toBe('/m/:id')
  })
})

describe('optimistic', () => {
  const users = make({ optimistic: true })
  const start = (): Driver => {
    const driver = createDriver()
    driver.open(users.getList, [{}]).answer([{ id: '1', name: 'Ann', group: 'a', age: 5 }])
    return driver
  }
  const shown = (driver: Driver): unknown =>
    driver.read(users.getList, [{}]).data.map((user: User) => Object.assign({}, user))

  test('ROP-4 reads have no optimistic response, mutations have one', () => {
    const pages = make({ optimistic: true, paginationField: 'page' })
    for (const read of [pages.get, pages.getList, pages.getList.getPage]) {
      expect(read.getOptimisticResponse).toBeUndefined()
    }
    for (const write of [pages.getList.push, pages.getList.unshift, pages.getList.remove, pages.getList.move]) {
      expect(write.getOptimisticResponse).toBeTypeOf('function')
    }
    for (const write of [pages.create, pages.update, pages.partialUpdate, pages.delete]) {
      expect(write.getOptimisticResponse).toBeTypeOf('function')
    }
    for (const write of [make().create, make().update, make().delete, make().getList.move]) {
      expect(write.getOptimisticResponse).toBeUndefined()
    }
    expect(pages.extend('archive', { method: 'POST' }).archive.getOptimisticResponse).toBeUndefined()
    const mine = (): object => ({})
    expect(pages.extend({ update: { getOptimisticResponse: mine } }).update.getOptimisticResponse).toBe(mine)
  })

  test('ROP-1 update shows parameters and body', () => {
    const driver = start()
    driver.open(users.update, [{ id: '1' }, { name: 'Bea' }])
    expect(shown(driver)).toEqual([{ id: '1', name: 'Bea', group: 'a', age: 5 }])
  })

  test('ROP-3 create shows a stand-in in its place, and a failure takes it away', () => {
    const driver = start()
    const request = driver.open(users.create, [{ group: 'b' }, { name: 'Bea' }])
    expect(shown(driver)).toMatchObject([{ id: '1' }, { name: 'Bea', group: 'b' }])
    request.fail(new Error('no'))
    expect(shown(driver)).toMatchObject([{ id: '1' }])
  })

  test('ROP-1 a partial update lies over the stored record and writes only what differs', () => {
    const driver = start()
    const rename = driver.open(users.partialUpdate, [{ id: '1' }, { name: 'Bea' }])
    expect(shown(driver)).toEqual([{ id: '1', name: 'Bea', group: 'a', age: 5 }])
    // Another field that is read in the meantime shows through.
    driver.open(users.get, [{ id: '1' }]).answer({ id: '1', name: 'Ann', group: 'a', age: 6 })
    expect(shown(driver)).toEqual([{ id: '1', name: 'Bea', group: 'a', age: 6 }])
    rename.answer({ id: '1', name: 'Bea' })
    expect(shown(driver)).toEqual([{ id: '1', name: 'Bea', group: 'a', age: 6 }])
  })

  test.each(['update', 'partialUpdate'])('ROP-5 %s shows in an object around the record', (name) => {
    for (const schema of [{ data: User }, { data: { user: User }, meta: { total: 0 } }]) {
      const driver = start()
      const request = driver.open(users.extend({ [name]: { schema } })[name], [{ id: '1' }, { name: 'Bea' }])
      expect(shown(driver)).toEqual([{ id: '1', name: 'Bea', group: 'a', age: 5 }])
      request.fail(new Error('no'))
      expect(shown(driver)).toMatchObject([{ name: 'Ann' }])
    }
  })

  test('ROP-1 a partial update of a record that is not there shows nothing', () => {
    const driver = start()
    const error = vi.spyOn(console, 'error')
    const request = driver.open(users.partialUpdate, [{ id: '2' }, { name: 'Bea' }])
    expect(driver.read(users.get, [{ id: '2' }]).data).toBeUndefined()
    request.answer({ id: '2', name: 'Bea' })
    expect(driver.read(users.get, [{ id: '2' }]).data).toMatchObject({ name: 'Bea' })
    expect(error).not.toHaveBeenCalled()
  })

  test('ROP-1 a move of a record that is not there shows what is known of it', () => {
    const driver = start()
    driver.open(users.getList, [{ group: 'b' }]).answer([])
    driver.open(users.getList.move, [{ id: '2' }, { group: 'b' }])
    expect(ids(driver, users.getList, { group: 'b' })).toEqual(['2'])
  })

  test('ROP-1 a move shows the stored record with the fields of its body', () => {
    const snapshot = { get: () => ({ id: '1', name: 'Ann', group: 'a' }) }
    const expected = users.getList.move.getOptimisticResponse(snapshot, { id: '1' }, { group: 'b' })
    expect(expected).toEqual({ id: '1', name: 'Ann', group: 'b' })
  })

  test('ROP-1 of a form only the text counts that the class declares as text', () => {
    class Person extends Entity {
      id = ''
      name = ''
      age = 0
      isAdmin = false
      tags: readonly string[] = []
      avatar = ''
      static override key = 'Person'
    }
    const people: any = resource({ path: '/people/:id', schema: Person, optimistic: true })
    const form = new FormData()
    for (const [name, value] of Object.entries({ name: 'Bea', age: '3', isAdmin: 'false', token: 'x' })) {
      form.append(name, value)
    }
    form.append('tags', 'x')
    form.append('avatar', new Blob(['x']), 'x.png')
    const driver = createDriver()
    const row = { id: '1', name: 'Ann', age: 5, isAdmin: true, tags: ['y'], avatar: '/a.png' }
    driver.open(people.get, [{ id: '1' }]).answer(row)
    driver.open(people.partialUpdate, [{ id: '1' }, form])
    expect(driver.read(people.get, [{ id: '1' }]).data).toEqual({ ...row, name: 'Bea' })
  })

  test('ROP-1 what JSON leaves out is not shown', () => {
    const driver = start()
    driver.open(users.partialUpdate, [{ id: '1' }, { name: undefined, group: 'b' }])
    expect(driver.read(users.get, [{ id: '1' }]).data).toMatchObject({ name: 'Ann', group: 'b' })
  })

  test('ROP-3 a parameter that would name another record is no key of a new one', () => {
    const driver = start()
    const nested: any = users.extend({ getList: { path: '/projects/:id/users' } })
    driver.open(nested.getList, [{ id: '1' }]).answer([])
    driver.open(nested.create, [{ id: '1', group: 'c' }, { name: 'Bea' }])
    expect(driver.read(users.get, [{ id: '1' }]).data).toMatchObject({ name: 'Ann' })
    expect(driver.read(nested.getList, [{ id: '1' }]).data).toMatchObject([{ name: 'Bea', group: 'c' }])
    expect(ids(driver, nested.getList, { id: '1' })).not.toContain('1')
  })

  test.each([undefined, null])('ROP-3 a create with %s for parameters is shown', (params) => {
    const driver = start()
    driver.open(users.create, [params, { name: 'Bea' }])
    expect(shown(driver)).toMatchObject([{ id: '1' }, { name: 'Bea' }])
  })

  test('ROP-2 RES-10 of an array body each item is created', () => {
    const driver = start()
    const request = driver.open(users.create, [{ group: 'b' }, [{ name: 'Bea' }, { name: 'Cat' }]])
    expect(shown(driver)).toMatchObject([{ id: '1' }, { name: 'Bea', group: 'b' }, { name: 'Cat', group: 'b' }])
    request.answer([
      { id: '2', name: 'Bea' },
      { id: '3', name: 'Cat' },
    ])
    expect(ids(driver, users.getList, {})).toEqual(['1', '2', '3'])
  })

  test('ROP-1 COL-20 a bare key leaves a list', () => {
    const driver = start()
    driver.open(users.getList.remove, [{ group: 'a' }, '1'])
    expect(ids(driver, users.getList, {})).toEqual([])
  })

  test('ROP-1 COL-19 parameters are no entries of a map', () => {
    const maps = users.extend({ getList: { schema: new Collection(new Values(User)) } })
    const driver = createDriver()
    driver.open(maps.getList, [{ group: 'a' }]).answer({ x: { id: '1', name: 'Ann' } })
    driver.open(maps.getList.assign, [{ group: 'a' }, { y: { id: '2', name: 'Bea' } }])
    expect(Object.keys(driver.read(maps.getList, [{ group: 'a' }]).data)).toEqual(['x', 'y'])
  })

  test('OPT-15 DEL-3 a record whose delete is pending is waited for, and shows again when it fails', () => {
    const driver = start()
    const before = driver.read(users.get, [{ id: '1' }]).data
    const request = driver.open(users.delete, [{ id: '1' }])
    expect(driver.read(users.get, [{ id: '1' }])).toMatchObject({ data: undefined, waiting: true })
    expect(ids(driver, users.getList, {})).toEqual([])
    request.fail(new Error('no'))
    expect(driver.read(users.get, [{ id: '1' }]).data).toEqual(before)
    driver.open(users.delete, [{ id: '1' }]).answer({ id: '1' })
    expect(driver.read(users.get, [{ id: '1' }])).toMatchObject({ data: undefined, expiryStatus: 2 })
    expect(driver.read(User, [{ id: '1' }]).data).toBeUndefined()
  })
})

describe('a union', () => {
  const items = resource({ path: '/items/:id', schema: item, optimistic: true }) as any
  const link = { id: '1', type: 'link', url: 'x' }
  const note = { id: '2', type: 'note', text: 'y' }
  const start = (): Driver => {
    const driver = createDriver()
    driver.open(items.getList, [{}]).answer([link, note])
    return driver
  }

  test('UNI-6 every member works', () => {
    const driver = start()
    driver.open(items.get, [{ id: '2' }]).answer(note)
    expect(driver.read(items.get, [{ id: '2' }]).data).toBeInstanceOf(Note)
    const patch = driver.open(items.partialUpdate, [{ id: '2' }, { text: 'z' }])
    expect(driver.read(items.get, [{ id: '2' }]).data).toMatchObject({ text: 'z', type: 'note' })
    patch.answer({ ...note, text: 'z' })
    driver.open(items.update, [{ id: '1' }, { ...link, url: 'w' }]).answer({ ...link, url: 'w' })
    driver.open(items.create, [{ type: 'note', text: 'n' }]).answer({ id: '3', type: 'note', text: 'n' })
    driver.open(items.getList.unshift, [{ type: 'link', url: 'l' }]).answer({ id: '4', type: 'link', url: 'l' })
    expect(driver.read(items.getList, [{}]).data).toMatchObject([
      { id: '4', url: 'l' },
      { id: '1', url: 'w' },
      { id: '2', text: 'z' },
      { id: '3', text: 'n' },
    ])
  })

  test.each([
    ['parameters alone', { id: '2' }],
    ['a key', '2'],
    ['the record', note],
  ])('UNI-6 DEL-4 delete finds the record by %s', (_title, answer) => {
    const driver = start()
    const request = driver.open(items.delete, [{ id: '2' }])
    expect(ids(driver, items.getList, {})).toEqual(['1'])
    request.answer(answer)
    expect(ids(driver, items.getList, {})).toEqual(['1'])
  })
})

test('COL-8 two lists of other paths are kept apart, with the remedy in the message', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const users = make()
  const trending = users.extend('trending', { path: '/users/trending', schema: users.getList.schema })
  const driver = createDriver()
  driver.open(users.getList, [{}]).answer([{ id: '1' }])
  const ask = (): void => driver.open(trending.trending, [{}]).answer([{ id: '2' }])
  expect(ask).toThrow(expect.objectContaining({ code: 'collection-shared' }) as Error)
  expect(ask).toThrow(/\/users\/trending.*name.*argsKey/s)
  const named = users.extend('trending', {
    path: '/users/trending',
    schema: new Collection([User], { name: 'trending' }),
  })
  driver.open(named.trending, [{}]).answer([{ id: '2' }])
  expect(ids(driver, users.getList, {})).toEqual(['1'])
  expect(ids(driver, named.trending, {})).toEqual(['2'])
})

describe('the parameter of the path has another name than the key', () => {
  class Doc extends Entity {
    _id = ''
    title = ''
    static override key = 'Doc'
    override pk(): string {
      return this._id
    }
  }
  const Docs: any = resource({ path: '/docs/:id', schema: Doc, optimistic: true })
  const Right: any = resource({ path: '/docs/:_id', schema: Doc, optimistic: true })
  const open = (endpoint: any): Driver => {
    const driver = createDriver()
    driver.open(endpoint.getList, [{}]).answer([{ _id: '1', title: 'a' }])
    return driver
  }

  test('RES-16 an optimistic PATCH that shows nothing names the cure', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const driver = open(Docs)
    driver.open(Docs.partialUpdate, [{ id: '1' }, { title: 'b' }])
    expect(driver.read(Docs.getList, [{}]).data[0].title).toBe('a')
    expect(warn.mock.calls.flat()).toEqual([expect.stringContaining('"/:_id"')])
    const other = open(Right)
    other.open(Right.partialUpdate, [{ _id: '1' }, { title: 'b' }])
    expect(other.read(Right.getList, [{}]).data[0].title).toBe('b')
    other.open(Right.partialUpdate, [{ _id: '7' }, { title: 'b' }])
    expect(warn).toHaveBeenCalledTimes(1)
    warn.mockRestore()
  })

  test('RES-16 a DELETE whose response names no record names the cure', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const driver = open(Docs)
    const answer = (): void =>
      driver.open(Docs.delete.extend({ getOptimisticResponse: undefined }), [{ id: '1' }]).answer({ id: '1' })
    expect(answer).toThrow(expect.objectContaining({ code: 'invalidate-missing-pk' }) as Error)
    expect(answer).toThrow(/its field "_id".*"\/:_id"/s)
    const other = open(Right)
    other.open(Right.delete, [{ _id: '1' }]).answer({ _id: '1' })
    expect(other.read(Right.getList, [{}]).data).toEqual([])
  })
})

/** The keys that a list shows. */
function ids(driver: Driver, list: any, args: object): unknown {
  return driver.read(list, [args]).data?.map((user: User) => user.pk())
}
