import { isObject, put, share } from '../base/equal.ts'
import { append, unshift } from '../schema/Collection.ts'
import type { ListEntry } from './ListState.ts'

/** How many items a list, or a map, holds. */
export function size(list: any): number {
  return Array.isArray(list) ? list.length : Object.keys(list as object).length
}

/** Applies one change of membership to a list. Returns the list itself when nothing changes. No item stands in it twice. */
export function place(existing: any, entry: Placement): any {
  return placeAll(existing, [entry])
}

type Placement = Pick<ListEntry, 'items' | 'merge'>

/** The same for several, one after another. However many they are, they cost one pass over the list. */
export function placeAll(existing: any, entries: readonly Placement[]): any {
  let value = existing
  for (let i = 0; i < entries.length;) {
    const { items, merge } = entries[i]!
    const run = Array.isArray(value) ? plainRun(entries, i) : 0
    if (run > 0) {
      const [next] = passOver([value], entries.slice(i, i + run))
      // An item that left and came back may keep its place.
      value = keepEqual(value, next)
      i += run
      continue
    }
    value =
      merge === undefined
        ? takeOut(value, items)
        : Array.isArray(value)
          ? share(value, unique(merge(value, items) as unknown[]))
          : placeEntries(value as object, items, merge)
    i++
  }
  return value
}

/** The old list where the new one is equal. Unlike `share` it ends at the first difference, since items are small. */
export function keepEqual(old: unknown, next: unknown): unknown {
  if (!Array.isArray(old) || !Array.isArray(next)) {
    return share(old, next)
  }
  return old.length === next.length && next.every((item, i) => itemKey(item) === itemKey(old[i])) ? old : next
}

/** How many of the changes, from one on, need not see the whole list. */
export function plainRun(entries: readonly Placement[], from: number): number {
  let end = from
  while (end < entries.length && isPlain(entries[end]!)) {
    end++
  }
  return end - from
}

/** True for a change that appends, prepends or removes. */
export function isPlain({ merge }: Placement): boolean {
  return merge === append || merge === unshift || merge === undefined
}

/** Up to so many items are looked for one by one, which for primary keys is faster than visiting the list. */
const FEW = 4

/**
 * Appends, prepends and removes items, in that part of a list where each belongs: the first takes what is prepended,
 * the last what is appended. Only the items that the changes name are looked at one by one.
 */
export function passOver(
  parts: readonly (readonly unknown[])[],
  entries: readonly Placement[],
): (readonly unknown[])[] {
  const named = new Map<unknown, unknown>()
  for (const { items } of entries) {
    for (const item of Object.values(items as object)) {
      named.set(itemKey(item), item)
    }
  }
  const present = findAll(parts, named)
  const gone = new Set<unknown>()
  /** The last one in it stands first. */
  const front = new Map<unknown, unknown>()
  const back = new Map<unknown, unknown>()
  for (const { items, merge } of entries) {
    const values = Object.values(items as object)
    for (const item of merge === unshift ? values.reverse() : values) {
      const key = itemKey(item)
      if (merge === append) {
        if (!present.has(key) && !front.has(key) && !back.has(key)) {
          back.set(key, item)
        }
        continue
      }
      front.delete(key)
      back.delete(key)
      if (present.delete(key)) {
        gone.add(key)
      }
      if (merge === unshift) {
        front.set(key, item)
      }
    }
  }
  const last = parts.length - 1
  return parts.map((part, i) => {
    const kept = gone.size === 0 ? part : part.filter((item) => !gone.has(itemKey(item)))
    const before = i === 0 ? [...front.values()].reverse() : []
    const after = i === last ? [...back.values()] : []
    return before.length + after.length > 0 ? before.concat(kept, after) : kept.length < part.length ? kept : part
  })
}

/** The keys of those items that a list holds. */
function findAll(parts: readonly (readonly unknown[])[], named: ReadonlyMap<unknown, unknown>): Set<unknown> {
  const found = new Set<unknown>()
  if (named.size <= FEW) {
    for (const [key, item] of named) {
      if (parts.some((part) => holds(part, item))) {
        found.add(key)
      }
    }
    return found
  }
  for (const part of parts) {
    for (const item of part) {
      const key = itemKey(item)
      if (named.has(key)) {
        found.add(key)
      }
    }
  }
  return found
}

function placeEntries(existing: object, items: any, merge: NonNullable<ListEntry['merge']>): unknown {
  if (!Array.isArray(items)) {
    return share(existing, merge(existing, items))
  }
  const entries: Record<string, unknown> = {}
  for (const item of items) {
    const pk: unknown = typeof item === 'object' ? (item as { id: unknown } | null)?.id : item
    if (typeof pk === 'string') {
      put(entries, pk, item)
    }
  }
  return share(existing, { ...existing, ...entries })
}

export function takeOut(existing: any, items: any): unknown {
  const gone = new Set((Array.isArray(items) ? (items as unknown[]) : Object.values(items as object)).map(itemKey))
  if (Array.isArray(existing)) {
    const left = existing.filter((item) => !gone.has(itemKey(item)))
    return left.length === existing.length ? existing : left
  }
  const left = Object.entries(existing as object).filter(([, item]) => !gone.has(itemKey(item)))
  return left.length === Object.keys(existing as object).length ? existing : Object.fromEntries(left)
}

/** The items of a list, each once: the first of equal ones stays. */
export function unique(items: readonly unknown[]): unknown[] {
  const met = new Set<unknown>()
  const out: unknown[] = []
  for (const item of items) {
    if (item === null || item === undefined) {
      out.push(item)
      continue
    }
    const size = met.size
    met.add(itemKey(item))
    if (met.size > size) {
      out.push(item)
    }
  }
  return out.length === items.length ? (items as unknown[]) : out
}

/** True where a list, or a map, holds an item. */
export function contains(list: unknown, item: unknown): boolean {
  return isObject(list) && holds(Array.isArray(list) ? list : Object.values(list), item)
}

function holds(list: readonly unknown[], item: unknown): boolean {
  if (typeof item === 'string') {
    return list.includes(item)
  }
  const key = itemKey(item)
  return list.some((other) => itemKey(other) === key)
}

/** The identity of an item: the pk, and for a union the member too. An item that no member recognised is only itself. */
export function itemKey(item: any): unknown {
  if (typeof item !== 'object' || item === null) {
    return item
  }
  const { schema, id } = item as { schema: unknown; id: unknown }
  return typeof schema === 'string' && typeof id === 'string' ? `${schema}\0${id}` : item
}

/** By what the items of a list are told apart; in a map by their names. */
export function keysOf(part: any): unknown[] {
  return Array.isArray(part) ? part.map(itemKey) : Object.keys(part as object)
}

/** A part of a list without some of its items. */
export function withoutKeys(part: any, keys: ReadonlySet<unknown>): any {
  return Array.isArray(part)
    ? part.filter((item) => !keys.has(itemKey(item)))
    : Object.fromEntries(Object.entries(part as object).filter(([name]) => !keys.has(name)))
}

/** The items to place in a list, or in a map the named entries. */
export function joining(entries: readonly any[], isMap: boolean): unknown {
  if (!isMap || !Array.isArray(entries[0])) {
    return entries
  }
  const out = {}
  for (const [name, item] of entries as [string, unknown][]) {
    put(out, name, item)
  }
  return out
}

/** The item of an entry, which in a map has a name. */
export function itemOf(entry: any): unknown {
  return Array.isArray(entry) ? entry[1] : entry
}
