// GraphQL over HTTP: real requests to a server that runs queries.
import { hookifyResource, NetworkError, resource, START } from 'restitch'
import { Collection, GQLEndpoint, GQLEntity, GQLNetworkError } from 'restitch/graphql'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createDriver, type Driver } from '../../src/testing/drivers.ts'
import { rejectionOf } from '../../src/testing/outcomes.ts'
import { graphql } from '../graphqlServer.ts'
import { json, openServer, redirect, send, type TestServer } from '../server.ts'

class User extends GQLEntity {
  name = ''
  static override key = 'User'

  static override process(input: any): any {
    // The older of the two servers spells it differently.
    return 'fullName' in input ? { id: input.id, name: input.fullName } : { ...input }
  }
}

let server: TestServer
let other: TestServer
let users: { id: string; name: string; fullName?: string }[]
beforeAll(async () => {
  server = await openServer()
  other = await openServer()
})
afterAll(() => Promise.all([server.close(), other.close()]))
beforeEach(() => {
  users = [
    { id: '1', name: 'Ann' },
    { id: '2', name: 'Bob' },
  ]
  const answer = graphql({
    query: {
      users: () => users,
      user: ({ id }: { id: string }) => users.find((user) => user.id === id) ?? fail(`no user ${id}`),
      echo: ({ text }: { text: string }) => text,
    },
    mutation: {
      rename({ id, name }: { id: string; name: string }) {
        const user = users.find((user) => user.id === id) ?? fail(`no user ${id}`)
        return Object.assign(user, { name })
      },
    },
  })
  server.answer((request, response) => {
    const id = /^\/users\/(\d+)$/.exec(request.url)?.[1]
    // The same people by REST.
    if (id) {
      return json(users.find((user) => user.id === id))(request, response)
    }
    if (request.url === '/users') {
      return json(users)(request, response)
    }
    answer(request, response)
  })
  other.answer(json({ data: 'stolen' }))
})

const fail = (message: string): never => {
  throw new Error(message)
}
const gql = (): GQLEndpoint<any, undefined, undefined> => new GQLEndpoint(`${server.origin}/graphql`)
/** Fetches, and stores the response. */
const load = async (driver: Driver, endpoint: any, ...args: readonly unknown[]): Promise<void> => {
  const request = driver.open(endpoint, args)
  await endpoint(...args).then(
    (value: unknown) => request.answer(value),
    (error: unknown) => request.fail(error),
  )
}

const GET_USER = `
  # one person
  query getUser($id: ID!) {
    user(id: $id) { id name }
  }
`
const RENAME = 'mutation rename($id: ID!, $name: String!) { rename(id: $id, name: $name) { id name } }'

test('GQL-3 a call is a POST of the query and its variables', async () => {
  const getUser = gql().query((_: { id: string }) => GET_USER)
  expect(await getUser({ id: '2' })).toEqual({ user: { id: '2', name: 'Bob' } })
  expect(server.last).toMatchObject({ method: 'POST', url: '/graphql' })
  expect(server.last.headers['content-type']).toBe('application/json')
  expect(JSON.parse(server.last.body.toString())).toEqual({ query: GET_USER, variables: { id: '2' } })
  await gql().query('{ users { id } }')()
  expect(JSON.parse(server.last.body.toString())).toEqual({ query: '{ users { id } }', variables: {} })
})

test('GQL-2 a comment and a literal arrive as they were meant', async () => {
  const echo = gql().query(`{
    # twice
    a: echo(text: "two  spaces # kept")   b: echo(text: """ block  "too" """)
  }`)
  expect(await echo()).toEqual({ a: 'two  spaces # kept', b: ' block  "too" ' })
})

test('GQL-3 HKF-2 headers and init: of requestInit, of async methods, of a subclass', async () => {
  class Api extends GQLEndpoint {
    override async getHeaders(headers: { [name: string]: string }): Promise<HeadersInit> {
      await Promise.resolve()
      return { ...headers, 'Access-Token': 'secret' }
    }
    override async getRequestInit(body?: any): Promise<RequestInit> {
      return { ...(await super.getRequestInit({ ...body, extensions: { a: 1 } })), credentials: 'same-origin' }
    }
  }
  const getUsers = new Api(`${server.origin}/graphql`, { requestInit: { headers: { 'X-App': 'app' } } })
    .query('{ users { id } }')
    .extend({ dataExpiryLength: 1 })
  await getUsers()
  expect(server.last.headers).toMatchObject({
    'access-token': 'secret',
    'x-app': 'app',
    'content-type': 'application/json',
  })
  expect(JSON.parse(server.last.body.toString())).toMatchObject({ extensions: { a: 1 } })
})

test.each([
  ['errors alone', json({ errors: [{ message: 'no' }] }), 400, 'no', 1, undefined],
  ['errors beside data', json({ data: { a: 1 }, errors: [{ message: 'half' }] }), 400, 'half', 1, undefined],
  ['errors with a status', json({ errors: [{ message: 'who?' }, { message: 'b' }] }, 401), 401, 'who?', 2, undefined],
  ['errors of a broken server', json({ errors: [{ message: 'ouch' }] }, 503), 503, 'ouch', 1, undefined],
  ['a status and no errors', json({ data: { a: 1 } }, 500), 500, /^500 Internal Server Error$/, 0, undefined],
  ['a status and a page', send('<html>', { 'content-type': 'text/html' }, 502), 502, /^502 Bad Gateway$/, 0, undefined],
  ['a page', send('<html>', { 'content-type': 'text/html' }), 400, /It began with: <html>/, 0, 'response-graphql'],
  ['another document', json(['a']), 400, /not from a GraphQL server/, 0, 'response-graphql'],
  ['no document', json(null), 400, /not from a GraphQL server/, 0, 'response-graphql'],
  ['nothing', send(''), 400, /not from a GraphQL server/, 0, 'response-graphql'],
  ['an empty list of errors and no data', json({ errors: [] }), 400, /not from/, 0, 'response-graphql'],
])('GQL-4 %s', async (_, answer, status, message, count, code) => {
  server.answer(answer)
  const error = await rejectionOf(gql().query('{ a }')())
  expect(error).toBeInstanceOf(GQLNetworkError)
  expect(error).toMatchObject({ name: 'NetworkError', status, url: `${server.origin}/graphql` })
  expect(error.message).toEqual(expect.stringMatching(message))
  expect(error.errors).toHaveLength(count)
  expect([error.code, error.refused]).toEqual([code, code && true])
  expect(gql().errorPolicy(error)).toBe(status >= 500 || code ? 'soft' : undefined)
})

test.each([
  ['no errors', { data: { a: 1 } }, { a: 1 }],
  ['an empty list of errors', { data: { a: 1 }, errors: [] }, { a: 1 }],
  ['errors: null', { data: { a: 1 }, errors: null }, { a: 1 }],
  ['data: null', { data: null }, null],
])('GQL-4 %s is a valid response', async (_, body, data) => {
  server.answer(json(body))
  expect(await gql().query('{ a }')()).toEqual(data)
})

test('GQL-4 errorsWithData keeps what is there beside errors, and only then', async () => {
  const query = '{ a: user(id: "1") { id } b: user(id: "9") { id } }'
  const keeps = gql().extend({ errorsWithData: 'keep' })
  expect(await rejectionOf(gql().query(query)())).toMatchObject({
    status: 400,
    message: 'no user 9',
    errors: [{ path: ['b'] }],
  })
  expect(await keeps.query(query)()).toEqual({ a: { id: '1' }, b: null })
  server.answer(json({ data: null, errors: [{ message: 'no' }] }))
  expect(await rejectionOf(keeps.query(query)())).toMatchObject({ message: 'no' })
  server.answer(json({ data: { a: 1 }, errors: [{ message: 'no' }] }, 500))
  expect(await rejectionOf(keeps.query(query)())).toMatchObject({ message: 'no', status: 500 })
})

test('GQL-1 FET-5 a server that is gone, and a response that is cut short, are failures of transport', async () => {
  const gone = await openServer()
  await gone.close()
  const transport = { status: 500, code: 'transport' }
  expect(await rejectionOf(new GQLEndpoint(gone.origin).query('{ a }')())).toMatchObject(transport)
  server.answer((_, response) => {
    response.writeHead(200, { 'content-length': '40' }).write('{"data":')
    response.destroy()
  })
  expect(await rejectionOf(gql().query('{ a }')())).toMatchObject(transport)
})

test('GQL-1 FET-6 headers do not follow a redirect to another origin', async () => {
  server.answer(redirect(307, `${other.origin}/graphql`))
  const api = gql().extend({ getHeaders: (headers) => ({ ...headers, 'Access-Token': 'secret' }) })
  expect(await rejectionOf(api.query('{ a }')())).toMatchObject({ code: 'redirect-origin', refused: true })
  expect(other.received).toEqual([])
  expect(await api.extend({ allowRedirectTo: [other.origin] }).query('{ a }')()).toBe('stolen')
})

test('GQL-1 NET-18 signals of the endpoint, of its init and of a manager end a request', async () => {
  server.answer(() => {})
  const ends = [
    (signal: AbortSignal) => gql().extend({ signal }).query('{ a }')(),
    (signal: AbortSignal) => gql().extend({ requestInit: { signal } }).query('{ a }')(),
    (signal: AbortSignal) => gql().query('{ a }')[START]([], { signal }),
  ]
  for (const start of ends) {
    const controller = new AbortController()
    const error = rejectionOf(start(controller.signal))
    controller.abort()
    expect(await error).toMatchObject({ name: 'AbortError' })
  }
})

test('GQL-1 fetchResponse is the seam: an override may return a response, or throw an error with a status', async () => {
  const answers = gql().extend({ fetchResponse: async () => Response.json({ data: { a: 1 } }) })
  expect(await answers.query('{ a }')()).toEqual({ a: 1 })
  const throws = gql().extend({
    async fetchResponse(input: string) {
      throw new NetworkError(new Response('', { status: 418 }), input)
    },
  })
  expect(await rejectionOf(throws.query('{ a }')())).toMatchObject({ status: 418 })
})

test('GQL-6 VALID-3 data is validated, then processed with the variables', async () => {
  const getUser = gql()
    .query((_: { id: string }) => GET_USER)
    .extend({
      validateResponse: z.object({ user: z.object({ id: z.coerce.number(), name: z.string() }) }),
      process: (data, { id }) => ({ ...data.user, asked: id }),
    })
  expect(await getUser({ id: '1' })).toEqual({ id: 1, name: 'Ann', asked: '1' })
  const strict = gql()
    .query(GET_USER)
    .extend({ validateResponse: z.object({ user: z.object({ age: z.number() }) }) })
  expect(await rejectionOf(strict({ id: '1' }))).toMatchObject({
    code: 'validate-response',
    status: 400,
    refused: true,
  })
})

test('GQL-6 the schema applies to data; a mutation changes what a list shows', async () => {
  const driver = createDriver()
  const getUsers = gql().query('{ users { id name } }', { users: new Collection([User]) })
  const rename = gql().mutation(RENAME, { rename: User })
  await load(driver, getUsers)
  const names = (): string[] => driver.read(getUsers, []).data.users.map(({ name }: User) => name)
  expect(names()).toEqual(['Ann', 'Bob'])
  expect(driver.read(getUsers, []).data.users[0]).toBeInstanceOf(User)
  await load(driver, rename, { id: '2', name: 'Ben' })
  expect(names()).toEqual(['Ann', 'Ben'])
})

test('GQL-4 a failed response changes nothing that is stored', async () => {
  const driver = createDriver()
  const getUser = gql().query(GET_USER, { user: User })
  await load(driver, getUser, { id: '1' })
  server.answer(json({ errors: [{ message: 'ouch' }] }, 503))
  await load(driver, getUser, { id: '1' })
  expect(driver.read(getUser, [{ id: '1' }]).data.user.name).toBe('Ann')
})

test('GQL-8 COL-8 two queries are two questions: their lists need a name to live side by side', async () => {
  const driver = createDriver()
  const list = { users: new Collection([User]) }
  await load(driver, gql().query('{ users { id } }', list))
  await load(driver, gql().query('{\n  users { id }\n}', list))
  const other = gql().query('{ users: users { id } }', list)
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  await expect(load(driver, other)).rejects.toMatchObject({ code: 'collection-shared' })
  told.mockRestore()
  await load(driver, other.extend({ schema: { users: new Collection([User], { name: 'other' }) } }))
})

test('GQL-8 REX-1 HKF-2 a GraphQL member of a resource: its results land in the same entities', async () => {
  const Users = resource({ urlPrefix: server.origin, path: '/users/:id', schema: User }).extend((base) => ({
    people: gql().query('{ users { id fullName } }', { users: new Collection([User], { name: 'people' }) }),
    rename: gql().mutation((_: { id: string; name: string }) => RENAME, { rename: base.get.schema }),
  }))
  const driver = createDriver()
  const name = (): string => driver.read(Users.get, [{ id: '1' }]).data.name
  const listed = (): string[] => driver.read(Users.getList, []).data.map((user: User) => user.name)
  await load(driver, Users.getList)
  await load(driver, Users.get, { id: '1' })
  expect([name(), listed()]).toEqual(['Ann', ['Ann', 'Bob']])

  await load(driver, Users.rename, { id: '1', name: 'Anna' })
  expect([name(), listed()]).toEqual(['Anna', ['Anna', 'Bob']])

  users = [{ id: '1', name: '-', fullName: 'Ann Other' }]
  await load(driver, Users.people)
  expect([name(), listed()]).toEqual(['Ann Other', ['Ann Other', 'Bob']])
  expect(driver.read(Users.people, []).data.users[0]).toBe(driver.read(Users.get, [{ id: '1' }]).data)

  const hooks = hookifyResource(Users, () => ({ headers: { 'Access-Token': 'secret' } }))
  await hooks.usePeople()()
  expect(server.last.headers['access-token']).toBe('secret')
})
