/** Keeps this many keys in each map, and this many entries for a key. */
export const MOST_KEYS = 300
const MOST_NOTES = 12

/** Adds an entry to the list of a key, and forgets the oldest entries and keys. */
export function append<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const list = lists.get(key) ?? []
  lists.delete(key)
  lists.set(key, list)
  list.push(one)
  if (list.length > MOST_NOTES) {
    list.shift()
  }
  trim(lists, MOST_KEYS)
}

/** Forgets the entries that were set first. */
export function trim(map: Map<any, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) {
      return
    }
    map.delete(key)
  }
}
