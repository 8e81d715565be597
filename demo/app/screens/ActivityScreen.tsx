import { Anchor, Button, EmptyState, Group, Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useController, useInfinite, useSubscription, useSuspense } from 'restitch/react'
import { Link } from 'wouter'
import { PersonAvatar } from '../parts/badges.tsx'
import { formatAgo, formatNumber } from '../parts/format.ts'
import { getActivity } from '../resources/activity.ts'

/** Pages by the `link` header; polled while it is on the screen. */
export function ActivityScreen({ id }: { id: string }) {
  const list = { id, limit: 30 }
  const controller = useController()
  useSubscription(getActivity, list)
  const { items, hasNextPage, fetchNextPage, fetchingNextPage, error } = useInfinite(getActivity, list)
  const { total } = useSuspense(getActivity, list)
  if (items.length === 0) {
    return <EmptyState icon={<IconHistory />} title="Nothing has happened yet" />
  }
  return (
    <Stack maw={760}>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {formatNumber(items.length)} of {formatNumber(total)} entries
        </Text>
        <Button variant="default" size="xs" onClick={() => void controller.invalidate(getActivity, list)}>
          Reload
        </Button>
      </Group>
      {items.map((entry) => (
        <Group key={entry.id} gap="sm" wrap="nowrap" align="start">
          <PersonAvatar person={entry.person} size={28} />
          <div style={{ minWidth: 0 }}>
            <Text size="sm">
              <b>{entry.person.name}</b> {entry.text},{' '}
              <Text span c="dimmed" size="sm">
                {formatAgo(entry.at)}
              </Text>
            </Text>
            <Anchor component={Link} href={`/issues/${entry.issue.id}`} size="sm" truncate display="block">
              {entry.issue.key} {entry.issue.title}
            </Anchor>
          </div>
        </Group>
      ))}
      {hasNextPage && (
        <Button variant="default" loading={fetchingNextPage} onClick={() => void fetchNextPage()}>
          {error ? 'Loading more failed. Try again' : 'Show more'}
        </Button>
      )}
    </Stack>
  )
}
