// The items of a list (an array of pks) or of a map (pks by name), and how they are changed. An item of a union is `{ id, schema }`.

import { isObject, share } from '../base/equal.ts'
import { append, unshift } from '../schema/merges.ts'
import type { Edit } from './List.ts'

/** The items of a list, or of a map. */
export function allItems(list: any): readonly unknown[] {
  return Array.isArray(list) ? list : Object.values(list as object)
}

/** How many items a list, or a map, holds. */
export function size(list: any): number {
  return allItems(list).length
}

/** The identity of an item: the pk, and for a union the member too. An item that no member recognised is only itself. */
export function itemKey(item: any): unknown {
  if (!isObject(item)) {
    return item
  }
  const { schema, id } = item as { schema: unknown; id: unknown }
  return typeof schema === 'string' && typeof id === 'string' ? `${schema}\0${id}` : item
}

/** The item of an entry, which in a map has a name. */
export function itemOf(entry: any): unknown {
  return Array.isArray(entry) ? entry[1] : entry
}

/** True where a list, or a map, holds an item. */
export function contains(list: unknown, item: unknown): boolean {
  if (!isObject(list)) {
    return false
  }
  const items = allItems(list)
  const key = itemKey(item)
  return typeof item === 'string' ? items.includes(item) : items.some((other) => itemKey(other) === key)
}

/** Applies edits, one after another. Returns the list itself when nothing changes. No item stands in it twice. */
export function applyEdits(list: any, edits: readonly Edit[]): any {
  // Neighbours that do the same are one edit: many of them cost one pass over the list.
  const out: Edit[] = []
  let last: Edit | undefined
  for (const edit of edits) {
    const { items, merge } = edit
    const isPlain = Array.isArray(items) && (merge === append || merge === unshift || merge === undefined)
    if (!isPlain || last?.merge !== merge || !last) {
      last = isPlain ? { items: [...items], merge } : undefined
      out.push(last ?? edit)
    } else if (merge === unshift) {
      last.items.unshift(...items)
    } else {
      last.items.push(...items)
    }
  }
  return out.reduce(applyEdit, list)
}

/** The same for one edit. */
export function applyEdit(list: any, { items, merge }: Edit): any {
  if (!merge) {
    return takeOut(list, items)
  }
  if (!Array.isArray(list)) {
    return share(list, Array.isArray(items) ? { ...list, ...byPk(items) } : merge(list, items))
  }
  if (merge !== append) {
    return keepEqual(list, unique(merge(list, items) as unknown[]))
  }
  // Those already there keep their place. A few are looked for one by one, which is faster than visiting the whole list.
  const known = items.length > 4 ? new Set(list.map(itemKey)) : undefined
  const fresh = unique(items as unknown[]).filter((item) => !(known ? known.has(itemKey(item)) : contains(list, item)))
  return fresh.length > 0 ? (list as unknown[]).concat(fresh) : list
}

/** The old list where the new one is equal. Unlike `share` it ends at the first difference, since items are small. */
export function keepEqual(old: unknown, next: unknown): unknown {
  if (!Array.isArray(old) || !Array.isArray(next)) {
    return share(old, next)
  }
  return old.length === next.length && next.every((item, i) => itemKey(item) === itemKey(old[i])) ? old : next
}

/** Records that join a map: their pks name them. */
function byPk(items: readonly any[]): object {
  const entries = items.map((item): [unknown, unknown] => [item?.id ?? item, item])
  return Object.fromEntries(entries.filter(([pk]) => typeof pk === 'string') as [string, unknown][])
}

/** A list, or a map, without some items. */
export function takeOut(list: any, items: any): any {
  const gone = new Set(allItems(items).map(itemKey))
  return gone.size === 0 ? list : keepItems(list, (item) => !gone.has(itemKey(item)))
}

/** A list, or a map, with only some of its items; the list itself where that is all of them. */
export function keepItems(list: any, isKept: (item: unknown, name?: string) => boolean): any {
  if (Array.isArray(list)) {
    const left = list.filter((item) => isKept(item))
    return left.length === list.length ? list : left
  }
  const entries = Object.entries(list as object)
  const left = entries.filter(([name, item]) => isKept(item, name))
  return left.length === entries.length ? list : Object.fromEntries(left)
}

/** The items of a list, each once: the first of equal ones stays. */
export function unique(items: readonly unknown[]): unknown[] {
  const met = new Set<unknown>()
  const out = items.filter((item) => {
    const count = met.size
    return item === null || item === undefined || met.add(itemKey(item)).size > count
  })
  return out.length === items.length ? (items as unknown[]) : out
}
