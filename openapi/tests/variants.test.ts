import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createStore } from 'restitch'
import { mockInitialState } from 'restitch/mock'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterEach, expect, test, vi } from 'vitest'
import type { Description } from '../src/Description.ts'
import { type Config, generate, readDescription } from '../src/index.ts'
import { writeFiles } from '../src/output.ts'

const SHOP = fileURLToPath(new URL('shop/openapi.yaml', import.meta.url))
// Inside the root package, where zod is installed.
const WORK = fileURLToPath(new URL('../../.cache/openapi/variants/', import.meta.url))

afterEach(() => vi.unstubAllGlobals())

/** Generates the code of the shop, or of another description, and imports a file of it. */
async function load(name: string, config: Config, file: string, description?: object): Promise<any> {
  const folder = `${WORK}${name}`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return write(folder, config, file, description)
}

async function write(folder: string, config: Config, file: string, description?: object): Promise<any> {
  const whole = (description as Description | undefined) ?? (await readDescription(SHOP))
  const { files } = generate(whole, { ...config, importExtension: '.ts' })
  writeFiles(folder, files)
  return import(/* @vite-ignore */ `${folder}/${file}.ts`)
}

function respond(body: unknown): { url: string; init: RequestInit }[] {
  const sent: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    sent.push({ url, init })
    return Promise.resolve(Response.json(body))
  })
  return sent
}

test('mocks make the same records for the same number, and fixtures fill a store', async () => {
  const { makeOrder, fixtures, responses } = await load('mocks', { mocks: true }, 'mocks')
  expect(makeOrder({ state: 'paid' }, 7)).toMatchObject({ id: 'id 7', state: 'paid', customer: { id: 'id 7' } })
  expect(makeOrder({}, 7)).toEqual(makeOrder({}, 7))
  const orders = fixtures.find(({ response }: any) => response[0]?.state === 'open')
  const { controller } = createStore({ initialState: mockInitialState([orders]) })
  expect((controller.getResponse(orders.endpoint).data as any)[2]).toMatchObject({ id: 'id 3' })
  expect(responses).toContainEqual(expect.objectContaining({ method: 'get', path: '/orders/:orderId' }))
})

test('mocks are the server of an app with MSW', async () => {
  const { responses } = await load('msw', { mocks: true }, 'mocks')
  const { Orders } = await load('msw', { mocks: true }, 'orders')
  const server = setupServer(
    ...responses.map(({ method, path, response }: any) =>
      http[method as 'get'](`https://eu.shop.test/v1${path}`, () => HttpResponse.json(response())),
    ),
  )
  server.listen({ onUnhandledRequest: 'error' })
  try {
    const { controller } = createStore()
    expect(((await controller.fetch(Orders.getList)) as any).map(({ id }: any) => id)).toEqual(['id 1', 'id 2', 'id 3'])
    expect(await controller.fetch(Orders.get, { id: 'id 1' })).toMatchObject({ id: 'id 1', state: 'open' })
  } finally {
    server.close()
  }
})

test('camel case in the code, and the names of the API in requests', async () => {
  const { Orders } = await load('camel', { casing: 'camel' }, 'orders')
  const { controller } = createStore()
  const order = { id: 'o', state: 'open', customer: 'a', lines: [], created_at: '2030-01-01T00:00:00Z' }
  const sent = respond([order])
  const [first] = (await controller.fetch(Orders.getList, { offset: 0, isNew: true })) as any
  expect(first.createdAt.getUTCFullYear()).toBe(2030)
  expect(sent[0]!.url).toBe('https://eu.shop.test/v1/orders?is_new=true&offset=0')
  respond(order)
  const write = respond(order)
  await controller.fetch(Orders.create, { lines: [], giftNote: 'Hi' })
  expect(write[0]!.init.body).toBe('{"lines":[],"gift_note":"Hi"}')
})

test('createAuth of the library refreshes the token of all endpoints', async () => {
  const folder = `${WORK}auth`
  const config: Config = { baseClass: { name: 'AuthEndpoint', from: './auth.ts' }, auth: false }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    `${folder}/auth.ts`,
    `import { createAuth } from 'restitch/auth'
export const auth = createAuth({
  origins: ['https://eu.shop.test'],
  load: () => ({ accessToken: 'old' }),
  refresh: async () => ({ accessToken: 'new' }),
})
export const AuthEndpoint = auth.Endpoint
`,
  )
  const { Customers } = await write(folder, config, 'customers')
  const tokens: (string | null)[] = []
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    const token = new Headers(init.headers).get('authorization')
    tokens.push(token)
    const isFresh = token === 'Bearer new'
    return Promise.resolve(Response.json({ data: { id: 'a', name: 'Ann' } }, { status: isFresh ? 200 : 401 }))
  })
  expect(((await createStore().controller.fetch(Customers.get, { id: 'a' })) as any).name).toBe('Ann')
  expect(tokens).toEqual(['Bearer old', 'Bearer new'])
})

const text = { type: 'string' }
const list = { type: 'array', items: text }
const object = { type: 'object', properties: { b: text, c: list } }
const parameter = (name: string, schema: object, more: object = {}): object => ({ name, in: 'query', schema, ...more })

/** A description with one operation. */
function describe(operation: object, schemas: object = {}, path = '/things'): object {
  return { openapi: '3.1.0', paths: { [path]: operation }, components: { schemas } }
}

test('queries are written as each parameter says', async () => {
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } }
  const parameters = [
    parameter('text', text),
    parameter('repeated', list),
    parameter('comma', list, { explode: false }),
    parameter('pipe', list, { style: 'pipeDelimited', explode: false }),
    parameter('space', list, { style: 'spaceDelimited' }),
    parameter('deep', object, { style: 'deepObject' }),
    parameter('spread', { type: 'object', additionalProperties: text }),
    parameter('flat', { type: 'object', additionalProperties: text }, { explode: false }),
    { name: 'filter', in: 'query', content: { 'application/json': { schema: object } } },
  ]
  const other = { get: { operationId: 'other', tags: ['things'], parameters: [parameter('comma', list)], responses } }
  const thing = { get: { operationId: 'getThing', tags: ['things'], parameters, responses } }
  const { getThing, other: getOther } = await load('styles', {}, 'things', {
    ...describe(thing, {}, '/thing'),
    paths: { '/thing': thing, '/other': other },
  })
  const search = (endpoint: any, params: object): string => decodeURIComponent(endpoint.url(params).split('?')[1])
  expect(search(getThing, { text: 'x', repeated: ['1', '2'], comma: ['1', '2'] })).toBe(
    'comma=1,2&repeated=1&repeated=2&text=x',
  )
  expect(search(getThing, { pipe: ['1', '2'], space: ['1', '2'] })).toBe('pipe=1|2&space=1+2')
  expect(search(getThing, { deep: { b: 'x', c: ['1', '2'] }, text: 'y' })).toBe(
    'deep[b]=x&deep[c][0]=1&deep[c][1]=2&text=y',
  )
  expect(search(getThing, { spread: { x: '1', y: '2' }, flat: { x: '1' } })).toBe('flat=x,1&x=1&y=2')
  expect(search(getThing, { filter: { b: 'x' }, comma: [], repeated: [] })).toBe('filter={"b":"x"}')
  // Another operation writes the same name in another way.
  expect(search(getOther, { comma: ['1', '2'] })).toBe('comma=1&comma=2')
})

test('names that do not follow the rule come back as they were', async () => {
  const names = ['_id', 'line_1', 'firstName', 'last_name', 'lastName', 'user_ID', 'USD', 'x-y']
  const thing = {
    type: 'object',
    properties: {
      ...Object.fromEntries(names.map((name) => [name, text])),
      by_day: { type: 'object', additionalProperties: text },
    },
  }
  const json = { content: { 'application/json': { schema: thing } } }
  const post = { operationId: 'send', requestBody: json, responses: { 200: { description: 'ok', ...json } } }
  const { send } = await load('names', { casing: 'camel' }, 'thing', describe({ post }, {}, '/thing'))
  const value = { ...Object.fromEntries(names.map((name) => [name, name])), by_day: { mon_day: '1' } }
  const sent = respond(value)
  const received = await send({ byDay: { mon_day: '1' }, lastName: 'a', last_name: 'b', firstName: 'c', line_1: 'd' })
  expect(received).toEqual({ ...Object.fromEntries(names.map((name) => [name, name])), byDay: { mon_day: '1' } })
  expect(JSON.parse(String(sent[0]!.init.body))).toEqual({
    by_day: { mon_day: '1' },
    lastName: 'a',
    last_name: 'b',
    firstName: 'c',
    line_1: 'd',
  })
})

test('zod rejects a response and a body that are wrong', async () => {
  const { Customers } = await load('zod', { validation: 'zod' }, 'customers')
  const { controller } = createStore()
  respond({ data: { id: 'a', name: 5 } })
  await expect(controller.fetch(Customers.get, { id: 'a' })).rejects.toThrow(/name/)
  respond({ data: { id: 'a', name: 'Ann', city: null } })
  expect(((await controller.fetch(Customers.get, { id: 'a' })) as any).name).toBe('Ann')
  const sent = respond({ data: { id: 'a', name: 'Ann' } })
  await expect(controller.fetch(Customers.create, { city: 'Rome' })).rejects.toThrow(/name/)
  expect(sent).toEqual([])
  expect(((await controller.fetch(Customers.create, { name: 'Ann' })) as any).id).toBe('a')
})

test('zod validates lists that have a Link header, and keeps it', async () => {
  const { Products } = await load('zod-links', { validation: 'zod' }, 'products')
  const link = '<https://eu.shop.test/v1/products?page=2>; rel="next"'
  const answer = (name: unknown): void =>
    void vi.stubGlobal('fetch', () => Promise.resolve(Response.json([{ id: 1, name }], { headers: { link } })))
  answer(5)
  await expect(Products.getList()).rejects.toThrow(/name/)
  answer('Tea')
  expect(Products.getList.getNextPage(await Products.getList())).toBe('2')
})
