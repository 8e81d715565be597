import { DEV } from '../base/env.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Slot } from '../normalize/tables.ts'
import type { History } from './history.ts'
import { mountedOn, readersOf } from './readersOf.ts'
import { nameOf } from './slotNames.ts'

/** Why the garbage collector keeps a row, each reason a sentence; and until when, at least. */
export function keptOf(controller: Controller, history: History, slot: Slot): { why: string[]; until: number } {
  const { driver, views } = controller.core
  const { store, counts } = driver
  const { meta, table } = slot
  const why: string[] = []
  if (meta === undefined) {
    return { why, until: 0 }
  }
  const isResult = table.key === ''
  const now = controller.clock.now()
  const until = history.limit?.(meta, isResult, slot.pk) ?? Infinity
  const { count } = readersOf(mountedOn(slot))
  if (count > 0) {
    why.push(`${count === 1 ? 'A reader shows' : `${count} readers show`} it.`)
  } else if (isResult && views.isRead(slot.pk)) {
    why.push('A reader is waiting for it.')
  }
  if (counts.has(slot)) {
    why.push('countRef() holds it.')
  }
  if (slot.pending !== undefined) {
    why.push('A pending operation changes it.')
  }
  if (history.limit === undefined) {
    // Policies report their limit in development only.
    if (DEV) {
      why.push('The garbage policy of this store removes nothing.')
    }
  } else if (until > now) {
    why.push(until === Infinity ? 'It never expires.' : 'It is not old enough to be removed.')
  }
  if (meta.order >= store.horizon()) {
    why.push('An older request is still in flight, and its response has to be compared with it.')
  }
  const holders = holdersOf(controller, slot)
  if (holders.length > 0) {
    const more = holders.length > 3 ? ` and ${holders.length - 3} more` : ''
    why.push(`It is part of ${holders.slice(0, 3).join(', ')}${more}.`)
  }
  return { why, until }
}

/** The names of the rows that refer to a row. */
function holdersOf(controller: Controller, slot: Slot): string[] {
  const { core } = controller
  const { tables } = core.driver.store
  const collector = core.driver.collector()
  let isNamed = false
  // In browsers it is loaded when the page is idle.
  const follow = 'names' in collector ? collector.names((named) => (isNamed ||= named === slot)) : undefined
  if (follow === undefined) {
    return []
  }
  const holders: string[] = []
  for (const table of [tables.endpoints, ...tables.tables.values()]) {
    for (const row of table.rows) {
      isNamed = false
      follow(row)
      if (isNamed && row !== slot) {
        holders.push(nameOf(row))
      }
    }
  }
  return holders
}
