import {
  Anchor,
  Badge,
  Button,
  Center,
  Group,
  Highlight,
  Loader,
  Paper,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { IconMoodEmpty, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useCancelling, useController, useDebounce, useInfinite, useSuspense } from 'restitch/react'
import { Link, useSearchParams } from 'wouter'
import { PersonAvatar, STATUS_LABELS, StatusIcon } from '../parts/badges.tsx'
import { Boundary } from '../parts/Boundary.tsx'
import { SectionFailed } from '../parts/charts/Section.tsx'
import { TileSkeleton } from '../parts/charts/Tile.tsx'
import type { Issue } from '../resources/issues.ts'
import { searchIssues } from '../resources/search.ts'
import { formatNumber } from '../parts/format.ts'

const IDEAS = ['sign in', 'slow', 'export', 'crash', 'keyboard']

/** Searches while you type. The old results stay until the new ones arrive. */
export function Search(): ReactNode {
  const [params, setParams] = useSearchParams()
  const asked = params.get('q') ?? ''
  const [text, setText] = useState(asked)
  const [q] = useDebounce(text.trim(), 250)
  const shown = useShown(q)
  const isPending = shown !== text.trim()
  useEffect(() => setParams(q ? { q } : {}, { replace: true }), [q])
  // A link, or the back button, may change the query.
  useEffect(() => {
    if (asked !== q) {
      setText(asked)
    }
  }, [asked])
  return (
    <Stack maw={860} w="100%" mx="auto">
      <Title order={1} size="h2">
        Search
      </Title>
      <TextInput
        size="md"
        type="search"
        aria-label="Search all issues"
        placeholder="Search all issues by key, title or text"
        autoFocus
        leftSection={<IconSearch size={18} />}
        rightSection={isPending && <Loader size="xs" aria-label="Searching" />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {shown === '' ? (
        <Ideas onPick={setText} />
      ) : (
        <Boundary key={shown} fallback={<Waiting />}>
          <div style={{ opacity: isPending ? 0.55 : 1, transition: 'opacity 150ms' }} aria-busy={isPending}>
            <Results q={shown} />
          </div>
        </Boundary>
      )}
    </Stack>
  )
}

/** Follows the text as soon as its results have loaded. The request for the previous text is aborted. */
function useShown(q: string): string {
  const controller = useController()
  const [shown, setShown] = useState(q)
  const search = useCancelling(searchIssues, q ? { q } : null)
  useEffect(() => {
    let isLatest = true
    const run = async (): Promise<void> => {
      // A failure is in the store, and the results show it.
      if (q) {
        await controller.fetchIfStale(search, { q }).catch(() => {})
      }
      if (isLatest) {
        setShown(q)
      }
    }
    void run()
    return () => void (isLatest = false)
  }, [controller, search, q])
  return shown
}

function Results({ q }: { q: string }): ReactNode {
  const { total, page, pages } = useSuspense(searchIssues, { q })
  const { items, hasNextPage, fetchNextPage, fetchingNextPage, error } = useInfinite(searchIssues, { q })
  if (items.length === 0) {
    return <Nothing q={q} />
  }
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {formatNumber(total)} {total === 1 ? 'issue' : 'issues'} for “{q}”{pages > 1 && `, page ${page} of ${pages}`}
      </Text>
      {items.map((issue) => (
        <Found key={issue.pk()} issue={issue} q={q} />
      ))}
      {error && <SectionFailed error={error} resetErrorBoundary={() => void fetchNextPage()} />}
      {hasNextPage && !error && (
        <Button variant="default" loading={fetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </Stack>
  )
}

function Found({ issue, q }: { issue: Issue; q: string }): ReactNode {
  const words = q.split(/\s+/)
  const { key, title, body, status, assignee } = issue
  return (
    <Paper withBorder radius="md" p="sm" component="article">
      <Group justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Anchor component={Link} href={`/issues/${issue.id}`} fw={600} underline="hover">
            <Highlight component="span" highlight={words} inherit>
              {`${key} ${title}`}
            </Highlight>
          </Anchor>
          <Highlight highlight={words} size="sm" lineClamp={2}>
            {excerpt(body, words)}
          </Highlight>
        </div>
        <Group gap="xs" wrap="nowrap" flex="none">
          <Badge variant="default" tt="none" flex="none" leftSection={<StatusIcon status={status} size={14} />}>
            {STATUS_LABELS[status]}
          </Badge>
          <PersonAvatar person={assignee} />
        </Group>
      </Group>
    </Paper>
  )
}

/** The part of the text around the first match. */
function excerpt(body: string, words: readonly string[]): string {
  const at = Math.max(0, body.toLowerCase().indexOf(words[0]!.toLowerCase()) - 60)
  return `${at > 0 ? '…' : ''}${body.slice(at, at + 240)}`
}

function Ideas({ onPick }: { onPick: (text: string) => void }): ReactNode {
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">Type to search, or try one of these:</Text>
      <Group gap="xs">
        {IDEAS.map((idea) => (
          <Button key={idea} size="xs" variant="default" onClick={() => onPick(idea)}>
            {idea}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}

function Nothing({ q }: { q: string }): ReactNode {
  return (
    <Center py="xl">
      <Stack align="center" gap="xs" role="status">
        <IconMoodEmpty size={40} aria-hidden />
        <Text fw={600}>No results for “{q}”</Text>
        <Text size="sm">Try fewer letters, or the key of an issue, such as WEB-12.</Text>
      </Stack>
    </Center>
  )
}

function Waiting(): ReactNode {
  return (
    <Stack gap="sm" aria-busy>
      {[1, 2, 3, 4].map((row) => (
        <TileSkeleton key={row} />
      ))}
    </Stack>
  )
}
