// A record out of a list may be a summary: it serves an endpoint that was never fetched only if it has received its fields.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { type ViewChange } from '../views/View.ts'
import { deserializeState, serializeState } from '../client/serialize.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { endpoint } from '../testing/endpoints.ts'
import { Collection } from './Collection.ts'
import { Entity } from './Entity.ts'
import { EntityMixin } from './EntityMixin.ts'
import { entity } from './entityOf.ts'
import { Scalar } from './Scalar.ts'
import { Union } from './Union.ts'

let driver: Driver
beforeEach(() => {
  driver = createDriver(new TestClock())
})
afterEach(() => vi.restoreAllMocks())

class Post extends Entity {
  id = ''
  title = ''
  body = ''
  static override key = 'Post'
}
class Titled extends Post {
  static override key = 'Titled'
  static override required: readonly string[] = ['title']
}
const posts = new Collection([Post])
const getPosts = endpoint('/posts', posts)
const getPost = endpoint('/post/:id', Post)
const ARGS = [{ id: '1' }]
const partial = { expiryStatus: 2, expiresAt: 1, isPartial: true }

test('ENT-37 an endpoint never fetched is served from the table, with the age of the record', () => {
  driver.open(getPosts, [{}]).answer([{ id: '1', title: 'a', body: 'text' }])
  const reading = driver.read(getPost, ARGS)
  expect(reading).toMatchObject({ data: { body: 'text' }, expiryStatus: 3 })
  expect(reading.expiresAt).toBe(driver.getState().entitiesMeta['Post']!['1']!.expiresAt)
  expect(driver.read(getPost, [{ id: '2' }])).toMatchObject({ data: undefined, expiryStatus: 2, expiresAt: 1 })
})

test('ENT-43 ENT-37 a summary is read by queries and lists, and serves no endpoint until every field has arrived', async () => {
  driver.open(getPosts, [{}]).answer([{ id: '1', title: 'a' }])
  const told: ViewChange[] = []
  driver.subscribe(getPost, ARGS, (what) => told.push(what))
  expect(driver.read(getPost, ARGS)).toMatchObject({ ...partial, data: { title: 'a', body: '' } })
  expect(driver.read(Post, ARGS)).toMatchObject({ data: { title: 'a' }, expiryStatus: 3, expiresAt: 1_060_000 })
  expect(driver.read(getPosts, [{}])).toMatchObject({ data: [{ title: 'a' }], expiryStatus: 3 })
  driver.set(Post, ARGS, { id: '1', body: 'text' })
  expect(driver.read(getPost, ARGS)).toMatchObject({ data: { title: 'a', body: 'text' }, expiryStatus: 3 })
  await tick()
  expect(told).toEqual(['value'])
})

test('ENT-43 HK-9 its own response counts, whatever it contains: readers are notified, and nothing is refetched', async () => {
  driver.open(getPosts, [{}]).answer([{ id: '1', title: 'a' }])
  const told: ViewChange[] = []
  driver.subscribe(getPost, ARGS, (what) => told.push(what))
  driver.open(getPost, ARGS).answer({ id: '1', title: 'a' })
  await tick()
  expect(told).toEqual(['freshness'])
  const reading = driver.read(getPost, ARGS)
  expect(reading).toMatchObject({ data: { title: 'a', body: '' }, expiryStatus: 3 })
  expect(reading.isPartial).toBeUndefined()
})

test('ENT-43 ERR-2 beside a summary an error is shown, a soft one too', () => {
  driver.open(getPosts, [{}]).answer([{ id: '1', title: 'a' }])
  const soft = endpoint('/post/:id', Post, { errorPolicy: () => 'soft' })
  const error = new Error('no')
  driver.open(soft, ARGS).fail(error)
  expect(driver.read(soft, ARGS)).toMatchObject({ error, expiryStatus: 2, isPartial: true })
})

describe('ENT-43 the fields of a class', () => {
  const currency = new Scalar({ key: 'price', lens: ([{ unit }]) => unit as string })
  const User = entity('User', { id: '', name: '', age: 0 })
  const cases: readonly [name: string, Class: any, summary: object, rest: object | undefined][] = [
    ['class members', Post, { id: '1', title: 'a' }, { body: '' }],
    ['of entity()', User, { id: '1', name: 'a' }, { age: 3 }],
    [
      'of EntityMixin()',
      EntityMixin(
        class {
          id = ''
          name = ''
        },
        { key: 'Mixed' },
      ),
      { id: '1' },
      { name: 'a' },
    ],
    [
      'undefined is a default, and null is a value',
      entity('Note', { id: '', note: undefined as string | null | undefined }),
      { id: '1' },
      { note: null },
    ],
    [
      'a relation counts as a reference',
      entity('Book', { id: '', author: undefined }, { schema: { author: User } }),
      { id: '1' },
      { author: { id: '5' } },
    ],
    [
      'of the parent class too',
      class extends Post {
        pages = 0
        static override key = 'Book'
      },
      { id: '1', title: 'a', pages: 3 },
      { body: '' },
    ],
    ['required narrows', Titled, { id: '1' }, { title: 'a' }],
    [
      'required is inherited',
      class extends Titled {
        pages = 0
        static override key = 'Book'
      },
      { id: '1' },
      { title: 'a' },
    ],
    [
      'required names a field that is not declared',
      entity('Wide', { id: '' }, { required: ['extra'] }),
      { id: '1' },
      { extra: 1 },
    ],
    ['required may be empty', entity('Free', { id: '', name: '' }, { required: [] }), { id: '1' }, undefined],
    [
      'getters and methods do not count',
      class extends Entity {
        id = ''
        name = ''
        shout = (): string => this.name.toUpperCase()
        static override key = 'Method'
        get short(): string {
          return this.name[0]!
        }
      },
      { id: '1' },
      { name: 'a' },
    ],
    [
      'what process adds counts',
      entity(
        'Made',
        { id: '', url: '' },
        { process: (input: any) => ({ ...input, ...(input.host && { url: `https://${input.host}` }) }) },
      ),
      { id: '1' },
      { host: 'x' },
    ],
    [
      'a Scalar counts for its arguments',
      entity('Coin', { id: '', price: undefined }, { schema: { price: currency } }),
      { id: '1' },
      { price: 5 },
    ],
    [
      'a reference to a record that is not stored counts, beside a Scalar too',
      entity('Share', { id: '', price: undefined, owner: undefined }, { schema: { price: currency, owner: User } }),
      { id: '1', price: 5 },
      { owner: '9' },
    ],
  ]
  test.each(cases)('%s', (_name, Class, summary, rest) => {
    const args = [{ id: '1', unit: 'EUR' }]
    const get = endpoint('/record/:id', Class)
    const union = endpoint('/union/:id', new Union({ a: Class }, 'type'))
    driver.set(Class, args, summary)
    for (const target of [get, union]) {
      expect(driver.read(target, args).isPartial).toBe(rest && true)
      expect(driver.read(target, args).data).toMatchObject(summary)
    }
    driver.set(Class, args, { id: '1', ...rest })
    const state = deserializeState(serializeState(driver.getState()))
    const restored = createDriver(new TestClock())
    restored.restore(state)
    for (const one of [driver, restored]) {
      for (const target of [get, union]) {
        expect(one.read(target, args)).toMatchObject({ expiryStatus: 3, data: { id: '1' } })
      }
    }
    if ('price' in (rest ?? {})) {
      expect(driver.read(get, [{ id: '1', unit: 'USD' }])).toMatchObject(partial)
    }
  })
})

test('ENT-43 a summary that is restored is still one', () => {
  driver.open(getPosts, [{}]).answer([{ id: '1', title: 'a' }])
  const restored = createDriver(new TestClock())
  restored.restore(deserializeState(serializeState(driver.getState())))
  expect(restored.read(getPost, ARGS)).toMatchObject({ ...partial, data: { title: 'a' } })
})

test('ENT-43 a summary that is spread and written back has received nothing but what was changed', () => {
  driver.open(getPosts, [{}]).answer([{ id: '1', title: 'a' }])
  driver.set(Post, ARGS, (post: Post) => Object.assign({}, post, { title: 'b' }))
  expect(driver.read(getPost, ARGS)).toMatchObject({ ...partial, data: { title: 'b' } })
})

test('ENT-43 NOR-13 of a record with every field, from elsewhere, the defaults of fields never received do not count', () => {
  driver.open(getPosts, [{}]).answer([{ id: '1', title: 'a' }])
  driver.set(Post, ARGS, { id: '1', title: 'b', body: '' })
  expect(driver.read(getPost, ARGS)).toMatchObject({ ...partial, data: { title: 'b' } })
  driver.set(Post, ARGS, { id: '1', title: 'b', body: 'text' })
  expect(driver.read(getPost, ARGS)).toMatchObject({ data: { body: 'text' }, expiryStatus: 3 })
})

describe('ENT-43 OPT-15 a record that only a pending operation knows', () => {
  const create = (body: object): any =>
    endpoint('POST /posts', posts.push, { sideEffect: true, getOptimisticResponse: () => body })

  test('is shown if it is whole', () => {
    driver.open(create({ id: '1', title: 'a', body: '' }), [{}, {}])
    expect(driver.read(getPost, ARGS)).toMatchObject({ data: { title: 'a' }, expiryStatus: 3 })
  })

  test('is waited for if it is not: the server does not know it yet', async () => {
    const request = driver.open(create({ id: '1', title: 'a' }), [{}, {}])
    const told: ViewChange[] = []
    driver.subscribe(getPost, ARGS, (what) => told.push(what))
    expect(driver.read(getPost, ARGS)).toMatchObject({ ...partial, waiting: true, data: { title: 'a' } })
    request.answer({ id: '1', title: 'a' })
    await tick()
    expect(told).toHaveLength(1)
    expect(driver.read(getPost, ARGS)).toMatchObject({ ...partial, data: { title: 'a' } })
    expect(driver.read(getPost, ARGS).waiting).toBeUndefined()
  })

  test('a summary is not waited for while a pending operation updates it', () => {
    driver.open(getPosts, [{}]).answer([{ id: '1', title: 'a' }])
    const put = endpoint('PUT /post', Post, {
      sideEffect: true,
      getOptimisticResponse: () => ({ id: '1', title: 'b' }),
    })
    driver.open(put, ARGS)
    expect(driver.read(getPost, ARGS)).toMatchObject({ ...partial, data: { title: 'b' } })
    expect(driver.read(getPost, ARGS).waiting).toBeUndefined()
  })
})
