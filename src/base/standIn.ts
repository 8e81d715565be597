import { isObject } from './equal.ts'

/** The beginning of a temporary primary key, of a record that only a pending operation knows. */
export const STAND_IN = 'optimistic-'

const TEXT = /^optimistic-\d+-\d+$/
const NUMBER = /^-\d+\.5$/
const ID_FIELD = /^(id|_id|pk)$|Id$|_id$/

/** True for such a key: where the class declares a number as its id, a negative half, which no server hands out. */
export function isStandIn(pk: string): boolean {
  return TEXT.test(pk) || (NUMBER.test(pk) && Number(pk) < -65_536)
}

/** The temporary key of the record at `place` among those that a request creates; the same at every replay. */
export function standInPk(standIn: string, place: number, asNumber: boolean): string {
  const request = Number(standIn.slice(STAND_IN.length))
  return asNumber && request > 0 ? String(-(request * 65_536 + place) - 0.5) : `${standIn}-${place}`
}

/** A temporary key among the arguments of a call, or in their fields. A number is one only in the field of an id. */
export function findStandIn(args: readonly unknown[]): string | undefined {
  for (const arg of args) {
    const fields = isObject(arg) ? Object.entries(arg) : [['id', arg] as const]
    for (const [name, value] of fields) {
      const isKey = typeof value === 'string' || (typeof value === 'number' && ID_FIELD.test(name))
      if (isKey && isStandIn(String(value))) {
        return String(value)
      }
    }
  }
  return undefined
}
