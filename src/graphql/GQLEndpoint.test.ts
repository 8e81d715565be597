import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { isRestitchError } from '../base/errors.ts'
import { GQLEndpoint } from './GQLEndpoint.ts'
import { GQLEntity } from './GQLEntity.ts'
import { GQLNetworkError } from './GQLNetworkError.ts'

const gql = new GQLEndpoint('https://api.test/graphql')

test.each([
  ['\n  query A {\n\ta\r\n}\n', 'query A { a }'],
  ['{ a # all "of it\n  b }', '{ a b }'],
  ['{ a } # the end', '{ a }'],
  ['{ a(x: "two  spaces # and no comment") }', '{ a(x: "two  spaces # and no comment") }'],
  ['{ a(x: "a \\"quoted\\"  word")   b }', '{ a(x: "a \\"quoted\\"  word") b }'],
  ['{ a(x: "\\\\")   b(y: "  ") }', '{ a(x: "\\\\") b(y: "  ") }'],
  ['{ a(x: """\n  block "with"  # text\n""")\n  b }', '{ a(x: """\n  block "with"  # text\n""") b }'],
  ['{ a(x: """ \\"""  still   inside """)   b }', '{ a(x: """ \\"""  still   inside """) b }'],
  ['{ a(x: "")   b }', '{ a(x: "") b }'],
])('GQL-2 %j is sent as %j', (query, sent) => {
  expect(gql.query(query).getQuery({})).toBe(sent)
  expect(gql.mutation(query).getQuery({})).toBe(sent)
})

test('GQL-2 a function gets the variables and is sent as it is', () => {
  const seen = vi.fn((v: { fields: string[] }) => `{ me { ${v.fields.join('\n')} } }`)
  expect(gql.query(seen).getQuery({ fields: ['id', 'name'] })).toBe('{ me { id\nname } }')
  expect(seen).toHaveBeenCalledWith({ fields: ['id', 'name'] })
})

test('GQL-2 a query reads, a mutation has a side effect; the base is not changed', () => {
  const read = gql.query('{ a }', { a: '' })
  const write = gql.mutation('mutation { a }')
  expect([read.sideEffect, write.sideEffect, gql.sideEffect]).toEqual([undefined, true, undefined])
  expect([read.schema, write.schema]).toEqual([{ a: '' }, undefined])
  expect(write.query('{ a }').sideEffect).toBeUndefined()
  expect(read).toBeInstanceOf(GQLEndpoint)
  expect(() => gql.key()).toThrow('You must include a query')
})

test('GQL-1 names: of the operation, as given, else the url', () => {
  expect(gql.name).toBe('https://api.test/graphql')
  expect(gql.query('query getUser { a }').name).toBe('getUser')
  expect(gql.query('{ a }').name).toBe('https://api.test/graphql')
  expect(gql.query('query getUser { a }').extend({ name: 'user' }).name).toBe('user')
})

test('GQL-8 COL-8 the path is the query; the name where that depends on the variables', () => {
  expect(gql.query('{\n a }').path).toBe('{ a }')
  expect(gql.query((_: { id: string }) => '{ a }').path).toBe('{ a }')
  expect(gql.query((v: { ids: string[] }) => `{ ${v.ids.join(' ')} }`).path).toBe('https://api.test/graphql')
  expect(gql.path).toBe('https://api.test/graphql')
})

test('GQL-5 the key is the query and its variables, in sorted order', () => {
  const getUser = gql.query('query ($id: ID!) { user(id: $id) { id } }')
  expect(getUser.key()).toBe('query ($id: ID!) { user(id: $id) { id } } {}')
  expect(getUser.key({})).toBe(getUser.key())
  expect(getUser.key({ b: 1, a: 'x' })).toBe('query ($id: ID!) { user(id: $id) { id } } {"a":"x","b":1}')
  expect(getUser.key({ a: 'x', b: 1 })).toBe(getUser.key({ b: 1, a: 'x' }))
})

test('GQL-5 an endpoint knows its keys and no others', () => {
  const getUser = gql.query('{ user { id } }')
  const getUsers = gql.query('{ user { id } users { id } }')
  const dynamic = gql.query((v: { field: string }) => `{ user { ${v.field} } }`)
  expect(getUser.testKey(getUsers.key())).toBe(false)
  expect(getUsers.testKey(getUser.key())).toBe(false)
  expect(getUser.testKey('GET /user')).toBe(false)
  expect(dynamic.testKey(dynamic.key({ field: 'name' }))).toBe(true)
  expect(dynamic.testKey(getUser.key())).toBe(false)
  expect(dynamic.testKey(`{ user { name } } {"field":"id"}`)).toBe(false)
  expect(gql.testKey(getUser.key())).toBe(false)
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (variables, literal) => {
      const endpoint = gql.query(`{ a(x: ${JSON.stringify(literal)}) { id } }`)
      return endpoint.testKey(endpoint.key(variables)) && !getUser.testKey(endpoint.key(variables))
    }),
  )
})

test('GQL-9 query-missing: an endpoint without a query rejects, and its key throws', async () => {
  const error = await gql().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(isRestitchError(error) && error.code).toBe('query-missing')
  expect(error).toMatchObject({ message: expect.stringMatching(/^You must include a query/) })
})

test('GQL-1 GQL-4 errors are soft when the server broke or the library refused', () => {
  const at = (status: number, ok = false): GQLNetworkError =>
    new GQLNetworkError([], { status, ok, statusText: '', url: 'u' } as Response)
  expect(gql.errorPolicy(at(500))).toBe('soft')
  expect(gql.errorPolicy(at(404))).toBeUndefined()
  expect(gql.errorPolicy(Object.assign(at(200, true), { refused: true }))).toBe('soft')
})

test('GQL-4 an error has its name, status, first message and all errors', () => {
  const error = new GQLNetworkError([{ message: 'no such user' }, { message: 'and more' }])
  expect(error).toBeInstanceOf(Error)
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'NetworkError',
    status: 400,
    message: 'no such user',
    url: '',
    errors: [{ message: 'no such user' }, { message: 'and more' }],
  })
})

test('GQL-7 a GQLEntity has an id, which is its primary key', () => {
  class User extends GQLEntity {
    name = ''
    static override key = 'User'
  }
  expect(User.fromJS({ name: 'Ann' }).id).toBe('')
  expect(User.fromJS({ id: '5' }).pk()).toBe('5')
})

test('GQL-1 options of the constructor, of extend, and methods of a subclass', () => {
  class Api extends GQLEndpoint {
    static token = 't'
    override getHeaders(headers: { [name: string]: string }): HeadersInit {
      return { ...headers, 'Access-Token': Api.token }
    }
  }
  const api = new Api('https://a.test', { dataExpiryLength: 5 })
  const read = api.query('{ a }').extend({ url: 'https://b.test', errorExpiryLength: 7 })
  expect({ ...read }).toMatchObject({ url: 'https://b.test', dataExpiryLength: 5, errorExpiryLength: 7 })
  expect(api.url).toBe('https://a.test')
  expect(read).toBeInstanceOf(Api)
  expect(read.getHeaders({})).toEqual({ 'Access-Token': 't' })
})
