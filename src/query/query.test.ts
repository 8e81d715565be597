import { expect, test, vi } from 'vitest'
import { All } from '../kinds/All.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Query } from '../kinds/Query.ts'
import { Union } from '../kinds/Union.ts'
import { collectorOf, createDriver, type Driver, ids } from '../testing/drivers.ts'
import { TestClock } from '../testing/TestClock.ts'
import { endpoint, mutation } from '../testing/endpoints.ts'
import { catchError } from '../testing/outcomes.ts'
import { groupBy, sum } from './aggregates.ts'
import { keyBy } from './keyBy.ts'
import { first, skip, sortBy, take, where } from './operators.ts'
import { query } from './query.ts'

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}
class Task extends Entity {
  id = ''
  title = ''
  done = false
  due: unknown = 0
  tags: string[] = []
  owner: User | undefined = undefined
  static override key = 'Task'
  static override schema: { owner: typeof User } = { owner: User }
}

const getTasks = endpoint('/tasks', new Collection([Task]))
const patch = mutation('PATCH /task/:id', Task, ({ id }, body) => ({ id, ...body }))
const create = mutation('POST /tasks', Task, (body) => body)

/** A store with tasks. */
function storeOf(...tasks: object[]): Driver {
  const driver = createDriver()
  driver.setResponse(getTasks, [], tasks)
  return driver
}

const task = (id: number, due: unknown = id, more: object = {}): object => ({
  id: String(id),
  title: `t${id}`,
  done: id % 2 === 0,
  due,
  ...more,
})

const read = (driver: Driver, target: unknown, ...args: unknown[]): any => driver.read(target as object, args).data

test('QUE-1 the input is a class, a union, a list or another query', () => {
  class Note extends Entity {
    id = ''
    static override key = 'Note'
  }
  const driver = storeOf(task(1), task(2))
  const union = query(new Union({ Task, Note } as never, 'id' as never))
  expect(ids(driver, query(Task))).toEqual(['1', '2'])
  expect(ids(driver, query(getTasks))).toEqual(['1', '2'])
  expect(ids(driver, query(getTasks.schema))).toEqual(['1', '2'])
  expect(
    ids(
      driver,
      query(
        query(
          Task,
          where((t) => t.done),
        ),
      ),
    ),
  ).toEqual(['2'])
  expect(ids(driver, query(Note))).toBeUndefined()
  expect(ids(driver, union)).toEqual(['1', '2'])
  driver.set(Note, [{ id: 'n' }], { id: 'n' })
  driver.set(Task, [{ id: '3' }], task(3))
  expect(ids(driver, union)).toEqual(['1', '2', '3', 'n'])
  expect(catchError(() => query(5 as never))).toMatchObject({ code: 'query-input' })
  const getOne = endpoint('/one', Task)
  expect(catchError(() => read(driver, query(getOne)))).toMatchObject({ code: 'query-input' })
})

test('QUE-2 where keeps the records that pass, in the order of the input', () => {
  const driver = storeOf(task(1), task(2), task(3))
  const open = query(
    Task,
    where((t) => !t.done),
  )
  expect(ids(driver, open)).toEqual(['1', '3'])
  driver.set(Task, [{ id: '2' }], { done: false })
  expect(ids(driver, open)).toEqual(['1', '2', '3'])
  driver.set(Task, [{ id: '1' }], { done: true })
  expect(ids(driver, open)).toEqual(['2', '3'])
})

test('QUE-3 sortBy sorts by several keys and directions; equal keys stand in the order of primary keys', () => {
  const driver = storeOf(task(3, 1), task(1, 1), task(2, 5), task(10, 5))
  const sorted = query(
    Task,
    sortBy(
      (t) => [t.due as number, 'desc'],
      (t) => t.done,
    ),
  )
  expect(ids(driver, sorted)).toEqual(['10', '2', '1', '3'])
  driver.set(Task, [{ id: '3' }], { due: 9 })
  expect(ids(driver, sorted)).toEqual(['3', '10', '2', '1'])
})

test('QUE-4 keys are ordered by kind, and missing ones come last in both directions', () => {
  const keys = [undefined, 'b', null, Number.NaN, true, 2, 'B', 10n, false, new Date(5), -Infinity]
  const order = [false, true, -Infinity, 2, 10n, new Date(5), 'B', 'b', Number.NaN, null, undefined]
  const driver = storeOf(...keys.map((due, i) => task(i, due)))
  keys.forEach((due, i) => driver.set(Task, [{ id: String(i) }], { due }))
  const due = (target: unknown): unknown => read(driver, target).map((t: Task) => t.due)
  expect(
    due(
      query(
        Task,
        sortBy((t) => t.due as never),
      ),
    ),
  ).toEqual(order)
  expect(
    due(
      query(
        Task,
        sortBy((t) => [t.due as never, 'desc']),
      ),
    ),
  ).toEqual([...order.slice(0, -3).toReversed(), ...order.slice(-3)])
})

test('QUE-5 take and skip make a window, of the arguments, too', () => {
  const driver = storeOf(...Array.from({ length: 20 }, (_, i) => task(i, -i)))
  const page = query(
    Task,
    sortBy((t) => t.due as number),
    skip(({ from }: { from: number }) => from),
    take(3),
  )
  expect(ids(driver, page, { from: 0 })).toEqual(['19', '18', '17'])
  expect(ids(driver, page, { from: 5 })).toEqual(['14', '13', '12'])
  expect(ids(driver, query(page, skip(1)), { from: 5 })).toEqual(['13', '12'])
  expect(ids(driver, query(page, take(1)), { from: 5 })).toEqual(['14'])
  expect(
    ids(
      driver,
      query(
        page,
        where((t) => !t.done),
      ),
      { from: 5 },
    ),
  ).toEqual(['13'])
  driver.set(Task, [{ id: '0' }], { due: -100 })
  expect(ids(driver, page, { from: 0 })).toEqual(['0', '19', '18'])
  expect(ids(driver, page, { from: 5 })).toEqual(['15', '14', '13'])
  expect(catchError(() => take(-1))).toMatchObject({ code: 'query-count' })
  expect(catchError(() => read(driver, page, { from: 0.5 }))).toMatchObject({ code: 'query-count' })
})

test('QUE-6 first is the first record, or undefined', () => {
  const driver = storeOf(task(1, 9), task(2, 3))
  const next = query(
    Task,
    sortBy((t) => t.due as number),
    first(),
  )
  expect(read(driver, next).id).toBe('2')
  expect(
    read(
      driver,
      query(
        Task,
        where(() => false),
        first(),
      ),
    ),
  ).toBeUndefined()
  expect(catchError(() => query(Task, first(), where(() => true) as never))).toMatchObject({ code: 'query-steps' })
})

test('QUE-7 a changed record runs the functions for that record alone', () => {
  const driver = storeOf(...Array.from({ length: 100 }, (_, i) => task(i)))
  const ran: string[] = []
  const sorted = query(
    Task,
    where((t) => ran.push(`where ${t.id}`)),
    sortBy((t) => (ran.push(`sort ${t.id}`), t.due as number)),
  )
  read(driver, sorted)
  expect(ran).toHaveLength(200)
  ran.length = 0
  driver.set(Task, [{ id: '5' }], { due: 1000 })
  read(driver, sorted)
  expect(ran).toEqual(['where 5', 'sort 5'])
  ran.length = 0
  driver.set(Task, [{ id: '5' }], { due: 1000 })
  driver.set(User, [{ id: 'x' }], { id: 'x' })
  read(driver, sorted)
  expect(ran).toEqual([])
})

test('QUE-8 a function runs again when a record changes that it has read through relations, and for no other', () => {
  class Project extends Entity {
    id = ''
    name = ''
    jobs: Job[] = []
    static override key = 'Project'
  }
  class Job extends Entity {
    id = ''
    title = ''
    project: Project | undefined = undefined
    static override key = 'Job'
    static override schema = { project: Project }
  }
  Object.assign(Project, { schema: { jobs: [Job] } })
  const driver = createDriver()
  const jobs = ['1', '2', '3', '4'].map((id) => ({ id, title: id, project: id === '4' ? 'b' : 'a' }))
  driver.setResponse(endpoint('/jobs', [Job]), [], jobs)
  driver.setResponse(endpoint('/project', Project), [], { id: 'a', name: 'A', jobs: ['1', '2', '3'] })
  const ran: string[] = []
  const named = query(
    Job,
    where((j) => (ran.push(j.id), j.project?.name === 'A')),
  )
  const titled = query(
    Job,
    where((j) => (ran.push(j.title), true)),
  )
  expect(ids(driver, named)).toEqual(['1', '2', '3'])
  read(driver, titled)
  ran.length = 0
  // A sibling: the records are others now, and no function needs to run for them.
  driver.set(Job, [{ id: '1' }], { title: 'x' })
  expect(read(driver, named)[1].project.jobs[0].title).toBe('x')
  expect(read(driver, titled)[0].title).toBe('x')
  expect(ran).toEqual(['1', 'x'])
  ran.length = 0
  driver.set(Project, [{ id: 'b' }], { id: 'b', name: 'A' })
  expect(ids(driver, named)).toEqual(['1', '2', '3', '4'])
  expect(ran).toEqual(['4'])
  driver.set(Project, [{ id: 'a' }], { name: 'B' })
  expect(ids(driver, named)).toEqual(['4'])
})

test('QUE-8 a function that reads fields alone needs no record, and one that reads more has the whole record', () => {
  let made = 0
  class Job extends Entity {
    id = ''
    title = 'none'
    rank = 0
    owner: User | undefined = undefined
    static override key = 'Job'
    static override schema = { owner: User }
    constructor() {
      super()
      made++
    }
    get label(): string {
      return `${this.title} of ${this.owner?.name}`
    }
  }
  const driver = createDriver()
  const jobs = Array.from({ length: 200 }, (_, id) => ({ id: String(id), title: 't', rank: -id, owner: 'u' }))
  driver.setResponse(endpoint('/jobs', [Job]), [], [...jobs, { id: 'x', rank: 5, owner: 'u' }])
  driver.set(User, [{ id: 'u' }], { id: 'u', name: 'U' })
  const next = query(
    Job,
    where((job) => job.rank <= 0),
    sortBy(({ rank }) => rank),
    take(3),
  )
  made = 0
  expect(ids(driver, next)).toEqual(['199', '198', '197'])
  expect(made).toBeLessThan(5)
  driver.set(Job, [{ id: '5' }], { rank: -1_000 })
  expect(ids(driver, next)).toEqual(['5', '199', '198'])
  expect(made).toBeLessThan(10)
  // A field that did not come has its default, and a getter sees the owner.
  const untitled = query(
    Job,
    where((job) => job.title === 'none'),
  )
  expect(ids(driver, untitled)).toEqual(['x'])
  const labelled = query(
    Job,
    where((job) => job.label === 'none of V'),
  )
  expect(ids(driver, labelled)).toEqual([])
  driver.set(User, [{ id: 'u' }], { name: 'V' })
  expect(ids(driver, labelled)).toEqual(['x'])
})

test('QUE-9 results follow optimistic operations, and a rollback takes everything to its place', () => {
  const driver = storeOf(task(1), task(2), task(3))
  const sorted = query(
    Task,
    sortBy((t) => t.due as number),
  )
  expect(ids(driver, sorted)).toEqual(['1', '2', '3'])
  const request = driver.open(patch, [{ id: '1' }, { due: 9 }])
  expect(ids(driver, sorted)).toEqual(['2', '3', '1'])
  const created = driver.open(create, [{ id: '0', due: 0 }])
  expect(ids(driver, sorted)).toEqual(['0', '2', '3', '1'])
  expect(read(driver, sorted, driver.getState()).map((t: Task) => t.id)).toEqual(['1', '2', '3'])
  request.fail(new Error('no'))
  expect(ids(driver, sorted)).toEqual(['0', '1', '2', '3'])
  created.fail(new Error('no'))
  expect(ids(driver, sorted)).toEqual(['1', '2', '3'])
})

test('QUE-10 the result is the same object, row by row and as a whole, until something in it changes', () => {
  const driver = storeOf(task(1), task(2), task(3))
  const open = query(
    Task,
    where((t) => !t.done),
  )
  const before = read(driver, open)
  expect(before[0]).toBe(read(driver, new Query(new All(Task)))[0])
  driver.set(Task, [{ id: '2' }], { title: 'x' })
  expect(read(driver, open)).toBe(before)
  driver.set(Task, [{ id: '1' }], { title: 'x' })
  const after = read(driver, open)
  expect(after).not.toBe(before)
  expect(after[0].title).toBe('x')
  expect(after[1]).toBe(before[1])
})

test('QUE-11 readers are notified when the result changes, and not otherwise', () => {
  const driver = storeOf(task(1), task(2), task(3))
  const top = query(
    Task,
    sortBy((t) => t.due as number),
    take(2),
  )
  const listener = vi.fn()
  const end = driver.subscribe(top, [], listener)
  driver.set(Task, [{ id: '3' }], { title: 'x' })
  expect(listener).not.toHaveBeenCalled()
  driver.set(Task, [{ id: '3' }], { due: 0 })
  driver.store.notifier.hurry()
  expect(listener).toHaveBeenCalledTimes(1)
  end()
})

test('QUE-12 deleted, collected and reset records leave', () => {
  const driver = storeOf(task(1), task(2), task(3))
  const all = query(
    Task,
    sortBy((t) => [t.due as number, 'desc']),
  )
  expect(ids(driver, all)).toEqual(['3', '2', '1'])
  void driver.apply({ type: 'rdc/gc', entities: [{ key: 'Task', pk: '2' }], endpoints: [] })
  expect(ids(driver, all)).toEqual(['3', '1'])
  driver.set(Task, [{ id: '2' }], task(2))
  expect(ids(driver, all)).toEqual(['3', '2', '1'])
  driver.reset()
  expect(ids(driver, all)).toBeUndefined()
  driver.set(Task, [{ id: '2' }], task(2))
  expect(ids(driver, all)).toEqual(['2'])
})

test('QUE-13 an error of a function is one of that query, until the record is another one', () => {
  const driver = storeOf(task(1, 'a'), task(2, 'b'))
  const bad = query(
    Task,
    where((t) => (t.due as string).startsWith('a')),
  )
  const good = query(
    Task,
    where((t) => t.done),
  )
  driver.set(Task, [{ id: '2' }], { due: 5 })
  expect(catchError(() => read(driver, bad))).toMatchObject({ code: 'query-failed', cause: expect.any(TypeError) })
  expect(ids(driver, good)).toEqual(['2'])
  driver.set(Task, [{ id: '2' }], { due: 'ab' })
  expect(ids(driver, bad)).toEqual(['1', '2'])
})

test('QUE-14 a function that changes a record is an error in development', () => {
  const driver = storeOf(task(1, 1, { tags: ['b', 'a'] }))
  const changes = (run: (t: any) => unknown): unknown => catchError(() => read(driver, query(Task, where(run))))
  expect(changes((t) => (t.done = true))).toMatchObject({ code: 'query-changes' })
  expect(changes((t) => delete t.done)).toMatchObject({ code: 'query-changes' })
  expect(changes((t) => t.tags.sort())).toMatchObject({ code: 'query-changes' })
})

test('QUE-15 a key is a plain value, and a comparison that contradicts itself loses no record', () => {
  const driver = storeOf(...Array.from({ length: 2_000 }, (_, i) => task(i)))
  expect(
    catchError(() =>
      read(
        driver,
        query(
          Task,
          sortBy((t) => t as never),
        ),
      ),
    ),
  ).toMatchObject({ code: 'query-key' })
  let turn = 0
  const wild = query(
    Task,
    sortBy((t) => [t.due as number, () => [1, -1, Number.NaN, 0][turn++ % 4]!]),
  )
  for (let i = 0; i < 20; i++) {
    driver.set(Task, [{ id: String(i * 7) }], { due: -i })
    expect(new Set(ids(driver, wild)).size).toBe(2_000)
  }
})

test('QUE-16 queries that read each other are an error', () => {
  const driver = storeOf(task(1))
  const one: any = query(
    Task,
    where(() => read(driver, two) !== undefined),
  )
  const two: any = query(
    Task,
    where(() => read(driver, one) !== undefined),
  )
  expect(catchError(() => read(driver, one))).toMatchObject({ code: 'query-input' })
})

test('QUE-25 a query without readers is kept up to date for a minute, and then gives its memory back', async () => {
  const clock = new TestClock()
  const driver = createDriver(clock)
  driver.setResponse(getTasks, [], [task(1), task(2)])
  let ran = 0
  const slow = query(
    Task,
    where(() => ++ran),
  )
  const end = driver.subscribe(slow, [], () => {})
  await clock.pass(300_000)
  driver.set(Task, [{ id: '1' }], { title: 'x' })
  expect([read(driver, slow).length, ran]).toEqual([2, 3])
  end()
  await clock.pass(50_000)
  expect([read(driver, slow).length, ran]).toEqual([2, 3])
  await clock.pass(130_000)
  expect(driver.store.tables.table('Task').watch).toBeUndefined()
  expect([read(driver, slow).length, ran]).toEqual([2, 5])
})

test('QUE-26 queries without readers keep no more entries than their input has', () => {
  const driver = storeOf(...Array.from({ length: 3_000 }, (_, i) => task(i)))
  let ran = 0
  const found = query(
    Task,
    where((_, { text }: { text: string }) => [++ran, text]),
  )
  for (const text of 'abc') {
    read(driver, found, { text })
  }
  ran = 0
  read(driver, found, { text: 'c' })
  expect(ran).toBe(0)
  read(driver, found, { text: 'a' })
  expect(ran).toBe(3_000)
})

test('QUE-27 the garbage collector keeps the input of a query with readers', () => {
  const driver = storeOf(task(1), task(2))
  const all = query(
    Task,
    sortBy((t) => t.due as number),
    first(),
  )
  const garbage = (): unknown => [...collectorOf(driver).sweep(() => -Infinity)].flatMap(({ entities }) => entities)
  const end = driver.subscribe(all, [], () => {})
  // Nothing has shown the second task, or read its owner.
  driver.set(User, [{ id: 'u' }], { id: 'u', name: 'U' })
  driver.set(Task, [{ id: '2' }], { owner: 'u' })
  expect(garbage()).not.toContainEqual({ key: 'Task', pk: '2' })
  expect(garbage()).not.toContainEqual({ key: 'User', pk: 'u' })
  end()
  expect(garbage()).toContainEqual({ key: 'Task', pk: '2' })
  expect(garbage()).toContainEqual({ key: 'User', pk: 'u' })
})

test.each([
  ['where', () => where(undefined as never)],
  ['sortBy', () => sortBy('due' as never)],
  ['keyBy', () => keyBy(null as never)],
  ['groupBy', () => groupBy({} as never)],
  ['sum', () => sum(undefined as never)],
  ['query', () => query(Task, null as never)],
])('QUE-29 %s refuses what is no function', (name, make) => {
  const error = catchError(make) as Error
  expect(error).toMatchObject({ code: 'query-function' })
  expect(error.message).toContain(`${name}() needs a function of one record`)
})

test('QUE-29 a condition that returns a promise is refused', () => {
  const late = query(
    Task,
    where(async (one) => one.done),
  )
  expect(catchError(() => read(storeOf(task(1)), late))).toMatchObject({ code: 'query-function' })
})
