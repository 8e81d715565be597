import { Loader, Text } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { isOptimistic } from 'restitch'
import { useMutating } from 'restitch/react'
import type { Issue } from '../resources/issues.ts'

/** True while the server has not confirmed a change of the issue. */
export function useIsSaving(issue: Issue): boolean {
  const id = issue.pk()
  const writes = useMemo(() => {
    const keys = new Set(['PATCH', 'DELETE'].map((method) => `${method} /api/issues/${id}`))
    return { testKey: (key: string) => keys.has(key) }
  }, [id])
  return useMutating(writes) > 0 || isOptimistic(issue)
}

/** Shown after a moment, so that a quick response does not flicker. */
export function Saving(): ReactNode {
  return (
    <Text component="span" size="xs" className="saving" role="status">
      <Loader size={12} aria-hidden /> Saving…
    </Text>
  )
}
