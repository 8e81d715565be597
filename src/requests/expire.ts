// Readers without a result of their own show the records of other results. Each of these rows knows when a result that contained it was
// last expired: then such a reader fetches for itself, unless one of these results is fetched again.

import { rowsOf } from '../reading/query.ts'
import { type Node, nodesOf } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { Store } from '../store/Store.ts'
import type { Result } from './Result.ts'

/** Whether a key belongs to what is expired. */
export type TestKey = (key: string) => boolean

/** How many of the last expirations are remembered one by one. */
const MOST = 100

/** Marks rows as stale: results by their key, where there is a test of keys, and others. */
export function expire(store: Store, rows: readonly Row[], test?: TestKey, by?: string): void {
  const number = ++store.reached
  const { endpoints } = store.tables
  const results = test ? [...endpoints.byPk.values()].filter(({ pk }) => test(pk)) : []
  if (test) {
    // The last one stands last.
    store.expirations.delete(test)
    store.expirations.set(test, number)
    if (store.expirations.size > MOST) {
      const [[oldest, at]] = store.expirations as unknown as [[TestKey, number]]
      store.expirations.delete(oldest)
      store.expiredBefore = at
    }
  }
  results.forEach((one) => (one as Result).pace.hurry())
  store.doubt([...results, ...rows], 'expired', by, number)
  expireRows(store, results, number)
}

/** Marks all that results contain: a reader that shows it without a result is in doubt. */
export function expireRows(store: Store, results: readonly Row[], number: number): void {
  const met = new Set<Node>()
  // One that has not arrived has brought nothing.
  const nodes = results.flatMap(({ node, meta }) => (node && meta ? nodesOf(node) : []))
  const rows = new Set([...results, ...nodes.flatMap(rowsOf)])
  for (const row of rows) {
    store.mark(row, { expired: number })
    row.node?.aged(met)
  }
}

/** The server has confirmed a result as it is: what it contains is no longer expired. */
export function confirmRows(store: Store, { node }: Row, sent: number): void {
  for (const row of node ? nodesOf(node).flatMap(rowsOf) : []) {
    if (row.expired > 0 && row.expired < sent) {
      store.mark(row, { expired: 0 })
    }
  }
}

/** When a key was last expired that had no row then. Of those that are forgotten every key was one: that costs a request at most. */
export function lastExpired({ expirations, expiredBefore }: Store, key: string): number {
  let last = expiredBefore
  for (const [test, number] of expirations) {
    last = test(key) ? number : last
  }
  return last
}
