// The holder of a field after requests have crossed. A history is a line such as `>r1 >m1 <m1 <r1`: r reads, m is a mutation, d deletes, e is an
// event of the server (`set`); `>` sends a request, `<` is its response, `!` its loss. A response brings the fields after the colon (all
// without one), with its own name as their value, or the value after `=`.
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { createDriver, type Driver, type DrivenRequest } from '../testing/drivers.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { INVALID } from '../schema/Schema.ts'
import type { Meta } from '../rows/Meta.ts'
import { endpoint, mutation } from '../testing/endpoints.ts'
import { coverFields, overlay } from './fields.ts'
import { stampOf, type Stamps } from './Stamps.ts'
import { isInDoubt } from '../rows/Row.ts'
import { RecordRow } from './RecordRow.ts'
import { Table } from '../rows/Table.ts'

class Row extends Entity {
  id = ''
  a = ''
  b = ''
  static override key = 'Row'
}
class Hooked extends Row {
  static override key = 'Hooked'
  static override merge(existing: any, incoming: any): any {
    return { ...existing, ...incoming }
  }
}

function play(history: string, Class: typeof Row = Row): Driver {
  const driver = createDriver()
  const open = new Map<string, DrivenRequest>()
  const id = '1'
  for (const step of history.split(' ')) {
    const [, mark = '', name = '', fields = 'ab', value = name] = /^([<>!]?)(\w+)(?::(\w+))?(?:=(\w*))?$/.exec(step)!
    const response = { id, ...Object.fromEntries(fields.split('').map((field) => [field, value])) }
    if (mark === '>') {
      const schema = name.startsWith('d') ? new Invalidate(Class) : Class
      open.set(name, driver.open((name.startsWith('r') ? endpoint : mutation)(name, schema), [{ id }]))
    } else if (mark === '!') {
      open.get(name)!.fail(new Error('lost'))
    } else if (mark === '') {
      driver.set(Class, [{ id }], response)
    } else {
      open.get(name)!.answer(name.startsWith('d') ? { id } : response)
    }
  }
  return driver
}

const rowOf = (driver: Driver, Class: typeof Row = Row): RecordRow => driver.store.tables.records(Class.key).row('1')

/** The fields `a` and `b`, and `?` if the row is in doubt. */
function outcome(driver: Driver, Class?: typeof Row): string {
  const row = rowOf(driver, Class)
  const { a = '-', b = '-' } = (row.value ?? {}) as Partial<Row>
  return (row.value === INVALID ? 'gone' : `${a} ${b}`) + (isInDoubt(row) ? ' ?' : '')
}

describe('fields', () => {
  test.each([
    // No overlap: the newer response replaces all.
    ['>r1 <r1 >r2 <r2', 'r2 r2'],
    ['>m1 <m1 >r1 <r1', 'r1 r1'],
    ['>r1 <r1 >m1 <m1', 'm1 m1'],
    ['>m1 <m1 >m2 <m2', 'm2 m2'],
    ['e1 e2', 'e2 e2'],
    ['e1 >r1 <r1', 'r1 r1'],
    // Two reads: the one sent later, whatever the order of responses. Nothing is in doubt.
    ['>r1 >r2 <r1 <r2', 'r2 r2'],
    ['>r1 >r2 <r2 <r1', 'r2 r2'],
    // By field: an older read fills in what the newer one lacks.
    ['>r1 >r2 <r2:a <r1', 'r2 r1'],
    ['>r1 >r2 >r3 <r3:a <r2:b <r1', 'r3 r2'],
    ['>r1 <r1 >r2 <r2:a', 'r2 r1'],
    // A read and a mutation: the mutation.
    ['>r1 >m1 <m1 <r1', 'm1 m1 ?'],
    ['>m1 >r1 <m1 <r1', 'm1 m1 ?'],
    ['>r1 >m1 <r1 <m1', 'm1 m1'],
    ['>m1 >r1 <r1 <m1', 'm1 m1'],
    // The fields that the mutation does not have are those of the read.
    ['>r1 >m1 <m1:a <r1', 'm1 r1 ?'],
    ['>r1 >m1 <m1:a <r1:b', 'm1 r1'],
    // Equal values are no question.
    ['>r1 >m1 <m1 <r1=m1', 'm1 m1'],
    ['>m1 >r1 <m1 <r1=m1', 'm1 m1'],
    // Two mutations: the one sent later, and only the server knows.
    ['>m1 >m2 <m1 <m2', 'm2 m2 ?'],
    ['>m1 >m2 <m2 <m1', 'm2 m2 ?'],
    ['>m1 >m2 <m1=x <m2=x', 'x x'],
    // In another order they are a question even if they agree.
    ['>m1 >m2 <m2=x <m1=x', 'x x ?'],
    // Also of different fields: each may have changed what the other did not return.
    ['>m1 >m2 <m1:a <m2:b', 'm1 m2'],
    // A read has confirmed the later one: the earlier one does not undo that.
    ['>m1 >m2 <m2 >r1 <r1 <m1', 'r1 r1 ?'],
    ['>m1 >m2 <m2 >r1 <r1=m2 <m1', 'm2 m2 ?'],
    // An event wins against reads that were sent before it, without doubt; a loop would follow from it.
    ['>r1 e1 <r1', 'e1 e1'],
    ['>r1 e1:a <r1', 'e1 r1'],
    // It puts a mutation in doubt that was in flight, unless it is its echo.
    ['>m1 e1 <m1', 'e1 e1 ?'],
    ['>m1 e1=m1 <m1', 'm1 m1'],
    ['>m1 e1:a <m1:b', 'e1 m1'],
    ['>m1 <m1 e1', 'e1 e1'],
    // A row that is in doubt is settled by a response that was sent since, and by no other.
    ['>r1 >m1 <m1 <r1 >r2 <r2', 'r2 r2'],
    ['>r1 >m1 >r2 <m1 <r1 <r2', 'm1 m1 ?'],
    ['>r1 >m1 <m1 <r1 >m2 <m2', 'm2 m2'],
    // A mutation that was lost.
    ['>r1 <r1 >m1 !m1', 'r1 r1 ?'],
    ['>r1 >m1 !m1 <r1', 'r1 r1 ?'],
    ['>r1 <r1 >m1 !m1 >r2 <r2', 'r2 r2'],
    ['>m1 >m2 !m1 <m2', 'm2 m2 ?'],
  ])('ENT-25 ST-18 %s: %s', (history, expected) => {
    expect(outcome(play(history))).toBe(expected)
  })
})

describe('deletes', () => {
  test.each([
    ['>r1 <r1 >d1 <d1', 'gone'],
    // A read that was sent before says nothing about it.
    ['>r1 >d1 <d1 <r1', 'gone'],
    ['>d1 >r1 <d1 <r1', 'gone'],
    ['>d1 <d1 >r1 <r1', 'r1 r1'],
    // Fields of a former life do not come back.
    ['>r1 >d1 <d1 >m1 <m1:a <r1', 'm1 - ?'],
    ['>r0 <r0 >d1 <d1 >m1 <m1:a', 'm1 -'],
    ['>r0 <r0 >d1 <d1 >r1 <r1:a', 'r1 -'],
    ['>r1 >d1 <d1 e1:a <r1', 'e1 - ?'],
    // A delete and another write: the one sent later, and only the server knows.
    ['>d1 >m1 <d1 <m1', 'm1 m1 ?'],
    ['>d1 >m1 <m1 <d1', 'm1 m1 ?'],
    ['>m1 >d1 <m1 <d1', 'gone ?'],
    ['>m1 >d1 <d1 <m1', 'gone ?'],
    ['>m1 <m1 >d1 <d1', 'gone'],
    // Deleted twice.
    ['>d1 >d2 <d1 <d2', 'gone'],
    // The server may have done the late one after a write that was in flight.
    ['>d1 >d2 <d2 >m1 <d1 <m1', 'm1 m1 ?'],
    ['>d1 e1 <d1', 'e1 e1 ?'],
    ['>d1 <d1 e1', 'e1 e1'],
  ])('ENT-25 COL-11 %s: %s', (history, expected) => {
    expect(outcome(play(history))).toBe(expected)
  })
})

test('ORD-4 ENT-24 of reads that overlap, one that says again that the record is deleted hides none that was sent later', () => {
  class Vanishing extends Row {
    static override key = 'Vanishing'
    static override process(input: any): any {
      return input.a === 'gone' ? undefined : { ...input }
    }
  }
  expect(outcome(play('>r1 <r1=gone >r2 >r3 <r2=gone <r3', Vanishing), Vanishing)).toBe('r3 r3')
})

describe('a class with hooks decides for the whole record', () => {
  test.each([
    ['>r1 >r2 <r1 <r2', 'r2 r2'],
    // Its own `shouldReorder` decides; by default the response that was sent first is merged below.
    ['>r1 >r2 <r2 <r1', 'r2 r2'],
    ['>r1 >m1 <r1 <m1', 'm1 m1'],
    ['>m1 <m1 >r1 <r1', 'r1 r1'],
    ['>m1 >m2 <m1 <m2', 'm2 m2'],
    ['>m1 >m2 <m2 <m1', 'm2 m2 ?'],
    ['>r1 >m1 <m1 <r1', 'm1 m1 ?'],
    ['>m1 <m1 >r1 >m2 <m2 <r1', 'm2 m2 ?'],
    ['>r1 >d1 <d1 <r1', 'gone'],
    ['>d1 <d1 >r1 <r1', 'r1 r1'],
  ])('ENT-24 ENT-25 %s: %s', (history, expected) => {
    expect(outcome(play(history, Hooked), Hooked)).toBe(expected)
  })

  test('ENT-26 a response that shouldUpdate refuses changes nothing, not even the age', () => {
    class Newest extends Row {
      static override key = 'Newest'
      static override shouldUpdate(_: unknown, __: unknown, existing: any, incoming: any): boolean {
        return incoming.a >= existing.a
      }
    }
    const driver = play('>r1 <r1=6 >m1 <m1=5', Newest)
    expect(outcome(driver, Newest)).toBe('6 6')
    expect(rowOf(driver, Newest).wrote).toBeUndefined()
    expect(outcome(play('>r1 <r1=6 >m1 <m1=7', Newest), Newest)).toBe('7 7')
  })

  test('ENT-27 a meta that a hook makes has the numbers of the store', () => {
    class Lasting extends Row {
      static override key = 'Lasting'
      static override mergeMetaWithStore(): any {
        return { fetchedAt: 0, date: 0, expiresAt: 5 }
      }
    }
    const driver = play('>r1 <r1 >r2 <r2', Lasting)
    const { sent, at, kind, expiresAt } = rowOf(driver, Lasting).meta!
    expect([expiresAt, kind, sent < at, sent > 0]).toEqual([5, 'read', true, true])
  })
})

describe('stamps', () => {
  const meta = (sent: number, at = sent + 1, kind: Meta['kind'] = 'read'): Meta => ({
    sent,
    at,
    kind,
    fetchedAt: 0,
    date: 0,
    expiresAt: 0,
  })
  const holders = (driver: Driver): unknown[] => ['a', 'b', 'id'].map((name) => stampOf(rowOf(driver).by, name)?.sent)

  test('ENT-25 one response that brings all fields leaves one stamp, however many came before', () => {
    const driver = play('>r1 <r1 >r2 <r2:a >r3 <r3:b e1:a')
    expect(new Set(holders(driver)).size).toBe(2)
    driver.open(endpoint('all', Row), []).answer({ id: '1', a: 'x', b: 'y' })
    const { by, meta: own } = rowOf(driver)
    expect(by).toBe(own)
  })

  test('ENT-25 the response of fields that were all replaced is forgotten', () => {
    const driver = play('>r0 <r0')
    const first = rowOf(driver).by
    for (const name of ['a', 'b', 'a', 'b']) {
      driver.set(Row, [{}], { id: '1', [name]: 'x' })
    }
    const { by } = rowOf(driver)
    expect(holders(driver)).toEqual([5, 6, 6])
    expect(Object.values(by as object)).not.toContain(first)
  })

  test.each<[string, Stamps | undefined, number | undefined]>([
    ['nothing is stored', undefined, undefined],
    ['one response brought all', meta(3), 3],
    ['another one brought it', { most: meta(3), others: { a: meta(5) }, newest: 5 }, 5],
    ['another one brought another field', { most: meta(3), others: { b: meta(5) }, newest: 5 }, 3],
    ['others brought nothing', { most: meta(3), others: {}, newest: 3 }, 3],
  ])('ENT-25 the stamp of a field where %s', (_name, by, sent) => {
    expect(stampOf(by, 'a')?.sent).toBe(sent)
  })

  test('ENT-25 NOR-3 hostile names are fields like others', () => {
    const driver = createDriver()
    const get = endpoint('get', Row)
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
    const of = (value: string): object => JSON.parse(`{"id":"1",${names.map((name) => `"${name}":"${value}"`).join()}}`)
    const late = driver.open(get, [1])
    driver.open(get, [2]).answer(of('new'))
    late.answer({ ...of('old'), a: 'filled' })
    const row = rowOf(driver).value as any
    expect([names.map((name) => Object.getOwnPropertyDescriptor(row, name)?.value), row.a]).toEqual([
      ['new', 'new', 'new', 'new'],
      'filled',
    ])
  })

  test.each<[string, Partial<RecordRow>, unknown, object | typeof INVALID, unknown]>([
    ['the committed row', {}, { a: '1', b: '1' }, { a: '2' }, { a: '2', b: '1' }],
    ['nothing', {}, undefined, { a: '2' }, { a: '2' }],
    ['a deleted row', {}, INVALID, { a: '2' }, { a: '2' }],
    ['a row that it deletes', {}, { a: '1' }, INVALID, INVALID],
    ['a write that was sent before', { wrote: meta(4, 6, 'mutation') }, { a: '1' }, { a: '2' }, { a: '2' }],
    [
      'a write that was sent later and brought the field',
      { value: { a: '1' }, wrote: meta(7, 8, 'mutation'), by: meta(7, 8, 'mutation') },
      { a: '1' },
      { a: '2' },
      { a: '1' },
    ],
    [
      'a write that was sent later and brought another field',
      {
        value: { a: '1', b: '1' },
        wrote: meta(7, 7, 'set'),
        by: { most: meta(1), others: { b: meta(7, 7, 'set') }, newest: 7 },
      },
      { a: '1', b: '1' },
      { a: '2', b: '2' },
      { a: '2', b: '1' },
    ],
    [
      'a write that was sent later, of a field that it lacks',
      { value: { b: '1' }, wrote: meta(7, 8, 'mutation'), by: meta(7, 8, 'mutation') },
      { b: '1' },
      { a: '2' },
      { a: '2', b: '1' },
    ],
    ['a delete that was sent later', { wrote: meta(7, 8, 'mutation') }, INVALID, { a: '2' }, INVALID],
    ['a write that was sent later, deleting', { wrote: meta(7, 8, 'mutation') }, { a: '1' }, INVALID, { a: '1' }],
  ])('OPT-2 ENT-25 a pending operation over %s', (_name, stored, below, fields, expected) => {
    const row = Object.assign(new RecordRow(new Table('Row', RecordRow) as never, '1'), stored)
    expect(coverFields(row, below, fields as any, 5)).toEqual(expected)
  })

  test('ENT-21 DEN-3 what does not differ keeps its identity', () => {
    const list = ['x']
    const row = { a: '1', list, none: undefined, not: Number.NaN }
    expect(overlay(row, { a: '1' })).toBe(row)
    expect(overlay(row, { list: ['x'], none: undefined, not: Number.NaN })).toBe(row)
    expect(overlay(row, { list: ['x'], a: '2' })['list']).toBe(list)
    expect(Object.hasOwn(overlay(row, { other: undefined }), 'other')).toBe(true)
  })
})

/** The work of the server on a request, at a moment between its sending and its response. */
type Work = {
  readonly kind: 'read' | 'a' | 'b' | 'put' | 'delete'
  readonly moments: readonly [number, number, number]
}

test('ENT-25 ST-18 property: a row that is not in doubt is what the server has, in whichever order it works', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const work: fc.Arbitrary<Work> = fc.record({
    kind: fc.constantFrom('read', 'read', 'a', 'b', 'put', 'delete'),
    moments: fc
      .tuple(fc.nat(30), fc.nat(30), fc.nat(30))
      .map((all) => all.toSorted((a, b) => a - b) as [number, number, number]),
  })
  const get = endpoint('get', Row)
  const put = mutation('put', Row)
  const drop = mutation('delete', new Invalidate(Row))
  fc.assert(
    fc.property(fc.array(work, { minLength: 1, maxLength: 6 }), (all) => {
      const driver = createDriver()
      let server: { id: string; a: string; b: string } | undefined = { id: '1', a: '0', b: '0' }
      driver.open(get, ['first']).answer(server)
      const steps = all.flatMap(({ kind, moments }, i) => {
        let request: DrivenRequest
        let response: unknown
        let isRefused = false
        const target = kind === 'read' ? get : kind === 'delete' ? drop : put
        const run = [
          () => (request = driver.open(target, [{ id: '1' }, i])),
          () => {
            if (kind === 'delete') {
              server = undefined
            } else if (kind === 'put') {
              server = { id: '1', a: `${i}`, b: `${i}` }
            } else if (kind !== 'read' && server) {
              server = { ...server, [kind]: `${i}` }
            }
            isRefused = kind !== 'delete' && server === undefined
            response = kind === 'delete' ? { id: '1' } : server
          },
          () =>
            isRefused ? request.fail(Object.assign(new Error('none'), { status: 404 })) : request.answer(response),
        ]
        return run.map((step, at) => [moments[at]!, i, step] as const)
      })
      for (const [, , step] of steps.toSorted(([a, x], [b, y]) => a - b || x - y)) {
        step()
      }
      const row = rowOf(driver)
      if (!isInDoubt(row)) {
        expect(row.value).toEqual(server ?? INVALID)
      }
      // Own writes never disappear: the record is deleted only by a delete.
      if (!all.some(({ kind }) => kind === 'delete')) {
        expect(row.value).not.toBe(INVALID)
      }
    }),
    { numRuns: cases(8_000) },
  )
})
