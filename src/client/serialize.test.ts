import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { cases } from '../../tests/effort.ts'
import { Collection } from '../kinds/Collection.ts'
import { INVALID } from '../schema/Schema.ts'
import { endpoint } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'
import { TestClock } from '../testing/TestClock.ts'
import { deserializeState, serializeState } from './serialize.ts'
import { initialState } from '../store/initialState.ts'
import type { State } from '../store/stateShape.ts'

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const getPlain = endpoint('/plain', undefined)
const reload = (driver: Driver): State => deserializeState(serializeState(driver.getState()))

describe('text of another shape', () => {
  const times = { fetchedAt: 1, date: 2, expiresAt: 3 }
  const list = { at: {}, isMap: false, loose: ['q'], counted: ['', 'GET /todos', 'total'] }
  const pages = { name: 'n', path: '/users', next: [{ page: 2 }], previous: [{ page: 0 }], pages: [[[{}]]] }
  const whole = {
    format: 1,
    now: 5,
    lastReset: 4,
    tables: [
      ['User', [['1', { id: '1' }, times]]],
      ['[User]', [['{}', ['1'], times, { ...list, ...pages }]]],
      ['{User}', [['{}', { a: '1' }, times, { ...list, isMap: true }]]],
    ],
    results: [['/user []', '1', times]],
  }
  const wrong: Record<string, unknown> = {
    missing: undefined,
    null: null,
    number: 5,
    text: 'x',
    list: [],
    object: {},
    tombstone: { $restitch: 'invalid' },
  }
  const times3 = (at: string): [string, string[]][] => [
    [at, []],
    [`${at}.fetchedAt`, ['number']],
    [`${at}.date`, ['number']],
    [`${at}.expiresAt`, ['number']],
  ]
  const row = (at: string, ...value: string[]): [string, string[]][] => [
    [at, []],
    [`${at}.0`, ['text']],
    [`${at}.1`, value],
    ...times3(`${at}.2`),
  ]

  test.each<[string, string[]]>([
    ['format', []],
    ['now', ['number']],
    ['lastReset', ['number']],
    ['tables', ['list']],
    ['tables.0', []],
    ['tables.0.0', ['text']],
    ['tables.0.1', ['list']],
    ...row('tables.0.1.0', 'object', 'tombstone'),
    ['tables.0.1.0.3', []],
    ...row('tables.1.1.0', 'list', 'tombstone'),
    ['tables.1.1.0.3', []],
    ['tables.1.1.0.3.at', ['object']],
    ['tables.1.1.0.3.counted', ['missing', 'list']],
    ['tables.1.1.0.3.loose', ['missing', 'list']],
    ['tables.1.1.0.3.loose.0', ['text']],
    ['tables.1.1.0.3.name', ['missing', 'text']],
    ['tables.1.1.0.3.path', ['missing', 'text']],
    ['tables.1.1.0.3.next', ['missing', 'list']],
    ['tables.1.1.0.3.previous', ['missing', 'list']],
    ['tables.1.1.0.3.pages', ['missing', 'list']],
    ['tables.1.1.0.3.pages.0', []],
    ['tables.1.1.0.3.pages.0.0', ['list']],
    ...row('tables.2.1.0', 'object', 'tombstone'),
    ['tables.2.1.0.3', []],
    ['tables.2.1.0.3.isMap', []],
    ['results', ['list']],
    ['results.0', []],
    ['results.0.0', ['text']],
    ['results.0.1', Object.keys(wrong)],
    ...times3('results.0.2'),
  ])('ST-5 is discarded unless "%s" is one of %j', (at, allowed) => {
    expect(deserializeState(JSON.stringify(whole))).not.toBe(initialState)
    for (const [kind, value] of Object.entries(wrong)) {
      const copy = structuredClone(whole)
      const names = at.split('.')
      const owner = names.slice(0, -1).reduce((part: any, name) => part[name], copy)
      owner[names.at(-1)!] = value
      if (kind === 'missing' && Array.isArray(owner)) {
        continue
      }
      const state = deserializeState(JSON.stringify(copy))
      expect([kind, state !== initialState]).toEqual([kind, allowed.includes(kind)])
      expect(() => createDriver().restore(state)).not.toThrow()
    }
  })
})

test.each([
  ['5', 'it is no object'],
  ['{"format":9}', 'its format is 9, not 1'],
  ['[]', 'it is no object'],
  ['{"meta":{},"entities":[]}', 'it has neither "entities" nor "endpoints"'],
  ['{"format":1,"now":0}', 'its tables are not as they were written'],
  ['{"format":1,"now":{"$restitch":"other"}}', 'it holds a mark "other"'],
])('ST-5 the warning about %s says why', async (text, why) => {
  // Each warning is given once, so the module is loaded again.
  vi.resetModules()
  const { deserializeState: load } = await import('./serialize.ts')
  load(text)
  expect(vi.mocked(console.warn).mock.calls.map(([message]) => message)).toEqual([
    `A stored state was discarded, since ${why}. The store starts empty.`,
  ])
})

test('ST-5 rows of an outward shape without times are stale, and results and times may come without each other', () => {
  const tables = { entities: { User: { 1: { id: '1' } } }, entitiesMeta: { Post: {} } }
  const times = { fetchedAt: 1, date: 2, expiresAt: null }
  const endpoints = { a: { format: 1, $restitch: 'data' } }
  const state = deserializeState(JSON.stringify({ ...tables, endpoints, meta: { b: times } }))
  const none = { fetchedAt: 0, date: 0, expiresAt: 0 }
  expect(state).toMatchObject({ entities: tables.entities, entitiesMeta: { User: { 1: none } }, lastReset: 0 })
  expect(state.endpoints).toEqual(endpoints)
  expect(state.meta).toEqual({ a: none, b: { ...times, expiresAt: Infinity } })
})

test('ST-21 ST-17 a state of another store has the times of the store that it is restored into', () => {
  const HOUR = 3_600_000
  const source = createDriver(new TestClock(10 * HOUR))
  source.open(endpoint('/user', User), []).answer({ id: '1' })
  // Its wall clock was set back by an hour, so its own time is ahead by twice as much.
  const clock = new TestClock(11 * HOUR)
  const driver = createDriver(clock)
  driver.store.clock.now()
  clock.time = 10 * HOUR
  driver.restore(source.getState())
  expect(driver.getState().meta['/user []']).toMatchObject({ date: 12 * HOUR, expiresAt: 12 * HOUR + 60_000 })
  expect(driver.getState().entitiesMeta['User']!['1']).toMatchObject({ date: 12 * HOUR })
  // A clock that is behind: nothing is from the future.
  const behind = createDriver(new TestClock(9 * HOUR))
  behind.restore(source.getState())
  expect(behind.getState().meta['/user []']!.date).toBe(9 * HOUR)
})

test('ST-5 the text of a list has what is known of it, and nothing for pages that it does not have', () => {
  const driver = createDriver()
  driver.open(endpoint('/users', new Collection([User])), [{}]).answer([{ id: '1' }])
  const { tables } = JSON.parse(serializeState(driver.getState())) as { tables: [string, any[][]][] }
  const [, rows] = tables.find(([key]) => key === '[User]')!
  const list = { at: {}, isMap: false, path: '/users', name: { $restitch: 'undefined' } }
  expect(rows).toEqual([['{}', ['1'], expect.any(Object), list]])
})

test('ST-5 space in the text, as of a tool that formats it, makes no difference', () => {
  const driver = createDriver()
  driver.setResponse(getPlain, [], [undefined])
  const text = `\n${JSON.stringify(JSON.parse(serializeState(driver.getState())), null, 2)}`
  expect(deserializeState(text).endpoints).toStrictEqual(driver.getState().endpoints)
})

describe('values that JSON lacks', () => {
  const names = fc.constantFrom('a', '', '$restitch', '$$restitch', 'value', '__proto__', 'toJSON', 'x$restitch')
  const values = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(undefined, null, NaN, Infinity, -Infinity, 0, 1.5, true, '', 'invalid', 'number'),
      fc.bigInt({ min: -5n, max: 10n ** 30n }),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.uniqueArray(fc.tuple(names, tie('any')), { maxLength: 3, selector: ([name]) => name }).map(Object.fromEntries),
    ),
  })).any

  test('ST-5 property: any value of results and records survives', () => {
    fc.assert(
      fc.property(values, (value) => {
        const driver = createDriver()
        driver.setResponse(getPlain, [], value)
        driver.set(User, [{}], { id: '1', name: value })
        const { endpoints, entities } = reload(driver)
        expect(endpoints).toStrictEqual(driver.getState().endpoints)
        expect(entities).toStrictEqual(driver.getState().entities)
      }),
      { numRuns: cases(2000) },
    )
  })

  test.each<[string, object]>([
    ['nothing', {}],
    ['a status and a code', { status: 404, code: 'gone' }],
    ['a name', { name: 'NetworkError' }],
    ['no stack', { stack: undefined }],
    ['members that are not kept', { status: { a: 1 }, code: true, response: {} }],
  ])('ST-5 SSR-6 an error with %s', (_, members) => {
    const error = Object.assign(new Error('no'), members) as Error & { status?: unknown; code?: unknown }
    const driver = createDriver()
    driver.open(getPlain, []).fail(error)
    driver.setResponse(endpoint('/nested', undefined), [], { error, toJSON: 5 })
    const state = reload(driver)
    const nested: unknown = state.endpoints['/nested []'].error
    for (const found of [state.meta[getPlain.key()]!.error, nested] as (typeof error)[]) {
      const kept = ['status', 'code'].filter((name) => ['string', 'number'].includes(typeof (error as any)[name]))
      expect(found).toBeInstanceOf(Error)
      expect([found.name, found.message]).toEqual([error.name, 'no'])
      expect(Object.keys(found)).toEqual(kept)
      expect(found).toMatchObject(Object.fromEntries(kept.map((name) => [name, (error as any)[name]])))
      expect(found.stack).toEqual(error.stack ?? expect.any(String))
      // As in an error of its own, they can be set.
      found.name = 'Other'
      found.stack = ''
      expect(`${found}${found.stack}`).toBe('Other: no')
    }
  })

  test('ST-5 an object of a class with `toJSON` is its JSON, and a tombstone is one again', () => {
    const driver = createDriver()
    driver.setResponse(getPlain, [], { at: new Date(0), none: INVALID })
    expect(reload(driver).endpoints['/plain []']).toEqual({ at: '1970-01-01T00:00:00.000Z', none: INVALID })
  })
})
