import { describe, expect, test } from 'vitest'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Values } from '../kinds/Values.ts'
import { endpoint } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'

class Todo extends Entity {
  id = ''
  title = ''
  owner = User.fromJS()
  static override key = 'Todo'
  static override schema = { owner: User }
}
const todos = new Collection([Todo])
const optimistic = { sideEffect: true, getOptimisticResponse: (_: unknown, body: unknown) => body }
const patchUser = endpoint('user', User, optimistic)
const patchTodo = endpoint('todo', Todo, optimistic)
const failure = new Error('refused')

const rows = [
  { id: '1', title: 'a', owner: { id: '5', name: 'Ann' } },
  { id: '2', title: 'b', owner: { id: '6', name: 'Bob' } },
]
const targets: [string, any, unknown][] = [
  ['a Collection', endpoint('list', todos), rows],
  ['an array', endpoint('array', [Todo]), rows],
  ['an object', endpoint('object', { list: [Todo], total: 0 }), { list: rows, total: 2 }],
  ['a map', endpoint('map', new Values(Todo)), { x: rows[0], y: rows[1] }],
  ['a map Collection', endpoint('maps', new Collection(new Values(Todo), { name: 'm' })), { x: rows[0], y: rows[1] }],
  ['a record', endpoint('one', Todo), rows[0]],
]

function filled(): Driver {
  const driver = createDriver()
  driver.open(targets[0]![1], [{}]).answer(rows)
  return driver
}

describe.each(targets)('%s', (_, target, answer) => {
  test.each([
    ['of a record inside', patchTodo, { id: '1', title: 'pending' }],
    ['of what a record inside contains', patchUser, { id: '5', name: 'pending' }],
  ])('OPT-4 shows equal data again after the rollback %s', (_what, mutation, body) => {
    const driver = filled()
    driver.open(target, [{}]).answer(answer)
    const before = driver.read(target, [{}]).data
    const request = driver.open(mutation, [body])
    const pending = driver.read(target, [{}]).data
    expect(pending).not.toBe(before)
    request.fail(failure)
    expect(driver.read(target, [{}]).data).toEqual(before)
  })

  test('OPT-4 DEN-3 shows what else changed in the meantime', () => {
    const driver = filled()
    driver.open(target, [{}]).answer(answer)
    const before = driver.read(target, [{}]).data
    const request = driver.open(patchTodo, [{ id: '1', title: 'pending' }])
    driver.read(target, [{}])
    driver.set(User, [{ id: '5' }], { id: '5', name: 'Eve' })
    driver.read(target, [{}])
    request.fail(failure)
    const after = driver.read(target, [{}]).data
    expect(after).not.toBe(before)
    expect(JSON.stringify(after)).toBe(JSON.stringify(before).replace('Ann', 'Eve'))
  })

  test('OPT-5 shows equal data again when two operations are rolled back, in either order', () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const driver = filled()
      driver.open(target, [{}]).answer(answer)
      const before = driver.read(target, [{}]).data
      const requests = [patchTodo, patchUser].map((mutation, i) => {
        const request = driver.open(mutation, [i === 0 ? { id: '1', title: 'x' } : { id: '5', name: 'y' }])
        driver.read(target, [{}])
        return request
      })
      for (const i of order) {
        requests[i]!.fail(failure)
        driver.read(target, [{}])
      }
      expect(driver.read(target, [{}]).data).toEqual(before)
    }
  })
})

test('DEN-3 a list that met a record which cannot be made shows again once that is mended', () => {
  class Bad extends Entity {
    id = ''
    at: unknown = undefined
    static override key = 'Bad'
    static override schema = { at: (raw: string) => BigInt(raw) }
  }
  const list = endpoint('bad', new Collection([Bad]))
  const driver = createDriver()
  driver.open(list, []).answer([
    { id: '1', at: '1' },
    { id: '2', at: '2' },
  ])
  driver.read(list, [])
  driver.set(Bad, [{ id: '1' }], { id: '1', at: 'x' })
  // The record is read first: the list finds it failed already.
  expect(() => driver.read(Bad, [{ id: '1' }])).toThrow('convert-failed')
  expect(driver.read(list, []).error).toMatchObject({ code: 'convert-failed' })
  driver.set(Bad, [{ id: '1' }], { id: '1', at: '3' })
  expect(driver.read(list, []).data.map((one: any) => one.at)).toEqual([3n, 2n])
})

test.each([0, 12])('DEN-3 a record whose class throws is shown once its row is mended, with %i others', (count) => {
  class Strict extends Entity {
    id = ''
    at = 0
    by: User | undefined = undefined
    static override key = 'Strict'
    static override schema = { by: User }
    static override validate(fields: { at?: number }): void {
      if (fields.at === 1) {
        throw new TypeError('one')
      }
    }
  }
  const list = endpoint('strict', new Collection([Strict]))
  const driver = createDriver()
  const others = Array.from({ length: count }, (_, i) => ({ id: `other ${i}`, at: 0 }))
  driver.open(list, []).answer([{ id: '1', at: 0, by: { id: '5' } }, ...others])
  const row = driver.store.tables.table('Strict').row('1')
  driver.read(list, [])
  driver.store.put(row, { value: { id: '1', at: 1, by: '5' }, meta: row.meta! })
  const { error } = driver.read(list, [])
  expect(error).toMatchObject({ message: 'one' })
  // It is the error of the app, and gets no fields of the record.
  expect(error).not.toHaveProperty('by')
  driver.set(Strict, [{ id: '1' }], { id: '1', at: 2 })
  expect(driver.read(list, []).data).toMatchObject([{ at: 2 }, ...others])
})
