import { expect, test } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { createDriver, type Driver, ids } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { catchError } from '../testing/outcomes.ts'
import { average, count, distinct, groupBy, max, min, sum } from './aggregates.ts'
import { from } from './from.ts'
import { keyBy } from './keyBy.ts'
import { first, sortBy, take, where } from './operators.ts'
import { query } from './query.ts'

class Task extends Entity {
  id = ''
  team = ''
  done = false
  hours: number | null | undefined = 0
  at = new Date(0)
  static override key = 'Task'
  static override schema: { at: (time: number) => Date } = { at: (time) => new Date(time) }
}

const getTasks = endpoint('/tasks', new Collection([Task]))

function storeOf(...tasks: object[]): Driver {
  const driver = createDriver()
  driver.setResponse(getTasks, [], tasks)
  return driver
}

const task = (id: number, hours: unknown = id, team = 'ab'[id % 2]): object => ({
  id: String(id),
  team,
  hours,
  done: id > 2,
  at: id,
})
const read = (driver: Driver, target: unknown, ...args: unknown[]): any => driver.read(target as object, args).data

test('QUE-18 totals of all records, one or several', () => {
  const driver = storeOf(task(1), task(2), task(3), task(4, null), task(5, null))
  expect(read(driver, query(Task, count()))).toBe(5)
  const all = query(
    Task,
    where((t) => t.id !== '1'),
    {
      done: count((t) => t.done),
      hours: sum((t) => t.hours),
      mean: average((t) => t.hours),
      least: min((t) => t.hours),
      last: max((t) => t.at),
    },
  )
  const before = read(driver, all)
  expect(before).toEqual({ done: 3, hours: 5, mean: 2.5, least: 2, last: new Date(5) })
  driver.set(Task, [{ id: '1' }], { hours: 7 })
  expect(read(driver, all)).toBe(before)
  driver.set(Task, [{ id: '2' }], { hours: 7 })
  expect(read(driver, all)).toMatchObject({ hours: 10, mean: 5, least: 3 })
  const long = query(
    Task,
    count((t, { from }: { from: number }) => (t.hours ?? 0) >= from),
  )
  expect([2, 7, 8].map((from) => read(driver, long, { from }))).toEqual([3, 2, 0])
  const none = query(
    Task,
    where(() => false),
    { n: count(), s: sum((t) => t.hours), a: average((t) => t.hours), m: min((t) => t.hours) },
  )
  expect(read(driver, none)).toEqual({ n: 0, s: 0, a: undefined, m: undefined })
  expect(
    catchError(() =>
      read(
        driver,
        query(
          Task,
          sum((t) => t.team as never),
        ),
      ),
    ),
  ).toMatchObject({ code: 'query-number' })
})

test('QUE-19 totals are added up again: what has left is not in them', () => {
  const driver = storeOf(...Array.from({ length: 1_000 }, (_, i) => task(i, 0.1)))
  const hours = query(
    Task,
    sum((t) => t.hours),
  )
  const fresh = read(driver, hours)
  for (const value of [Infinity, Number.NaN, 1e300, 0.1]) {
    driver.set(Task, [{ id: '5' }], { hours: value })
    read(driver, hours)
  }
  expect(read(driver, hours)).toBe(fresh)
  const left = new Set(Array.from({ length: 1_000 }, (_, i) => String(i)))
  for (const id of ['0', '999', '5', '300', ...Array.from({ length: 40 }, (_, i) => String(i * 17 + 10))]) {
    left.delete(id)
    driver.set(new Invalidate(Task) as never, [{ id }], { id })
    const expected = left.size / 10
    expect(read(driver, hours)).toBeCloseTo(expected, 6)
  }
})

test('QUE-20 groupBy makes groups in the order of their keys, with totals or with their records', () => {
  const driver = storeOf(task(3), task(1), task(2), task(4))
  const load = query(
    Task,
    groupBy((t) => t.team),
    { open: count((t) => !t.done), hours: sum((t) => t.hours) },
  )
  expect(read(driver, load)).toEqual([
    { key: 'a', open: 1, hours: 6 },
    { key: 'b', open: 1, hours: 4 },
  ])
  const [a] = read(driver, load)
  driver.set(Task, [{ id: '1' }], { team: 'c' })
  expect(read(driver, load)[0]).toBe(a)
  expect(read(driver, load)[2]).toEqual({ key: 'c', open: 1, hours: 1 })
  driver.set(Task, [{ id: '1' }], { team: 'b' })
  expect(read(driver, load)).toHaveLength(2)
  const sections = query(
    Task,
    sortBy((t) => t.hours as number),
    groupBy((t) => t.team),
  )
  const idsOf = (): unknown =>
    read(driver, sections).map(({ key, records }: any) => [key].concat(records.map((t: Task) => t.id)))
  expect(idsOf()).toEqual([
    ['a', '2', '4'],
    ['b', '1', '3'],
  ])
  driver.set(Task, [{ id: '1' }], { hours: 9 })
  driver.set(Task, [{ id: '4' }], { hours: 0 })
  expect(idsOf()).toEqual([
    ['a', '4', '2'],
    ['b', '3', '1'],
  ])
  expect(
    catchError(() =>
      read(
        driver,
        query(
          Task,
          groupBy((t) => t as never),
        ),
      ),
    ),
  ).toMatchObject({ code: 'query-key' })
})

test('QUE-21 groups are the input of further operators and queries', () => {
  const driver = storeOf(task(1, 1, 'a'), task(2, 2, 'b'), task(3, 5, 'c'), task(4, 1, 'c'))
  const load = query(
    Task,
    groupBy((t) => t.team),
    { hours: sum((t) => t.hours) },
  )
  const busiest = query(
    load,
    where((group) => group.hours > 1),
    sortBy((group) => [group.hours, 'desc']),
    first(),
  )
  expect(read(driver, busiest)).toEqual({ key: 'c', hours: 6 })
  driver.set(Task, [{ id: '2' }], { hours: 10 })
  expect(read(driver, busiest)).toEqual({ key: 'b', hours: 10 })
  expect(
    read(
      driver,
      query(
        load,
        sum((group) => group.hours),
      ),
    ),
  ).toBe(17)
  const days = query(
    Task,
    groupBy((t) => new Date(Math.floor(t.at.getTime() / 3))),
    { n: count() },
  )
  expect(read(driver, days)).toEqual([
    { key: new Date(0), n: 2 },
    { key: new Date(1), n: 2 },
  ])
  expect(catchError(() => read(driver, query(query(Task, count()) as never)))).toMatchObject({ code: 'query-input' })
})

test('QUE-8 QUE-21 a function of a group runs again when a record changes that its records refer to', () => {
  class Owner extends Entity {
    id = ''
    name = ''
    static override key = 'Owner'
  }
  class Job extends Entity {
    id = ''
    team = ''
    owner: Owner | undefined = undefined
    static override key = 'Job'
    static override schema = { owner: Owner }
  }
  const driver = createDriver()
  driver.set(Job, [{ id: '1' }], { id: '1', team: 'a', owner: { id: 'u', name: 'U' } })
  const found = query(
    Job,
    groupBy((job) => job.team),
    where((group) => group.records.some(({ owner }) => owner?.name === 'V')),
  )
  expect(read(driver, found)).toEqual([])
  driver.set(Owner, [{ id: 'u' }], { name: 'V' })
  expect(read(driver, found)).toMatchObject([{ key: 'a' }])
})

test('QUE-22 distinct has the values in order, and keyBy the records by a key', () => {
  const driver = storeOf(task(1, 1, 'c'), task(2, 2, 'a'), task(3, 5, 'c'))
  expect(
    read(
      driver,
      query(
        Task,
        distinct((t) => t.team),
      ),
    ),
  ).toEqual(['a', 'c'])
  expect(
    read(
      driver,
      query(
        Task,
        distinct((t) => t.team),
        take(1),
      ),
    ),
  ).toEqual(['a'])
  expect(
    read(
      driver,
      query(
        Task,
        distinct((t) => t.team),
        count(),
      ),
    ),
  ).toBe(2)
  const byTeam = query(
    Task,
    sortBy((t) => t.hours as number),
    keyBy((t) => t.team),
  )
  const map = read(driver, byTeam)
  expect([...map].map(([key, { id }]) => [key, id])).toEqual([
    ['c', '3'],
    ['a', '2'],
  ])
  driver.set(Task, [{ id: '9' }], { id: '9', team: 'x' })
  expect(read(driver, byTeam).size).toBe(3)
  // The same records by the same keys in another order are another Map.
  expect([...read(driver, byTeam).keys()]).toEqual(['x', 'c', 'a'])
  driver.set(Task, [{ id: '1' }], { hours: 3 })
  expect([...read(driver, byTeam).keys()]).toEqual(['x', 'a', 'c'])
})

test('QUE-23 from says which arguments are those of the list, and arguments that no function sees share all work', () => {
  const getTeam = endpoint('/team', new Collection([Task]))
  const driver = createDriver()
  driver.setResponse(getTeam, [{ team: 'a' }], [task(2, 2, 'a'), task(4, 4, 'a')])
  const ran: string[] = []
  const found = query(
    from(getTeam, ({ team }: { team: string; least: number }) => [{ team }]),
    where((t: any) => ran.push(t.id)),
    where((t: any, { least }: { team: string; least: number }) => t.hours >= least),
  )
  expect(ids(driver, found, { team: 'a', least: 3 })).toEqual(['4'])
  expect(ids(driver, found, { team: 'a', least: 1 })).toEqual(['2', '4'])
  expect(ids(driver, found, { team: 'b', least: 1 })).toBeUndefined()
  expect(ran).toEqual(['2', '4'])
  const withDefault = query(
    getTeam,
    where((t: any, { least }: { least?: number } = { least: 3 }) => t.hours >= (least ?? 9)),
  )
  expect(ids(driver, withDefault as any, { team: 'a' })).toEqual([])
})
