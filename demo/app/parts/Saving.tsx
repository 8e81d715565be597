import { Loader, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isOptimistic } from 'restitch'
import { useOutbox } from 'restitch/react'
import type { Issue } from '../resources/issues.ts'

/** Where a change of the issue is: `waiting` after an attempt without a response. `undefined`: the server has them all. */
export function useSaving(issue: Issue): 'sending' | 'waiting' | undefined {
  const { pending } = useOutbox()
  const record = `Issue ${issue.pk()}`
  const entry = pending.find(({ records }) => records.includes(record))
  if (!entry) {
    return isOptimistic(issue) ? 'sending' : undefined
  }
  return entry.attempts > 0 && !entry.isSending ? 'waiting' : 'sending'
}

/** Shown after a moment, so that a quick response does not flicker. */
export function Saving({ state }: { state: 'sending' | 'waiting' }): ReactNode {
  return (
    <Text component="span" size="xs" className="saving" role="status">
      {state === 'sending' ? <Loader size={12} aria-hidden /> : <IconSend size={12} aria-hidden />}
      {state === 'sending' ? 'Saving…' : 'In the outbox'}
    </Text>
  )
}
