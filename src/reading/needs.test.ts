import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Union } from '../kinds/Union.ts'
import { endpoint, mutation } from '../testing/endpoints.ts'

/** A record that requires two others, and may refer to a third. */
class Part extends Entity {
  id = -1
  type = 'part'
  one: any = {}
  other: any = {}
  may: any = undefined
  static override key = 'Part'
}
const anyPart = new Union({ part: Part }, 'type')
Part.schema = { one: Part, other: anyPart, may: Part, free: null as never, none: undefined as never }
const COUNT = 7

const id = fc.nat(COUNT - 1)
const link = fc.option(fc.nat(COUNT), { freq: 2 })
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ id, one: link, other: link, may: link }) },
  { weight: 2, arbitrary: fc.record({ id, deleted: fc.constant(true) }) },
  { weight: 1, arbitrary: fc.record({ id, pending: fc.boolean() }) },
)

test('DEN-6 property: a record is shown exactly if it is there and none that it requires was deleted', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.nat(COUNT + 2)), { minLength: 1, maxLength: 30 }), (steps) => {
      const driver = createDriver()
      const rows: (any | 'deleted' | undefined)[] = Array.from({ length: COUNT + 1 })
      const remove = mutation('delete', new Invalidate(Part), (part) => part)
      for (const [one, look] of steps) {
        if ('deleted' in one) {
          driver.open(remove, [{ id: one.id }]).answer(one.id)
          rows[one.id] = 'deleted'
        } else if ('pending' in one) {
          // A rollback leaves everything as it was.
          const request = driver.open(remove, [{ id: one.id }])
          driver.read(Part, [one.id])
          request.drop()
        } else {
          const { id: at, one: first, other, may } = one
          const row = {
            id: at,
            type: 'part',
            one: first,
            other: other === null ? null : { id: other, type: 'part' },
            may,
          }
          driver.open(endpoint('part', [Part]), []).answer([row])
          rows[at] = row
          // The response wrote the record of the union, too.
          if (other !== null && other !== at && (rows[other] === undefined || rows[other] === 'deleted')) {
            rows[other] = {}
          }
        }
        if (look > COUNT) {
          expect(see(driver)).toEqual(expectedOf(rows))
        } else {
          driver.read(Part, [look])
        }
      }
      expect(see(driver)).toEqual(expectedOf(rows))
    }),
    { numRuns: cases(1000) },
  )
})

/** The relations of each record, as ids; `undefined` for one that is not shown. */
function see(driver: Driver): unknown[] {
  const idOf = (value: any): unknown => (value instanceof Part ? value.id : value)
  return Array.from({ length: COUNT + 1 }, (_, at) => {
    const { data } = driver.read(Part, [at])
    return data && [idOf(data.one), idOf(data.other), idOf(data.may)]
  })
}

function expectedOf(rows: readonly any[]): unknown[] {
  const isDeleted = (at: any): boolean => rows[at] === 'deleted'
  const isShown = (at: any): boolean =>
    rows[at] !== undefined && ![at, rows[at].one, rows[at].other?.id].some(isDeleted)
  const refer = (to: any, otherwise: unknown): unknown => (to === null || isShown(to) ? to : otherwise)
  return rows.map((row, at) =>
    isShown(at) ? [refer(row.one, {}), refer(row.other && row.other.id, {}), refer(row.may, undefined)] : undefined,
  )
}
