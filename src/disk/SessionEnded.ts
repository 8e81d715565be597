import type { DiskFound } from './DiskStorage.ts'

/** The number of the session. It grows when a user signs out, so that a tab that was frozen learns of it. */
export const SESSION = 'session'

/** The session of this tab was ended in another one. */
export class SessionEnded extends Error {}

/** The number of the session; 0 for a database in which something else stands in its place. */
export function sessionOf(found: DiskFound): number {
  const session = found.get(SESSION)
  return Number.isInteger(session) ? (session as number) : 0
}

/** The key that says that a session has ended, for writes that read nothing. */
export function endOf(session: number): string {
  return `ended/${session}`
}
