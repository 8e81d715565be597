import type { Db, SqlValue } from './db.ts'
import { Problem } from './problem.ts'

type Table = 'people' | 'projects' | 'issues' | 'comments'

/** Sets the columns and counts the revision up. The names of columns come from the code, never from a request. */
export function revise(db: Db, table: Table, id: number, columns: Record<string, SqlValue>): void {
  const sets = Object.keys(columns).map((name) => `${name} = ?, `)
  db.run(`UPDATE ${table} SET ${sets.join('')}revision = revision + 1 WHERE id = ?`, ...Object.values(columns), id)
}

/** A write that names a revision must name the last one. */
export function refuseStale(given: number | undefined, current: number): void {
  if (given !== undefined && given !== current) {
    throw new Problem(409, `It has been changed since: it is now at revision ${current}.`)
  }
}
