// Shapes of data that differ between server and app, all the way into the store.
import { Entity, resource, RestEndpoint, type RestGenerics } from 'restitch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDriver } from '../../src/testing/drivers.ts'
import { json, openServer, type TestServer } from '../server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())

/** Renames the members of plain objects at any depth. */
function rename(value: unknown, change: (name: string) => string): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => rename(item, change))
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [change(name), rename(inner, change)]))
}
const toCamel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

class SnakeEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getRequestInit(body?: any): RequestInit | Promise<RequestInit> {
    return super.getRequestInit(rename(body, toSnake))
  }
  override process(value: any, ..._args: any): any {
    return rename(value, toCamel)
  }
}

class User extends Entity {
  id = ''
  firstName = ''
  joinedAt = new Date(0)
  static override key = 'User'
  static override schema = { joinedAt: (iso: string) => new Date(iso) }
}

test('PAT-1 PAT-2 PAT-4 the server speaks snake_case, the app and its store camelCase', async () => {
  const Users = resource({ urlPrefix: server.origin, path: '/users/:id', schema: User, Endpoint: SnakeEndpoint })
  const driver = createDriver()
  const load = async (endpoint: any, ...args: unknown[]): Promise<void> => {
    const request = driver.open(endpoint, args)
    await endpoint(...args).then(
      (value: unknown) => request.answer(value),
      (error: unknown) => request.fail(error),
    )
  }
  server.answer(json([{ id: '1', first_name: 'Ann', joined_at: '2020-01-02T00:00:00.000Z' }]))
  await load(Users.getList)
  server.answer(json({ id: '1', first_name: 'Anna' }))
  await load(Users.partialUpdate, { id: '1' }, { firstName: 'Anna' })
  expect(JSON.parse(server.last.body.toString())).toEqual({ first_name: 'Anna' })
  expect({ ...driver.read(Users.getList, []).data[0] }).toEqual({
    id: '1',
    firstName: 'Anna',
    joinedAt: new Date('2020-01-02'),
  })
})

test('PAT-3 a response without its key takes it from the url', async () => {
  const getUser = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/users/:id',
    schema: User,
    process: (value: any, { id }) => ({ ...value, id: `${id}` }),
  })
  server.answer(json({ firstName: 'Ann' }))
  const driver = createDriver()
  driver.open(getUser, [{ id: 7 }]).answer(await getUser({ id: 7 }))
  expect(driver.read(getUser, [{ id: 7 }]).data).toMatchObject({ id: '7', firstName: 'Ann' })
  expect(driver.read(User, [{ id: '7' }]).data).toBe(driver.read(getUser, [{ id: 7 }]).data)
})
