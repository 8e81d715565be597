import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import type { OutboxEntry } from 'restitch/outbox'
import { useController, useOutbox } from 'restitch/react'
import { BothVersions } from '../parts/BothVersions.tsx'
import { formatNumber, formatSize } from '../parts/format.ts'
import { isCrossed } from '../parts/useCrossed.ts'
import type { Issue } from '../resources/issues.ts'
import { store } from '../resources/store.ts'
import { describeEntry, describeState } from './describeEntry.ts'

/** The writes that the server does not have yet, and what is kept in this browser. */
export function OutboxPanel(): ReactNode {
  const { pending, failed, conflicts } = useOutbox()
  const groups = [
    { title: 'To decide', entries: conflicts.filter((entry) => !isCrossed(entry)) },
    { title: 'Refused by the server', entries: failed },
    { title: 'Waiting', entries: pending },
  ].filter(({ entries }) => entries.length > 0)
  return (
    <Stack gap="md">
      <Text size="sm">
        Changes of issues and comments are shown at once, saved in this browser, and sent in order. In the train tunnel
        they wait here, also over a reload, and in all windows.
      </Text>
      {groups.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          Nothing waits: the server has every change.
        </Text>
      )}
      {groups.map(({ title, entries }) => (
        <Stack key={title} gap="xs" component="section" aria-label={title}>
          <Title order={3} size="h5">
            {title} ({entries.length})
          </Title>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </Stack>
      ))}
      <Disk />
    </Stack>
  )
}

function Entry({ entry }: { entry: OutboxEntry }): ReactNode {
  const controller = useController()
  const { retry, discard } = useOutbox()
  const { id, state, isSending, endpoint, mine, theirs } = entry
  const what = describeEntry(entry, controller)
  const isText = state === 'conflict' && endpoint === 'issue.describe' && theirs !== undefined
  return (
    <Paper withBorder p="sm" component="article" aria-label={what}>
      <Text size="sm" fw={500} lineClamp={2} mb={isText ? 6 : 0}>
        {what}
      </Text>
      {!isText && (
        <Text size="xs" c={state === 'pending' ? 'dimmed' : 'var(--app-late)'} mb={6}>
          {describeState(entry)}
        </Text>
      )}
      {isText ? (
        <BothVersions
          mine={(mine as Issue).body}
          theirs={theirs as Issue}
          onSave={(body) => void retry(id, { body })}
          onKeep={() => void discard(id)}
        />
      ) : (
        <Group gap="xs">
          <Button variant="default" size="compact-xs" disabled={isSending} onClick={() => void retry(id)}>
            {state === 'pending' ? 'Send now' : state === 'failed' ? 'Try again' : 'Keep mine'}
          </Button>
          <Button variant="subtle" color="gray" size="compact-xs" disabled={isSending} onClick={() => void discard(id)}>
            {state === 'conflict' ? 'Keep theirs' : 'Discard'}
          </Button>
        </Group>
      )}
    </Paper>
  )
}

const DISK = {
  open: 'This browser keeps',
  opening: 'The database of this browser is being opened.',
  memory: 'This browser keeps no data: all of it is gone with the page.',
  closed: 'Nobody is signed in: nothing is kept.',
}

function Disk(): ReactNode {
  const { persisted } = store
  const line = useSyncExternalStore(persisted!.subscribe, () => {
    const { status, rows, bytes } = persisted!
    return status === 'open' ? `${DISK.open} ${formatNumber(rows)} rows, ${formatSize(bytes)}.` : DISK[status]
  })
  return (
    <Text size="xs" c="dimmed">
      {line} A reload starts with them. Signing out deletes them.
    </Text>
  )
}
