import { describe, expect, test } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import { ObjectSchema } from '../schema/Object.ts'
import { Query } from '../kinds/Query.ts'
import { Union } from '../kinds/Union.ts'
import { Values } from '../kinds/Values.ts'
import { User } from '../testing/entities.ts'
import { RestEndpoint } from './RestEndpoint.ts'

const users = new Collection([User])
const make = (schema: unknown, more: object = {}): any => new RestEndpoint({ path: '/users', schema, ...more } as any)

describe('the members', () => {
  test.each([
    ['push', 'POST', 'create'],
    ['unshift', 'POST', 'create'],
    ['remove', 'PATCH', 'partialUpdate'],
    ['move', 'PATCH', 'partialUpdate'],
  ] as const)(
    'EXT-2 EXT-3 EXT-5 %s: method, schema, path, name, and the same object each time',
    (name, method, suffix) => {
      for (const schema of [
        users,
        { total: 0, users, more: new Collection([User], { name: 'more' }) },
        { page: { users }, next: '' },
        new ObjectSchema({ total: 0, users }),
        new Query(users, (list) => list.toReversed()),
        { of: new Query(new ObjectSchema({ users })) },
      ]) {
        const list = make(schema, { name: 'list' })
        const extended = list[name]
        expect(extended).toBe(list[name])
        expect(extended).toBeInstanceOf(RestEndpoint)
        expect(extended.method).toBe(method)
        expect(extended.sideEffect).toBe(true)
        expect(extended.schema).toBe(users[name])
        expect(extended.path).toBe('/users')
        expect(extended.name).toBe(`list.${suffix}`)
      }
    },
  )

  test('EXT-3 assign belongs to maps', () => {
    const map = new Collection(new Values(User))
    expect(make(map).assign.schema).toBe(map.assign)
    expect(make({ map, total: 0 }).assign.method).toBe('POST')
  })

  test('RE-24 EXT-5 move goes to movePath', () => {
    const list = make(users, { movePath: '/users/:id' })
    expect(list.move.key({ id: 5 }, {})).toBe('PATCH /users/5')
    expect(list.remove.key({ id: 5 }, {})).toBe('PATCH /users?id=5')
  })

  test('EXT-1 EXT-2 what extend changes, the extenders follow; the class stays', () => {
    class Api extends RestEndpoint {
      override urlPrefix = 'https://api.test'
    }
    const list: any = new Api({ path: '/users', schema: users } as any)
    const other = list.extend({ path: '/people' })
    expect(other.push).not.toBe(list.push)
    expect(other.push.key({})).toBe('POST https://api.test/people')
    expect(list.push).toBeInstanceOf(Api)
    expect(list.push.name).toBe('https://api.test/users.create')
  })

  test('EP-10 a member of that name that was given stays', () => {
    const own = make(undefined)
    expect(make(users, { push: own }).push).toBe(own)
    class Api extends RestEndpoint<any> {
      constructor(options: object) {
        super(options as never)
        ;(this as any).move = own
      }
    }
    expect(new Api({ path: '/users', schema: users }).move).toBe(own)
  })

  test('EXT-12 a DELETE endpoint may take the remove schema', () => {
    const del = make(User, { method: 'DELETE', path: '/users/:id' }).extend({ schema: users.remove })
    expect(del.schema).toBe(users.remove)
    expect(del.method).toBe('DELETE')
  })
})

describe('without a Collection', () => {
  const map = new Collection(new Values(User))
  const names = ['push', 'unshift', 'assign', 'remove', 'move']
  test.each([
    ['no schema', undefined, names],
    ['an entity', User, names],
    ['an array', [users], names],
    ['an object without one', { user: User, total: 0, none: null, list: [users] }, names],
    ['a union', new Union({ a: User, b: User }, 'type' as never), names],
    ['an adder', users.push, names],
    ['a list', users, ['assign']],
    ['a map', { map }, ['push', 'unshift']],
  ])('EXT-4 %s throws endpoint-no-collection', (_title, schema, members) => {
    const endpoint = make(schema, { name: 'getThings' })
    for (const member of members) {
      expect(() => endpoint[member]).toThrow(expect.objectContaining({ code: 'endpoint-no-collection' }))
      expect(() => endpoint[member]).toThrow(`"${member}" of "getThings" needs a Collection`)
      expect(() => endpoint[member]).toThrow(member === 'assign' ? 'new Collection(new Values(' : 'new Collection([')
    }
    if (members !== names) {
      return
    }
    expect(() => endpoint.paginated('page')).toThrow(
      expect.objectContaining({ code: 'endpoint-no-collection', message: expect.stringMatching(/^"paginated" of/) }),
    )
    expect(endpoint.getPage).toBeUndefined()
    const paged = endpoint.extend({ paginationField: 'page' })
    expect(() => paged.getPage).toThrow(expect.objectContaining({ code: 'endpoint-no-collection' }))
  })
})

describe('getPage and paginated', () => {
  const list = make({ users, total: 0 }, { path: '/a', paginationField: 'cursor' })

  test('EXT-7 RE-9 getPage is there with paginationField, undefined without', () => {
    expect(make(users).getPage).toBeUndefined()
    expect(list.getPage).toBe(list.paginated('cursor'))
    expect(list.getPage.method).toBe('GET')
    expect(list.getPage.name).toBe('/a.getPage')
    expect(list.getPage.sideEffect).toBeUndefined()
  })

  test('EXT-8 EXT-10 RE-28 a page has the key of the list, and its own request key', () => {
    const { getPage } = list
    expect(getPage.url({ cursor: 2, g: 1 })).toBe('/a?cursor=2&g=1')
    expect(getPage.key({ cursor: 2, g: 1 })).toBe('GET /a?g=1')
    expect(getPage.key({ cursor: 2, g: 1 })).toBe(list.key({ g: 1 }))
    expect(getPage.key({ cursor: 2 })).toBe(list.key())
    expect(getPage.requestKey({ cursor: 2, g: 1 })).toBe('GET /a?cursor=2&g=1')
    expect(list.requestKey({ g: 1 })).toBe(list.key({ g: 1 }))
    const moved = getPage.extend({ urlPrefix: 'https://api.test' })
    expect(moved.key({ cursor: 2 })).toBe('GET https://api.test/a')
  })

  test('EXT-8 a function leaves the arguments of the list', () => {
    const remove = ({ after: _after, size: _size, ...params }: any): any[] => [params]
    const page = list.paginated(remove)
    expect(page).toBe(list.paginated(remove))
    expect(page.key({ after: 'x', size: 5, g: 1 })).toBe('GET /a?g=1')
    expect(page.requestKey({ after: 'x', size: 5, g: 1 })).toBe('GET /a?after=x&g=1&size=5')
  })

  test('EXT-3 EXT-6 a page keeps the wrapping object, and the kinds of its wrappers', () => {
    expect(Object.keys(list.getPage.schema)).toEqual(['users', 'total'])
    expect(list.getPage.schema.users).toBeInstanceOf(Collection)
    expect(list.getPage.push.schema).toBe(users.push)
    const query = make(new Query(new ObjectSchema({ users }))).paginated('page').schema
    expect(query).toBeInstanceOf(Query)
    expect(query.schema).toBeInstanceOf(ObjectSchema)
    expect(query.schema.schema.users.pk({}, undefined, '', [{ page: 2, g: 1 }])).toBe('{"g":"1"}')
  })
})
