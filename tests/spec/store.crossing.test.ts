// Requests that cross: own writes never disappear, and data in doubt is fetched again. One test for each interleaving that made one of the
// rules necessary (docs/spec, "Order").
import { Collection, createStore, Entity, Invalidate, RestEndpoint } from 'restitch'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDriver, type Driver } from '../../src/testing/drivers.ts'
import { TestClock, tick } from '../../src/testing/TestClock.ts'

class Todo extends Entity {
  id = ''
  title = ''
  body = ''
  group = ''
  static override key = 'Todo'
}
const todos = new Collection([Todo])
const getList: any = new RestEndpoint({ path: '/todos', searchParams: {} as any, schema: todos })
const get: any = new RestEndpoint({ path: '/todos/:id', schema: Todo })
const patch: any = new RestEndpoint({ path: '/todos/:id', method: 'PATCH', schema: Todo })
const put: any = new RestEndpoint({ path: '/todos/:id', method: 'PUT', schema: Todo })
const create: any = new RestEndpoint({ path: '/todos', method: 'POST', schema: todos.push })
const remove: any = new RestEndpoint({ path: '/todos/:id', method: 'DELETE', schema: new Invalidate(Todo) })

const A = { id: '1', title: 'a', body: 'x', group: 'a' }
const B = { id: '2', title: 'b', body: 'y', group: 'b' }

let driver: Driver
beforeEach(() => {
  driver = createDriver(new TestClock())
})

function load(endpoint: any, args: object, value: unknown): void {
  driver.open(endpoint, [args]).answer(value)
}
const one = (id = '1'): any => driver.read(get, [{ id }]).data
const ids = (args: object = {}): string =>
  driver
    .read(getList, [args])
    .data?.map((todo: Todo) => todo.id)
    .join('')
const isStale = (endpoint: any, args: object): boolean => driver.read(endpoint, [args]).expiresAt <= 1

describe('records', () => {
  test('ORD-2 ENT-25 B1 a list of summaries that overtakes the detail does not freeze the rest of the record', () => {
    load(get, { id: '1' }, A)
    const detail = driver.open(get, [{ id: '1' }])
    const list = driver.open(getList, [{}])
    list.answer([{ id: '1', title: 'new' }])
    detail.answer({ ...A, title: 'old', body: 'fresh' })
    expect(one()).toMatchObject({ title: 'new', body: 'fresh' })
    expect(isStale(get, { id: '1' })).toBe(false)
  })

  test('ORD-2 ST-18 B4 of two writes the one sent later stays, in the order of their responses too', () => {
    load(get, { id: '1' }, A)
    const [first, second] = [driver.open(patch, [{ id: '1' }, {}]), driver.open(patch, [{ id: '1' }, {}])]
    first.answer({ ...A, title: 'first' })
    second.answer({ ...A, title: 'second' })
    expect(one().title).toBe('second')
    expect(isStale(get, { id: '1' })).toBe(true)
  })

  test('ORD-3 ST-18 B5 two writes that the server may have done in the other order put the record in doubt', () => {
    load(get, { id: '1' }, A)
    const title = driver.open(patch, [{ id: '1' }, { title: 'new' }])
    const body = driver.open(patch, [{ id: '1' }, { body: 'new' }])
    title.answer({ ...A, title: 'new', body: 'new' })
    body.answer({ ...A, body: 'new' })
    expect(isStale(get, { id: '1' })).toBe(true)
    load(get, { id: '1' }, { ...A, title: 'new', body: 'new' })
    expect([one().title, isStale(get, { id: '1' })]).toEqual(['new', false])
  })

  test('ORD-2 ST-18 B6 a read that confirms the later write does not let the earlier one through', () => {
    load(get, { id: '1' }, A)
    const early = driver.open(patch, [{ id: '1' }, {}])
    const late = driver.open(patch, [{ id: '1' }, {}])
    const read = driver.open(get, [{ id: '1' }])
    late.answer({ ...A, title: 'late' })
    read.answer({ ...A, title: 'late' })
    early.answer({ ...A, title: 'early' })
    expect([one().title, isStale(get, { id: '1' })]).toEqual(['late', true])
  })

  test('ORD-4 ENT-28 B10 a read that was sent before a delete says nothing of the record that was created again', () => {
    load(get, { id: '1' }, A)
    const read = driver.open(getList, [{ group: 'a' }])
    driver.open(remove, [{ id: '1' }]).answer({ id: '1' })
    expect(one()).toBeUndefined()
    driver.open(put, [{ id: '1' }, {}]).answer({ id: '1', title: 'again', group: 'a' })
    read.answer([A])
    expect(one()).toMatchObject({ title: 'again', body: '' })
  })

  test('ERR-3 B11 a stored 404 does not count once the app has written the record', () => {
    driver.open(get, [{ id: '1' }]).fail(Object.assign(new Error('404'), { status: 404 }))
    driver.open(put, [{ id: '1' }, A]).answer(A)
    expect(driver.read(get, [{ id: '1' }])).toMatchObject({ data: A, error: undefined, expiresAt: 1 })
  })

  test('ORD-1 ST-18 B14 two reads that differ put nothing in doubt', () => {
    const [list, detail] = [driver.open(getList, [{}]), driver.open(get, [{ id: '1' }])]
    detail.answer({ ...A, title: 'seen 2 times' })
    list.answer([{ ...A, title: 'seen 1 time' }])
    expect(one().title).toBe('seen 2 times')
    expect([isStale(get, { id: '1' }), isStale(getList, {})]).toEqual([false, false])
  })
})

describe('lists', () => {
  beforeEach(() => {
    load(getList, {}, [A, B])
    load(getList, { group: 'a' }, [A])
    load(getList, { group: 'b' }, [B])
  })

  test('ORD-5 COL-11 B2 a list is taken but for the records that the app wrote since it was sent', () => {
    const list = driver.open(getList, [{}])
    driver.open(create, [{}, {}]).answer({ ...A, id: '9' })
    driver.open(remove, [{ id: '1' }]).answer({ id: '1' })
    list.answer([A, { ...B, title: 'changed by others' }, { ...B, id: '3' }])
    expect(ids()).toBe('239')
    expect(one('2').title).toBe('changed by others')
    expect(isStale(getList, {})).toBe(true)
  })

  test('ORD-7 COL-11 B3 a list that arrives for the first time, and was sent before a write, is in doubt', () => {
    const list = driver.open(getList, [{ group: 'c' }])
    driver.open(create, [{}, {}]).answer({ id: '9', title: 'new', group: 'c' })
    list.answer([])
    expect(isStale(getList, { group: 'c' })).toBe(true)
    load(getList, { group: 'c' }, [{ id: '9', title: 'new', group: 'c' }])
    expect([ids({ group: 'c' }), isStale(getList, { group: 'c' })]).toEqual(['9', false])
  })

  test('ORD-7 COL-11 a second response that was sent before the write as well leaves such a list in doubt', () => {
    const [early, late] = [1, 2].map(() => driver.open(getList, [{ group: 'c' }]))
    driver.open(create, [{}, {}]).answer({ id: '9', title: 'new', group: 'c' })
    early!.answer([])
    late!.answer([])
    expect(isStale(getList, { group: 'c' })).toBe(true)
  })

  test('ORD-7 COL-44 B7 a read that brings a move before its response does not hide it', () => {
    const move = driver.open(patch, [{ id: '1' }, { group: 'b' }])
    load(get, { id: '1' }, { ...A, group: 'b' })
    move.answer({ ...A, group: 'b' })
    expect(ids({ group: 'a' })).toBe('')
    expect(ids({ group: 'b' }).includes('1') || isStale(getList, { group: 'b' })).toBe(true)
  })

  test('ORD-6 COL-42 B8 the same with a list that is sorted by the field', () => {
    load(getList, { sort: 'title' }, [A, B])
    const rename = driver.open(patch, [{ id: '1' }, { title: 'z' }])
    load(get, { id: '1' }, { ...A, title: 'z' })
    rename.answer({ ...A, title: 'z' })
    expect(isStale(getList, { sort: 'title' })).toBe(true)
  })

  test('ORD-8 ENT-28 B9 after a delete and a write that crossed, every list is asked that the record may belong to', () => {
    const gone = driver.open(remove, [{ id: '1' }])
    const change = driver.open(patch, [{ id: '1' }, { title: 'z' }])
    gone.answer({ id: '1' })
    change.answer({ ...A, title: 'z' })
    expect([{}, { group: 'a' }, { group: 'b' }].map((args) => isStale(getList, args))).toEqual([true, true, false])
  })

  test('ORD-8 COL-44 B12 a write of a record that is in doubt asks the lists that disagree with it', () => {
    driver.open(remove, [{ id: '1' }]).fail(new Error('the connection was lost'))
    load(getList, {}, [B])
    load(getList, { group: 'a' }, [])
    driver.open(put, [{ id: '1' }, A]).answer(A)
    expect([{}, { group: 'a' }].map((args) => ids(args).includes('1') || isStale(getList, args))).toEqual([true, true])
  })

  test('ORD-8 COL-44 B12 also a list that is in doubt, and whose request is in flight without the record', () => {
    driver.open(remove, [{ id: '1' }]).fail(new Error('the connection was lost'))
    load(getList, {}, [B])
    driver.expireAll({ testKey: (key) => getList.testKey(key) })
    const list = driver.open(getList, [{}])
    driver.open(put, [{ id: '1' }, A]).answer(A)
    list.answer([B])
    expect(ids().includes('1') || isStale(getList, {})).toBe(true)
  })

  test('ORD-8 COL-22 a list that a remover names is in doubt where an event of the record has come first', () => {
    load(getList, {}, [A, B])
    const take: any = new RestEndpoint({ path: '/todos', method: 'PATCH', schema: todos.remove })
    const removed = driver.open(take, [{ id: '1' }])
    driver.set(Todo, [{ id: '1' }], { id: '1', title: 'event' })
    load(get, { id: '1' }, { ...A, title: 'done' })
    removed.answer({ ...A, title: 'done' })
    expect(!ids().includes('1') || isStale(getList, {})).toBe(true)
  })

  test('COL-22 a remover takes a record out of the list of its group, also if a late read has shown another', () => {
    load(getList, { group: 'a' }, [A])
    load(getList, { group: 'b' }, [B])
    const take: any = new RestEndpoint({ path: '/todos', method: 'PATCH', schema: todos.remove })
    load(get, { id: '1' }, { ...A, group: 'b' })
    driver.open(take, [{ id: '1' }]).answer(A)
    expect(ids({ group: 'a' })).toBe('')
    expect(ids({ group: 'b' })).toBe('2')
  })

  test('ORD-6 COL-16 B16 a part of a list that arrived while a create was in flight is in doubt', () => {
    load(getList, { limit: 2 }, [A, B])
    const created = driver.open(create, [{}, {}])
    load(getList, { limit: 2 }, [A, B])
    created.answer({ ...A, id: '9' })
    expect(isStale(getList, { limit: 2 })).toBe(true)
  })

  test('ORD-9 ST-18 B17 a read moves nothing and causes no request, whatever the lists say', () => {
    load(get, { id: '1' }, { ...A, group: 'b' })
    expect([{}, { group: 'a' }, { group: 'b' }].map((args) => [ids(args), isStale(getList, args)])).toEqual([
      ['12', false],
      ['1', false],
      ['2', false],
    ])
  })

  test('ORD-9 COL-21 an event that echoes the own move changes nothing and causes no request', () => {
    const move = driver.open(patch, [{ id: '1' }, { group: 'b' }])
    driver.set(Todo, [{ id: '1' }], { ...A, group: 'b' })
    move.answer({ ...A, group: 'b' })
    expect([ids({ group: 'a' }), ids({ group: 'b' })]).toEqual(['', '21'])
    expect([{}, { group: 'a' }, { group: 'b' }].map((args) => isStale(getList, args))).toEqual([false, false, false])
  })
})

describe('asking', () => {
  const rows = new Map<string, Todo>()
  const calls: string[] = []
  let clock: TestClock
  let latency = 0

  /** A server that takes a while, in store time. */
  function serve<E extends { extend(options: object): any }>(endpoint: E): any {
    return endpoint.extend({
      async fetchResponse(url: string, init: RequestInit) {
        calls.push(`${init.method} ${url}`)
        const { sort } = Object.fromEntries(new URL(url, 'http://x').searchParams)
        const id = /todos\/(\w+)/.exec(url)?.[1]
        if (init.method === 'PATCH') {
          rows.set(id!, Object.assign({}, rows.get(id!), JSON.parse(init.body as string)) as Todo)
        }
        const all = [...rows.values()].toSorted((a, b) => (sort ? (a.title < b.title ? -1 : 1) : 0))
        const value = id === undefined ? all : rows.get(id)
        await new Promise<void>((resolve) => clock.setTimeout(resolve, latency))
        return Response.json(value)
      },
    })
  }

  beforeEach(() => {
    rows.clear()
    rows.set('1', A as Todo).set('2', B as Todo)
    calls.length = 0
    clock = new TestClock()
    latency = 60
  })

  test('ORD-9 ST-18 B13 a stream of events causes no request for what its fields can tell', async () => {
    const { controller, view, stop } = createStore({ clock })
    const list = view(serve(getList), {} as never)
    const end = list.subscribe(() => {})
    await clock.pass(100)
    calls.length = 0
    void controller.expireAll(getList)
    for (let i = 0; i < 60; i++) {
      void controller.set(Todo, { id: '1' }, { ...A, title: `event ${i}` })
      await clock.pass(50)
    }
    expect(calls).toHaveLength(1)
    end()
    stop()
  })

  test('ORD-9 NET-17 B13 a stream of events on a list that only the server can sort asks at growing intervals', async () => {
    const { controller, view, stop } = createStore({ clock })
    const sorted = serve(getList)
    const end = view(sorted, { sort: 'title' } as never).subscribe(() => {})
    await clock.pass(100)
    calls.length = 0
    for (let i = 0; i < 80; i++) {
      rows.set('1', { ...A, title: `event ${i}` } as Todo)
      void controller.set(Todo, { id: '1' }, { ...A, title: `event ${i}` })
      await clock.pass(50)
    }
    expect(calls.length).toBeGreaterThan(2)
    expect(calls.length).toBeLessThan(8)
    await clock.pass(20_000)
    expect(view(sorted, { sort: 'title' } as never).read().data).toMatchObject([{ id: '2' }, { title: 'event 79' }])
    end()
    stop()
  })

  test('ORD-9 ST-18 B15 while mutations of its tables are in flight, data in doubt is not fetched', async () => {
    const { controller, view, stop } = createStore({ clock })
    const [detail, write] = [serve(get), serve(patch)]
    const end = view(detail, { id: '1' } as never).subscribe(() => {})
    latency = 200
    await clock.pass(300)
    calls.length = 0
    for (let i = 0; i < 12; i++) {
      controller.fetch(write, { id: '1' }, { title: `t${i}` }).catch(() => {})
      await clock.pass(120)
    }
    await clock.pass(5_000)
    const reads = calls.filter((call) => call.startsWith('GET'))
    expect(reads.length).toBeGreaterThan(0)
    expect(reads.length).toBeLessThan(4)
    expect(view(detail, { id: '1' } as never).read().data).toMatchObject({ title: 't11' })
    end()
    stop()
  })
})

test('ORD-3 ST-18 a mutation that may have been done, though no response tells, puts the record and its lists in doubt', async () => {
  load(getList, {}, [A, B])
  load(get, { id: '1' }, A)
  driver.open(patch, [{ id: '1' }, {}]).fail(new Error('the connection was lost'))
  await tick()
  expect([isStale(get, { id: '1' }), isStale(getList, {})]).toEqual([true, true])
  const refused = Object.assign(new Error('no'), { status: 422 })
  load(getList, {}, [A, B])
  load(get, { id: '1' }, A)
  driver.open(patch, [{ id: '1' }, {}]).fail(refused)
  expect([isStale(get, { id: '1' }), isStale(getList, {})]).toEqual([false, false])
})
