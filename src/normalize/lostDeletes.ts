// A DELETE without an outcome names a record. Once every list that held the record when it was sent has been fetched again without it, the
// record is gone for all readers, also for those that list all records.

import type { Entity } from '../schema/Entity.ts'
import { argsPk } from '../schema/pk.ts'
import { isInvalidate } from '../schema/polymorphic.ts'
import { isEntity } from '../schema/Schema.ts'
import type { Meta } from '../rows/Meta.ts'
import { topTablesOf } from '../schema/topTables.ts'
import type { Fields, Slot, Tables } from './tables.ts'
import { numbersBeside } from './changeList.ts'
import { itemFor } from './collectionOf.ts'
import { contains } from '../lists/items.ts'
import { isCutShort } from '../lists/pages.ts'
import { partOf } from '../lists/place.ts'

/** The records that a mutation deletes, each with the lists that hold it. */
export type Deletes = ReadonlyMap<Slot, ReadonlySet<Slot>>

/** A record that a DELETE without an outcome names. */
export interface LostDelete {
  /** When its outcome was lost: responses to requests that were sent before say nothing. */
  readonly at: number
  /** The lists that have to be fetched again. */
  readonly heldBy: Set<Slot>
  /** One of them was, is whole, and lacks it. A part of a list may lack it because others have joined. */
  isMissed: boolean
}

/** The records that a call is about to delete; `undefined` for any other call. */
export function deletesOf({ tables, holders }: Tables, schema: unknown, args: readonly any[]): Deletes | undefined {
  if (!isInvalidate(schema)) {
    return undefined
  }
  const deletes = new Map<Slot, ReadonlySet<Slot>>()
  for (const [key, one] of topTablesOf(schema)) {
    const pk = isEntity(one) ? argsPk(one as unknown as typeof Entity, args) : undefined
    const record = pk === undefined ? undefined : tables.get(key)?.slots.get(pk)
    if (record) {
      const lists = (holders.get(key) ?? []).flatMap(({ rows }) => rows)
      deletes.set(record, new Set(lists.filter((slot) => holds(slot, record))))
    }
  }
  return deletes
}

function holds({ list, value }: Slot, record: Slot): boolean {
  const item = list && itemFor(list, record)
  return item !== undefined && contains(value, item)
}

/** Notes that nobody knows whether these records were deleted. */
export function loseDeletes({ lostDeletes }: Tables, deletes: Deletes, at: number): void {
  for (const [record, lists] of deletes) {
    // It may be the second try.
    const heldBy = new Set([...lists, ...(lostDeletes.get(record)?.heldBy ?? [])])
    if (heldBy.size > 0) {
      lostDeletes.set(record, { at, heldBy, isMissed: false })
    }
  }
}

/** Returns the records that are known to be gone, now that these rows were committed. */
export function settleDeletes(tables: Tables, slots: readonly Slot[], meta: Meta): Slot[] {
  const gone: Slot[] = []
  const changed = new Set(slots)
  for (const [record, lost] of tables.lostDeletes) {
    const { at, heldBy } = lost
    if (meta.sent < at) {
      continue
    }
    let isAlive = changed.has(record)
    for (const slot of heldBy) {
      const { list } = slot
      // It was collected.
      if (!list) {
        heldBy.delete(slot)
      } else if (changed.has(slot) && slot.meta === meta) {
        isAlive ||= holds(slot, record)
        const isPart = partOf(list, record.value as Fields) !== undefined
        lost.isMissed ||= !isPart && !isCutShort(list, numbersBeside(tables, list)?.value, slot.value)
        heldBy.delete(slot)
      }
    }
    if (isAlive || heldBy.size === 0) {
      tables.lostDeletes.delete(record)
    }
    if (!isAlive && heldBy.size === 0 && lost.isMissed) {
      gone.push(record)
    }
  }
  return gone
}
