import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { All } from '../kinds/All.ts'
import { ArraySchema } from '../schema/Array.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Lazy } from '../kinds/Lazy.ts'
import { ObjectSchema } from '../schema/Object.ts'
import { Query } from '../kinds/Query.ts'
import { STALE } from '../rows/Meta.ts'
import { Union } from '../kinds/Union.ts'
import { Values } from '../kinds/Values.ts'
import { TestClock } from '../testing/TestClock.ts'
import { endpoint } from '../testing/endpoints.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { fetchedAtOf } from '../binding/fetchedAt.ts'

class Cat extends Entity {
  id = ''
  name = ''
  static override key = 'Cat'
}
class Dog extends Entity {
  id = ''
  name = ''
  static override key = 'Dog'
}
const cats = new Collection([Cat])
const ARGS = [{ id: '1' }]

/** A read brings a record: a write would mark the lists stale that may hold it. */
function answer(driver: Driver, schema: any, value: { id: string; name?: string }): void {
  driver.open(endpoint(`/${schema.key}`, schema), [{ id: value.id }]).answer(value)
}

/** Possible contents of the store before the endpoint is read, and how they got there. */
const CONTENTS: Record<string, (driver: Driver) => void> = {
  cat: (driver) => answer(driver, Cat, { id: '1', name: 'Tom' }),
  dog: (driver) => answer(driver, Dog, { id: '1', name: 'Rex' }),
  otherCat: (driver) => answer(driver, Cat, { id: '2', name: 'Kit' }),
  list: (driver) => driver.set(cats, ARGS, [{ id: '3', name: 'Min' }]),
  emptyList: (driver) => driver.set(cats, ARGS, []),
  // Records that lack the name.
  catSummary: (driver) => answer(driver, Cat, { id: '1' }),
  dogSummary: (driver) => answer(driver, Dog, { id: '1' }),
  listSummary: (driver) => driver.set(cats, ARGS, [{ id: '3', name: 'Min' }, { id: '4' }]),
}

/** A schema, and whether the store can serve it: `undefined` where it names neither a record nor a list. */
interface Part {
  readonly schema: any
  readonly found: (held: ReadonlySet<string>) => boolean | undefined
}

const part = (schema: any, found: (held: ReadonlySet<string>) => boolean): Part => ({ schema, found })
const never = (): boolean => false
const hasCat = (held: ReadonlySet<string>): boolean => held.has('cat')
const hasDog = (held: ReadonlySet<string>): boolean => held.has('dog')
// Contents are written in the order of their names above: a later list replaces an earlier one.
const hasList = (held: ReadonlySet<string>): boolean =>
  (held.has('list') || held.has('emptyList')) && !held.has('listSummary')
const LEAVES: readonly Part[] = [
  part(Cat, hasCat),
  part(Dog, hasDog),
  part(new Union({ cat: Cat, dog: Dog }, 'kind' as never), (held) =>
    // The arguments do not say which member: the first that is stored is taken.
    held.has('cat') || held.has('catSummary') ? hasCat(held) : hasDog(held),
  ),
  part(cats, hasList),
  part(new All(Cat), (held) =>
    held.has('listSummary') || (held.has('catSummary') && !hasCat(held))
      ? false
      : hasCat(held) || held.has('otherCat') || held.has('list'),
  ),
  part(new Query(Cat, ({ name }: Cat) => name), hasCat),
  part(new Query({ pets: { cat: Cat, dogs: [Dog] } }, ({ pets }) => pets), never),
  part([Cat], never),
  part(new ArraySchema(Cat), never),
  part(new Values(Cat), never),
  part(new Lazy([Cat]), never),
  part(Number, never),
]
const defaults = fc.constantFrom<unknown>(0, '', 'none', false, null, undefined)
const tree = fc.letrec<{ any: Part }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...LEAVES),
    defaults.map((schema): Part => ({ schema, found: () => undefined })),
    fc
      .tuple(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'data'), tie('any'), { minKeys: 1 }), fc.boolean())
      .map(([members, isPlain]): Part => {
        const schema = Object.fromEntries(
          Object.entries(members).map(([name, { schema }]) => [name, schema as unknown]),
        )
        return {
          schema: isPlain ? schema : new ObjectSchema(schema),
          found: (held) => {
            const all = new Set(Object.values(members).map(({ found }) => found(held)))
            return all.has(false) ? false : all.has(true) || undefined
          },
        }
      }),
  ),
})).any

test('OBJ-6 ENT-43 EXP-5 property: an endpoint never fetched is served by the store only if all records and lists in its schema are there, with all their fields', () => {
  fc.assert(
    fc.property(tree, fc.subarray(Object.keys(CONTENTS)), ({ schema, found }, held) => {
      const driver = createDriver(new TestClock())
      for (const [name, write] of Object.entries(CONTENTS)) {
        if (held.includes(name)) {
          write(driver)
        }
      }
      const { expiryStatus, expiresAt } = driver.read(endpoint('/any', schema), ARGS)
      expect(expiryStatus === 3 && expiresAt > 1).toBe(found(new Set(held)) === true)
    }),
    { numRuns: cases(2000) },
  )
})

describe('OBJ-6 an envelope never fetched is fetched', () => {
  const cases: readonly [name: string, schema: any, shape: unknown][] = [
    ['a nested list', { data: { items: [Cat], total: 0 } }, { data: { items: undefined, total: 0 } }],
    ['schema.Object', new ObjectSchema({ items: [Cat], total: 0 }), { items: undefined, total: 0 }],
    ['GraphQL', { viewer: { cats: [Cat] } }, { viewer: { cats: undefined } }],
    ['defaults alone', { data: { total: 0 } }, { data: { total: 0 } }],
    ['nothing at all', {}, {}],
  ]
  test.each(cases)('%s', (_name, schema, shape) => {
    const reading = createDriver(new TestClock()).read(endpoint('/envelope', schema), [{}])
    expect(reading).toMatchObject({ expiryStatus: 2, expiresAt: 1, data: shape })
  })
})

describe('DLE-4 fetchedAt: when the data of a reader was fetched', () => {
  const getCats = endpoint('/cats', [Cat])
  const clock = new TestClock(0)
  const at = (driver: Driver): number | undefined => fetchedAtOf(driver.node(getCats, ARGS))
  const later = (time: number, change: () => unknown): void => {
    clock.time = time
    change()
  }
  test.each<[string, (driver: Driver) => unknown, number | undefined]>([
    ['never', () => {}, undefined],
    ['with its response', (driver) => driver.open(getCats, ARGS).answer([{ id: '1' }]), 10],
    [
      'with its response, though a record came later',
      (driver) => {
        driver.open(getCats, ARGS).answer([{ id: '1' }])
        later(20, () => answer(driver, Cat, { id: '1' }))
      },
      10,
    ],
    [
      'with the last response before an error',
      (driver) => {
        driver.open(getCats, ARGS).answer([{ id: '1' }])
        later(20, () => driver.open(getCats, ARGS).fail(new Error('no')))
        later(30, () => driver.open(getCats, ARGS).fail(new Error('no')))
      },
      10,
    ],
    [
      'with its last response, though it was invalidated and an equal one came',
      (driver) => {
        driver.open(getCats, ARGS).answer([{ id: '1' }])
        driver.invalidateKey(getCats.key(...ARGS))
        later(20, () => driver.open(getCats, ARGS).answer([{ id: '1' }]))
      },
      20,
    ],
    ['never, and an error came', (driver) => driver.open(getCats, ARGS).fail(new Error('no')), undefined],
  ])('%s', (_name, change, expected) => {
    const driver = createDriver(clock)
    clock.time = 10
    driver.read(getCats, ARGS)
    change(driver)
    driver.read(getCats, ARGS)
    expect(at(driver)).toBe(expected)
  })

  test('without a response: with the oldest of its records', () => {
    const driver = createDriver(clock)
    const shape = endpoint('/shape', { cat: Cat, dog: Dog })
    later(20, () => answer(driver, Dog, { id: '1', name: 'Rex' }))
    later(30, () => answer(driver, Cat, { id: '1', name: 'Tom' }))
    driver.read(shape, ARGS)
    expect(fetchedAtOf(driver.node(shape, ARGS))).toBe(20)
    later(40, () => driver.open(shape, ARGS).fail(new Error('no')))
    expect(fetchedAtOf(driver.node(shape, ARGS))).toBe(20)
    driver.invalidateKey(shape.key(...ARGS))
    expect(fetchedAtOf(driver.node(shape, ARGS))).toBe(20)
  })
})

test('ENT-43 OPT-15 readers wait for an incomplete record that a pending operation touches', () => {
  const driver = createDriver()
  const getCat = endpoint('/cat', Cat)
  const create = endpoint('/create', Cat, { sideEffect: true, getOptimisticResponse: () => ({ id: '1' }) })
  const request = driver.open(create, [])
  expect(driver.read(getCat, ARGS)).toMatchObject({ isPartial: true, waiting: true })
  request.drop()
  expect(driver.read(getCat, ARGS).waiting).toBeUndefined()
})

describe('OPT-12 CTL-16 a result that only a pending operation has', () => {
  const early = { getOptimisticResponse: () => ({ id: '1', name: 'early' }) }
  const getCat = endpoint('/cat', Cat, early)
  const text = endpoint('/text', undefined, { getOptimisticResponse: () => 'early' })
  test.each([
    ['of a record', getCat, { id: '1', name: 'early' }],
    ['without a schema', text, 'early'],
  ])('%s is shown, and counts as expired until the response arrives', (_name, target, data) => {
    const clock = new TestClock()
    const driver = createDriver(clock)
    const request = driver.open(target, ARGS)
    request.show()
    expect(driver.read(target, ARGS)).toMatchObject({ expiryStatus: 3, expiresAt: 0, error: undefined })
    expect(driver.read(target, ARGS).data).toEqual(data)
    request.answer(data)
    expect(driver.read(target, ARGS)).toMatchObject({ expiryStatus: 3, expiresAt: clock.now() + 60_000 })
  })
})

describe('CTL-16 ERR-2 data that cannot be read', () => {
  const broken = new Query(Cat, ({ name }: Cat) => {
    throw new Error(`cannot read ${name}`)
  })
  const target = endpoint('/broken', broken)
  const stale = { data: undefined, expiryStatus: 2, expiresAt: 1 }
  test.each<[string, (driver: Driver) => void, string]>([
    [
      'the error of reading it',
      (driver) => driver.open(target, ARGS).answer({ id: '1', name: 'Tom' }),
      'cannot read Tom',
    ],
    [
      'that error, without a response of its own',
      (driver) => answer(driver, Cat, { id: '1', name: 'Kit' }),
      'cannot read Kit',
    ],
    [
      'the error of its request, if that failed',
      (driver) => {
        driver.open(target, ARGS).answer({ id: '1', name: 'Tom' })
        driver.open(target, ARGS).fail(new Error('down'))
      },
      'down',
    ],
  ])('has %s', (_name, change, message) => {
    const driver = createDriver(new TestClock())
    change(driver)
    expect(driver.read(target, ARGS)).toMatchObject({ ...stale, error: { message: expect.stringContaining(message) } })
  })
})

test('CTL-16 CTL-17 null instead of arguments reads nothing, also of a schema that has members', () => {
  class Owner extends Entity {
    id = ''
    static override key = 'Owner'
    static override schema = { cat: Cat }
  }
  const driver = createDriver(new TestClock())
  const nothing = { error: undefined, expiryStatus: 3, expiresAt: Infinity }
  expect(driver.read(Owner, [null])).toEqual({ data: undefined, ...nothing })
  expect(driver.read(new Query(Cat, () => 'x'), [null])).toEqual({ data: undefined, ...nothing })
  expect(driver.read(endpoint('/cat', Cat), [null])).toEqual({ data: undefined, ...nothing })
  expect(driver.read(endpoint('/any', null), [null])).toEqual({ data: null, ...nothing })
  const shape = { cat: Cat, total: 0, none: null, page: { more: false, cats: [Cat] } }
  expect(driver.read(endpoint('/shape', shape), [null])).toEqual({
    data: { cat: undefined, total: 0, none: null, page: { more: false, cats: undefined } },
    ...nothing,
  })
  // Only a single `null` does that.
  const two = endpoint('/two', undefined)
  driver.open(two, [null, 'b']).answer('stored')
  expect(driver.read(two, [null, 'b']).data).toBe('stored')
})

describe('EXP-7 ENT-25 ERR-3 how long data is fresh', () => {
  const START = 1_000_000
  const getCat = endpoint('/cat', Cat)
  const put = endpoint('/put', Cat, { sideEffect: true })
  const removeSoon = endpoint('/remove', new Invalidate(Cat), { sideEffect: true, dataExpiryLength: 10 })
  const all = new All(Cat)
  const pair = endpoint('/pair', { cat: Cat, dog: Dog })
  const respond = (driver: Driver): void => driver.open(getCat, ARGS).answer({ id: '1', name: 'Tom' })
  const fail = (driver: Driver): void => driver.open(getCat, ARGS).fail(new Error('no'))
  /** The server may have changed the record. */
  const markStale = (driver: Driver): void => driver.open(put, ARGS).fail(new Error('down'))
  const removeSecond = (driver: Driver): void => driver.open(removeSoon, [{ id: '2' }]).answer({ id: '2' })
  const short = (schema: any, id: string, dataExpiryLength: number) => (driver: Driver) =>
    driver.open(endpoint('/short', schema, { dataExpiryLength }), [{ id }]).answer({ id, name: 'x' })

  test.each<[string, any, ((driver: Driver) => void)[], number]>([
    ['a response: for its own time', getCat, [respond], START + 60_000],
    ['an error: for a shorter time', getCat, [respond, fail], START + 1_000],
    ['a response with a record that was marked stale since', getCat, [respond, markStale], STALE],
    ['an error, and then the record was marked stale', getCat, [respond, fail, markStale], STALE],
    ['an error of a request sent after the mark', getCat, [respond, markStale, fail], START + 1_000],
    ['a response after the mark', getCat, [respond, markStale, respond], START + 60_000],
    [
      'records without a response: until the first expires',
      pair,
      [short(Cat, '1', 50), short(Dog, '1', 40)],
      START + 40,
    ],
    ['the same in another order', pair, [short(Cat, '1', 40), short(Dog, '1', 50)], START + 40],
    ['a record alone', Cat, [short(Cat, '1', 50)], START + 50],
    ['all records', all, [short(Cat, '1', 50), short(Cat, '2', 40)], START + 40],
    [
      'all records, without one that was deleted',
      all,
      [short(Cat, '1', 50), short(Cat, '2', 40), removeSecond],
      START + 50,
    ],
  ])('%s', (_name, target, steps, expected) => {
    const driver = createDriver(new TestClock(START))
    driver.read(target, ARGS)
    steps.forEach((step) => step(driver))
    expect(driver.read(target, target === all ? [] : ARGS).expiresAt).toBe(expected)
  })

  test('ERR-2 an error is returned with the data that stays, and a soft one only without data', () => {
    const driver = createDriver(new TestClock())
    const soft = endpoint('/cat', Cat, { errorPolicy: () => 'soft' })
    const error = new Error('no')
    driver.open(soft, ARGS).fail(error)
    expect(driver.read(soft, ARGS)).toEqual({ data: undefined, error, expiryStatus: 2, expiresAt: START + 1_000 })
    respond(driver)
    driver.open(soft, ARGS).fail(error)
    expect(driver.read(soft, ARGS)).toMatchObject({ data: { name: 'Tom' }, error: undefined, expiryStatus: 3 })
    driver.open(getCat, ARGS).fail(error)
    expect(driver.read(getCat, ARGS)).toMatchObject({ data: { name: 'Tom' }, error, expiryStatus: 3 })
  })
})

test('CTL-16 CTL-17 data that is missing altogether is not a part of it', () => {
  const driver = createDriver(new TestClock())
  const missing = { data: undefined, error: undefined, expiryStatus: 2, expiresAt: STALE }
  expect(driver.read(endpoint('/cat', Cat), ARGS)).toEqual(missing)
  expect(driver.read(Cat, ARGS)).toEqual(missing)
})

test('OBJ-6 CTL-17 a shape may have a member called key', () => {
  const driver = createDriver(new TestClock())
  answer(driver, Cat, { id: '1', name: 'Tom' })
  expect(driver.read({ key: Cat }, ARGS).data).toMatchObject({ key: { name: 'Tom' } })
})
