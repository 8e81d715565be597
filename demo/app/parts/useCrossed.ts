import { useEffect } from 'react'
import type { OutboxEntry } from 'restitch/outbox'
import { useOutbox } from 'restitch/react'
import type { Issue } from '../resources/issues.ts'

/** True if another user has changed something else of the issue: both changes can be made. */
export function isCrossed({ endpoint, theirs, base }: OutboxEntry): boolean {
  return endpoint === 'issue.describe' && theirs !== undefined && (theirs as Issue).body === (base as Issue)?.body
}

/** Sends descriptions again whose issue was changed elsewhere in another field. */
export function useCrossed(): void {
  const { conflicts, retry } = useOutbox()
  useEffect(() => {
    conflicts.filter(isCrossed).forEach(({ id }) => void retry(id))
  }, [conflicts, retry])
}
