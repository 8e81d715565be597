import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createStore } from 'restitch'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { generate, readDescription } from '../src/index.ts'
import config from './shop/restitch.openapi.ts'
import { Api } from './shop/api/api.ts'
import { Customers } from './shop/api/customers.ts'
import { Customer } from './shop/api/entities/Customer.ts'
import { LoginEvent } from './shop/api/entities/LoginEvent.ts'
import { OrderEvent } from './shop/api/entities/OrderEvent.ts'
import { Events } from './shop/api/events.ts'
import { getStatistics, Notes, OrderNotes, Orders } from './shop/api/orders.ts'
import { Products, ShelfProducts } from './shop/api/products.ts'
import { ShopSettings } from './shop/api/settings.ts'

const SHOP = fileURLToPath(new URL('shop/', import.meta.url))
const ANN = { id: 'a', name: 'Ann', city: 'Rome' }
const BEN = { id: 'b', name: 'Ben', city: 'Bern' }

let sent: { line: string; headers: Headers; body: unknown }[] = []
let routes: Record<string, unknown> = {}

beforeEach(() => {
  sent = []
  routes = {}
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    const line = `${init.method ?? 'GET'} ${url.replace('https://eu.shop.test/v1', '')}`
    sent.push({ line, headers: new Headers(init.headers), body: init.body })
    const response = routes[line]
    if (response instanceof Response) {
      return Promise.resolve(response)
    }
    return Promise.resolve(
      response === undefined ? new Response(null, { status: 204 }) : Response.json(response as object),
    )
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  Api.accessToken = undefined
})

test('writes the files that are committed', async () => {
  const { files } = generate(await readDescription(`${SHOP}openapi.yaml`), config)
  const names = readdirSync(`${SHOP}api`, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts'))
  expect([...files.keys()].sort()).toEqual(names.sort())
  for (const [name, text] of files) {
    expect(text, name).toBe(readFileSync(`${SHOP}api/${name}`, 'utf8'))
  }
})

test('unwraps single records, counts lists, and follows cursors', async () => {
  const { controller } = createStore()
  routes['GET /customers'] = { data: [ANN], total: 2, next_cursor: 'x' }
  routes['GET /customers?cursor=x'] = { data: [BEN], total: 2, next_cursor: null }
  const list = await controller.fetch(Customers.getList)
  expect(list.data[0]).toBeInstanceOf(Customer)
  expect(Customers.getList.getNextPage?.(list)).toBe('x')
  await controller.fetch(Customers.getList.getPage, { cursor: 'x' })
  routes['POST /customers'] = { data: { id: 'c', name: 'Cleo' } }
  const cleo = await controller.fetch(Customers.create, { name: 'Cleo' })
  expect(cleo).toBeInstanceOf(Customer)
  const all = controller.getResponse(Customers.getList).data
  expect(all?.data?.map(({ name }) => name)).toEqual(['Ann', 'Ben', 'Cleo'])
  expect(all?.total).toBe(3)
})

test('deletes by the key that the path names', async () => {
  const { controller } = createStore()
  routes['GET /customers'] = { data: [ANN, BEN], total: 2 }
  await controller.fetch(Customers.getList)
  await controller.fetch(Customers.delete, { id: 'a' })
  expect(sent.at(-1)!.line).toBe('DELETE /customers/a')
  const all = controller.getResponse(Customers.getList).data
  expect(all?.data?.map(({ name }) => name)).toEqual(['Ben'])
})

test('a record that lives elsewhere joins and leaves a list of its own', async () => {
  const { controller } = createStore()
  const [tea, milk] = [
    { id: 1, name: 'Tea' },
    { id: 2, name: 'Milk' },
  ] as const
  routes['GET /products'] = [tea]
  routes['GET /shelves/a/products'] = [tea]
  routes['GET /shelves/b/products'] = [tea]
  routes['POST /shelves/a/products'] = milk
  const names = (shelf: string): string[] | undefined =>
    controller.getResponse(ShelfProducts.getList, { shelf }).data?.map(({ name }) => name)
  await controller.fetch(Products.getList)
  await controller.fetch(ShelfProducts.getList, { shelf: 'a' })
  await controller.fetch(ShelfProducts.getList, { shelf: 'b' })
  await controller.fetch(ShelfProducts.create, { shelf: 'a' }, { product: 2 })
  expect(names('a')).toEqual(['Tea', 'Milk'])
  await controller.fetch(ShelfProducts.delete, { shelf: 'a', id: 1 })
  expect(sent.at(-1)!.line).toBe('DELETE /shelves/a/products/1')
  expect(names('a')).toEqual(['Milk'])
  expect(names('b')).toEqual(['Tea'])
  expect(controller.getResponse(Products.getList).data?.map(({ name }) => name)).toEqual(['Tea'])
})

test('sends the token', async () => {
  Api.accessToken = 'secret'
  routes['GET /customers/a'] = { data: ANN }
  await Customers.get({ id: 'a' })
  expect(sent[0]!.headers.get('authorization')).toBe('Bearer secret')
})

test('follows Link headers, and repeats list parameters', async () => {
  const { controller } = createStore()
  const link = '<https://eu.shop.test/v1/products?page=2&tags=a>; rel="next", <https://x.test?page=9>; rel="last"'
  routes['GET /products?tags=a&tags=b'] = Response.json([{ id: 1, name: 'Tea' }], { headers: { link } })
  routes['GET /products?page=2&tags=a&tags=b'] = [{ id: 2, name: 'Milk' }]
  const params = { tags: ['a', 'b'] }
  const names = (): string[] | undefined =>
    controller.getResponse(Products.getList, params).data?.map(({ name }) => name)
  const parsed = await Products.getList(params)
  expect(Products.getList.getNextPage?.(parsed, params)).toBe('2')
  routes['GET /products?tags=a&tags=b'] = Response.json([{ id: 1, name: 'Tea' }], { headers: { link } })
  await controller.fetch(Products.getList, params)
  await controller.fetch(Products.getList.getPage, { ...params, page: 2 })
  expect(names()).toEqual(['Tea', 'Milk'])
})

test('keeps the forms of a record in one table', async () => {
  const { controller } = createStore()
  routes['GET /products'] = [{ id: 1, name: 'Tea' }]
  routes['GET /products/1'] = {
    id: 1,
    name: 'Green tea',
    price: 3,
    seller: { ...ANN, favourite: { id: 2, name: 'Milk' } },
  }
  await controller.fetch(Products.getList)
  const product = await controller.fetch(Products.get, { id: 1 })
  expect(product.seller?.favourite?.name).toBe('Milk')
  const list = controller.getResponse(Products.getList).data
  expect(list?.[0]?.name).toBe('Green tea')
})

test('sends forms', async () => {
  const { controller } = createStore()
  const product = { id: 1, name: 'Tea & milk', price: 3, seller: ANN }
  routes['PUT /products/1'] = product
  await controller.fetch(Products.update, { id: 1 }, product)
  expect(sent[0]!.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
  expect(String(sent[0]!.body)).toContain('name=Tea+%26+milk')
  expect(String(sent[0]!.body)).toContain('seller%5Bname%5D=Ann')
})

test('reads relations, ids that stand for records, and dates', async () => {
  const { controller } = createStore()
  const lines = [{ product: { id: 1, name: 'Tea' }, quantity: 2 }]
  const order = { id: 'o', state: 'open', customer: 'a', lines, created_at: '2030-01-01T00:00:00Z' }
  routes['GET /orders/o'] = order
  const first = await controller.fetch(Orders.get, { id: 'o' })
  expect(first.customer).toBe('a')
  expect(first.created_at.getUTCFullYear()).toBe(2030)
  expect(first.lines[0]).toMatchObject({ quantity: 2, product: { name: 'Tea' } })
  routes['POST /orders/o/cancel'] = { ...order, state: 'cancelled', customer: ANN }
  const second = await controller.fetch(Orders.cancelOrder, { id: 'o' })
  expect(second.customer).toBeInstanceOf(Customer)
  const now = controller.getResponse(Orders.get, { id: 'o' }).data
  expect(now?.state).toBe('cancelled')
})

test('adds to the list of the same path, and removes by the key of a path', async () => {
  const { controller } = createStore()
  routes['GET /orders/o/notes'] = [{ id: '1', text: 'first' }]
  routes['POST /orders/o/notes'] = { id: '2', text: 'second', author: ANN }
  const texts = (): string[] | undefined =>
    controller.getResponse(OrderNotes.getList, { order_id: 'o' }).data?.map(({ text }) => text)
  await controller.fetch(OrderNotes.getList, { order_id: 'o' })
  await controller.fetch(OrderNotes.create, { order_id: 'o' }, { text: 'second' })
  expect(texts()).toEqual(['first', 'second'])
  routes['DELETE /notes/1'] = { id: '1', text: 'first' }
  await controller.fetch(Notes.delete, { id: '1' })
  expect(texts()).toEqual(['second'])
})

test('reads records inside of plain data', async () => {
  const { controller } = createStore()
  routes['GET /statistics'] = { count: 2, best: ANN }
  const { count, best } = await controller.fetch(getStatistics)
  expect([count, best instanceof Customer, best.name]).toEqual([2, true, 'Ann'])
})

test('tells the members of a union apart', async () => {
  const { controller } = createStore()
  const order = { id: 'o', state: 'open', customer: 'a', lines: [], created_at: '2030-01-01T00:00:00Z' }
  routes['GET /events'] = [
    { id: '1', type: 'order', order },
    { id: '2', type: 'login', customer: ANN },
  ]
  const events = await controller.fetch(Events.getList)
  expect(events.map((event) => event.constructor)).toEqual([OrderEvent, LoginEvent])
})

test('keeps records apart whose key is unique only within their path', async () => {
  const { controller } = createStore()
  routes['GET /shops/x/settings'] = [{ name: 'size', value: 1 }]
  routes['GET /shops/y/settings'] = [{ name: 'size', value: 2 }]
  await controller.fetch(ShopSettings.getList, { shop: 'x' })
  await controller.fetch(ShopSettings.getList, { shop: 'y' })
  const valueIn = (shop: string): unknown =>
    controller.getResponse(ShopSettings.getList, { shop }).data?.map(({ value }) => value)
  expect([valueIn('x'), valueIn('y')]).toEqual([[1], [2]])
  await controller.fetch(ShopSettings.delete, { shop: 'x', name: 'size' })
  expect([valueIn('x'), valueIn('y')]).toEqual([[], [2]])
})

test('has no members that the API does not have', () => {
  expect(Object.keys(Events).sort()).toEqual(['extend', 'get', 'getList'])
  // @ts-expect-error the API has no POST /events
  expect(Events.create).toBeUndefined()
})

test('is extended by own code', () => {
  const Own = Orders.extend('pay', { path: '/orders/:id/pay', method: 'POST', body: {} as { card: string } })
  expect(Own.pay.url({ id: 'o' })).toBe('https://eu.shop.test/v1/orders/o/pay')
  expect(Own.cancelOrder).toBe(Orders.cancelOrder)
})
