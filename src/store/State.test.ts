import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { TestClock } from '../testing/TestClock.ts'
import { collectorOf, pendingIn } from '../testing/drivers.ts'
import { endpoint, mutation } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'
import { STALE } from '../rows/Meta.ts'
import type { State } from './stateShape.ts'

class Named extends Entity {
  id = ''
  name = ''
  group = ''
  static override key = 'Named'
  static override indexes = ['name', 'group']
}
const names = new Collection([Named])
const getNames = endpoint('/names', names)
const getUser = endpoint('/user', User)
const rename = mutation('rename', Named, (body) => body)
const remove = mutation('delete', new Invalidate(Named))

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const id = fc.constantFrom('1', '2', '10')
const named = fc.record(
  { id, name: fc.constantFrom('a', 'b'), group: fc.constantFrom('x', 'y') },
  { requiredKeys: ['id'] },
)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('set'), item: named }) },
  fc.record({ do: fc.constant('list'), items: fc.uniqueArray(named, { maxLength: 3, selector: (item) => item.id }) }),
  fc.record({ do: fc.constantFrom('user', 'fail', 'rename', 'remove'), item: named }),
  fc.record({ do: fc.constantFrom('settle', 'expire', 'invalidate', 'collect', 'reset', 'pass', 'none'), item: named }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Changes a store in one of many ways. */
function createPlay(driver: Driver, clock: TestClock): (step: Step) => void {
  const pending: { drop(): void }[] = []
  return (one) => {
    if (one.do === 'list') {
      driver.open(getNames, [{}]).answer((one as { items: unknown[] }).items)
      return
    }
    const { item } = one as { item: { id: string } }
    const acts: Record<string, () => unknown> = {
      set: () => driver.set(Named, [item], item),
      user: () => driver.open(getUser, [item.id]).answer({ id: item.id, name: 'Ann' }),
      fail: () => driver.open(getUser, [item.id]).fail(new Error('no')),
      rename: () => pending.push(driver.open(rename, [item])),
      remove: () => driver.open(remove, [item]).answer(item.id),
      settle: () => pending.pop()?.drop(),
      expire: () => driver.expireAll({ testKey: () => true }),
      invalidate: () => driver.invalidateKey(getNames.key({})),
      collect: () =>
        collectorOf(driver).collect({ entities: [{ key: 'Named', pk: item.id }], endpoints: [getUser.key(item.id)] }),
      reset: () => driver.reset(),
      pass: () => (clock.time += 10),
      none: () => {},
    }
    acts[one.do]!()
  }
}

/** The rows of the store at this moment, as a state shows them, with the order of their names. */
function rowsNow({ store }: Driver, ids: readonly string[]): unknown {
  const { tables, endpoints } = store.tables
  const column = (rows: readonly any[], of: (row: any) => unknown): unknown =>
    orderOf(Object.fromEntries(rows.map((row) => [row.pk, of(row)]).filter(([, value]) => value !== undefined)))
  const times = ({
    doubt,
    expired,
    meta: { sent, at: _at, kind: _kind, valueFetchedAt: _fetched, invalidatedAt: _invalidated, ...rest },
  }: any): unknown =>
    Math.max(doubt.at, expired) > sent ? { ...rest, expiresAt: Math.min(rest.expiresAt, STALE) } : rest
  const group = (of: (table: any) => unknown): unknown =>
    orderOf(
      Object.fromEntries(
        [...tables.values()]
          .filter(({ rows }) => rows.length > 0)
          .map((table) => [table.key, of(table)])
          .filter(([, value]) => (value as []).length > 0),
      ),
    )
  return [
    group((table) => column(table.rows, ({ value }) => value)),
    column(endpoints.rows, ({ value }) => value),
    group((table) =>
      orderOf(
        Object.fromEntries(
          [...table.indexes.keys()].map((field: string): [string, any] => [
            field,
            Object.fromEntries(
              table.rows.filter(({ value }: any) => value?.[field]).map(({ pk, value }: any) => [value[field], pk]),
            ),
          ]),
        ),
      ),
    ),
    column(endpoints.rows, times),
    group((table) => column(table.rows, times)),
    ids,
    store.lastReset,
  ]
}

function orderOf(record: object): unknown[] {
  return Object.entries(record)
}

function picture({ entities, endpoints, indexes, meta, entitiesMeta, lastReset, ...state }: State): unknown {
  const group = (tables: object): unknown => orderOf(tables).map(([key, table]: any) => [key, orderOf(table as object)])
  return [
    group(entities),
    orderOf(endpoints),
    group(indexes),
    orderOf(meta),
    group(entitiesMeta),
    pendingIn({ lastReset, entities, endpoints, indexes, meta, entitiesMeta, ...state }),
    lastReset,
  ]
}

test('ST-2 ST-3 property: a state shows the rows of its moment, whenever and in whichever order it is read', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.constantFrom(0, 1, 2, 3)), { maxLength: 25 }), (steps) => {
      const clock = new TestClock()
      const driver = createDriver(clock)
      const play = createPlay(driver, clock)
      const taken: [State, unknown][] = []
      for (const [one, how] of steps) {
        play(one)
        if (how > 0) {
          const state = driver.getState()
          taken.push([
            state,
            rowsNow(
              driver,
              driver.store.pending.map(({ id: request }) => request),
            ),
          ])
          expect(driver.getState()).toBe(state)
          if (how > 1) {
            expect(picture(state)).toEqual(taken.at(-1)![1])
          }
        }
      }
      for (const [state, rows] of steps.length % 2 ? taken : taken.reverse()) {
        expect(picture(state)).toEqual(rows)
        // Each member is built once.
        expect(Object.values(state).every((member, i) => member === Object.values(state)[i])).toBe(true)
      }
    }),
    { numRuns: cases(400) },
  )
})

test('ST-4 property: a table keeps its reference until one of its rows is written', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const clock = new TestClock()
      const driver = createDriver(clock)
      const play = createPlay(driver, clock)
      const written = new Set<string>()
      driver.store.journal = ({ key }) => void written.add(key)
      let last = driver.getState()
      for (const one of steps) {
        written.clear()
        play(one)
        const now = driver.getState()
        for (const key of ['', 'Named', 'User', '[Named]']) {
          if (!written.has(key)) {
            expect(key ? now.entities[key] : now.endpoints).toBe(key ? last.entities[key] : last.endpoints)
            expect(key ? now.entitiesMeta[key] : now.meta).toBe(key ? last.entitiesMeta[key] : last.meta)
          }
        }
        last = now
      }
    }),
    { numRuns: cases(400) },
  )
})

test('ST-3 a state copies the tables that have changed since the last one', () => {
  const driver = createDriver()
  driver.set(User, [{}], { id: '1', name: 'a' })
  driver.set(Named, [{}], { id: '1', name: 'a' })
  const copies = { User: 0, Named: 0 }
  for (const key of ['User', 'Named'] as const) {
    const { rows } = driver.store.tables.records(key)
    const map = rows.map.bind(rows)
    rows.map = (...args) => {
      copies[key]++
      return map(...args)
    }
  }
  const states = [driver.getState()]
  driver.open(rename, [{ id: '1', name: 'pending' }])
  states.push(driver.getState())
  expect(states[0] === states[1]).toBe(false)
  expect(copies).toEqual({ User: 1, Named: 1 })
  for (const name of ['b', 'c', 'd']) {
    driver.set(User, [{}], { id: '1', name })
  }
  expect(copies).toEqual({ User: 1, Named: 1 })
  void driver.getState()
  expect(copies).toEqual({ User: 2, Named: 1 })
  expect(states.map(({ entities }) => [entities['User']!['1'].name, entities['Named']!['1'].name])).toEqual([
    ['a', 'a'],
    ['a', 'a'],
  ])
})
