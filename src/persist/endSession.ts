import { Disk } from '../disk/Disk.ts'
import { isUnsent, type UnsentEntry } from '../disk/UnsentEntry.ts'
import type { PersistOptions } from './PersistOptions.ts'

/** True for an error by which a server, or `restitch/auth`, says that the session has expired. */
export function isExpiry(error: unknown): boolean {
  const { status, reason } = Object(error) as { status?: unknown; reason?: unknown }
  return status === 401 && reason !== 'requested'
}

/**
 * Ends the session of a user: rows are deleted, and unsent changes, if the app says so. The disk is closed at once.
 *
 * @param onEnd called when it has ended, before `onUnsent`
 * @param isExpired the server has refused the user: unsent changes wait for the next sign-in
 */
export async function endSession(
  disk: Disk,
  { onUnsent, keepUnsent }: PersistOptions,
  isExpired: boolean,
  onEnd: () => void,
): Promise<void> {
  const own = disk.detach()
  const isRow = (key: string): boolean => key.startsWith('row/')
  try {
    await own.end((key) => isRow(key) || keepUnsent === false)
  } catch {
    // It was ended in another tab: what follows belongs to no session.
    own.close()
    await own.open()
  }
  onEnd()
  if (!isExpired && onUnsent && keepUnsent !== false) {
    let entries: readonly UnsentEntry[] = []
    await own.transact(['entry/'], (found) => {
      entries = [...found.values()].filter(isUnsent)
      return []
    })
    if (entries.length > 0 && (await onUnsent(entries)) !== false) {
      await own.transact(['entry/', 'alias/'], (found) => [...found.keys()].map((key) => [key, undefined]))
    }
  }
  own.close()
}
