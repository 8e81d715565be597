import type { Entry } from './Entry.ts'
import { isEntry } from './isEntry.ts'

/** The entries of a disk, in their order. */
export function inOrder(found: Iterable<readonly [key: string, value: unknown]>): Entry[] {
  const entries = [...found].flatMap(([key, value]) => (isEntry(key, value) ? [value] : []))
  return entries.sort((a, b) => a.order - b.order)
}

/** True where an entry has to wait for an earlier one that concerns one of its records. One without records waits for all, and all for it. */
export function isBlocked({ order, records, id }: Entry, all: readonly Entry[]): boolean {
  return all.some((one) => {
    return one.state === 'pending' && one.order < order && one.id !== id && concernsOneOf(one, records)
  })
}

/** True where an entry concerns one of these records. */
export function concernsOneOf({ records }: Pick<Entry, 'records'>, others: readonly string[]): boolean {
  return records.length === 0 || others.length === 0 || records.some((name) => others.includes(name))
}

/** The entries that cannot be sent without the records that these create: those that contain a temporary id, and what depends on them. */
export function dependentsOf(entry: Entry, all: readonly Entry[]): Entry[] {
  const ids = new Set(entry.creates)
  const found: Entry[] = []
  for (const one of all) {
    if (one.order > entry.order && one.records.some((name) => ids.has(name))) {
      found.push(one)
      one.creates.forEach((id) => ids.add(id))
    }
  }
  return found
}
