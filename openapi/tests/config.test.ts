import { expect, test } from 'vitest'
import type { Config } from '../src/index.ts'
import { body, build, file, json, listOf, number, object, query, ref, text } from './describe.ts'

const date = { ...text, format: 'date-time' }
const paths = {
  '/orders': {
    get: json(object({ data: listOf(ref('Order')), next: text }), {
      ...query('cursor', 'page'),
      operationId: 'listOrders',
    }),
    post: json(object({ data: ref('Order') }), body(ref('Order'))),
  },
  '/orders/{order_id}': { get: json(object({ data: ref('Order') })), delete: { responses: { 204: {} } } },
  '/orders/{order_id}/cancel': { post: json(ref('Order'), { operationId: 'cancel' }) },
  '/zones/{zone}/log': { get: json(listOf(ref('Entry')), { operationId: 'getLog', tags: ['admin'] }) },
}
const schemas = {
  Order: object({ id: text, number, created_at: date, total: ref('Money') }, ['id', 'created_at']),
  OrderSummary: object({ id: text, number }),
  Money: object({ id: text, amount: number }),
  Entry: object({ zone: text, code: text, at: date }, ['zone', 'code', 'at']),
}

/** For each option: a text that the code does not have with it, and one that it has. */
const CASES: [name: string, config: Config, file: string, without: string, with_: string][] = [
  ['baseUrl', { baseUrl: 'https://x.test' }, 'api', `'https://first.test'`, `override urlPrefix = 'https://x.test'`],
  ['baseUrl: false', { baseUrl: false }, 'api', 'urlPrefix', 'extends RestEndpoint<O>'],
  [
    'baseClass',
    { baseClass: { name: 'Base', from: '../Base' } },
    'api',
    'extends RestEndpoint<O>',
    `import { Base } from '../Base'`,
  ],
  ['auth by header', { auth: { type: 'header', name: 'X-Key' } }, 'api', 'Bearer', `'X-Key': apiKey`],
  ['auth by query', { auth: { type: 'query', name: 'key' } }, 'api', 'Bearer', 'key=${encodeURIComponent(apiKey)}'],
  ['auth by basic', { auth: { type: 'basic' } }, 'api', 'Bearer', 'Basic ${btoa('],
  ['auth by cookie', { auth: { type: 'cookie' } }, 'api', 'Bearer', `credentials: 'include'`],
  ['auth: false', { auth: false }, 'api', 'accessToken', 'extends RestEndpoint<O>'],
  ['entities: false', { entities: { Order: false } }, 'orders', 'schema: Order', 'new Collection([typed<Order>()]'],
  ['entities', { entities: { Money: {} } }, 'entities/Order', 'MoneyData', 'total: Money'],
  ['key', { entities: { Order: { key: 'number' } } }, 'entities/Order', 'return this.id', 'return this.number'],
  [
    'several keys',
    { entities: { Entry: { key: ['zone', 'code'] } } },
    'entities/Entry',
    'return this.id',
    'return `${this.zone}/${this.code}`',
  ],
  [
    'scope',
    { entities: { Entry: { key: 'code', scope: ['zone'] } } },
    'entities/Entry',
    'return this.code',
    `\`\${params['zone']}/\${this.code}\``,
  ],
  [
    'table',
    { entities: { Money: { table: 'Price' } } },
    'entities/Price',
    `key = 'Money'`,
    `static override key = 'Price'`,
  ],
  ['names', { names: { Order: 'Purchase' } }, 'entities/Order', 'class Order', 'export class Purchase extends Entity'],
  ['operations: false', { operations: { cancel: false } }, 'orders', 'cancel:', 'export const Orders'],
  ['the name of an action', { operations: { cancel: { name: 'stop' } } }, 'orders', 'cancel:', 'stop: new Api({'],
  [
    'the name of a member',
    { operations: { 'DELETE /orders/{order_id}': { name: 'remove' } } },
    'orders',
    `\`delete\`: DELETE`,
    'remove: new Api({',
  ],
  [
    'resource: false',
    { operations: { cancel: { resource: false } } },
    'orders',
    '  cancel: new Api',
    'export const cancel = new Api({',
  ],
  [
    'pages of an operation',
    { operations: { listOrders: { pages: { field: 'page', next: 'count' } } } },
    'orders',
    'getNextPage',
    `paginationField: 'page'`,
  ],
  ['no pages of an operation', { operations: { listOrders: { pages: false } } }, 'orders', 'getNextPage', 'Orders'],
  ['pages', { pages: { field: 'page', next: 'count' } }, 'orders', 'getNextPage', `paginationField: 'page'`],
  ['pages: false', { pages: false }, 'orders', 'getNextPage', 'export const Orders'],
  [
    'pages by the last item',
    { pages: { field: 'cursor', next: { last: 'id' } } },
    'orders',
    'response.next',
    'response.data.at(-1)?.id',
  ],
  [
    'envelope of an operation',
    { operations: { listOrders: { envelope: false } } },
    'orders',
    'data: new Collection([Order])',
    'typed<ListOrdersResponse>({ data: [Order] })',
  ],
  ['envelope: false', { envelope: false }, 'orders', `unwrap('data')`, 'export const Orders'],
  ['resources', { resources: { '/orders/{order_id}': 'Purchases' } }, 'orders', 'const Orders', 'const Purchases ='],
  ['resources by the list', { resources: { '/orders': 'Purchases' } }, 'orders', 'const Orders', 'const Purchases ='],
  [
    'resources: false',
    { resources: { '/orders/{order_id}': false } },
    'orders',
    'const Orders',
    'export const listOrders = new Api({',
  ],
  ['skipTags', { skipTags: ['admin'] }, 'types', 'Entry', 'export interface'],
  ['casing', { casing: 'camel' }, 'entities/Order', 'created_at', 'createdAt = new Date(0)'],
  ['dates', { dates: false }, 'entities/Order', 'new Date', `created_at = ''`],
  ['validation', { validation: 'zod' }, 'orders', `from 'zod'`, 'validateResponse: validators.'],
  ['mocks', { mocks: true }, 'mocks', 'export const never', 'export function makeOrder('],
  ['importExtension', { importExtension: '.js' }, 'orders', `'./api'`, `from './api.js'`],
]

test.each(CASES)('%s overrides the inference', (_, config, name, without, with_) => {
  const more = {
    servers: [{ url: 'https://first.test' }],
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
  }
  const [inferred, generated] = [build(paths, schemas, {}, more), build(paths, schemas, config, more)]
  expect(file(generated, name)).not.toBe(file(inferred, name))
  expect(file(generated, name)).toContain(with_)
  expect(file(generated, name)).not.toContain(without)
})

test('every option of the configuration has a case', () => {
  const options = CASES.flatMap(([, config]) => Object.keys(config))
  // Those that say what to read and how to write it are tested with the command.
  const others = ['input', 'output', 'headers', 'lenient', 'external', 'force', 'types', 'map', 'format'] as const
  const all: Record<keyof Config, true> = {
    input: true,
    output: true,
    headers: true,
    lenient: true,
    format: true,
    baseUrl: true,
    baseClass: true,
    auth: true,
    entities: true,
    names: true,
    operations: true,
    resources: true,
    skipTags: true,
    pages: true,
    envelope: true,
    casing: true,
    dates: true,
    validation: true,
    importExtension: true,
    external: true,
    force: true,
    mocks: true,
    types: true,
    map: true,
  }
  expect(new Set([...options, ...others])).toEqual(new Set(Object.keys(all)))
})
