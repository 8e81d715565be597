import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createStore } from 'restitch'
import { afterEach, expect, test, vi } from 'vitest'
import { type Config, generate, readDescription } from '../src/index.ts'
import { writeFiles } from '../src/output.ts'

const SHOP = fileURLToPath(new URL('shop/openapi.yaml', import.meta.url))
// Inside the root package, where zod is installed.
const WORK = fileURLToPath(new URL('../../.cache/openapi/variants/', import.meta.url))

afterEach(() => vi.unstubAllGlobals())

/** Generates the code of the shop, and imports a file of it. */
async function load(name: string, config: Config, file: string): Promise<any> {
  const folder = `${WORK}${name}`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { files } = generate(await readDescription(SHOP), { ...config, importExtension: '.ts' })
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
