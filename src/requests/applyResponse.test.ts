import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { resource } from '../rest/resource.ts'
import { Entity } from '../kinds/Entity.ts'
import { STALE } from '../rows/Meta.ts'
import { committed } from '../testing/drivers.ts'
import { endpoint, mutation } from '../testing/endpoints.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { User } from '../testing/entities.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { fetchedAtOf } from '../binding/fetchedAt.ts'

class Task extends Entity {
  id = 0
  title = ''
  done = false
  static override key = 'Task'
}
const tasks: any = resource({ path: '/tasks/:id', schema: Task } as never)
const getPlain = endpoint('/plain', undefined)
const ROW = { id: 1, title: 'one', done: false }
const NOW = 1_000_000
const END = NOW + 60_000
let clock: TestClock
let driver: Driver

beforeEach(() => {
  clock = new TestClock(NOW)
  driver = createDriver(clock)
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const expiryOf = (target: any, ...args: any[]): number => driver.read(target, args).expiresAt

/** The changes that a reader of the target is notified of. */
function listen(target: any, ...args: any[]): string[] {
  const changes: string[] = []
  driver.subscribe(target, args, (change) => changes.push(change))
  return changes
}

describe('update', () => {
  const add = (value: unknown, more: object = {}): any =>
    endpoint('POST /plain', undefined, {
      sideEffect: true,
      update: () => ({ [getPlain.key()]: () => value }),
      ...more,
    })

  test('ST-14 a value that replaces an error counts as a response: the error is cleared, and it is fresh', () => {
    driver.open(getPlain, []).fail(new Error('no'))
    clock.time += 5
    driver.open(add('new'), []).answer('')
    expect(driver.read(getPlain, [])).toMatchObject({ data: 'new', error: undefined, expiresAt: END + 5 })
  })

  test('ST-14 the error of a key stays where `update` returns no value for it', () => {
    const error = new Error('no')
    driver.open(getPlain, []).fail(error)
    const before = expiryOf(getPlain)
    clock.time += 5
    driver.open(add(undefined), []).answer('')
    expect(driver.read(getPlain, [])).toMatchObject({ data: undefined, error, expiresAt: before })
  })

  test('ST-14 a changed result keeps its age', () => {
    driver.open(getPlain, []).answer('old')
    clock.time += 5
    driver.open(add('new'), []).answer('')
    expect(driver.read(getPlain, [])).toMatchObject({ data: 'new', expiresAt: END })
  })

  test('ST-14 an absent result that is written is stale', () => {
    driver.open(add('new'), []).answer('')
    expect(driver.getState().meta[getPlain.key()]).toMatchObject({ fetchedAt: 0, date: 0, expiresAt: 0 })
  })

  test.each([
    ['a mutation', true, 'new'],
    ['a read', undefined, 'response'],
  ])('ST-14 ST-9 a read that was sent before the `update` of %s', (_name, sideEffect, data) => {
    const read = driver.open(getPlain, [])
    driver.open(add('new', { sideEffect }), []).answer('')
    read.answer('response')
    expect(driver.read(getPlain, []).data).toBe(data)
  })

  test('ST-14 an equal value keeps its reference', () => {
    driver.open(getPlain, []).answer({ names: ['a'] })
    const { data } = driver.read(getPlain, [])
    driver.open(add({ names: ['a'] }), []).answer('')
    expect(driver.read(getPlain, []).data).toBe(data)
  })

  test.each<[string, any, any[], unknown]>([
    ['without a schema', mutation('POST /x', undefined), [], undefined],
    ['of a record whose fields were sent', tasks.partialUpdate, [{ id: 1 }, { done: true }], '1'],
  ])('ST-14 RES-11 it is called after an empty response to a mutation %s', (_name, target, args, result) => {
    driver.open(tasks.get, [{ id: 1 }]).answer(ROW)
    const update = vi.fn(() => ({}))
    const updating = target.extend ? target.extend({ update }) : Object.assign(() => {}, target, { update })
    driver.open(updating, args).answer(undefined)
    expect(update.mock.calls).toEqual([[result, ...args]])
  })
})

describe('setResponse and setError', () => {
  test('CTL-9 RES-14 a value for a mutation that is refused makes nothing stale: the server did not send it', () => {
    driver.open(tasks.getList, [{}]).answer([ROW])
    driver.open(tasks.get, [{ id: 1 }]).answer(ROW)
    expect(() => driver.setResponse(tasks.partialUpdate, [{ id: 1 }, {}], [])).toThrow(/entity-array/)
    expect([expiryOf(tasks.getList, {}), expiryOf(tasks.get, { id: 1 })]).toEqual([END, END])
  })

  test('CTL-9 RES-11 an empty value for a mutation of a record is refused', () => {
    driver.open(tasks.get, [{ id: 1 }]).answer(ROW)
    expect(() => driver.setResponse(tasks.partialUpdate, [{ id: 1 }, { done: true }], null)).toThrow(/input-wrong-kind/)
    expect(driver.read(tasks.get, [{ id: 1 }])).toMatchObject({ data: { done: false }, expiresAt: END })
  })

  test('CTL-9 defaults of the shown record that are set along are not written: a read in flight may bring the fields', () => {
    driver.open(tasks.get, [{ id: 1 }]).answer({ id: 1, title: 'one' })
    const read = driver.open(tasks.get, [{ id: 1 }])
    const { data } = driver.read(tasks.get, [{ id: 1 }])
    driver.setResponse(tasks.get, [{ id: 1 }], { ...data, title: 'mine' })
    read.answer({ id: 1, title: 'one', done: true })
    expect(driver.read(Task, [{ id: 1 }]).data).toEqual({ id: 1, title: 'mine', done: true })
  })

  test('CTL-9 ST-19 readers are notified of an error that is thrown before the call returns', () => {
    const changes = listen(tasks.get, { id: 1 })
    expect(() => driver.setResponse(tasks.get, [{ id: 1 }], [])).toThrow(/entity-array/)
    expect(changes).toEqual(['freshness'])
  })
})

describe('the age of a result', () => {
  test('EXP-6 an equal response to data that has expired makes it valid, also where nothing has read it yet', () => {
    const get = endpoint('/todo/:id', User, { invalidIfStale: true })
    driver.open(get, [{ id: '1' }]).answer({ id: '1' })
    clock.time += 60_001
    driver.open(get, [{ id: '1' }]).answer({ id: '1' })
    expect(driver.read(get, [{ id: '1' }])).toMatchObject({ data: { id: '1' }, expiresAt: END + 60_001 })
  })

  test('HK-9 an equal response after an error notifies its readers', async () => {
    driver.open(getPlain, []).answer('a')
    driver.open(getPlain, []).fail(new Error('no'))
    const changes = listen(getPlain)
    driver.open(getPlain, []).answer('a')
    await tick()
    expect(changes).toEqual(['freshness'])
  })

  test('ST-18 a read that was sent before the app set the result does not undo it, and puts nothing in doubt', () => {
    const reads = [1, 2].map(() => driver.open(getPlain, []))
    driver.setResponse(getPlain, [], { a: 1 })
    reads[0]!.answer({ a: 1 })
    expect(driver.read(getPlain, [])).toMatchObject({ data: { a: 1 }, expiresAt: END })
    reads[1]!.answer({ a: 2 })
    expect(driver.read(getPlain, [])).toMatchObject({ data: { a: 1 }, expiresAt: END })
  })

  test('ERR-1 the data keeps the time at which it was fetched, however many requests fail after it', () => {
    driver.open(getPlain, []).answer('a')
    for (const _try of [1, 2]) {
      clock.time += 10
      driver.open(getPlain, []).fail(new Error('no'))
      expect(fetchedAtOf(driver.node(getPlain, []))).toBe(NOW)
    }
    driver.open(getPlain, []).answer('a')
    expect(fetchedAtOf(driver.node(getPlain, []))).toBe(NOW + 20)
  })
})

describe('a page', () => {
  const { getList }: any = resource({ path: '/tasks/:id', schema: Task, paginationField: 'page' } as never)
  const { getPage } = getList
  const second = { ...ROW, id: 2 }
  const shown = (): unknown => driver.read(getList, [{}]).data?.map(({ id }: Task) => id)

  test.each([
    [undefined, END],
    [1_000_000, END],
    [7, NOW + 5 + 7],
  ])('PAG-1 EXP-3 with a dataExpiryLength of %s makes the list no fresher', (dataExpiryLength, expected) => {
    driver.open(getList, [{}]).answer([ROW])
    clock.time += 5
    driver.open(getPage.extend({ dataExpiryLength }), [{ page: 2 }]).answer([second])
    expect([shown(), expiryOf(getList, {})]).toEqual([[1, 2], expected])
  })

  test.each([true, false])(
    'PAG-1 ST-9 does not outrank a response of the list that was sent before it, where the list was loaded: %s',
    (isLoaded) => {
      if (isLoaded) {
        driver.open(getList, [{}]).answer([ROW])
      }
      const list = driver.open(getList, [{}])
      clock.time += 5
      driver.open(getPage, [{ page: 2 }]).answer([second])
      expect([shown(), expiryOf(getList, {})]).toEqual(isLoaded ? [[1, 2], END] : [[2], END + 5])
      clock.time += 5
      list.answer([{ ...ROW, id: 3 }, ROW])
      expect([shown(), expiryOf(getList, {})]).toEqual([[3, 1, 2], END + 10])
    },
  )

  test('ERR-1 PAG-1 that fails leaves the list as it is', () => {
    driver.open(getList, [{}]).answer([ROW])
    const before = driver.getState()
    driver.open(getPage, [{ page: 2 }]).fail(new Error('no'))
    expect(driver.getState()).toBe(before)
    expect(driver.read(getList, [{}])).toMatchObject({ error: undefined, expiresAt: END })
  })

  test('ST-18 HK-9 with a record that was written since it was sent makes the list stale, and notifies its readers', async () => {
    driver.open(getList, [{}]).answer([ROW])
    const changes = listen(getList, {})
    const page = driver.open(getPage, [{ page: 2 }])
    driver.open(tasks.partialUpdate, [{ id: 1 }, { title: 'new' }]).answer({ ...ROW, title: 'new' })
    await tick()
    changes.length = 0
    page.answer([ROW])
    await tick()
    expect(driver.read(getList, [{}])).toMatchObject({ data: [{ title: 'new' }], expiresAt: STALE })
    expect(changes).toEqual(['freshness'])
  })

  test('ERR-6 without a list is refused, and says where the list should be', () => {
    driver.open(getList, [{}]).answer([ROW])
    const paged = getPage.extend({ schema: { results: getPage.schema } })
    expect(() => driver.open(paged, [{ page: 2 }]).answer({ total: 5 })).toThrow(
      /The response of the page ".*" is .*total.*It has no list where the schema has its Collection.*page-shape/,
    )
    expect([shown(), expiryOf(getList, {})]).toEqual([[1], END])
  })
})

describe('errors', () => {
  test('ERR-8 a function that is thrown stays what it is', () => {
    const thrown = (): void => {}
    driver.open(getPlain, []).fail(thrown)
    expect(driver.read(getPlain, []).error).toBe(thrown)
  })

  test('ERR-9 strict: true accepts the empty response of a mutation, which is no record', () => {
    const close: any = mutation('/tasks/:id/close', Task, undefined, { strict: true })
    driver.open(close, [{ id: 1 }, {}]).answer(undefined)
    expect(driver.read(close, [{ id: 1 }, {}]).error).toBeUndefined()
  })

  test('ERR-9 a response that is refused leaves no trace in the next one', () => {
    const get = endpoint('/strict/:id', User, { strict: true })
    driver.open(get, [{ id: '1' }]).answer({ id: '1', name: 'Ann' })
    expect(() => driver.open(get, [{ id: '1' }]).answer({ id: '2', name: 'Bob' })).toThrow(/answer-other-record/)
    driver.open(get, [{ id: '1' }]).answer({ id: '1', name: 'Ann' })
    expect(Object.keys((committed(driver) as any).entities.User)).toEqual(['1'])
    driver.set(User, [{ id: '2' }], { id: '2', name: 'Cid' })
    expect(driver.read(User, [{ id: '2' }]).data.name).toBe('Cid')
  })
})
