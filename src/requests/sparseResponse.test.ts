import { afterEach, describe, expect, test, vi } from 'vitest'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { resource } from '../rest/resource.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity, validateRequired } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Union } from '../kinds/Union.ts'
import { Values } from '../kinds/Values.ts'
import { STALE } from '../rows/Meta.ts'
import { createDriver, type Driver, type DrivenRequest } from '../testing/drivers.ts'

class Task extends Entity {
  id = 0
  title = ''
  done = false
  due = ''
  static override key = 'Task'
}
const tasks: any = resource({ path: '/tasks/:id', schema: Task } as never)
const shown: any = resource({ path: '/tasks/:id', schema: Task, optimistic: true } as never)
const ROW = { id: 1, title: 'one', done: false, due: '' }
const LISTS = [{}, { done: false }, { done: true }]

function start(): Driver {
  const driver = createDriver()
  for (const args of LISTS) {
    driver.open(tasks.getList, [args]).answer(args.done ? [] : [ROW, { ...ROW, id: 2 }])
  }
  driver.open(tasks.get, [{ id: 1 }]).answer(ROW)
  return driver
}
const ids = (driver: Driver): number[][] =>
  LISTS.map((args) => driver.read(tasks.getList, [args]).data.map(({ id }: Task) => id))
const task = (driver: Driver, id: unknown = 1): any => driver.read(Task, [{ id }]).data
const stale = (driver: Driver): boolean[] =>
  [[tasks.get, { id: 1 }] as const, ...LISTS.map((args) => [tasks.getList, args] as const)].map(
    ([endpoint, args]) => driver.read(endpoint, [args]).expiresAt <= STALE,
  )

afterEach(() => vi.restoreAllMocks())

describe.each([
  ['null', null],
  ['undefined', undefined],
])('a mutation with the response %s', (_name, empty) => {
  test.each([
    ['update', tasks.update],
    ['partialUpdate', tasks.partialUpdate],
    ['getList.move', tasks.getList.move],
    ['an optimistic update', shown.update],
    ['an optimistic partialUpdate', shown.partialUpdate],
  ])('RES-11 %s writes what was sent, and outdates the record and the lists that hold it', (_title, endpoint) => {
    const error = vi.spyOn(console, 'error')
    const driver = start()
    expect(stale(driver)).toEqual([false, false, false, false])
    const due = new Date(0)
    const request = driver.open(endpoint, [{ id: '1' }, { done: true, due }])
    request.answer(empty)
    // The id of the arguments is text, that of the record stays a number.
    expect(task(driver)).toEqual({ id: 1, title: 'one', done: true, due: due.toJSON() })
    expect(ids(driver)).toEqual([[1, 2], [2], [1]])
    expect(stale(driver).filter(Boolean).length).toBeGreaterThanOrEqual(3)
    expect(request.outcome()).toBe(task(driver))
    expect(error).not.toHaveBeenCalled()
    driver.open(tasks.get, [{ id: 1 }]).answer({ ...ROW, done: true, title: 'ONE' })
    expect(task(driver)).toMatchObject({ title: 'ONE', done: true })
    expect(stale(driver)[0]).toBe(false)
  })

  test('RES-11 the same holds for a record in an envelope', () => {
    const error = vi.spyOn(console, 'error')
    const driver = start()
    const endpoint = tasks.partialUpdate.extend({ schema: { meta: { at: '' }, data: { task: Task } } })
    const request = driver.open(endpoint, [{ id: '1' }, { done: true }])
    request.answer(empty)
    expect(ids(driver)).toEqual([[1, 2], [2], [1]])
    expect(request.outcome()).toMatchObject({ data: { task: { id: 1, done: true } } })
    expect(error).not.toHaveBeenCalled()
  })

  test.each([
    ['an envelope', { data: Task }, { data: ROW }],
    ['one of several records', { first: Task, second: Task }, { first: { ...ROW, id: 2 }, second: ROW }],
    ['a Union', new Union({ task: Task }, () => 'task'), ROW],
    ['a Union in an envelope', { data: new Union({ task: Task }, () => 'task') }, { data: ROW }],
    ['a plain array', [Task], [{ ...ROW, id: 2 }, ROW]],
  ])('RES-11 EXP-4 a response with the record in it is outdated: %s', (_title, schema, body) => {
    const driver = createDriver()
    const detail: any = tasks.get.extend({ schema })
    driver.open(detail, [{ id: 1 }]).answer(body)
    expect(driver.read(detail, [{ id: 1 }]).expiresAt).toBeGreaterThan(STALE)
    driver.open(tasks.partialUpdate, [{ id: 1 }, { done: true }]).answer(empty)
    expect(driver.read(detail, [{ id: 1 }]).expiresAt).toBe(STALE)
    driver.open(detail, [{ id: 1 }]).answer(body)
    expect(driver.read(detail, [{ id: 1 }]).expiresAt).toBeGreaterThan(STALE)
  })

  test('RES-11 fields that a form would have are left to the refetch', () => {
    const driver = start()
    const form = new FormData()
    form.set('title', 'new')
    form.set('done', 'true')
    driver.open(tasks.partialUpdate, [{ id: 1 }, form]).answer(empty)
    expect(task(driver)).toEqual(ROW)
    expect(stale(driver)).toEqual([true, true, true, false])
  })

  test('RES-11 the name of the method may be in lower case', () => {
    const driver = start()
    driver.open(tasks.get.extend({ method: 'patch' }), [{ id: 1 }, { title: 'new' }]).answer(empty)
    expect(task(driver).title).toBe('new')
  })

  test.each<[string, any, any[]]>([
    ['an endpoint without a body', tasks.update.extend({ body: undefined }), [{ id: 1, title: 'in the URL' }]],
    ['a body that is a list', tasks.update, [{ id: 1 }, [{ title: 'new' }]]],
    ['a body that is text', tasks.update, [{ id: 1 }, 'title']],
    ['a body that is null', tasks.update, [{ id: 1 }, null]],
  ])('RES-11 %s writes nothing', (_name, endpoint, args) => {
    const driver = start()
    driver.open(endpoint, args).answer(empty)
    expect(driver.getState().entities['Task']!['1']).toEqual(ROW)
    expect(stale(driver)[0]).toBe(true)
  })

  test('RES-12 a record that a list removes leaves it, if the body contains its key', () => {
    const driver = start()
    driver.open(tasks.getList.remove, [{}, { id: 1 }]).answer(empty)
    expect(ids(driver)[0]).toEqual([2])
    driver.open(tasks.getList.remove, [{}, { title: 'one' }]).answer(empty)
    expect(ids(driver)[0]).toEqual([2])
    expect(stale(driver)[1]).toBe(true)
  })

  test('RES-12 a new record gets the declared fields of the URL, too', () => {
    const driver = start()
    driver
      .open(tasks.getList.push, [
        { done: true, page: 2 },
        { id: 7, title: 'new' },
      ])
      .answer(empty)
    expect(driver.getState().entities['Task']!['7']).toEqual({ id: 7, title: 'new', done: true })
    expect(ids(driver)[2]).toEqual([7])
    // A key in the URL is that of another record.
    const without = driver.open(tasks.getList.push, [{ id: 8 }, { title: 'new' }])
    without.answer(empty)
    expect([without.outcome(), task(driver, 8)]).toEqual([undefined, undefined])
  })

  test('RES-12 a member of a map does not say which record it wrote: the map is outdated', () => {
    const driver = createDriver()
    const getMap: any = new RestEndpoint({ path: '/map', schema: new Collection(new Values(Task)) })
    driver.open(getMap, []).answer({ a: ROW })
    driver.open(getMap.assign, [{ id: 9, title: 'new' }]).answer(empty)
    expect(driver.read(getMap, [])).toMatchObject({ data: { a: ROW }, expiresAt: STALE })
    expect(task(driver, 9)).toBeUndefined()
  })

  test('RES-11 ENT-15 a class that validates whole records accepts a part', () => {
    class Strict extends Task {
      static override validate(processed: any): string | undefined {
        return validateRequired(processed, this.defaults)
      }
    }
    const driver = createDriver()
    driver.open(tasks.get.extend({ schema: Strict }), [{ id: 1 }]).answer(ROW)
    driver.open(tasks.partialUpdate.extend({ schema: Strict }), [{ id: 1 }, { done: true }]).answer(empty)
    expect(driver.read(Strict, [{ id: 1 }]).data).toEqual({ ...ROW, done: true })
  })

  test('RES-11 a pending operation of another request is not written', () => {
    const driver = start()
    const other = driver.open(shown.partialUpdate, [{ id: 1 }, { title: 'pending' }])
    driver.open(tasks.partialUpdate, [{ id: 1 }, { done: true }]).answer(empty)
    expect(task(driver)).toMatchObject({ title: 'pending', done: true })
    other.fail(new Error('no'))
    expect(task(driver)).toMatchObject({ title: 'one', done: true })
  })

  test('RES-12 a record that is not stored is not made up: every list of its kind is outdated', () => {
    const driver = start()
    const request = driver.open(tasks.partialUpdate, [{ id: 9 }, { done: true }])
    request.answer(empty)
    expect(request.outcome()).toBeUndefined()
    expect(task(driver, 9)).toBeUndefined()
    expect(stale(driver)).toEqual([false, true, true, true])
  })

  test.each([
    ['a POST', new RestEndpoint({ path: '/tasks/:id/close', method: 'POST', schema: Task })],
    ['a DELETE', new RestEndpoint({ path: '/tasks/:id', method: 'DELETE', schema: Task })],
    ['an Endpoint', new Endpoint(async (_: { id: number }) => {}, { name: 'close', schema: Task, sideEffect: true })],
  ])('RES-12 %s of a stored record writes what was sent, and the rest is fetched', (_title, endpoint: any) => {
    const driver = start()
    const request = driver.open(endpoint, [{ id: 1 }, { id: 1, done: true }])
    request.answer(empty)
    expect(task(driver)).toEqual({ ...ROW, done: true })
    expect(request.outcome()).toBe(task(driver))
    expect(ids(driver)).toEqual([[1, 2], [2], [1]])
    expect(stale(driver).slice(0, 2)).toEqual([true, true])
  })

  test('RES-12 a Union does not say which record was written', () => {
    const driver = start()
    const schema = new Union({ task: Task }, () => 'task')
    const endpoint: any = new RestEndpoint({ path: '/any/:id', method: 'PATCH', schema })
    const request = driver.open(endpoint, [{ id: 1 }, { id: 1, done: true }])
    request.answer(empty)
    expect(task(driver)).toEqual(ROW)
    expect(request.outcome()).toBeUndefined()
    expect(stale(driver)).toEqual([true, true, true, true])
  })

  const close = new RestEndpoint({
    path: '/tasks/:id/close',
    body: undefined,
    method: 'POST',
    schema: Task,
    getOptimisticResponse: (snapshot, { id }) => ({ id, done: !snapshot.get(Task, { id })?.done }),
  })

  test('RES-12 what an action showed while it was pending stays until the record is fetched again', () => {
    const driver = start()
    const request = driver.open(close, [{ id: 1 }])
    expect(task(driver).done).toBe(true)
    request.answer(empty)
    expect(task(driver)).toMatchObject({ done: true, title: 'one' })
    expect(request.outcome()).toBe(task(driver))
    expect(ids(driver)).toEqual([[1, 2], [2], [1]])
    expect(stale(driver)).toEqual([true, true, true, true])
  })

  test('RES-12 what it showed is made again from the record as it is now', () => {
    const driver = start()
    const request = driver.open(close, [{ id: 1 }])
    driver.set(Task, [{ id: 1 }], { id: 1, title: 'new' })
    request.answer(empty)
    expect(task(driver)).toMatchObject({ done: true, title: 'new' })
    expect(stale(driver)).toEqual([true, true, true, true])
  })

  test('RES-12 only the fields that an action changed count as written', () => {
    const driver = start()
    const read = driver.open(tasks.get, [{ id: 1 }])
    const getOptimisticResponse = (snapshot: any, { id }: any): object => ({
      ...snapshot.get(Task, { id }),
      done: true,
    })
    driver.open(close.extend({ getOptimisticResponse } as never), [{ id: 1 }]).answer(empty)
    read.answer({ ...ROW, title: 'theirs' })
    expect(task(driver)).toMatchObject({ title: 'theirs', done: true })
  })

  test.each<[string, any]>([
    [
      'shows nothing',
      close.extend({
        getOptimisticResponse: ({ abort }) => {
          throw abort
        },
      }),
    ],
    ['showed a record without a key', close.extend({ getOptimisticResponse: () => ({ done: true }) })],
  ])('RES-12 an action that %s leaves the record as it is until it is fetched again', (_title, endpoint) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const driver = start()
    const request = driver.open(endpoint, [{ id: 1 }])
    request.answer(empty)
    expect(task(driver)).toEqual(ROW)
    expect(request.outcome()).toBe(task(driver))
    expect(stale(driver)[0]).toBe(true)
  })

  test('RES-12 create: a record with a key joins, any other is refetched', () => {
    const driver = start()
    const request = driver.open(shown.create, [{ id: 7, title: 'seven', done: true, due: '' }])
    request.answer(empty)
    expect(ids(driver)).toEqual([[1, 2, 7], [1, 2], [7]])
    expect(request.outcome()).toMatchObject({ id: 7, title: 'seven' })
    const other = start()
    const without = other.open(shown.create, [{ title: 'eight', done: true, due: '' }])
    without.answer(empty)
    expect(ids(other)).toEqual([[1, 2], [1, 2], []])
    expect(stale(other)).toEqual([false, true, true, true])
    expect(without.outcome()).toBeUndefined()
  })

  test('RES-12 a list requested before the mutation ended stays outdated', () => {
    const driver = start()
    const list = driver.open(tasks.getList, [{}])
    driver.open(tasks.create, [{ title: 'new' }]).answer(empty)
    list.answer([ROW])
    expect(stale(driver)[1]).toBe(true)
  })

  test('RES-12 `update` of the endpoint is not called without a record', () => {
    const driver = start()
    const update = vi.fn(() => ({}))
    driver.open(tasks.create.extend({ update }), [{ title: 'new' }]).answer(empty)
    expect(update).not.toHaveBeenCalled()
  })

  test('RES-11 NOR-5 a read is refused as before', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() =>
      start()
        .open(tasks.get, [{ id: 1 }])
        .answer(empty),
    ).toThrow(/input-wrong-kind/)
  })
})

describe('RES-14 a response to a mutation that cannot be stored', () => {
  test.each([
    ['create without a primary key', tasks.getList.push, [{ title: 'new' }], { data: { id: 3 } }],
    ['a list instead of a record', tasks.partialUpdate, [{ id: 1 }, { done: true }], [ROW]],
    ['a delete that does not say what', tasks.getList.push.extend({ schema: new Invalidate(Task) }), [{}], {}],
  ])(
    'RES-14 the write was done: lists and the record are outdated, and keep what they show: %s',
    (_title, endpoint, args, body) => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      const driver = start()
      expect(() => driver.open(endpoint, args).answer(body)).toThrow()
      expect(ids(driver)).toEqual([[1, 2], [1, 2], []])
      expect(task(driver)).toEqual(ROW)
      const [record, ...lists] = stale(driver)
      expect(lists).toEqual([true, true, true])
      expect(record).toBe(endpoint === tasks.partialUpdate)
    },
  )

  test.each([
    ['a create', tasks.create, [{ title: 'new' }], { success: true }, true],
    ['a PATCH', tasks.partialUpdate, [{ id: 1 }, { title: 'new' }], { success: true }, true],
    ['a read', tasks.get, [{ id: 1 }], { success: true }, false],
    ['an envelope', tasks.create, [{ title: 'new' }], { data: { id: 5 } }, false],
  ])('ENT-4 the message for %s without a primary key', (_title, endpoint, args, response, isMutation) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const request = start().open(endpoint, args)
    const advice = 'If the server sends no record, say so: process: () => null.'
    expect(() => request.answer(response)).toThrow(
      isMutation ? advice : /Missing usable primary key(?!.*sends no record)/,
    )
  })

  test('RES-14 a read that cannot be stored outdates nothing else', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const driver = start()
    expect(() => driver.open(tasks.get, [{ id: 2 }]).answer([])).toThrow()
    expect(stale(driver)).toEqual([false, false, false, false])
  })
})

describe('RES-15 a mutation that fails', () => {
  const failure = (status?: number, more?: object): Error => Object.assign(new Error('failed'), { status }, more)
  test.each([
    ['without a response', failure(500), true],
    ['by the gateway', failure(503), true],
    ['in an Endpoint, without a status', failure(), true],
    ['because its response cannot be parsed', failure(400, { refused: true }), true],
    ['because the server refused it', failure(422), false],
    ['because it is not allowed', failure(403), false],
    ['because the server did not understand it', failure(400), false],
    ['with the last status of that kind', failure(499), false],
    ['with a redirect', failure(399), true],
  ])('RES-15 %s', (_title, error, isUnknown) => {
    const driver = start()
    driver.open(shown.partialUpdate, [{ id: 1 }, { done: true }]).fail(error)
    expect(ids(driver)).toEqual([[1, 2], [1, 2], []])
    expect(task(driver)).toEqual(ROW)
    expect(stale(driver)).toEqual(Array.from({ length: 4 }, () => isUnknown))
  })

  test('RES-15 a read sent before the failure may not know of it: a record', () => {
    const driver = start()
    const write = driver.open(tasks.partialUpdate, [{ id: 1 }, { done: true }])
    const read = driver.open(tasks.get, [{ id: 1 }])
    write.fail(failure(500))
    read.answer(ROW)
    expect(stale(driver)[0]).toBe(true)
    driver.open(tasks.get, [{ id: 1 }]).answer({ ...ROW, done: true })
    expect(stale(driver)[0]).toBe(false)
    expect(task(driver).done).toBe(true)
  })

  class Note extends Task {
    static override key = 'Note'
  }
  const mixed = new Collection([new Union({ task: Task, note: Note }, () => 'task')])
  test.each<[string, any, boolean]>([
    ['its own list', tasks.getList, true],
    ['a list of records of several classes', tasks.getList.extend({ schema: mixed }), true],
    ['a list of another class', tasks.getList.extend({ schema: new Collection([Note]) }), false],
  ])(
    'RES-15 a read sent before the failure may not know of it: %s, fetched for the first time',
    (_name, getList, isStale) => {
      const driver = createDriver()
      const write = driver.open(tasks.getList.push, [{ title: 'new' }])
      const read = driver.open(getList, [{}])
      write.fail(failure(500))
      read.answer([ROW])
      expect(driver.read(getList, [{}]).expiresAt <= STALE).toBe(isStale)
      driver.open(getList, [{}]).answer([ROW])
      expect(driver.read(getList, [{}]).expiresAt).toBeGreaterThan(STALE)
    },
  )

  test('RES-15 a read sent before the failure may not know of it: a record that is fetched for the first time', () => {
    const driver = createDriver()
    const write = driver.open(tasks.partialUpdate, [{ id: 1 }, { done: true }])
    const [read, other] = [1, 2].map((id) => driver.open(tasks.get, [{ id }]))
    write.fail(failure(500))
    read!.answer(ROW)
    other!.answer({ ...ROW, id: 2 })
    const isStale = (id: number): boolean => driver.read(tasks.get, [{ id }]).expiresAt === STALE
    expect([isStale(1), isStale(2)]).toEqual([true, false])
    driver.open(tasks.get, [{ id: 1 }]).answer({ ...ROW, done: true })
    expect(isStale(1)).toBe(false)
  })

  test('RES-15 ST-18 readers of the record are notified', async () => {
    const driver = createDriver()
    driver.open(tasks.get, [{ id: 1 }]).answer(ROW)
    const listener = vi.fn()
    driver.subscribe(tasks.get, [{ id: 1 }], listener)
    driver.open(tasks.partialUpdate, [{ id: 1 }, { done: true }]).fail(failure(500))
    await Promise.resolve()
    expect(listener.mock.calls).toEqual([['freshness']])
  })

  test('RES-15 a pending delete does not yield to a later one that failed', () => {
    const driver = start()
    const first = driver.open(shown.delete, [{ id: 1 }])
    driver.open(shown.delete, [{ id: 1 }]).fail(failure(500))
    expect(task(driver)).toBeUndefined()
    first.answer({ id: 1 })
    expect(task(driver)).toBeUndefined()
  })

  test('RES-15 an aborted one may have been done', () => {
    const driver = start()
    driver.open(shown.partialUpdate, [{ id: 1 }, { done: true }]).drop()
    expect(stale(driver)).toEqual([true, true, true, true])
  })

  test.each([
    ['fails', (request: DrivenRequest) => request.fail(failure(500))],
    ['has an empty response', (request: DrivenRequest) => request.answer(undefined)],
  ])(
    'RES-12 RES-15 COL-45 a list that follows no writes is fetched again only after its own: one that %s',
    (_, end) => {
      const driver = createDriver()
      const own: any = tasks.getList.extend({ schema: new Collection([Task], { autoUpdate: false }) })
      driver.open(own, [{}]).answer([ROW])
      const late = driver.open(own, [{ group: 1 }])
      end(driver.open(new RestEndpoint({ path: '/tasks/:id/close', method: 'POST', schema: Task }), [{ id: 9 }, {}]))
      expect(driver.read(own, [{}]).expiresAt).toBeGreaterThan(STALE)
      end(driver.open(own.push, [{ title: 'new' }]))
      expect(driver.read(own, [{}]).expiresAt).toBe(STALE)
      late.answer([ROW])
      expect(driver.read(own, [{ group: 1 }]).expiresAt).toBe(STALE)
    },
  )
})

describe('RES-11 RES-13 a body with more, or less, than the record', () => {
  test('RES-13 what is nested in the record is not fetched again with it', () => {
    class Tag extends Entity {
      id = ''
      static override key = 'Tag'
    }
    class Note extends Entity {
      id = ''
      title = ''
      tags: Tag[] = []
      static override key = 'Note'
      static override schema = { tags: [Tag] }
    }
    const driver = createDriver()
    const getTags: any = new RestEndpoint({ path: '/tags', schema: new Collection([Tag]) })
    const getNote: any = new RestEndpoint({ path: '/notes/:id', schema: Note })
    const setTags: any = new RestEndpoint({ path: '/notes/:id/tags', method: 'PUT', schema: Note })
    driver.open(getTags, [{}]).answer([{ id: 'a' }, { id: 'b' }])
    driver.open(getNote, [{ id: '1' }]).answer({ id: '1', title: 'one', tags: [{ id: 'a' }] })
    driver.open(setTags, [{ id: '1' }, { tagIds: ['b'] }]).answer({ id: '1' })
    expect(driver.read(getNote, [{ id: '1' }]).expiresAt).toBe(STALE)
    expect(driver.read(getTags, [{}]).expiresAt).toBeGreaterThan(STALE)
  })

  test.each([
    ['an empty response', undefined],
    ['a short one', { id: 1 }],
  ])('what JSON leaves out is not written: %s', (_name, response) => {
    const driver = start()
    driver.open(tasks.partialUpdate, [{ id: 1 }, { title: 'new', due: undefined }]).answer(response)
    expect(task(driver)).toEqual({ ...ROW, title: 'new' })
    driver.open(tasks.create, [{ id: 9, title: 'nine', due: undefined }]).answer(response && { id: 9 })
    expect(driver.getState().entities['Task']!['9']).toEqual({ id: 9, title: 'nine' })
  })

  test('RES-12 an empty response to create writes what JSON has of the body', () => {
    const driver = start()
    driver.set(Task, [{ id: 9 }], { id: 9, title: 'old', due: 'x' })
    const late = { toJSON: () => 'late' }
    driver.open(tasks.create, [{ id: 9, title: late, due: undefined }]).answer(undefined)
    expect(driver.getState().entities['Task']!['9']).toStrictEqual({ id: 9, title: 'late', due: 'x' })
  })

  test('an empty response stores no field that the record does not have', () => {
    const driver = start()
    driver.open(tasks.partialUpdate, [{ id: 1 }, { title: 'new', password: 'secret' }]).answer(undefined)
    expect(task(driver)).toEqual({ ...ROW, title: 'new' })
    driver.open(tasks.create, [{ id: 9, title: 'nine', password: 'secret' }]).answer(undefined)
    expect(JSON.stringify(driver.getState())).not.toContain('secret')
  })

  class Owned extends Task {
    owner: Task | undefined = undefined
    static override key = 'Owned'
    static override schema = { owner: Task }
  }
  const owned: any = resource({ path: '/owned/:id', schema: Owned } as never)
  const form = new FormData()
  form.append('title', 'new')
  test.each<[string, unknown, object, boolean]>([
    ['only the key', { title: 'new' }, { id: 1 }, true],
    ['only the key, as text', { title: 'new' }, { id: '1' }, true],
    ['only the key, after a form', form, { id: 1 }, true],
    ['only the key, after nothing', {}, { id: 1 }, true],
    ['only the key, after text', 'new', { id: 1 }, true],
    ['only the key, after a relation', { owner: 2 }, { id: 1 }, true],
    ['a field', { owner_id: 2 }, { id: 1, due: 'now' }, false],
    ['a relation', { owner: 7 }, { id: 1, owner: { id: 7 } }, false],
    ['the whole record', { owner_id: 2 }, { ...ROW, owner: ROW }, false],
  ])('RES-13 a response with %s: the record is fetched again: %j, %j, %j', (_name, body, response, isStale) => {
    const driver = createDriver()
    driver.open(owned.get, [{ id: 1 }]).answer({ ...ROW, owner: { ...ROW, id: 7 } })
    driver.open(owned.partialUpdate, [{ id: 1 }, body]).answer(response)
    expect(driver.read(owned.get, [{ id: 1 }]).expiresAt <= STALE).toBe(isStale)
  })
})

describe('RES-13 a response with only the key is completed from the body', () => {
  test.each([
    ['update', tasks.update, [{ id: 1 }, { title: 'new' }], { id: 1 }, { id: 1, title: 'new', done: false }],
    ['partialUpdate', tasks.partialUpdate, [{ id: 1 }, { title: 'new' }], { id: 1 }, { title: 'new', done: false }],
    ['move', tasks.getList.move, [{ id: 1 }, { title: 'new' }], { id: 1 }, { title: 'new', done: false }],
    ['optimistic', shown.partialUpdate, [{ id: 1 }, { title: 'new' }], { id: 1 }, { title: 'new', done: false }],
    ['its own value counts', tasks.update, [{ id: 1 }, { title: 'new' }], { id: 1, title: 'n' }, { title: 'n' }],
    ['create', tasks.getList.push, [{ title: 'new' }], { id: 3 }, { id: 3, title: 'new' }],
  ])('%s', (_title, endpoint, args, response, expected) => {
    const driver = start()
    const request = driver.open(endpoint, args)
    request.answer(response)
    expect(request.outcome()).toMatchObject(expected)
    expect(task(driver, response.id)).toMatchObject(expected)
    // The server may have set more fields. A response with other members is all that it has to say.
    expect(stale(driver)[1]).toBe(Object.keys(response).length === 1)
  })

  test.each([['1'], [1]])('RES-14 a response that is only the key is refused: %j', (response) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const driver = start()
    const request = driver.open(tasks.partialUpdate, [{ id: 1 }, { title: 'new' }])
    expect(() => request.answer(response)).toThrow(/input-wrong-kind/)
    expect(task(driver)).toEqual(ROW)
  })

  test('RES-13 a created record that the response contains as a whole is fresh, and so are its lists', () => {
    const driver = start()
    driver.open(tasks.create, [{ title: 'new' }]).answer({ ...ROW, id: 3 })
    expect(ids(driver)[0]).toEqual([1, 2, 3])
    expect(stale(driver)).toEqual([false, false, false, false])
    expect(driver.read(Task, [{ id: 3 }]).expiresAt).toBeGreaterThan(STALE)
  })

  test('RES-13 an endpoint that declares its body', () => {
    const driver = start()
    driver.open(tasks.partialUpdate.extend({ body: { title: '' } }), [{ id: 1 }, { title: 'new' }]).answer({ id: 1 })
    expect(task(driver).title).toBe('new')
  })

  test('RES-13 several records in the response are all that the server has to say', () => {
    const driver = start()
    const swap = tasks.partialUpdate.extend({ schema: { first: Task, second: Task } })
    driver.open(swap, [{ id: 1 }, { title: 'new' }]).answer({ first: ROW, second: { ...ROW, id: 2 } })
    expect(task(driver)).toEqual(ROW)
    expect(stale(driver)).toEqual([false, false, false, false])
  })

  test.each<[string, any, unknown]>([
    ['no record', { data: { task: Task }, ok: true }, { ok: true }],
    ['null instead of the record', { data: { task: Task } }, { data: null }],
  ])('RES-13 an envelope with %s writes nothing', (_name, schema, response) => {
    const driver = start()
    driver.open(tasks.partialUpdate.extend({ schema }), [{ id: 1 }, { title: 'new' }]).answer(response)
    expect(task(driver)).toEqual(ROW)
    expect(stale(driver)).toEqual([false, false, false, false])
  })

  test('RES-13 the body of a map has records by key: none of it belongs to the response', () => {
    const driver = createDriver()
    const getMap: any = new RestEndpoint({ path: '/map', schema: new Collection(new Values(Task)) })
    driver.open(getMap, []).answer({})
    driver.open(getMap.assign, [{ title: ROW }]).answer({ title: { id: 1 } })
    expect(driver.getState().entities['Task']).toEqual({ 1: { id: 1 } })
  })

  test('in an envelope', () => {
    const driver = start()
    const endpoint = tasks.getList.push.extend({ schema: { data: tasks.getList.schema.push, ok: true } })
    driver.open(endpoint, [{ title: 'new' }]).answer({ data: { id: 3 }, ok: true })
    expect(task(driver, 3)).toMatchObject({ id: 3, title: 'new' })
    expect(ids(driver)[0]).toEqual([1, 2, 3])
  })

  test.each([
    ['fields that the class does not declare', tasks.partialUpdate, { password: 'x' }, ROW],
    ['what a remover was sent', tasks.getList.remove, { title: 'x' }, { id: 1 }],
    ['what the response does not repeat beside other fields', tasks.partialUpdate, { title: 'x' }, { id: 1, due: '' }],
  ])('%s are not written', (_title, endpoint, body, response) => {
    const driver = start()
    driver.open(endpoint, [{ id: 1 }, body]).answer(response)
    expect(task(driver)).toEqual(ROW)
    expect(task(driver, 2)).toMatchObject({ title: 'one' })
    expect(stale(driver)[0]).toBe(false)
  })

  test('a class with its own process may name its fields as it likes', () => {
    class Named extends Entity {
      id = 0
      title = ''
      static override key = 'Named'
      static override process({ name, ...rest }: any): any {
        return { title: name, ...rest }
      }
    }
    const named: any = resource({ path: '/named/:id', schema: Named } as never)
    const driver = createDriver()
    driver.open(named.get, [{ id: 1 }]).answer({ id: 1, name: 'one' })
    driver.open(named.update, [{ id: 1 }, { title: 'two' }]).answer({ id: 1, name: 'TWO' })
    expect(driver.read(named.get, [{ id: 1 }])).toMatchObject({ data: { id: 1, title: 'TWO' } })
    expect(driver.read(named.get, [{ id: 1 }]).expiresAt).toBeGreaterThan(STALE)
  })
})
