import type { Db, SqlValue } from './db.ts'
import { Problem } from './problem.ts'

type Table = 'people' | 'projects' | 'issues' | 'comments'

/** Sets the columns and counts the revision up. The names of columns come from the code, never from a request. */
export function revise(db: Db, table: Table, id: number, columns: Record<string, SqlValue>): void {
  const sets = Object.keys(columns).map((name) => `${name} = ?, `)
  db.run(`UPDATE ${table} SET ${sets.join('')}revision = revision + 1 WHERE id = ?`, ...Object.values(columns), id)
}

/** Who says which revision was changed must have seen the last one. */
export function refuseStale(given: number | undefined, current: number): void {
  if (given !== undefined && given !== current) {
    throw new Problem(409, `This was changed meanwhile: it is at revision ${current}.`)
  }
}
