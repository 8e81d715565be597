import { stableKey } from '../base/stableKey.ts'
import { POSITION } from '../schema/Collection.ts'
import type { Fitting, ListState } from './ListState.ts'
import { Slot } from './tables.ts'

/** Puts a list where matching finds it: under its first argument that filters by a field. */
export function indexList(slot: Slot): void {
  const { table, list } = slot
  if (list === undefined) {
    return
  }
  // The filter of a restored list is not known.
  const isAny = !list.collection || list.collection.ownFilter || list.name !== undefined
  for (const name of isAny ? ([true] as const) : Object.keys(list.keyArgs)) {
    table.listArgs.add(name)
  }
  const name = filterOf(list)
  if (name === undefined) {
    table.unfiltered.add(slot)
    return
  }
  let values = table.filtered.get(name)
  if (values === undefined) {
    table.filtered.set(name, (values = new Map()))
  }
  const value = filterText(list.keyArgs[name])
  const lists = values.get(value)
  if (lists === undefined) {
    values.set(value, new Set([slot]))
  } else {
    lists.add(slot)
  }
}

/** Takes a list out of there. */
export function unindexList(slot: Slot): void {
  const { table, list } = slot
  if (list === undefined) {
    return
  }
  const name = filterOf(list)
  if (name === undefined) {
    table.unfiltered.delete(slot)
    return
  }
  const values = table.filtered.get(name)
  const value = filterText(list.keyArgs[name])
  const lists = values?.get(value)
  lists?.delete(slot)
  if (lists?.size === 0) {
    values!.delete(value)
  }
}

/** True where both lists are found in the same place. */
export function isIndexedAs(one: ListState | undefined, other: ListState | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    filterOf(one) === filterOf(other) &&
    one.collection?.ownFilter === other.collection?.ownFilter
  )
}

function filterOf(list: ListState): string | undefined {
  // A filter of the app's own has to be called for every list.
  return list.collection?.ownFilter ? undefined : filterArgs(list).find((name) => !list.loose?.includes(name))
}

/** The arguments of a list that filter by a field. */
export function filterArgs({ keyArgs, collection }: Fitting): string[] {
  return Object.keys(keyArgs).filter(
    (name) => !(collection ? collection.nonFilterArgumentKeys(name) : POSITION.test(name)),
  )
}

/** How an argument of a list is compared: as text. */
export function filterText(value: unknown): string {
  // A NUL keeps `null` and objects apart from the text that looks like them.
  return typeof value === 'object' ? `\0${stableKey(value)}` : String(value)
}
