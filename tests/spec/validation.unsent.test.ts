import { createStore, Entity, resource, type Store } from 'restitch'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'

// Mutations that fail before their request is sent: the server knows nothing of them.

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const ROWS = [{ id: 1, title: 'one' }]
const calls: string[] = []
let status = 200

async function fetchResponse(url: string, init: RequestInit): Promise<Response> {
  calls.push(`${init.method} ${url}`)
  if (init.method === 'GET') {
    return Response.json(ROWS)
  }
  if (status === 200) {
    return Response.json({ id: 5, ...JSON.parse(String(init.body)) })
  }
  throw Object.assign(new Error('failed'), { status })
}

const validateBody = z.object({ title: z.string().min(1, 'A title is required') })
const Base: any = resource({ path: '/todos/:id', schema: Todo, optimistic: true }).extend({
  getList: { fetchResponse },
  create: { fetchResponse },
  partialUpdate: { fetchResponse },
} as never)
const Checked = Base.extend({ create: { validateBody }, partialUpdate: { validateBody } })

let store: Store
let shown: string[]
let end: () => void

beforeEach(async () => {
  store = createStore()
  shown = []
  status = 200
  const list = store.view(Base.getList)
  end = list.subscribe(() => shown.push((list.read().data as any[]).map(({ title }) => title).join()))
  await list.promise()
  await pass()
  shown.length = 0
  calls.length = 0
})

afterEach(() => {
  end()
  store.stop()
})

/** Lets everything that was started end. */
async function pass(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((done) => setTimeout(done))
  }
}

const rejection = (promise: Promise<unknown>): Promise<any> => promise.then(() => undefined).catch((error) => error)

test.each([
  ['a create whose body is refused', Checked.create, [{ title: '' }], 'validate-body'],
  ['a PATCH whose body is refused', Checked.partialUpdate, [{ id: 1 }, { title: '' }], 'validate-body'],
  [
    'a body that an own fetch changes',
    Checked.create.extend({
      fetch(this: any, body: { text: string }) {
        return Checked.create.fetch.call(this, { title: body.text })
      },
    }),
    [{ title: 'two', text: '' }],
    'validate-body',
  ],
  [
    'a URL without its parameter, under an own key',
    Base.partialUpdate.extend({ key: () => 'own' }),
    [{}, { title: 'two' }],
    'path-missing-param',
  ],
  ['the id of a record that is still created', Base.partialUpdate, [{ id: -65_537.5 }, { title: 'two' }], 'pending-id'],
])('VALID-5 RES-15 shows and outdates nothing: %s', async (_title, endpoint, args, code) => {
  const error = await rejection(store.controller.fetch(endpoint, ...args))
  await pass()
  expect(error).toMatchObject({ code })
  expect(shown).toEqual([])
  expect(calls).toEqual([])
})

test.each([
  [
    'headers that cannot be made',
    {
      getHeaders(): never {
        throw new Error('signed out')
      },
    },
    {},
  ],
  ['a body that is no JSON', {}, { size: 1n }],
])('RES-15 a failure that is noticed later outdates nothing either: %s', async (_title, options, more) => {
  const error = await rejection(store.controller.fetch(Base.create.extend(options), { title: 'two', ...more }))
  await pass()
  expect(error).toBeInstanceOf(Error)
  expect(shown.at(-1)).toBe('one')
  expect(calls).toEqual([])
})

test('VALID-5 an accepted body is shown before the call returns, and checked once', async () => {
  const validate = vi.fn((value: unknown) => ({ value }))
  const create = Base.create.extend({ validateBody: { '~standard': { version: 1, vendor: 'test', validate } } })
  const done = store.controller.fetch(create, { title: 'two' })
  expect((store.view(Base.getList).read().data as any[]).map(({ title }) => title)).toEqual(['one', 'two'])
  await done
  expect(validate).toHaveBeenCalledTimes(1)
})

test.each([
  ['was refused after it had been sent', [503, 0], ['POST /todos', 'GET /todos']],
  ['was sent after it had been refused', [0, 503], ['POST /todos', 'GET /todos']],
  ['was refused twice', [0, 0], []],
])('RES-15 a mutation with retries: one that %s', async (_title, tries, requests) => {
  let count = 0
  const create = Base.create.extend({
    retry: (failures: number) => failures < 1,
    retryDelay: 0,
    validateBody: {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) => {
          status = tries[count++]!
          return status ? { value } : { issues: [{ message: 'no' }] }
        },
      },
    },
  })
  expect(await rejection(store.controller.fetch(create, { title: 'two' }))).toBeInstanceOf(Error)
  await pass()
  expect(count).toBe(2)
  expect(shown.at(-1) ?? 'one').toBe('one')
  expect(calls).toEqual(requests)
})
