import type { ListChange } from '../schema/Schema.ts'
import { member } from './fit.ts'
import { filterText } from './listIndex.ts'
import type { Slot, Table } from './tables.ts'

/** By which arguments and fields lists are matched, and the test that their key objects have to pass. */
export interface Matcher {
  readonly args: readonly any[]
  readonly fields?: any
  readonly matches: (at: Record<string, any>) => boolean
}

/** The stored lists that an item belongs to. */
export function matchingLists(
  table: Table,
  { collection, filter }: ListChange,
  { args, fields, matches }: Matcher,
): ReadonlySet<Slot> {
  const found = new Set<Slot>()
  const test = (slot: Slot): void => {
    if (slot.list !== undefined && slot.list.name === collection.name && matches(slot.list.keyArgs)) {
      found.add(slot)
    }
  }
  if (filter !== undefined || collection.ownFilter) {
    table.rows.forEach(test)
    return found
  }
  table.unfiltered.forEach(test)
  for (const [name, values] of table.filtered) {
    if (collection.isNonFilter(name)) {
      values.forEach((slots) => slots.forEach(test))
    } else {
      possible(args, fields, name).forEach((value) => values.get(value)?.forEach(test))
    }
  }
  return found
}

/** Whether an item belongs to a list, told by the key object of the list. */
export function listTest(
  { collection, filter }: ListChange,
  args: readonly any[],
  fields: any,
): (at: Record<string, any>) => boolean {
  const known = fields === undefined ? args : [...args, fields]
  if (filter !== undefined) {
    return filter(...known)
  }
  if (collection.ownFilter) {
    return collection.createCollectionFilter(...known)
  }
  return (at) =>
    Object.keys(at).every(
      (name) => collection.isNonFilter(name) || possible(args, fields, name).includes(filterText(at[name])),
    )
}

/** The values by which an item may match an argument: those of the two arguments, else that of its own field. */
function possible(args: readonly any[], fields: any, name: string): string[] {
  const values: string[] = []
  for (const given of [member(args[0], name), member(args[1], name)]) {
    const text = given === undefined ? undefined : filterText(given)
    if (text !== undefined && text !== values[0]) {
      values.push(text)
    }
  }
  const own = values.length === 0 ? member(fields, name) : undefined
  return own === undefined ? values : [filterText(own)]
}
