import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { createDriver, type Driver } from '../controller/driver.ts'
import { type Request } from '../controller/Request.ts'
import { Entity } from '../schema/Entity.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import type { Meta } from '../schema/Schema.ts'
import { TestClock } from '../testing/TestClock.ts'
import { receive } from '../testing/drivers.ts'
import { endpointFor } from '../testing/endpoints.ts'
import { permutations } from '../testing/permutations.ts'
import { overlay } from './records.ts'

class User extends Entity {
  id = ''
  name = ''
  group = ''
  tags: string[] = []
  static override key = 'User'
}

const get = endpointFor(User)
const put = endpointFor(User, { sideEffect: true })
const remove = endpointFor(new Invalidate(User), { sideEffect: true })
const row = (driver: Driver, key = 'User', pk = '1'): any => driver.getState().entities[key]?.[pk]

/** Sends the requests in the given order, and receives the responses in another, all within one millisecond. */
function race(sent: [any, unknown][], answered: readonly number[], driver: Driver = clockless()): Driver {
  const requests: Request[] = sent.map(([target], i) => driver.open(target, [{ i }]))
  for (const i of answered) {
    requests[i]!.answer(sent[i]![1])
  }
  return driver
}

const clockless = (): Driver => createDriver(new TestClock())

test('ENT-24 merging is shallow: fields of the response replace, others stay', () => {
  const driver = receive(User, { id: 1, name: 'a', address: { city: 'x', zip: 1 }, tags: ['a'] })
  receive(User, { id: 1, address: { city: 'y' }, tags: [], nothing: undefined }, driver)
  expect(row(driver)).toStrictEqual({ id: 1, name: 'a', address: { city: 'y' }, tags: [], nothing: undefined })
  expect(User.merge({ a: 1, b: 1 }, { b: 2, c: 2 })).toEqual({ a: 1, b: 2, c: 2 })
})

test('ENT-24 REL-4 an overridden merge decides, within one response and over several', () => {
  class Topic extends Entity {
    id = ''
    posts: string[] = []
    title = ''
    static override key = 'Topic'
    static override merge(existing: any, incoming: any): any {
      return { ...existing, ...incoming, posts: [...new Set([...existing.posts, ...incoming.posts])] }
    }
  }
  const driver = receive(
    [Topic],
    [
      { id: 1, posts: ['a'] },
      { id: 1, posts: ['b'] },
    ],
  )
  receive(Topic, { id: 1, posts: ['b', 'c'] }, driver)
  expect(row(driver, 'Topic')).toEqual({ id: 1, posts: ['a', 'b', 'c'] })
  // A record that is read, spread and set comes with all its fields.
  driver.set(Topic, [{ id: 1 }], (topic: any) => ({ ...topic, title: 't' }))
  driver.set(Topic, [{ id: 1 }], { ...driver.read(Topic, [{ id: 1 }]).data, title: 'u' })
  expect(row(driver, 'Topic')).toEqual({ id: 1, posts: ['a', 'b', 'c'], title: 'u' })
})

test.each(permutations([0, 1]))(
  'ENT-25 two reads received in the order %s %s: by field, the one sent later wins',
  (...answered) => {
    const driver = race(
      [
        [get, { id: 1, title: 'a', body: 'x' }],
        [get, { id: 1, title: 'b', summary: true }],
      ],
      answered,
    )
    expect(row(driver)).toEqual({ id: 1, title: 'b', body: 'x', summary: true })
  },
)

test('ENT-25 a list of summaries that keeps overtaking a detail does not starve it', () => {
  const driver = clockless()
  const detail = driver.open(get, [{ id: 1 }])
  for (let i = 0; i < 5; i++) {
    driver.open(endpointFor([User]), [{ i }]).answer([{ id: 1, title: `${i}` }])
  }
  detail.answer({ id: 1, title: 'old', body: 'text' })
  expect(row(driver)).toEqual({ id: 1, title: '4', body: 'text' })
  const second = driver.open(get, [{ id: 1 }])
  driver.open(endpointFor([User]), [{ i: 9 }]).answer([{ id: 1, title: '9' }])
  second.answer({ id: 1, title: 'old', body: 'newer' })
  expect(row(driver)).toEqual({ id: 1, title: '9', body: 'newer' })
})

test.each(permutations([0, 1]))('ENT-30 a read and a write, the read sent first, received %s %s', (...answered) => {
  const driver = race(
    [
      [get, { id: 1, name: 'old', group: 'g' }],
      [put, { id: 1, name: 'new' }],
    ],
    answered,
  )
  expect(row(driver)).toEqual({ id: 1, name: 'new', group: 'g' })
  const crossed = answered[0] === 1
  expect(driver.getState().entitiesMeta['User']!['1']!.expiresAt === 1).toBe(crossed)
})

test('ENT-30 a read sent while a write is in flight does not undo it, whichever is received first', () => {
  const late = race(
    [
      [put, { id: 1, name: 'new' }],
      [get, { id: 1, name: 'old', group: 'g' }],
    ],
    [0, 1],
  )
  expect(row(late)).toEqual({ id: 1, name: 'new', group: 'g' })
  expect(late.getState().entitiesMeta['User']!['1']!.expiresAt).toBe(1)
  const early = race(
    [
      [put, { id: 1, name: 'new' }],
      [get, { id: 1, name: 'old', group: 'g' }],
    ],
    [1, 0],
  )
  expect(row(early)).toEqual({ id: 1, name: 'new', group: 'g' })
})

test.each(permutations([0, 1]))('ENT-25 two writes received %s %s: the one sent later stays', (...answered) => {
  const driver = race(
    [
      [put, { id: 1, name: 'first', a: 1 }],
      [put, { id: 1, name: 'second', b: 2 }],
    ],
    answered,
  )
  expect(row(driver)).toEqual({ id: 1, name: 'second', a: 1, b: 2 })
})

test.each([
  [
    'a read sent before the delete, received after',
    [
      [get, 0],
      [remove, 1],
    ],
    [1, 0],
    undefined,
  ],
  [
    'a read sent while the delete is in flight',
    [
      [remove, 0],
      [get, 1],
    ],
    [0, 1],
    undefined,
  ],
  [
    'a write sent before the delete, received after',
    [
      [put, 0],
      [remove, 1],
    ],
    [1, 0],
    undefined,
  ],
  [
    'a write sent after the delete, received before',
    [
      [remove, 0],
      [put, 1],
    ],
    [1, 0],
    'b',
  ],
  [
    'a write sent after the delete, received after',
    [
      [remove, 0],
      [put, 1],
    ],
    [0, 1],
    'b',
  ],
] as const)('ENT-28 %s', (_, sent, answered, name) => {
  const driver = clockless()
  driver.open(get, [{ id: 1 }]).answer({ id: 1, name: 'a', group: 'g' })
  race(
    sent.map(([target]) => [target, { id: 1, name: 'b' }]),
    answered,
    driver,
  )
  expect(driver.read(User, [{ id: 1 }]).data?.name).toBe(name)
})

test('ENT-28 a read sent after the delete was committed brings the record back', () => {
  const driver = receive(User, { id: 1, name: 'a', group: 'g' })
  driver.open(remove, [{ id: 1 }]).answer({ id: 1 })
  expect(row(driver)).toBeTypeOf('symbol')
  receive(User, { id: 1, name: 'b' }, driver)
  expect(row(driver)).toEqual({ id: 1, name: 'b' })
})

const isStale = (driver: Driver): boolean => driver.getState().entitiesMeta['User']!['1']!.expiresAt === 1

test.each([
  ['a read sent before a write', get, put, [1, 0]],
  ['a read sent while a write is in flight', put, get, [0, 1]],
  ['a write and one sent later', put, put, [1, 0]],
] as const)('ST-18 %s cross only if they disagree, or the late one adds a field', (_, first, second, crossed) => {
  const values: [string, object, object, boolean][] = [
    ['equal', { name: 'a' }, { name: 'a' }, false],
    ['equal parts', { name: 'a', tags: ['x'] }, { name: 'a', tags: ['x'] }, false],
    ['the late one has fewer fields', { name: 'a' }, { name: 'a', group: 'g' }, false],
    ['the late one has another value', { name: 'a' }, { name: 'b' }, true],
    ['the late one has a field more', { name: 'a', group: 'g' }, { name: 'a' }, true],
  ]
  for (const [name, late, early, stale] of values) {
    for (const known of [false, true]) {
      const bodies = crossed[0] === 0 ? [early, late] : [late, early]
      const sent = [first, second].map((target, i): [any, unknown] => [target, { id: 1, ...bodies[i] }])
      const start = (): Driver => (known ? receive(User, { id: 1, name: 'old' }, clockless()) : clockless())
      expect([name, known, isStale(race(sent, crossed, start()))]).toEqual([name, known, stale])
      expect([name, known, isStale(race(sent, crossed.toReversed(), start()))]).toEqual([name, known, false])
    }
  }
})

test('ENT-25 the history of a record that is polled while a request is pending does not grow', () => {
  const driver = clockless()
  driver.open(get, [{ hangs: true }])
  const slot = driver.store.tables.table('User').slot('1')
  for (let i = 0; i < 20; i++) {
    driver.open(get, [{ i }]).answer({ id: 1, name: `${i}` })
    expect(slot.log?.length ?? 1).toBe(1)
  }
  // The fields of the first one show through the next.
  driver.open(get, [{}]).answer({ id: 1, group: 'g' })
  expect(slot.log).toHaveLength(2)
})

test('ENT-25 an overridden shouldReorder compares the whole row, with metas of both', () => {
  const seen: Meta[] = []
  class Versioned extends Entity {
    id = ''
    version = 0
    name = ''
    static override key = 'Versioned'
    static override shouldReorder(existingMeta: Meta, incomingMeta: Meta, existing: any, incoming: any): boolean {
      seen.push(existingMeta, incomingMeta)
      return incoming.version < existing.version
    }
  }
  const driver = receive(Versioned, { id: 1, version: 2, name: 'two' })
  receive(Versioned, { id: 1, version: 1, name: 'one', extra: 'kept' }, driver)
  expect(row(driver, 'Versioned')).toEqual({ id: 1, version: 2, name: 'two', extra: 'kept' })
  receive(Versioned, { id: 1, version: 3, name: 'three' }, driver)
  expect(row(driver, 'Versioned')).toEqual({ id: 1, version: 3, name: 'three', extra: 'kept' })
  for (const meta of seen) {
    expect(Object.keys(meta).toSorted()).toEqual(['date', 'expiresAt', 'fetchedAt', 'order', 'sent'])
  }
  expect(seen[0]!.order).toBeLessThan(seen[1]!.order)
})

test('ENT-26 shouldUpdate that says no keeps the record untouched, its times included', () => {
  class Pinned extends Entity {
    id = ''
    static override key = 'Pinned'
    static override shouldUpdate(_old: Meta, _new: Meta, existing: any, incoming: any): boolean {
      return !existing.pinned || incoming.force
    }
  }
  const clock = new TestClock(1_000)
  const driver = createDriver(clock)
  receive(Pinned, { id: 1, pinned: true }, driver)
  const [value, times] = [row(driver, 'Pinned'), driver.getState().entitiesMeta['Pinned']!['1']]
  clock.time = 5_000
  receive(Pinned, { id: 1, name: 'b' }, driver)
  expect(row(driver, 'Pinned')).toBe(value)
  expect(driver.getState().entitiesMeta['Pinned']!['1']).toEqual(times)
  receive(Pinned, { id: 1, force: true }, driver)
  expect(row(driver, 'Pinned')).toEqual({ id: 1, pinned: true, force: true })
  expect(driver.getState().entitiesMeta['Pinned']!['1']!.date).toBe(5_000)
})

test('ENT-27 mergeWithStore and mergeMetaWithStore may be replaced; the row takes the higher order whatever they return', () => {
  class Kept extends Entity {
    id = ''
    static override key = 'Kept'
    static override mergeWithStore(_old: Meta, _new: Meta, existing: any, incoming: any): any {
      return { ...incoming, count: (existing.count ?? 1) + 1 }
    }
    static override mergeMetaWithStore(existingMeta: Meta): Meta {
      const { date, fetchedAt } = existingMeta
      return { date, fetchedAt, expiresAt: 77 } as Meta
    }
  }
  const driver = clockless()
  const early = driver.open(endpointFor(Kept), [{ early: 1 }])
  receive(Kept, { id: 1, name: 'a' }, driver)
  receive(Kept, { id: 1, name: 'b' }, driver)
  expect(row(driver, 'Kept')).toEqual({ id: 1, name: 'b', count: 2 })
  expect(driver.getState().entitiesMeta['Kept']!['1']!.expiresAt).toBe(77)
  const { meta } = driver.store.tables.table('Kept').slot('1')
  expect(meta).toMatchObject({ order: expect.any(Number), sent: expect.any(Number) })
  expect(meta!.order).toBeGreaterThan(early.action.meta.sent)
  const order = meta!.order
  early.answer({ id: 1, name: 'c' })
  expect(driver.store.tables.table('Kept').slot('1').meta!.order).toBe(order)
  expect(Entity.mergeMetaWithStore(meta!, { ...meta!, order: 0, sent: 0 }, {}, {})).toBe(meta)
})

test('ENT-29 a response that changes nothing keeps every reference, notifies no reader, and takes the later times', () => {
  const clock = new TestClock(1_000)
  const driver = createDriver(clock)
  const answer = { id: 1, name: 'a', tags: ['a', 'b'], address: { city: { name: 'x' } } }
  receive([User], [answer], driver)
  const list = driver.read(endpointFor([User]), [{}]).data
  const told = vi.fn()
  driver.subscribe(endpointFor([User]), [{}], told)
  const between = driver.open(endpointFor([User]), [{}])
  clock.time = 2_000
  driver.open(endpointFor([User]), [{}]).answer([structuredClone(answer)])
  expect(driver.read(endpointFor([User]), [{}]).data).toBe(list)
  expect(driver.getState().entitiesMeta['User']!['1']).toMatchObject({ date: 2_000, expiresAt: 62_000 })
  // It was sent before the response that confirmed the value.
  between.answer([{ ...answer, name: 'older' }])
  expect(driver.read(endpointFor([User]), [{}]).data).toBe(list)
  return Promise.resolve().then(() => expect(told).not.toHaveBeenCalled())
})

test('ENT-29 of a field that changes, the parts that do not keep their reference', () => {
  const driver = receive(User, { id: 1, tags: ['a'], address: { city: { name: 'x' }, zip: 1 } })
  const before = row(driver)
  receive(User, { id: 1, tags: ['a'], address: { city: { name: 'x' }, zip: 2 } }, driver)
  const after = row(driver)
  expect(after).not.toBe(before)
  expect(after.tags).toBe(before.tags)
  expect(after.address).not.toBe(before.address)
  expect(after.address.city).toBe(before.address.city)
})

const fields = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'toString', 'c'), fc.jsonValue({ maxDepth: 1 }), {
  noNullPrototype: true,
})

test('ENT-24 ENT-29 overlay is a spread that keeps what is equal', () => {
  fc.assert(
    fc.property(fields, fields, (existing, incoming) => {
      const out = overlay(existing, incoming)
      const expected = new Map([...Object.entries(existing), ...Object.entries(incoming)])
      expect(new Map(Object.entries(out))).toEqual(expected)
      expect(Object.getPrototypeOf(out)).toBe(Object.prototype)
      expect(overlay(out, structuredClone(incoming))).toBe(out)
    }),
  )
})

test('ENT-25 responses with different records commute', () => {
  const value = fc.record({ name: fc.string(), tags: fc.array(fc.string(), { maxLength: 2 }) }, { requiredKeys: [] })
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 2, maxLength: 4 }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      fc.nat(),
      (values, writes, seed) => {
        const sent = values.map((one, i): [any, unknown] => [writes[i] ? put : get, { id: i + 1, ...one }])
        const all = permutations([...values.keys()])
        const state = (order: readonly number[]): unknown => ({ ...race(sent, order).getState().entities['User'] })
        expect(state(all[seed % all.length]!)).toEqual(state(all[0]!))
      },
    ),
    { numRuns: cases(160) },
  )
})

test('ENT-25 whatever the order of responses, each field is that of the last read sent that contained it', () => {
  const value = fc.record({ a: fc.nat(3), b: fc.nat(3), c: fc.nat(3) }, { requiredKeys: [] })
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 4 }), fc.nat(), (values, seed) => {
      const all = permutations([...values.keys()])
      const driver = race(
        values.map((one) => [get, { id: 1, ...one }]),
        all[seed % all.length]!,
      )
      expect(row(driver)).toEqual(Object.assign({ id: 1 }, ...values))
    }),
  )
})
