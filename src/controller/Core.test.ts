import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Query } from '../kinds/Query.ts'
import { INVALID } from '../schema/Schema.ts'
import { Values } from '../kinds/Values.ts'
import { initialState } from '../store/initialState.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { committed, ids, resolve } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { Todo, User, wholeTodo } from '../testing/entities.ts'
import {
  allTodos,
  createTodo,
  deleteTodo,
  getPlain,
  getTodo,
  getTodos,
  getUser,
  moveTodo,
  optimistic,
  putTodo,
  todos,
} from '../testing/todoEndpoints.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { callOf } from '../requests/Call.ts'
import { SET, SET_RESPONSE } from '../requests/actionTypes.ts'
import { ExpiryStatus } from '../requests/Reading.ts'

const { Invalid, InvalidIfStale, Valid } = ExpiryStatus
const NOW = 1_000_000
let clock: TestClock
let driver: Driver
let errors: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  clock = new TestClock(NOW)
  driver = createDriver(clock)
  errors = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const one = { id: '1', title: 'a' }

describe('a response', () => {
  test('ST-6 ST-7 is stored with its times; error and invalidated marks are cleared', () => {
    const request = driver.open(getTodo, [{ id: '1' }])
    clock.time += 5
    request.answer(one)
    const key = getTodo.key({ id: '1' })
    const times = { fetchedAt: NOW, date: NOW + 5, expiresAt: NOW + 60_005 }
    expect(driver.getState().endpoints[key]).toBe('1')
    expect(driver.getState().meta[key]).toEqual(times)
    expect(driver.getState().entities['Todo']!['1']).toEqual(one)
    expect(driver.getState().entitiesMeta['Todo']!['1']).toEqual(times)

    driver.invalidateKey(getTodo.key({ id: '1' }))
    driver.open(getTodo, [{ id: '1' }]).fail(new Error('no'))
    clock.time += 10
    driver.open(getTodo, [{ id: '1' }]).answer(one)
    const meta = driver.getState().meta[key]!
    expect(meta).toEqual({
      fetchedAt: NOW + 15,
      date: NOW + 15,
      expiresAt: NOW + 60_015,
    })
  })

  test('ST-7 ENT-29 an identical response keeps every reference and takes the later times', () => {
    const answer = { ...one, tags: ['x'], author: { id: '5', name: 'Ann' } }
    driver.open(getTodo, [{ id: '1' }]).answer(structuredClone(answer))
    const before = driver.read(getTodo, [{ id: '1' }])
    const row = driver.getState().entities['Todo']!['1']
    clock.time += 100
    driver.open(getTodo, [{ id: '1' }]).answer(structuredClone(answer))
    const after = driver.read(getTodo, [{ id: '1' }])
    expect(after.data).toBe(before.data)
    expect(driver.getState().entities['Todo']!['1']).toBe(row)
    expect(after.expiresAt).toBe(before.expiresAt + 100)
    expect(driver.getState().entitiesMeta['Todo']!['1']!.expiresAt).toBe(NOW + 60_100)
  })

  test('ENT-29 results without a schema are shared part by part', () => {
    driver.open(getPlain, []).answer({ a: [1, { b: 2 }], c: { d: 3 } })
    const before = driver.read(getPlain, []).data
    driver.open(getPlain, []).answer({ a: [1, { b: 2 }], c: { d: 4 } })
    const after = driver.read(getPlain, []).data
    expect(after).toEqual({ a: [1, { b: 2 }], c: { d: 4 } })
    expect(after.a).toBe(before.a)
    driver.open(getPlain, []).answer({ a: [1, { b: 2 }], c: { d: 4 } })
    expect(driver.read(getPlain, []).data).toBe(after)
  })

  const oops = (): never => {
    throw new Error('oops')
  }
  class Refusing extends Entity {
    id = ''
    static override key = 'Refusing'
    static override indexes = ['name']
    static override schema = { author: User }
    static override validate(value: any): string | undefined {
      return value.bad ? 'it is bad' : undefined
    }
  }
  class Processing extends Refusing {
    static override key = 'Processing'
    static override process(input: any): any {
      return input.bad ? oops() : { ...input }
    }
  }
  class Merging extends Refusing {
    static override key = 'Merging'
    static override validate(): undefined {}
    static override merge(existing: any, incoming: any): any {
      return incoming.bad ? oops() : { ...existing, ...incoming }
    }
  }
  class Keyed extends Refusing {
    static override key = 'Keyed'
    static override validate(): undefined {}
    override pk(): string {
      return (this as any).bad ? oops() : this.id
    }
  }
  test.each([
    ['validate', Refusing],
    ['process', Processing],
    ['merge', Merging],
    ['pk', Keyed],
    ['a missing pk', User],
    ['a missing pk below', { list: [User] }],
  ])('ST-8 ERR-6 %s that refuses leaves the store exactly as before', (_name, schema: any) => {
    const get = endpoint('/x', schema)
    const lists = new Collection([schema])
    const list = endpoint('/xs', Array.isArray(schema.list) ? schema : lists)
    const good = (id: string): any =>
      schema.list ? { list: [{ id }] } : { id, name: 'n', author: { id: '5', name: 'Ann' } }
    driver.open(get, [{ id: '1' }]).answer(good('1'))
    driver.open(list, [{}]).answer(schema.list ? good('2') : [good('1'), good('2')])
    const before = committed(driver) as any
    const shown = driver.read(get, [{ id: '1' }]).data
    const bad: any =
      schema === User ? { name: 'z' } : { id: '1', name: 'z', bad: true, author: { id: '5', name: 'Bob' } }
    const answer = schema.list
      ? { list: [{ id: '1', name: 'changed' }, { name: 'z' }] }
      : [{ id: '2', name: 'changed' }, bad]
    const request = driver.open(list, [{}])
    expect(() => request.answer(answer)).toThrow()
    const after = committed(driver) as any
    expect(after.entities).toEqual(before.entities)
    expect(after.entitiesMeta).toEqual(before.entitiesMeta)
    expect(after.indexes).toEqual(before.indexes)
    expect(after.endpoints).toEqual(before.endpoints)
    expect(driver.read(get, [{ id: '1' }]).data).toBe(shown)
    const { error, ...meta } = after.meta[list.key({})]
    expect(error).toMatchObject({ status: 400, refused: true, response: answer })
    expect(meta.expiresAt - meta.date).toBe(1000)
  })

  test.each([
    [todos.push, '[Todo].push'],
    [todos.unshift, '[Todo].unshift'],
    [todos.remove, '[Todo].remove'],
    [todos.move, '[Todo].move'],
    [new Collection(new Values(Todo)).assign, '{Todo}.assign'],
    [todos.addWith(), '[Todo].addWith'],
    [todos.moveWith((all: any) => all), '[Todo].moveWith'],
    [new Collection([Todo]), '[Todo]'],
  ])('ERR-6 a part of a list is named after it: %#', (schema, name) => {
    const ep: any = Object.assign(() => Promise.resolve(), { key: () => 'KEY', schema, sideEffect: true })
    expect(() => driver.open(ep, [{ id: '1' }]).answer({ one: {} })).toThrow(`Error processing KEY (${name}): `)
  })

  test('ERR-6 says which endpoint and which schema, in the console too', () => {
    const request = driver.open(getUser, [{ id: '1' }])
    expect(() => request.answer({ name: 'x' })).toThrow(
      /^Error processing \/user\/:id \[\{"id":"1"\}\] \(User\): Missing usable/,
    )
    expect(errors).toHaveBeenCalledWith(expect.objectContaining({ status: 400, code: 'entity-missing-pk' }))
    expect(driver.read(getUser, [{ id: '1' }])).toMatchObject({
      data: undefined,
      error: { status: 400 },
      expiryStatus: InvalidIfStale,
    })
  })

  test.each([
    ['frozen', Object.freeze(new Error('cold'))],
    ['with a fixed message', new DOMException('fixed')],
    ['no object', 'text'],
  ])('ERR-6 ERR-8 an error of the user that is %s is reported all the same', (_name, thrown) => {
    class Odd extends Entity {
      id = ''
      static override key = 'Odd'
      static override process(): never {
        throw thrown as Error
      }
    }
    const request = driver.open(endpoint('/odd', Odd), [])
    let found: any
    try {
      request.answer({ id: '1' })
    } catch (error) {
      found = error
    }
    expect(found).toBeInstanceOf(Error)
    expect(found).toMatchObject({ status: 400, refused: true, response: { id: '1' } })
    expect(found.message).toContain(typeof thrown === 'string' ? thrown : thrown.message)
    expect([found, found.cause]).toContain(thrown)
  })

  test('OPT-4 delivered twice it counts once', () => {
    const request = driver.open(createTodo, [{ title: 'a' }])
    request.answer({ id: '1', title: 'a' })
    driver.set(Todo, [{ id: '1' }], { id: '1', title: 'b' })
    const before = committed(driver)
    request.answer({ id: '1', title: 'c' })
    request.fail(new Error('late'))
    request.drop()
    expect(committed(driver)).toEqual(before)
  })
})

describe('update', () => {
  const getNames = endpoint('/names', undefined)
  const addName = (more: object = {}): any =>
    endpoint('POST /names', undefined, {
      sideEffect: true,
      update: (name: string) => ({ [getNames.key()]: (names: string[] = []) => [...names, name] }),
      ...more,
    })

  test('ST-14 changes the results of others, absent ones too', () => {
    driver.open(addName(), []).answer('a')
    expect(driver.read(getNames, []).data).toEqual(['a'])
    driver.open(getNames, []).answer(['x'])
    driver.open(addName(), []).answer('b')
    expect(driver.read(getNames, []).data).toEqual(['x', 'b'])
  })

  test('ST-14 gets the normalised result and the arguments, after the own result is stored', () => {
    const seen: unknown[] = []
    const update = (...args: unknown[]): object => {
      seen.push(...args, driver.getState().endpoints[put.key({ id: '1' }, { a: 1 })])
      return {}
    }
    const put = endpoint('PUT', Todo, { sideEffect: true, update })
    driver.open(put, [{ id: '1' }, { a: 1 }]).answer(one)
    expect(seen).toEqual(['1', { id: '1' }, { a: 1 }, '1'])
  })

  test('ST-14 one that throws is logged, and the response counts', () => {
    const update = (): never => {
      throw new Error('oops')
    }
    driver.open(addName({ update }), []).answer('a')
    expect(errors).toHaveBeenCalledOnce()
    expect(driver.getState().endpoints['POST /names []']).toBe('a')
  })

  test('ST-14 runs for optimistic responses too, over what is pending; committed results hold none of it', () => {
    driver.open(getNames, []).answer(['x'])
    const before = driver.read(getNames, [])
    const add = addName({ getOptimisticResponse: (_: unknown, name: string) => name })
    const first = driver.open(add, ['a'])
    const second = driver.open(add, ['b'])
    expect(driver.read(getNames, []).data).toEqual(['x', 'a', 'b'])
    expect(driver.getState().endpoints[getNames.key()]).toEqual(['x'])
    driver.open(addName(), []).answer('c')
    expect(driver.getState().endpoints[getNames.key()]).toEqual(['x', 'c'])
    expect(driver.read(getNames, []).data).toEqual(['x', 'c', 'a', 'b'])
    second.answer('B')
    expect(driver.read(getNames, []).data).toEqual(['x', 'c', 'B', 'a'])
    first.fail(new Error('no'))
    expect(driver.read(getNames, [])).toMatchObject({ data: ['x', 'c', 'B'], error: before.error })
  })

  test('ST-14 ST-18 a read that crossed it does not undo it, and the key is stale', () => {
    driver.open(getNames, []).answer(['x'])
    const read = driver.open(getNames, [])
    driver.open(addName(), []).answer('a')
    read.answer(['x'])
    expect(driver.read(getNames, [])).toMatchObject({ data: ['x', 'a'], expiresAt: 1 })
    driver.open(getNames, []).answer(['x', 'a', 'b'])
    expect(driver.read(getNames, [])).toMatchObject({ data: ['x', 'a', 'b'], expiresAt: NOW + 60_000 })
  })
})

describe('set', () => {
  test('ST-11 CTL-8 writes records, never results or their times', () => {
    driver.open(getTodo, [{ id: '1' }]).answer(one)
    const { endpoints, meta } = driver.getState()
    driver.set(Todo, [{ id: '1' }], { id: '1', title: 'b' })
    driver.set(todos.push, [{}], { id: '2', title: 'c' })
    expect(driver.getState().endpoints).toBe(endpoints)
    expect(driver.getState().meta).toBe(meta)
    expect(driver.read(getTodo, [{ id: '1' }]).data.title).toBe('b')
  })

  test('EXP-10 records get 60,000 ms, and setResponse follows the endpoint', () => {
    driver.set(User, [{ id: '5' }], { id: '5', name: 'Ann' })
    expect(driver.read(getUser, [{ id: '5' }]).expiresAt).toBe(NOW + 60_000)
    const short = endpoint('/short/:id', User, { dataExpiryLength: 5, errorExpiryLength: 7 })
    driver.setResponse(short, [{ id: '6' }], { id: '6' })
    expect(driver.read(short, [{ id: '6' }]).expiresAt).toBe(NOW + 5)
    driver.setError(short, [{ id: '6' }], new Error('no'))
    expect(driver.read(short, [{ id: '6' }]).expiresAt).toBe(NOW + 7)
    const long = endpoint('/long', undefined, { dataExpiryLength: Infinity })
    driver.setResponse(long, [], 1)
    expect(driver.read(long, []).expiresAt).toBe(Infinity)
  })

  test('CTL-8 a function gets what is committed; where nothing is, nothing happens', () => {
    const update = vi.fn((todo: any) => ({ ...todo, title: `${todo.title}!` }))
    driver.set(Todo, [{ id: '1' }], update)
    expect(update).not.toHaveBeenCalled()
    driver.set(Todo, [{ id: '1' }], one)
    driver.set(Todo, [{ id: '1' }], update)
    expect(driver.read(Todo, [{ id: '1' }]).data.title).toBe('a!')
    driver.open(deleteTodo, [{ id: '1' }]).answer('1')
    driver.set(Todo, [{ id: '1' }], update)
    expect(update).toHaveBeenCalledOnce()
    expect(driver.read(Todo, [{ id: '1' }]).data).toBeUndefined()
  })

  test('CTL-8 with a function while an operation is pending that then fails: no residue', () => {
    driver.open(getTodo, [{ id: '1' }]).answer({ ...one, body: 'x', author: { id: '5', name: 'Ann' } })
    const update = driver.open(optimistic.put, [{ id: '1' }, { title: 'pending', done: true }])
    driver.set(Todo, [{ id: '1' }], (todo: any) => {
      expect(todo).toMatchObject({ title: 'a', done: false })
      return { ...todo, body: `${todo.title} ${todo.body}` }
    })
    // The fields of the operation stay on top until it settles.
    expect(driver.read(getTodo, [{ id: '1' }]).data).toMatchObject({ title: 'pending', done: true, body: 'a x' })
    update.fail(new Error('no'))
    expect(driver.read(getTodo, [{ id: '1' }]).data).toMatchObject({ title: 'a', done: false, body: 'a x' })
    expect(driver.getState().entities['Todo']!['1']).toEqual({ ...one, body: 'a x', author: '5' })
  })

  test('CTL-8 a function sees a record that a pending operation deletes, and none that one creates', () => {
    driver.open(getTodos, [{}]).answer([one])
    const removal = driver.open(optimistic.delete, [{ id: '1' }])
    driver.set(Todo, [{ id: '1' }], (todo: any) => ({ ...todo, title: 'b' }))
    // A write sent after the delete wins over it.
    expect(driver.read(Todo, [{ id: '1' }]).data.title).toBe('b')
    removal.fail(new Error('no'))
    expect(driver.read(Todo, [{ id: '1' }]).data.title).toBe('b')

    const creation = driver.open(optimistic.create, [{}, { id: '2', title: 'c' }])
    expect(ids(driver, getTodos, {})).toEqual(['1', '2'])
    const update = vi.fn()
    driver.set(Todo, [{ id: '2' }], update)
    expect(update).not.toHaveBeenCalled()
    driver.set(todos, [{}], (list: Todo[]) => {
      expect(list.map((todo) => todo.id)).toEqual(['1'])
      return list
    })
    creation.fail(new Error('no'))
    expect(ids(driver, getTodos, {})).toEqual(['1'])
  })

  test('CTL-8 works with every schema that can be read or added to', () => {
    driver.open(getTodos, [{}]).answer([one])
    driver.set(todos.push, [{}], { id: '2', title: 'b' })
    driver.set(todos.unshift, [{}], [{ id: '3', title: 'c' }])
    expect(ids(driver, getTodos, {})).toEqual(['3', '1', '2'])
    driver.set(todos.remove, [{}], { id: '1' })
    expect(ids(driver, getTodos, {})).toEqual(['3', '2'])
    driver.set(todos, [{}], (list: Todo[]) => [...list].reverse())
    expect(ids(driver, getTodos, {})).toEqual(['2', '3'])
    driver.set(todos, [{ group: 'x' }], [])
    driver.set(todos.move, [{ id: '2' }, { group: 'x' }], { id: '2', group: 'x' })
    expect(ids(driver, todos, { group: 'x' })).toEqual(['2'])
    driver.set(new Query(Todo), [{ id: '2' }], { id: '2', title: 'through a query' })
    expect(driver.read(Todo, [{ id: '2' }]).data.title).toBe('through a query')
    const map = new Collection(new Values(User))
    driver.set(map, [{}], { a: { id: '5' } })
    driver.set(map.assign, [{}], { b: { id: '6' } })
    expect(Object.keys(driver.read(map, [{}]).data as object)).toEqual(['a', 'b'])
  })

  test('CTL-8 a function of a member of a list gets the list', () => {
    driver.open(getTodos, [{}]).answer([one])
    driver.set(todos.push, [{}], (list: Todo[]) => ({ id: `${list.length + 1}` }))
    driver.set(todos.unshift, [{}], (list: Todo[]) => ({ id: `${list.length + 1}` }))
    expect(ids(driver, getTodos, {})).toEqual(['3', '1', '2'])
    driver.set(todos.remove, [{}], (list: Todo[]) => list[1])
    expect(ids(driver, getTodos, {})).toEqual(['3', '2'])
    driver.set(todos.push, [{ group: 'never fetched' }], () => expect.unreachable())
  })

  test('CTL-8 a list follows a record that a function changes', () => {
    driver.open(getTodos, [{ group: 'x' }]).answer([{ ...one, group: 'x' }])
    driver.open(getTodos, [{ group: 'y' }]).answer([])
    driver.set(Todo, [{ id: '1' }], (todo: any) => ({ ...todo, group: 'y' }))
    expect(['x', 'y'].map((group) => ids(driver, getTodos, { group }))).toEqual([[], ['1']])
  })

  test('CTL-8 fields that a function returns unchanged are not written: a read in flight may bring them', () => {
    driver.open(getTodo, [{ id: '1' }]).answer(wholeTodo)
    const read = driver.open(getTodo, [{ id: '1' }])
    driver.set(Todo, [{ id: '1' }], (todo: any) => ({ ...todo, title: 'mine' }))
    read.answer({ ...wholeTodo, title: 'theirs', body: 'theirs' })
    expect(driver.read(Todo, [{ id: '1' }]).data).toMatchObject({ title: 'mine', body: 'theirs' })
  })

  describe('CTL-8 the arguments name the record', () => {
    class Numbered extends Entity {
      id = 0
      label = ''
      static override key = 'Numbered'
    }
    class Seat extends Entity {
      row = ''
      place = 0
      guest = ''
      static override key = 'Seat'
      override pk(): string {
        return `${this.row}/${this.place}`
      }
    }
    class Coded extends Entity {
      id = ''
      title = ''
      static override key = 'Coded'
      static override process({ _id, ...rest }: any): any {
        return { ...rest, id: _id ?? rest.id }
      }
    }

    test('a value without its key changes that record, and lists follow', () => {
      driver.open(getTodos, [{ group: 'x' }]).answer([{ ...one, group: 'x' }])
      driver.open(getTodos, [{ group: 'y' }]).answer([])
      driver.set(Todo, [{ id: '1' }], { group: 'y' })
      expect(driver.read(Todo, [{ id: '1' }]).data).toMatchObject({ id: '1', title: 'a', group: 'y' })
      expect(['x', 'y'].map((group) => ids(driver, getTodos, { group }))).toEqual([[], ['1']])
      driver.set(Todo, ['1'], (todo: any) => ({ title: `${todo.title}!` }))
      driver.set(new Query(Todo), [{ id: '1' }], { done: true })
      expect(driver.read(Todo, ['1']).data).toMatchObject({ id: '1', title: 'a!', done: true })
    })

    test('a record that is new has its key', () => {
      driver.set(Numbered, [{ id: '5' }], { label: 'five' })
      driver.set(Numbered, [6], { label: 'six' })
      expect(driver.getState().entities['Numbered']).toEqual({
        5: { id: 5, label: 'five' },
        6: { id: 6, label: 'six' },
      })
      driver.set(Seat, [{ row: 'A', place: 3 }], { guest: 'Ann' })
      expect(driver.getState().entities['Seat']).toEqual({ 'A/3': { row: 'A', place: 3, guest: 'Ann' } })
    })

    test('fields of the key that are stored stay as they are, also behind a process of its own', () => {
      driver.set(Numbered, [{ id: 5 }], { id: 5, label: 'five' })
      driver.set(Numbered, [{ id: '5' }], { label: 'V' })
      expect(driver.getState().entities['Numbered']).toEqual({ 5: { id: 5, label: 'V' } })
      driver.set(Coded, [{ id: 'c' }], { _id: 'c', title: 'a' })
      driver.set(Coded, [{ id: 'c' }], { title: 'b' })
      expect(driver.getState().entities['Coded']).toEqual({ c: { id: 'c', title: 'b' } })
    })

    test('a value with a key is that record, and nested records are not named', () => {
      driver.set(Numbered, [{ id: 5 }], { id: 6, label: 'six' })
      expect(Object.keys(driver.getState().entities['Numbered']!)).toEqual(['6'])
      expect(() => driver.set(Todo, [{ id: '1' }], { id: '1', author: { name: 'Ann' } })).toThrow(/entity-missing-pk/)
      expect(() => driver.set(todos.push, [{ id: '1' }], { title: 'x' })).toThrow(/entity-missing-pk/)
      expect(() => driver.set(todos, [{ id: '1' }], [{ title: 'x' }])).toThrow(/entity-missing-pk/)
    })
  })

  test('CTL-8 ST-8 a value that cannot be stored throws, and changes nothing', () => {
    driver.open(getTodos, [{}]).answer([one])
    const before = committed(driver)
    expect(() => driver.set(Todo, [{}], { title: 'x' })).toThrow(/entity-missing-pk/)
    expect(() => driver.set(todos.push, [{}], [{ id: '9' }, { title: 'x' }])).toThrow(/entity-missing-pk/)
    expect(() => driver.set(Todo, [{}], 5)).toThrow(/input-wrong-kind/)
    expect(() =>
      driver.set(Todo, [{ id: '1' }], () => {
        throw new Error('mine')
      }),
    ).toThrow('mine')
    expect(committed(driver)).toEqual(before)
  })
})

describe('invalidate, expire, reset', () => {
  test('ST-12 removes the result and marks the key, also one never fetched', () => {
    driver.open(getPlain, []).answer('x')
    driver.invalidateKey(getPlain.key())
    driver.invalidateKey(getUser.key({ id: '5' }))
    const { endpoints, meta } = driver.getState()
    expect(endpoints).toEqual({})
    expect(meta[getPlain.key()]).toEqual({
      fetchedAt: NOW,
      date: NOW,
      expiresAt: 0,
      invalidated: true,
    })
    expect(meta[getUser.key({ id: '5' })]).toEqual({ fetchedAt: NOW, date: NOW, expiresAt: 0, invalidated: true })
    expect(driver.read(getPlain, [])).toEqual({
      data: undefined,
      error: undefined,
      expiryStatus: Invalid,
      expiresAt: 0,
    })
  })

  test('ST-12 clears an error', () => {
    driver.open(getPlain, []).fail(new Error('no'))
    driver.invalidateKey(getPlain.key())
    expect(driver.getState().meta[getPlain.key()]).not.toHaveProperty('error')
    expect(driver.read(getPlain, []).error).toBeUndefined()
  })

  test('ST-12 HK-9 readers of a key without data are notified of each change', async () => {
    driver.open(getPlain, []).fail(new Error('no'))
    const told = vi.fn()
    driver.subscribe(getPlain, [], told)
    driver.invalidateKey(getPlain.key())
    expect(told.mock.calls).toEqual([['freshness']])
    driver.open(getPlain, []).answer('x')
    await tick()
    driver.invalidateAll({ testKey: () => true })
    expect(told.mock.calls.slice(1)).toEqual([['value'], ['value']])
  })

  test('CTL-6 ST-12 invalidateAll reaches keys that hold only an error', () => {
    driver.open(getPlain, [1]).answer('x')
    driver.open(getPlain, [2]).fail(new Error('no'))
    driver.open(getUser, [{ id: '5' }]).answer({ id: '5' })
    driver.invalidateAll({ testKey: (key) => key.startsWith('/plain') })
    expect([1, 2].map((i) => driver.read(getPlain, [i]).expiryStatus)).toEqual([Invalid, Invalid])
    expect(driver.read(getUser, [{ id: '5' }]).expiryStatus).toBe(Valid)
  })

  test('ST-13 expireAll ages what passes; data and errors stay', () => {
    const error = new Error('no')
    driver.open(getPlain, [1]).answer('x')
    driver.open(getPlain, [2]).fail(error)
    driver.open(getUser, [{ id: '5' }]).answer({ id: '5' })
    driver.expireAll({ testKey: (key) => key.startsWith('/plain') })
    expect(driver.read(getPlain, [1])).toMatchObject({ data: 'x', expiryStatus: Valid, expiresAt: 1 })
    expect(driver.read(getPlain, [2])).toMatchObject({ error, expiryStatus: InvalidIfStale, expiresAt: 1 })
    expect(driver.read(getUser, [{ id: '5' }]).expiresAt).toBe(NOW + 60_000)
  })

  test('ST-15 reset leaves the empty state, with its time', () => {
    driver.open(getTodos, [{}]).answer([{ ...one, author: { id: '5' } }])
    driver.open(getPlain, [1]).fail(new Error('no'))
    driver.invalidateKey(getPlain.key(2))
    driver.open(deleteTodo, [{ id: '7' }]).answer('7')
    driver.open(optimistic.create, [{}, { title: 'x' }])
    clock.time += 7
    driver.reset()
    expect(driver.getState()).toEqual({ ...initialState, lastReset: NOW + 7 })
    expect(driver.read(getTodos, [{}])).toMatchObject({ data: undefined, expiryStatus: InvalidIfStale, expiresAt: 1 })
    expect(driver.read(allTodos, []).data).toBeUndefined()
    driver.set(todos.push, [{}], one)
    expect(driver.read(getTodos, [{}]).data).toBeUndefined()
  })

  test('ST-15 ENT-33 reset empties the indexes, and notifies the readers of them', async () => {
    class Named extends Entity {
      id = ''
      name = ''
      static override key = 'Named'
      static override indexes = ['name']
    }
    driver.set(Named, [{}], { id: '1', name: 'bob' })
    const told = vi.fn()
    driver.subscribe(Named, [{ name: 'bob' }], told)
    driver.reset()
    expect(driver.read(Named, [{ name: 'bob' }]).data).toBeUndefined()
    await tick()
    driver.set(Named, [{}], { id: '1', name: 'rob' })
    expect(driver.read(Named, [{ name: 'bob' }]).data).toBeUndefined()
    expect(driver.getState().indexes).toEqual({ Named: { name: { rob: '1' } } })
    driver.set(Named, [{}], { id: '2', name: 'bob' })
    expect(driver.read(Named, [{ name: 'bob' }]).data.id).toBe('2')
    expect(told.mock.calls).toEqual([['value'], ['value']])
  })

  test('ST-10 OPT-13 what was sent before a reset stores nothing, errors included, whatever the clock says', () => {
    clock.time += 1000
    const requests = [
      driver.open(getTodo, [{ id: '1' }]),
      driver.open(getTodos, [{}]),
      driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }]),
      driver.open(optimistic.create, [{}, { title: 'x' }]),
    ]
    const failing = driver.open(getPlain, [])
    const bad = driver.open(getUser, [{ id: '1' }])
    clock.time -= 500
    driver.reset()
    const after = driver.getState()
    expect(after.optimistic).toEqual([])
    requests[0]!.answer(one)
    requests[1]!.answer([one])
    requests[2]!.answer(one)
    requests[3]!.answer(one)
    failing.fail(new Error('no'))
    bad.answer({ name: 'no pk' })
    expect(driver.getState()).toBe(after)
    // The outcome of a mutation is its response.
    expect(requests[2]!.outcome()).toEqual(one)
    expect(driver.store.pending).toEqual([])
  })

  test('ST-10 a request sent after the reset is stored', () => {
    const old = driver.open(getTodo, [{ id: '1' }])
    driver.reset()
    driver.open(getTodo, [{ id: '1' }]).answer(one)
    old.answer({ id: '1', title: 'old' })
    expect(driver.read(getTodo, [{ id: '1' }]).data.title).toBe('a')
  })
})

describe('resolve', () => {
  const deliver = (target: any, more: object): void =>
    resolve(driver, target, { args: [{ id: '1' }], response: one, fetchedAt: NOW, ...more })

  test('ST-16 CTL-11 settles the open request of that key and time, and clears its operation', () => {
    driver.set(Todo, [{ id: '1' }], one)
    const request = driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
    resolve(driver, optimistic.put, {
      args: [{ id: '1' }, { title: 'x' }],
      response: { ...one, title: 'done' },
      fetchedAt: request.action.meta.fetchedAt,
    })
    expect(driver.getState().optimistic).toEqual([])
    expect(driver.read(Todo, [{ id: '1' }]).data.title).toBe('done')
    request.fail(new Error('late'))
    expect(driver.getState().meta[optimistic.put.key({ id: '1' }, { title: 'x' })]).not.toHaveProperty('error')
  })

  test('ST-16 two requests of one key in one millisecond are settled one by one', () => {
    driver.set(Todo, [{ id: '1' }], one)
    driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
    driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
    for (const left of [1, 0]) {
      resolve(driver, optimistic.put, { args: [{ id: '1' }, { title: 'x' }], response: one, fetchedAt: NOW })
      expect(driver.getState().optimistic).toHaveLength(left)
    }
  })

  test('ST-16 of two open requests that began in one millisecond, the one with the id given', () => {
    const [first, second] = [1, 2].map(() => driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }]))
    const { requestId } = second!.action.meta
    resolve(driver, optimistic.put, { args: [{ id: '1' }, { title: 'x' }], response: one, fetchedAt: NOW, requestId })
    expect([...driver.requests.open.values()]).toEqual([first])
  })

  test.each([
    ['a read', getTodo],
    ['a mutation', putTodo],
  ])('NET-6 a late response to %s that failed is stored', (_name, target) => {
    const request = driver.open(target, [{ id: '1' }])
    request.fail(new Error('lost'))
    deliver(target, {})
    expect(driver.read(Todo, [{ id: '1' }]).data?.title).toBe('a')
  })

  test('ORD-3 RES-15 a manager that passes the response of a mutation on twice: the second one is not stored, and the record is in doubt', () => {
    const request = driver.open(putTodo, [{ id: '1' }])
    const { key, args, endpoint: by, meta } = request.action
    const respond = (title: string): void =>
      void driver.apply({
        type: SET_RESPONSE,
        key,
        args,
        endpoint: by,
        response: { ...one, title },
        meta: { ...meta, date: NOW, expiresAt: NOW + 60_000 },
      } as never)
    respond('first')
    expect(driver.read(Todo, [{ id: '1' }])).toMatchObject({ data: { title: 'first' }, expiresAt: NOW + 60_000 })
    respond('second')
    expect(driver.read(Todo, [{ id: '1' }])).toMatchObject({ data: { title: 'first' }, expiresAt: 1 })
  })

  test('ST-16 the request with the id given, and none if it is not open', () => {
    const [first, second] = [1, 2].map(() => driver.open(getTodo, [{ id: '1' }]))
    const find = (requestId: string): unknown =>
      driver.requests.find(getTodo, { args: [{ id: '1' }], fetchedAt: NOW, requestId })
    expect([find(first!.id), find(second!.id)]).toEqual([first, second])
    second!.answer(one)
    expect(find(second!.id)).toBeUndefined()
  })

  test.each([
    ['another time', getTodo, { fetchedAt: NOW + 1 }],
    ['other arguments', getTodo, { args: [{ id: '2' }] }],
    ['another endpoint', getUser, {}],
  ])('ST-16 a response of %s leaves an open request open', (_name, target, more) => {
    const request = driver.open(getTodo, [{ id: '1' }])
    expect(driver.requests.find(target, { args: [{ id: '1' }], fetchedAt: NOW, ...more })).toBeUndefined()
    expect([...driver.requests.open.values()]).toEqual([request])
  })

  test('CTL-11 ERR-6 readers are notified of a response that is refused', async () => {
    const told = vi.fn()
    driver.subscribe(getUser, [{ id: '1' }], told)
    expect(() => driver.resolve(getUser, { args: [{ id: '1' }], response: 'text', fetchedAt: NOW })).toThrow()
    await tick()
    expect(told.mock.calls).toEqual([['freshness']])
    expect(driver.read(getUser, [{ id: '1' }]).error).toMatchObject({ refused: true })
  })

  test('ST-16 of an unknown request is a value that is set now, whenever that began', () => {
    driver.set(Todo, [{ id: '1' }], { id: '1', title: 'a', body: 'b' })
    const read = driver.open(getTodo, [{ id: '1' }])
    clock.time = NOW + 10
    deliver(getTodo, { response: { id: '1', title: 'from a socket' }, fetchedAt: NOW + 5 })
    read.answer({ id: '1', title: 'sent before', body: 'sent before' })
    expect(driver.read(Todo, [{ id: '1' }]).data).toMatchObject({ title: 'from a socket', body: 'sent before' })
  })

  test('ST-16 ST-10 what was begun before a reset is not stored', () => {
    clock.time = NOW + 10
    driver.reset()
    const empty = driver.getState()
    deliver(getTodo, {})
    deliver(getTodo, { error: true, response: new Error('no') })
    expect(driver.getState()).toBe(empty)
    deliver(getTodo, { fetchedAt: NOW + 10 })
    expect(driver.read(getTodo, [{ id: '1' }]).data.title).toBe('a')
  })

  test('ST-10 a response to a request that was sent in the millisecond of a reset is not stored', () => {
    const { action } = driver.open(getTodo, [{ id: '1' }])
    driver.reset()
    const empty = driver.getState()
    driver.respond(callOf(getTodo, [{ id: '1' }]), one, false, action.meta)
    expect(driver.getState()).toBe(empty)
  })

  test('ST-16 an error is noted, and fails an open request', () => {
    const error = new Error('no')
    deliver(getTodo, { error: true, response: error })
    expect(driver.read(getTodo, [{ id: '1' }]).error).toBe(error)
    driver.set(Todo, [{ id: '1' }], one)
    driver.open(optimistic.put, [{ id: '1' }])
    deliver(optimistic.put, { error: true, response: error })
    expect(driver.getState().optimistic).toEqual([])
    expect(driver.read(optimistic.put, [{ id: '1' }]).error).toBe(error)
  })

  test('ST-16 sent and at are in the metas given to hooks', () => {
    const metas: any[] = []
    class Watched extends Entity {
      id = ''
      static override key = 'Watched'
      static override shouldReorder(existing: any, incoming: any): boolean {
        metas.push([existing, incoming])
        return false
      }
    }
    const get = endpoint('/watched', Watched)
    const put = endpoint('PUT /watched', Watched, { sideEffect: true })
    const read = driver.open(get, [])
    const write = driver.open(put, [])
    write.answer({ id: '1' })
    read.answer({ id: '1' })
    expect(metas[0]).toMatchObject([
      { sent: write.action.meta.sent, at: 3, kind: 'mutation', fetchedAt: NOW, date: NOW, expiresAt: NOW + 60_000 },
      { sent: read.action.meta.sent, at: 5, kind: 'read', fetchedAt: NOW, date: NOW, expiresAt: NOW + 60_000 },
    ])
  })
})

describe('readings', () => {
  test.each([
    ['an Entity', User, { data: undefined, error: undefined, expiryStatus: InvalidIfStale, expiresAt: 1 }],
    ['an array', [User], { data: undefined, error: undefined, expiryStatus: InvalidIfStale, expiresAt: 1 }],
    ['a Collection', todos, { data: undefined, error: undefined, expiryStatus: InvalidIfStale, expiresAt: 1 }],
    ['no schema', undefined, { data: undefined, error: undefined, expiryStatus: Invalid, expiresAt: 0 }],
    ['null', null, { data: undefined, error: undefined, expiryStatus: Invalid, expiresAt: 0 }],
    [
      'an object',
      { list: todos, total: 0 },
      {
        data: { list: undefined, total: 0 },
        error: undefined,
        expiryStatus: InvalidIfStale,
        expiresAt: 1,
        isPartial: true,
      },
    ],
  ])('CTL-16 EXP-6 %s in the empty store', (_name, schema, reading) =>
    expect(driver.read(endpoint('/x', schema), [{ id: '1' }])).toEqual(reading),
  )

  test.each([
    ['no schema', undefined, undefined],
    ['an Entity', User, undefined],
    ['an array', [User], undefined],
    ['an object', { list: [User], user: User, total: 0, in: { name: '' } }, { total: 0, in: { name: '' } }],
  ])('CTL-16 OBJ-5 null instead of arguments: %s', (_name, schema, data) => {
    driver.set(User, [{}], { id: '5' })
    const reading = driver.read(endpoint('/x', schema), [null])
    expect(reading).toEqual({ data, error: undefined, expiryStatus: Valid, expiresAt: Infinity })
    expect(driver.read(User, [null])).toEqual({ ...reading, data: undefined })
    const told = vi.fn()
    driver.subscribe(endpoint('/x', schema), [null], told)()
    expect(told).not.toHaveBeenCalled()
  })

  test('CTL-16 null without a schema is data; an error without data is InvalidIfStale until it expires', () => {
    driver.setResponse(getPlain, [], null)
    expect(driver.read(getPlain, [])).toMatchObject({ data: null, expiryStatus: Valid })
    const error = new Error('no')
    driver.setError(getUser, [{ id: '1' }], error)
    expect(driver.read(getUser, [{ id: '1' }])).toEqual({
      data: undefined,
      error,
      expiryStatus: InvalidIfStale,
      expiresAt: NOW + 1000,
    })
  })

  test('EXP-3 EXP-4 a stored response has its own age, whatever its records have', () => {
    const slow = endpoint('/slow', [User], { dataExpiryLength: 1000 })
    driver.open(slow, []).answer([{ id: '1' }])
    clock.time += 500
    driver.set(User, [{}], { id: '1', name: 'x' })
    expect(driver.read(slow, []).expiresAt).toBe(NOW + 1000)
    expect(driver.store.clock.now()).toBe(NOW + 500)
  })

  test('EXP-5 an inferred one has the earliest age of the records read', () => {
    driver.set(Todo, [{}], wholeTodo)
    expect(driver.read(getTodo, [{ id: '1' }]).expiresAt).toBe(NOW + 60_000)
    clock.time += 10
    driver.set(Todo, [{}], { id: '1', title: 'x' })
    expect(driver.read(getTodo, [{ id: '1' }]).expiresAt).toBe(NOW + 60_010)
    const short = endpoint('/u', User, { dataExpiryLength: 5 })
    driver.open(short, []).answer({ id: '5', name: 'Ann' })
    expect(driver.read(getTodo, [{ id: '1' }])).toMatchObject({ expiryStatus: Valid, expiresAt: NOW + 15 })
    expect(driver.read(endpoint('/n', { total: 5 }), [])).toMatchObject({ data: { total: 5 }, expiresAt: 1 })
    expect(driver.read({ total: 5 }, [])).toMatchObject({ data: { total: 5 }, expiresAt: Infinity })
  })

  test('EXP-5 a record that was deleted is not read', () => {
    const short = endpoint('DELETE', new Invalidate(Todo), { sideEffect: true, dataExpiryLength: 5 })
    driver.set(todos, [{}], [one, { id: '2' }])
    driver.open(short, [{ id: '2' }]).answer('2')
    expect(ids(driver, todos, {})).toEqual(['1'])
    expect(driver.read(todos, [{}]).expiresAt).toBe(NOW + 60_000)
  })

  test('EXP-6 invalidIfStale, for stored and inferred data', () => {
    const strict = endpoint('/strict/:id', User, { invalidIfStale: true })
    driver.set(User, [{}], { id: '1', name: 'Ann' })
    expect(driver.read(strict, [{ id: '1' }])).toMatchObject({ expiryStatus: InvalidIfStale, expiresAt: NOW + 60_000 })
    driver.open(strict, [{ id: '1' }]).answer({ id: '1' })
    expect(driver.read(strict, [{ id: '1' }])).toMatchObject({ expiryStatus: InvalidIfStale, expiresAt: NOW + 60_000 })
  })

  test('EXP-6 EXP-7 of invalidIfStale data a part is shown until it expires', () => {
    const strict = endpoint('/strict/:id', Todo, { invalidIfStale: true })
    driver.set(Todo, [{}], { id: '1', title: 'a' })
    const read = (): unknown => driver.read(strict, [{ id: '1' }])
    expect(read()).toMatchObject({ isPartial: true, expiryStatus: InvalidIfStale })
    clock.time += 60_001
    expect(read()).toMatchObject({ isPartial: true, expiryStatus: Invalid })
  })

  test('ST-12 a mutation in flight does not bring back its result, which was invalidated', () => {
    const request = driver.open(putTodo, [{ id: '1' }])
    driver.invalidateKey(putTodo.key({ id: '1' }))
    request.answer(one)
    expect(driver.getState().meta[putTodo.key({ id: '1' })]).toMatchObject({ invalidated: true })
    expect(driver.read(Todo, [{ id: '1' }]).data.title).toBe('a')
  })

  test('EXP-6 data that was deleted is Invalid', () => {
    driver.open(getTodo, [{ id: '1' }]).answer(one)
    driver.open(deleteTodo, [{ id: '1' }]).answer('1')
    expect(driver.read(getTodo, [{ id: '1' }])).toMatchObject({ data: undefined, expiryStatus: Invalid })
    expect(driver.getState().entities['Todo']!['1']).toBe(INVALID)
  })
})

describe('errors', () => {
  test('ERR-1 a failed request keeps data, and says until when the error stands', () => {
    const policy = vi.fn(() => 'soft')
    const get = endpoint('/x', User, { errorPolicy: policy, errorExpiryLength: 50 })
    driver.open(get, [{ id: '1' }]).answer({ id: '1' })
    const { entities, endpoints } = driver.getState()
    const error = Object.assign(new Error('no'), { status: 503 })
    const request = driver.open(get, [{ id: '1' }])
    clock.time += 5
    request.fail(error)
    const state = driver.getState()
    expect(state.entities['User']).toBe(entities['User'])
    expect(state.endpoints).toEqual(endpoints)
    expect(state.meta[get.key({ id: '1' })]).toEqual({
      fetchedAt: NOW,
      date: NOW + 5,
      expiresAt: NOW + 55,
      error,
      errorPolicy: 'soft',
    })
    expect(policy).toHaveBeenCalledWith(error)
  })

  test('ERR-1 ST-9 an error older than what stands there is not noted', () => {
    const first = driver.open(getPlain, [])
    const second = driver.open(getPlain, [])
    second.answer('x')
    first.fail(new Error('late'))
    expect(driver.read(getPlain, [])).toMatchObject({ data: 'x', error: undefined, expiryStatus: Valid })
    const third = driver.open(getPlain, [])
    driver.open(getPlain, []).fail(new Error('newer'))
    third.answer('older')
    expect(driver.read(getPlain, [])).toMatchObject({ data: 'x', error: { message: 'newer' } })
  })

  test('ERR-1 ST-9 of two mutations of one key the one sent later decides, also when it fails last', () => {
    const a = driver.open(putTodo, [{ id: '1' }])
    const b = driver.open(putTodo, [{ id: '1' }])
    a.answer(one)
    b.fail(new Error('b'))
    expect(driver.read(putTodo, [{ id: '1' }]).error).toMatchObject({ message: 'b' })
    const c = driver.open(putTodo, [{ id: '1' }])
    driver.open(putTodo, [{ id: '1' }]).answer(one)
    c.fail(new Error('c'))
    expect(driver.read(putTodo, [{ id: '1' }]).error).toBeUndefined()
  })

  test.each([
    ['soft', 'stored data', 'soft', undefined, undefined],
    ['soft', 'inferred data', 'soft', { id: '1', name: 'Ann' }, undefined],
    ['soft', 'a part of the data', 'soft', { id: '1' }, 'no'],
    ['hard', 'stored data', 'hard', undefined, 'no'],
    ['none', 'stored data', undefined, undefined, 'no'],
  ])('ERR-2 %s with %s', (_policy, _data, policy, inferred, shown) => {
    const get = endpoint('/x', User, { errorPolicy: () => policy })
    if (inferred) {
      driver.set(User, [{}], inferred)
    } else {
      driver.open(get, [{ id: '1' }]).answer({ id: '1' })
    }
    driver.open(get, [{ id: '1' }]).fail(new Error('no'))
    expect(driver.read(get, [{ id: '1' }]).error?.message).toBe(shown)
    expect(driver.read(get, [{ id: '1' }]).data).toMatchObject({ id: '1' })
  })

  test('ERR-2 a soft error without data is shown', () => {
    const get = endpoint('/x', User, { errorPolicy: () => 'soft' })
    driver.open(get, [{ id: '1' }]).fail(new Error('no'))
    expect(driver.read(get, [{ id: '1' }])).toMatchObject({ error: { message: 'no' }, expiryStatus: InvalidIfStale })
  })

  test.each([['text'], [404], [undefined], [null], [Symbol('s')]])('ERR-8 %s thrown is wrapped', (thrown) => {
    const policy = vi.fn()
    driver.open(endpoint('/x', undefined, { errorPolicy: policy }), []).fail(thrown)
    const { error } = driver.read(endpoint('/x', undefined), [])
    expect(error).toBeInstanceOf(Error)
    expect(error.message).toBe(String(thrown))
    expect(error.cause).toBe(thrown)
    expect(policy).toHaveBeenCalledWith(error)
  })

  test('ERR-8 an object that is no Error stays what it is', () => {
    const thrown = { status: 404 }
    driver.open(getPlain, []).fail(thrown)
    expect(driver.read(getPlain, []).error).toBe(thrown)
  })

  test('ERR-9 another record than the requested one: one warning per endpoint, and it is stored under its own pk', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const get = endpoint('/alias/:id', User)
    driver.open(get, [{ id: 'me' }]).answer({ id: '1', name: 'Ann' })
    driver.open(get, [{ id: 'you' }]).answer({ id: '2', name: 'Bob' })
    driver.open(get, ['they']).answer({ id: '3' })
    expect(warn).toHaveBeenCalledOnce()
    expect(warn.mock.calls[0]![0]).toContain(
      'The response of "/alias/:id [{"id":"me"}]" is the record "1" of "User", not "me"',
    )
    expect(driver.read(get, [{ id: 'me' }]).data.name).toBe('Ann')
    driver.open(endpoint('/other/:id', User), [{ id: 'me' }]).answer({ id: '1' })
    expect(warn).toHaveBeenCalledTimes(2)
  })

  test('ERR-9 strict: true refuses it, and nothing changes', () => {
    const get = endpoint('/strict/:id', User, {
      strict: true,
      errorPolicy: (error: any) => (error.refused ? 'soft' : undefined),
    })
    driver.open(get, [{ id: '1' }]).answer({ id: 1, name: 'Ann' })
    const before = committed(driver) as any
    const request = driver.open(get, [{ id: '1' }])
    expect(() => request.answer({ id: '2', name: 'Bob' })).toThrow(
      expect.objectContaining({ code: 'answer-other-record', status: 400, refused: true }),
    )
    const after = committed(driver) as any
    expect({ ...after, meta: 0 }).toEqual({ ...before, meta: 0 })
    expect(driver.read(get, [{ id: '1' }])).toMatchObject({ data: { name: 'Ann' }, error: undefined })
    driver.open(get, [1]).answer({ id: '1' })
    driver.open(get, [{ name: 'no pk' }]).answer({ id: '9' })
  })

  const ALL = [undefined, true, false]
  test.each(ALL.flatMap((strict) => [0, 1, 2].map((bodies) => [strict, bodies] as const)))(
    'ERR-9 strict: %s, of a read (0) or of a mutation with %d arguments',
    (strict, count) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
      const get = endpoint(`/any${count}${strict}/:id`, User, { strict, ...(count > 0 && { sideEffect: true }) })
      const args = [{ id: '1' }, { name: 'Bob' }].slice(0, count || 1)
      const isRefused = strict === true && count !== 1
      const respond = (): void => driver.open(get, args).answer({ id: '2', name: 'Bob' })
      if (isRefused) {
        expect(respond).toThrow(expect.objectContaining({ code: 'answer-other-record' }))
      } else {
        respond()
      }
      expect(driver.read(User, [{ id: '2' }]).data?.name).toBe(isRefused ? undefined : 'Bob')
      expect(warn).toHaveBeenCalledTimes(strict === undefined && count === 0 ? 1 : 0)
    },
  )

  test('ERR-9 strict: false, mutations and arguments that name no pk are silent', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    class Composite extends Entity {
      owner = { name: '' }
      static override key = 'Composite'
      override pk(): string {
        return this.owner.name
      }
    }
    driver.open(endpoint('/quiet/:id', User, { strict: false }), [{ id: 'me' }]).answer({ id: '1' })
    driver.open(endpoint('POST', User, { sideEffect: true, strict: true }), [{ id: 'me' }]).answer({ id: '1' })
    driver.open(endpoint('/c', Composite, { strict: true }), [{ id: '1' }]).answer({ owner: { name: 'x' } })
    driver.open(endpoint('/n', User, { strict: true }), []).answer({ id: '1' })
    expect(warn).not.toHaveBeenCalled()
  })

  test.each([
    ['dataExpiryLength', 'open'],
    ['errorExpiryLength', 'open'],
    ['dataExpiryLength', 'setResponse'],
    ['errorExpiryLength', 'setError'],
  ] as const)('EP-14 a negative %s: %s throws expiry-negative before anything is sent or stored', (name, call) => {
    const state = driver.getState()
    const key = vi.fn(() => 'x')
    const get = endpoint('/x', undefined, { [name]: -1, key })
    expect(() => driver[call](get, [], 'x' as never)).toThrow(expect.objectContaining({ code: 'expiry-negative' }))
    expect(() => driver.resolve(get, { args: [], response: 1, fetchedAt: NOW })).toThrow(/expiry-negative/)
    expect(driver.getState()).toBe(state)
    expect(driver.store.reached).toBe(0)
  })
})

describe('telling', () => {
  test('ST-19 1,000 writes in one task call each reader at most twice', async () => {
    driver.open(getTodos, [{}]).answer([one, { id: '2' }])
    await tick()
    const told = [vi.fn(), vi.fn(), vi.fn()]
    driver.subscribe(getTodos, [{}], told[0]!)
    driver.subscribe(Todo, [{ id: '1' }], told[1]!)
    driver.subscribe(Todo, [{ id: '2' }], told[2]!)
    for (let i = 0; i < 1000; i++) {
      driver.set(Todo, [{ id: '1' }], { id: '1', title: `${i}` })
    }
    await tick()
    expect(told.map((listener) => listener.mock.calls)).toEqual([[['value'], ['value']], [['value'], ['value']], []])
    expect(clock.pending).toBe(0)
  })

  test('ST-19 every own write notifies before it returns, every response in a microtask', async () => {
    const told = vi.fn()
    const calls = (): number => told.mock.calls.splice(0).length
    driver.subscribe(getTodos, [{}], told)
    driver.subscribe(getTodo, [{ id: '1' }], told)
    const own: (() => void)[] = [
      () => driver.setResponse(getTodos, [{}], [one]),
      () => driver.set(Todo, [{ id: '1' }], { id: '1', title: 'b' }),
      () => driver.open(optimistic.put, [{ id: '1' }, { title: 'c' }]),
      () => driver.setError(getTodos, [{}], new Error('no')),
      () => driver.expireAll({ testKey: () => true }),
      () => driver.invalidateKey(getTodos.key({})),
      () => driver.invalidateAll({ testKey: () => true }),
      () => driver.reset(),
    ]
    for (const write of own) {
      write()
      expect(calls(), String(write)).toBeGreaterThan(0)
      await tick()
      expect(calls()).toBe(0)
    }
    driver.open(getTodos, [{}]).answer([one])
    expect(calls()).toBe(0)
    await tick()
    expect(calls()).toBe(2)
    const put = driver.open(optimistic.put, [{ id: '1' }, { title: 'c' }])
    expect(calls()).toBe(2)
    await tick()
    put.fail(new Error('no'))
    expect(calls()).toBe(0)
    await tick()
    expect(calls()).toBe(2)
  })

  test('ST-19 HK-9 an identical response, or a later expiry, calls no listener', async () => {
    driver.set(Todo, [{}], wholeTodo)
    driver.open(getTodos, [{}]).answer([{ ...one, tags: ['x'], author: { id: '5' } }])
    await tick()
    const told = vi.fn()
    for (const target of [getTodos, todos, allTodos]) {
      driver.subscribe(target, [{}], told)
    }
    driver.subscribe(getTodo, [{ id: '1' }], told)
    clock.time += 1000
    driver.open(getTodos, [{}]).answer([{ ...one, tags: ['x'], author: { id: '5' } }])
    driver.open(getTodo, [{ id: '1' }]).answer({ ...one })
    driver.set(Todo, [{}], { id: '1', tags: ['x'] })
    await tick()
    expect(told).not.toHaveBeenCalled()
  })

  test('ST-19 HK-9 listeners learn whether the value or the freshness changed', async () => {
    driver.open(getTodos, [{}]).answer([one])
    await tick()
    const told: string[] = []
    driver.subscribe(getTodos, [{}], (what) => told.push(what))
    const { data } = driver.read(getTodos, [{}])
    const step = async (write: () => void): Promise<string[]> => {
      write()
      await tick()
      return told.splice(0)
    }
    expect(await step(() => driver.expireAll({ testKey: () => true }))).toEqual(['freshness'])
    expect(await step(() => driver.open(getTodos, [{}]).answer([one]))).toEqual([])
    expect(await step(() => driver.expireAll({ testKey: () => true }))).toEqual(['freshness'])
    expect(await step(() => driver.open(getTodos, [{}]).fail(new Error('no')))).toEqual(['freshness'])
    expect(await step(() => driver.open(getTodos, [{}]).answer([one]))).toEqual(['freshness'])
    // The list can still be found by its arguments, so only the mark is new.
    expect(await step(() => driver.invalidateKey(getTodos.key({})))).toEqual(['freshness'])
    expect(driver.read(getTodos, [{}])).toMatchObject({ data, expiryStatus: Invalid })
    expect(await step(() => driver.open(getTodos, [{}]).answer([one]))).toEqual(['freshness'])
    expect(await step(() => driver.set(Todo, [{}], { id: '1', title: 'b' }))).toEqual(['value'])
    expect(await step(() => driver.reset())).toEqual(['value'])
  })

  test('ST-20 a listener that throws stops no other; each error is reported', () => {
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const told = vi.fn()
    const oops = (name: string) => () => {
      throw new Error(name)
    }
    driver.subscribe(Todo, [{ id: '1' }], oops('a'))
    driver.subscribe(Todo, [{ id: '1' }], oops('b'))
    driver.subscribe(Todo, [{ id: '1' }], told)
    driver.subscribe(todos, [{}], oops('c'))
    driver.subscribe(Todo, [{ id: '2' }], told)
    driver.setResponse(getTodos, [{}], [one, { id: '2' }])
    expect(told).toHaveBeenCalledTimes(2)
    expect(reported.mock.calls.map(([error]) => (error as Error).message)).toEqual(
      expect.arrayContaining(['a', 'b', 'c']),
    )
    expect(reported).toHaveBeenCalledTimes(3)
    vi.unstubAllGlobals()
  })

  test('ST-20 one that writes for ever is an error after 100 rounds, and the others are called', () => {
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    let count = 0
    driver.subscribe(Todo, [{ id: '1' }], () => driver.set(Todo, [{}], { id: '1', title: `${++count}` }))
    const told = vi.fn()
    driver.subscribe(Todo, [{ id: '1' }], told)
    driver.set(Todo, [{}], one)
    expect(count).toBe(100)
    expect(told).toHaveBeenCalledTimes(100)
    expect(reported).toHaveBeenCalledOnce()
    expect(reported.mock.calls[0]![0]).toMatchObject({ code: 'notify-loop' })
    clock.runNext()
    expect(count).toBe(200)
    vi.unstubAllGlobals()
  })

  test('ST-20 a listener may end itself, others, and subscribe again', () => {
    const told: string[] = []
    const once = (): void => {
      told.push('a')
      end()
      end = driver.subscribe(Todo, [{ id: '1' }], once)
      endOther()
    }
    let end = driver.subscribe(Todo, [{ id: '1' }], once)
    const endOther = driver.subscribe(Todo, [{ id: '1' }], () => told.push('b'))
    driver.set(Todo, [{}], one)
    expect(told).toEqual(['a'])
    end()
    end()
    driver.set(Todo, [{}], { id: '1', title: 'b' })
    expect(told).toEqual(['a'])
  })

  test('ST-20 listeners run after all rows are written', async () => {
    driver.setResponse(getTodos, [{}], [one, { id: '2', title: 'a' }])
    const seen: string[] = []
    driver.subscribe(Todo, [{ id: '1' }], () => seen.push(driver.read(Todo, [{ id: '2' }]).data.title))
    await tick()
    const both = ['1', '2'].map((id) => ({ id, title: 'b' }))
    driver.set([Todo], [], both)
    expect(seen).toEqual(['b'])
  })
})

describe('outcome', () => {
  test('CTL-2 of a read is what readers see, also when it was superseded', () => {
    const old = driver.open(getTodo, [{ id: '1' }])
    const fresh = driver.open(getTodo, [{ id: '1' }])
    fresh.answer(one)
    old.answer({ id: '1', title: 'old' })
    expect(old.outcome()).toBe(driver.read(getTodo, [{ id: '1' }]).data)
    expect(fresh.outcome()).toBe(old.outcome())
  })

  test('CTL-2 F1 of a mutation is its own, whichever shares its key', () => {
    driver.open(getTodos, [{}]).answer([])
    const a = driver.open(optimistic.create, [{}, { title: 'a' }])
    const b = driver.open(optimistic.create, [{}, { title: 'a' }])
    const c = driver.open(optimistic.create, [{}, { title: 'a' }])
    b.answer({ id: '2', title: 'b' })
    expect(b.outcome()).toBe(driver.read(Todo, [{ id: '2' }]).data)
    a.answer({ id: '1', title: 'a' })
    expect(a.outcome()).toBe(driver.read(Todo, [{ id: '1' }]).data)
    c.fail(new Error('no'))
    expect(ids(driver, getTodos, {})).toEqual(['2', '1'])
  })

  test('CTL-2 4.7 of a read whose key was invalidated since is its own response', () => {
    const read = driver.open(getTodo, [{ id: '1' }])
    driver.invalidateKey(getTodo.key({ id: '1' }))
    read.answer(one)
    expect(read.outcome()).toBe(driver.read(Todo, [{ id: '1' }]).data)
    expect(driver.read(getTodo, [{ id: '1' }]).expiryStatus).toBe(Invalid)
    driver.open(moveTodo, [{ id: '1' }, { group: 'x' }]).drop()
  })
})

test('EXP-1 a set that a manager has held back is fresh as of its commit', () => {
  const late = createDriver(clock)
  const meta = { fetchedAt: NOW - 120_000, date: NOW - 120_000, expiresAt: NOW - 60_000 }
  late.apply({ type: SET, schema: Todo, args: [{ id: '1' }], value: one, meta } as never)
  expect(late.read(Todo, [{ id: '1' }]).expiresAt).toBe(clock.time + 60_000)
})
