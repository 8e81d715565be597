import { describe, expect, test, vi } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { NO_DOUBT } from '../rows/doubt.ts'
import { createDriver } from '../testing/drivers.ts'
import { TestClock } from '../testing/TestClock.ts'
import { checkRow } from './checkRow.ts'

class Todo extends Entity {
  id = ''
  static override key = 'Todo'
}
const getList = new Endpoint(async () => [{ id: '1' }], { name: 'getList', schema: new Collection([Todo]) })

describe('checkRow', () => {
  const open = (): any => {
    const driver = createDriver(new TestClock())
    driver.open(getList, []).answer([{ id: '1' }])
    const { tables } = driver.store.tables
    const record = tables.get('Todo')!.byPk.get('1')!
    const [list] = tables.get('[Todo]')!.rows
    return { driver, record, list }
  }

  test('holds for the rows of a response', () => {
    const { driver, record, list } = open()
    expect([record, list].map((row) => checkRow(row, driver.store.reached))).toEqual([undefined, undefined])
  })

  test.each<[string, 'record' | 'list', object]>([
    ['table', 'record', { position: -1 }],
    ['table', 'record', { meta: undefined }],
    ['list', 'list', { value: ['2'] }],
    ['numbers', 'record', { marked: { ...NO_DOUBT, at: 1_000 } }],
    ['pending', 'record', { shown: {} }],
    ['patch', 'record', { patch: {} }],
  ])('finds a row that breaks "%s"', (about, which, broken) => {
    const found = open()
    Object.assign(found[which], broken)
    expect(checkRow(found[which], found.driver.store.reached)).toContain(`"${about}"`)
  })

  test('a row without a response has no value', () => {
    const { driver, record } = open()
    Object.assign(record, { meta: undefined, position: -1 })
    expect(checkRow(record, driver.store.reached)).toContain('"value"')
  })

  test('development reports it after a commit', () => {
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const { driver, record } = open()
    record.gone = 1_000
    driver.open(getList, []).answer([{ id: '1' }])
    expect(reported.mock.calls.map(([error]) => error.message)).toEqual([expect.stringContaining('"numbers"')])
    vi.unstubAllGlobals()
  })
})
