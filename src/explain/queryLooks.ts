/** How often the functions of live queries were called for a record. */
export interface Looks {
  readonly total: number
  /** By the last change of records, or the first read of a query. */
  readonly last: number
}

interface Count {
  total: number
  last: number
  /** The change goes on. */
  isOpen: boolean
}

const counts = /* @__PURE__ */ new WeakMap<object, Count>()

/** A function of a live query is called for a record. Called in development alone. */
export function noteLook(tables: object): void {
  let count = counts.get(tables)
  if (!count) {
    counts.set(tables, (count = { total: 0, last: 0, isOpen: false }))
  }
  if (!count.isOpen) {
    const current = count
    current.isOpen = true
    current.last = 0
    // Everything that one change leads to is computed before the next task.
    queueMicrotask(() => (current.isOpen = false))
  }
  count.total++
  count.last++
}

/** The looks of the live queries of a store, by its tables; `undefined` before the first one. */
export function looksOf(tables: object): Looks | undefined {
  return counts.get(tables)
}
