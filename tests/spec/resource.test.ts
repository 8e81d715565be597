// The scenarios of chapter 13.2 and each row of the table of members, as a user would write them: real requests to a server that
// keeps its records in an array, and a store that is fed with what the endpoints fetched.
import { Collection, isOptimistic, NetworkError, resource } from 'restitch'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDriver, type Driver } from '../../src/testing/drivers.ts'
import { Todo } from '../../src/testing/entities.ts'
import { type Answer, json, openServer, send, type TestServer } from '../server.ts'

interface Row {
  id: string
  group: string
  title: string
}

let server: TestServer
let driver: Driver
let rows: Row[]
let status: number
let Todos: ReturnType<typeof declare>
let Pending: ReturnType<typeof declare>

const declare = (optimistic: boolean) =>
  resource({ urlPrefix: server.origin, path: '/todos/:id', schema: Todo, paginationField: 'page', optimistic })

beforeAll(async () => {
  server = await openServer()
  Todos = declare(false)
  Pending = declare(true)
})
afterAll(() => server.close())
beforeEach(reset)

function reset(): void {
  driver = createDriver()
  rows = [
    { id: '1', group: 'a', title: 'one' },
    { id: '2', group: 'b', title: 'two' },
    { id: '3', group: 'a', title: 'three' },
  ]
  server.answer(api)
}

/** A REST API over `rows`: two of them are a page, and `/paged` says how many there are. */
const api: Answer = (request, response) => {
  const { pathname, searchParams } = new URL(request.url, server.origin)
  const [, , id] = pathname.split('/')
  const body = request.body.length > 0 ? JSON.parse(request.body.toString()) : undefined
  const reply = (code: number, value?: unknown): void => {
    status = code
    json(value, code)(request, response)
  }
  const at = rows.findIndex((row) => row.id === id)
  if (id === undefined && request.method === 'GET') {
    const group = searchParams.get('group')
    const page = searchParams.get('page')
    const found = rows.filter((row) => group === null || row.group === group)
    if (pathname === '/paged') {
      return reply(200, { results: found, total: found.length })
    }
    return reply(200, page === null ? found : found.slice(+page * 2, +page * 2 + 2))
  }
  if (request.method === 'POST') {
    const made = (one: object): Row => ({
      group: searchParams.get('group') ?? '',
      title: '',
      ...one,
      id: `${rows.length + 6}`,
    })
    const created = [body].flat().map((one: object) => {
      rows.push(made(one))
      return rows.at(-1)
    })
    return reply(201, Array.isArray(body) ? created : created[0])
  }
  if (id === undefined) {
    return reply(200, { ...rows.find((row) => row.id === body.id), ...body })
  }
  if (at < 0) {
    return reply(404, { error: 'no such todo' })
  }
  if (request.method === 'DELETE') {
    return reply(200, rows.splice(at, 1)[0])
  }
  if (request.method === 'PUT') {
    rows[at] = { ...body, id }
  }
  if (request.method === 'PATCH') {
    rows[at] = { ...rows[at], ...body }
  }
  return reply(200, rows[at])
}

/** Fetches as a controller does: the request is open until its response is stored. */
async function fetch(endpoint: any, ...args: any[]): Promise<any> {
  const request = driver.open(endpoint, args)
  try {
    request.answer(await endpoint(...args))
  } catch (error) {
    request.fail(error)
    throw error
  }
  return request.outcome()
}

const LISTS = [{}, { group: 'a' }, { group: 'b' }, { group: 'a', orderBy: 'x' }]
const load = async (): Promise<void> => {
  for (const args of LISTS) {
    await fetch(Todos.getList, args)
  }
}
const pks = (list: any): string[] => list.map((todo: Todo) => todo.pk())
const lists = (): string[][] => LISTS.map((args) => pks(driver.read(Todos.getList, [args]).data))

describe('the members', () => {
  const before = [['1', '2', '3'], ['1', '3'], ['2'], ['1', '3']]
  const created = [['1', '2', '3', '9'], ['1', '3', '9'], ['2'], ['1', '3', '9']]
  const first = [['9', '1', '2', '3'], ['9', '1', '3'], ['2'], ['9', '1', '3']]
  const row = (
    name: string,
    pick: (from: typeof Todos) => any,
    args: unknown[],
    sent: [method: string, url: string, body: unknown, status: number],
    outcome: unknown,
    after: string[][],
  ) => ({ name, pick, args, sent, outcome, after })

  test.each([
    row('get', (R) => R.get, [{ id: 2 }], ['GET', '/todos/2', undefined, 200], { id: '2', title: 'two' }, before),
    row(
      'getList',
      (R) => R.getList,
      [{ orderBy: 'x', group: 'a' }],
      ['GET', '/todos?group=a&orderBy=x', undefined, 200],
      [{ id: '1' }, { id: '3' }],
      before,
    ),
    row(
      'getList.push',
      (R) => R.getList.push,
      [{ group: 'a' }, { title: 'new' }],
      ['POST', '/todos?group=a', { title: 'new' }, 201],
      { id: '9', group: 'a', title: 'new' },
      created,
    ),
    row(
      'create',
      (R) => R.create,
      [{ group: 'a', title: 'new' }],
      ['POST', '/todos', { group: 'a', title: 'new' }, 201],
      { id: '9' },
      created,
    ),
    row(
      'create of several',
      (R) => R.create,
      [[{ group: 'a' }, { group: 'b' }]],
      ['POST', '/todos', [{ group: 'a' }, { group: 'b' }], 201],
      [{ id: '9' }, { id: '10' }],
      [
        ['1', '2', '3', '9', '10'],
        ['1', '3', '9'],
        ['2', '10'],
        ['1', '3', '9'],
      ],
    ),
    row(
      'getList.unshift',
      (R) => R.getList.unshift,
      [{ group: 'a', title: 'new' }],
      ['POST', '/todos', { group: 'a', title: 'new' }, 201],
      { id: '9' },
      first,
    ),
    row(
      'getList.getPage',
      (R) => R.getList.getPage,
      [{ page: 1 }],
      ['GET', '/todos?page=1', undefined, 200],
      [{ id: '1' }, { id: '2' }, { id: '3' }],
      before,
    ),
    row(
      'getList.move',
      (R) => R.getList.move,
      [{ id: '3' }, { group: 'b' }],
      ['PATCH', '/todos/3', { group: 'b' }, 200],
      { id: '3', group: 'b', title: 'three' },
      [['1', '2', '3'], ['1'], ['2', '3'], ['1']],
    ),
    row(
      'getList.remove',
      (R) => R.getList.remove,
      [{ group: 'a' }, { id: '3', title: 'left' }],
      ['PATCH', '/todos?group=a', { id: '3', title: 'left' }, 200],
      { id: '3', title: 'left' },
      [['1', '2'], ['1'], ['2'], ['1']],
    ),
    row(
      'update',
      (R) => R.update,
      [{ id: '2' }, { group: 'b', title: 'put' }],
      ['PUT', '/todos/2', { group: 'b', title: 'put' }, 200],
      { id: '2', group: 'b', title: 'put' },
      before,
    ),
    row(
      'partialUpdate',
      (R) => R.partialUpdate,
      [{ id: '2' }, { title: 'patch' }],
      ['PATCH', '/todos/2', { title: 'patch' }, 200],
      { id: '2', group: 'b', title: 'patch' },
      before,
    ),
    row('delete', (R) => R.delete, [{ id: '3' }], ['DELETE', '/todos/3', undefined, 200], { id: '3' }, [
      ['1', '2'],
      ['1'],
      ['2'],
      ['1'],
    ]),
  ])('RES-1 RES-9 RES-10 scenario 2: $name', async ({ pick, args, sent, outcome, after }) => {
    for (const from of [Todos, Pending]) {
      reset()
      await load()
      expect(await fetch(pick(from), ...args)).toMatchObject(outcome as object)
      const { method, url, body, headers } = server.last
      expect([method, url, body.length > 0 ? JSON.parse(body.toString()) : undefined, status]).toEqual(sent)
      expect(headers['content-type']).toBe('application/json')
      expect(lists()).toEqual(after)
    }
  })

  test('RES-10 EXT-9 pages are added to the list', async () => {
    await fetch(Todos.getList, { group: 'a' })
    rows.push({ id: '4', group: 'a', title: 'four' }, { id: '5', group: 'a', title: 'five' })
    await fetch(Todos.getList.getPage, { group: 'a', page: 1 })
    expect(pks(driver.read(Todos.getList, [{ group: 'a' }]).data)).toEqual(['1', '3', '4', '5'])
  })

  test('RES-10 what a mutation brings shows in every list', async () => {
    await load()
    await fetch(Todos.partialUpdate, { id: '3' }, { title: 'new' })
    for (const args of LISTS.filter(({ group }) => group !== 'b')) {
      expect(driver.read(Todos.getList, [args]).data.at(-1)).toMatchObject({ id: '3', title: 'new' })
    }
    expect(driver.read(Todos.get, [{ id: '3' }]).data).toMatchObject({ title: 'new' })
  })
})

describe('delete', () => {
  test.each<[string, Answer]>([
    [`'5'`, json('5')],
    ['5', json(5)],
    [`{ id: '5' }`, json({ id: '5' })],
    ['{}', json({})],
    [`''`, json('')],
    ['null', json(null)],
    ['a text', send('5', { 'content-type': 'text/plain' })],
    ['204', send('', {}, 204)],
    ['200 with an empty JSON body', send('', { 'content-type': 'application/json' })],
    ['200 with nothing', send('', {})],
  ])('DEL-1 DEL-2 DEL-3 scenario 3: the response is %s', async (_title, answer) => {
    for (const from of [Todos, Pending]) {
      rows = ['4', '5', '6'].map((id) => ({ id, group: 'a', title: id }))
      driver = createDriver()
      server.answer(api)
      await load()
      await fetch(Todos.get, { id: '5' })
      server.answer(answer)
      await fetch(from.delete, { id: '5' })
      expect(lists()).toEqual([['4', '6'], ['4', '6'], [], ['4', '6']])
      expect(driver.read(Todos.get, [{ id: '5' }])).toMatchObject({ data: undefined })
      expect(driver.read(Todo, [{ id: '5' }]).data).toBeUndefined()
      expect(typeof driver.getState().entities['Todo']!['5']).toBe('symbol')
    }
  })
})

test('REX-2 REX-3 REX-5 REX-6 scenario 4: extend', async () => {
  const Paged = Todos.extend({
    getList: { path: '/paged', schema: { results: new Collection([Todo]), total: 0 } },
  }).extend('archive', { method: 'PATCH' })
  await fetch(Paged.getList, {})
  await fetch(Paged.create, { title: 'new' })
  expect(server.last).toMatchObject({ method: 'POST', url: '/paged' })
  await fetch(Paged.getList.push, { title: 'newer' })
  const { data } = driver.read(Paged.getList, [{}])
  expect(pks(data.results)).toEqual(['1', '2', '3', '9', '10'])
  await fetch(Paged.archive, { id: '1' }, { title: 'old' })
  expect(driver.read(Paged.getList, [{}]).data.results[0]).toMatchObject({ id: '1', title: 'old' })
  expect(server.last).toMatchObject({ method: 'PATCH', url: '/todos/1' })
  expect(() => Todos.extend({ getList: { schema: [Todo] } }).getList.push).toThrow(
    expect.objectContaining({ code: 'endpoint-no-collection' }) as Error,
  )
})

describe('scenario 5: optimistic', () => {
  test('ROP-3 OPT-9 two creates without an id stand in a list with keys of their own, then with their real ones', async () => {
    await load()
    const requests = ['x', 'y'].map((title) => fetch(Pending.create, { group: 'a', title }))
    const pending = driver.read(Todos.getList, [{ group: 'a' }]).data
    expect(pending.map(({ title }: Todo) => title)).toEqual(['one', 'three', 'x', 'y'])
    expect(new Set(pks(pending)).size).toBe(4)
    expect(pending.map(isOptimistic)).toEqual([false, false, true, true])
    await Promise.all(requests)
    const { data } = driver.read(Todos.getList, [{ group: 'a' }])
    expect(data.map(({ title }: Todo) => title)).toEqual(['one', 'three', 'x', 'y'])
    expect(pks(data).slice(2).toSorted()).toEqual(['10', '9'])
    expect(data.some(isOptimistic)).toBe(false)
  })

  test('ROP-3 OPT-4 a create that fails leaves every list as it was', async () => {
    await load()
    const before = LISTS.map((args) => driver.read(Todos.getList, [args]).data)
    server.answer(json({ error: 'no' }, 422))
    const request = fetch(Pending.create, { group: 'a', title: 'x' })
    expect(lists()[1]).toHaveLength(3)
    await expect(request).rejects.toThrow(NetworkError)
    expect(LISTS.map((args) => driver.read(Todos.getList, [args]).data)).toEqual(before)
  })

  test('ROP-1 OPT-6 a partial update of a record that is not there changes nothing until the response', async () => {
    const request = fetch(Pending.partialUpdate, { id: '2' }, { title: 'new' })
    expect(driver.read(Todo, [{ id: '2' }]).data).toBeUndefined()
    await request
    expect(driver.read(Todo, [{ id: '2' }]).data).toMatchObject({ group: 'b', title: 'new' })
  })

  test('OPT-15 a pending delete is waited for, and equal data is there when it fails', async () => {
    await load()
    await fetch(Todos.get, { id: '3' })
    const before = driver.read(Todos.get, [{ id: '3' }]).data
    server.answer(json({ error: 'no' }, 403))
    const request = fetch(Pending.delete, { id: '3' })
    expect(driver.read(Todos.get, [{ id: '3' }])).toMatchObject({ data: undefined, waiting: true })
    await expect(request).rejects.toThrow(NetworkError)
    expect(driver.read(Todos.get, [{ id: '3' }]).data).toEqual(before)
  })
})
