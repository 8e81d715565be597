import {
  ActionIcon,
  Badge,
  Button,
  EmptyState,
  Group,
  Loader,
  Select,
  Skeleton,
  Tabs,
  Text,
  TextInput,
  Title,
  Tooltip,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconArrowDown,
  IconArrowUp,
  IconFilter,
  IconListSearch,
  IconMessage,
  IconPlus,
  IconSearch,
} from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, Suspense, useRef } from 'react'
import { ErrorBoundary, useDebounce, useDLE, useInfinite } from 'restitch/react'
import { Link } from 'wouter'
import { LabelBadge, PersonAvatar, PriorityIcon, STATUS_LABELS, StatusIcon } from '../parts/badges.tsx'
import { Boundary, Failed } from '../parts/Boundary.tsx'
import { formatAgo, formatDay, formatNumber } from '../parts/format.ts'
import { NewIssue } from '../parts/NewIssue.tsx'
import { LabelPicker, PersonPicker, PriorityPicker, ProjectPicker, StatusMenu } from '../parts/pickers.tsx'
import { useIssueFilter } from '../parts/useIssueFilter.ts'
import { useRecoveries } from '../parts/recovery.tsx'
import { Saving, useSaving } from '../parts/Saving.tsx'
import { useSend } from '../parts/useSend.ts'
import { type Issue, type IssueFilter, IssueResource, STATUSES } from '../resources/issues.ts'

const SORTS = [
  { value: 'updatedAt', label: 'Last updated' },
  { value: 'createdAt', label: 'Created' },
  { value: 'priority', label: 'Priority' },
  { value: 'title', label: 'Title' },
  { value: 'estimate', label: 'Estimate' },
  { value: 'dueOn', label: 'Due date' },
  { value: 'rank', label: 'Board order' },
]
const DUE = [
  { value: 'overdue', label: 'Overdue' },
  { value: 'week', label: 'This week' },
  { value: 'none', label: 'No date' },
]

export function IssueList() {
  const [filter] = useIssueFilter()
  const [isNew, { open, close }] = useDisclosure()
  const { sort = 'updatedAt', order = 'desc' } = filter
  const wanted: IssueFilter = { ...filter, sort, order }
  // Waits until the user stops typing. The old list stays, slightly faded, until the new one arrives.
  const [text, isWaiting] = useDebounce(JSON.stringify(wanted), 200)
  const shown: IssueFilter = JSON.parse(text)
  const recoveries = useRecoveries()
  return (
    <div className="fill">
      <title>Issues</title>
      <Group justify="space-between" mb="sm">
        <Title order={1} size="h2">
          Issues
        </Title>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
          New issue
        </Button>
      </Group>
      <Filters />
      <StatusTabs filter={shown} />
      <Suspense fallback={<RowsSkeleton />}>
        <ErrorBoundary key={text} fallbackComponent={Failed} resetKeys={[recoveries]}>
          <Rows filter={shown} isStale={isWaiting} />
        </ErrorBoundary>
      </Suspense>
      <NewIssue opened={isNew} onClose={close} {...(filter.project && { project: filter.project })} />
    </div>
  )
}

function Filters() {
  const [filter, change] = useIssueFilter()
  const [isOpen, { toggle }] = useDisclosure(Object.keys(filter).some((name) => name !== 'status'))
  const { sort = 'updatedAt', order = 'desc' } = filter
  const few = {
    size: 'sm',
    clearable: true,
    w: { base: 'calc(50% - 6px)', sm: 150 },
    comboboxProps: { width: 220 },
  } as const
  const nobody = [{ value: 'none', label: 'Unassigned' }]
  const Direction = order === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <>
      <Group gap="xs" mb="xs" align="end" wrap="nowrap">
        <TextInput
          flex={1}
          aria-label="Title, key or text contains"
          placeholder="Title, key or text"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={filter.q ?? ''}
          onChange={({ currentTarget }) => change({ q: currentTarget.value })}
        />
        <Button
          variant="default"
          aria-expanded={isOpen}
          leftSection={<IconFilter size={16} aria-hidden />}
          onClick={toggle}
        >
          Filters
        </Button>
        <Select
          aria-label="Sort by"
          data={SORTS}
          value={sort}
          allowDeselect={false}
          w={170}
          visibleFrom="xs"
          onChange={(value) => change({ sort: value })}
        />
        <Tooltip label={order === 'asc' ? 'Ascending' : 'Descending'}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`Order: ${order === 'asc' ? 'ascending' : 'descending'}. Reverse`}
            onClick={() => change({ order: order === 'asc' ? 'desc' : 'asc' })}
          >
            <Direction size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
      {isOpen && (
        <Boundary fallback={<Skeleton h={58} mb="xs" />}>
          <Group gap="xs" mb="xs">
            <ProjectPicker {...few} value={filter.project ?? null} onChange={(project) => change({ project })} />
            <PersonPicker
              {...few}
              label="Assignee"
              extra={nobody}
              value={filter.assignee ?? null}
              onChange={(assignee) => change({ assignee })}
            />
            <PersonPicker
              {...few}
              label="Author"
              value={filter.author ?? null}
              onChange={(author) => change({ author })}
            />
            <LabelPicker {...few} value={filter.label ?? null} onChange={(label) => change({ label })} />
            <PriorityPicker
              {...few}
              value={filter.priority === undefined ? null : String(filter.priority)}
              onChange={(priority) => change({ priority })}
            />
            <Select {...few} label="Due" data={DUE} value={filter.due ?? null} onChange={(due) => change({ due })} />
          </Group>
        </Boundary>
      )}
    </>
  )
}

function StatusTabs({ filter: { sort: _, order: __, status, ...rest } }: { filter: IssueFilter }) {
  const [, change] = useIssueFilter()
  return (
    <Tabs value={status ?? 'all'} onChange={(to) => change({ status: to === 'all' ? null : to })}>
      <Tabs.List aria-label="Status" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
        {(['all', 'open', ...STATUSES] as const).map((one) => (
          <Tabs.Tab
            key={one}
            value={one}
            flex="none"
            rightSection={<Count filter={one === 'all' ? rest : { ...rest, status: one }} />}
          >
            {one === 'all' ? 'All' : one === 'open' ? 'Open' : STATUS_LABELS[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}

/** A list that is loaded for its total only. The total follows every issue that joins or leaves the list. */
function Count({ filter }: { filter: IssueFilter }) {
  const { data, loading, error } = useDLE(IssueResource.getList, { ...filter, limit: 1 })
  if (error) {
    return null
  }
  if (loading) {
    return <Skeleton h={16} w={30} />
  }
  return (
    <Badge size="sm" variant="default">
      {formatNumber(data.total)}
    </Badge>
  )
}

const ROW = 52

function Rows({ filter, isStale }: { filter: IssueFilter; isStale: boolean }) {
  const { items, hasNextPage, fetchNextPage, fetchingNextPage, error } = useInfinite(IssueResource.getList, filter)
  const scroll = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    getItemKey: (index) => items[index]!.pk()!,
    overscan: 8,
    onChange: ({ range }) => {
      if (range && range.endIndex > items.length - 15 && hasNextPage && !error) {
        void fetchNextPage()
      }
    },
  })
  if (items.length === 0) {
    return (
      <EmptyState
        mt="xl"
        icon={<IconListSearch />}
        title="No matching issues"
        description="Remove a filter, or create an issue."
      />
    )
  }
  return (
    <div
      ref={scroll}
      className={`scroll panel ${isStale ? 'stale' : ''}`}
      role="region"
      aria-label="Issues"
      aria-busy={isStale}
      tabIndex={0}
    >
      <div role="list" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => (
          <Row key={key} issue={items[index]!} start={start} />
        ))}
      </div>
      {hasNextPage && (
        <Group justify="center" p="sm">
          {error ? (
            <Button variant="default" onClick={() => void fetchNextPage()}>
              Loading more failed. Try again
            </Button>
          ) : (
            fetchingNextPage && <Loader size="sm" aria-label="Loading more" />
          )}
        </Group>
      )}
    </div>
  )
}

const Row = memo(function Row({ issue, start }: { issue: Issue; start: number }) {
  const send = useSend()
  const saving = useSaving(issue)
  const { id, key, title, status, labels, assignee, priority, updatedAt, dueOn, commentCount } = issue
  return (
    <div
      className="row"
      role="listitem"
      data-pending={saving || undefined}
      style={{ height: ROW, transform: `translateY(${start}px)` }}
    >
      <StatusMenu status={status} onMove={(status) => void send(IssueResource.getList.move, { id }, { status })}>
        <ActionIcon variant="subtle" color="gray" aria-label={`Status of ${key}: ${STATUS_LABELS[status]}. Change`}>
          <StatusIcon status={status} />
        </ActionIcon>
      </StatusMenu>
      <Text size="sm" c="dimmed" className="row-wide" truncate>
        {key}
      </Text>
      <Group gap="xs" wrap="nowrap" miw={0}>
        <PriorityIcon priority={priority} />
        <Text component={Link} href={`/issues/${id}`} className="plain-link" size="sm" fw={500} truncate>
          {title}
        </Text>
        {saving && <Saving state={saving} />}
        {commentCount > 0 && (
          <Group gap={2} c="dimmed" wrap="nowrap" fz="xs" className="row-wide" title={`${commentCount} comments`}>
            <IconMessage size={14} aria-label="Comments:" />
            {commentCount}
          </Group>
        )}
      </Group>
      <div className="row-labels">
        {labels.slice(0, 2).map((label) => (
          <LabelBadge key={label.id} label={label} />
        ))}
      </div>
      <Text
        size="xs"
        ta="right"
        c={issue.isOverdue ? 'var(--app-late)' : 'dimmed'}
        className="row-wide"
        title={`Changed ${formatAgo(updatedAt)}`}
      >
        {dueOn ? `Due ${formatDay(dueOn)}` : formatAgo(updatedAt)}
      </Text>
      <PersonAvatar person={assignee} />
    </div>
  )
})

export function IssueListSkeleton() {
  return (
    <>
      <Skeleton h={34} w={140} mb="sm" />
      <Skeleton h={36} mb="xs" />
      <Skeleton h={36} mb="xs" />
      <RowsSkeleton />
    </>
  )
}

function RowsSkeleton() {
  return (
    <div className="panel" style={{ overflow: 'hidden' }}>
      {Array.from({ length: 12 }, (_, index) => (
        <Group key={index} h={ROW} px="sm" wrap="nowrap" style={{ borderBottom: '1px solid var(--app-line)' }}>
          <Skeleton h={18} w={18} circle />
          <Skeleton h={12} w={60} visibleFrom="sm" />
          <Skeleton h={12} w={`${35 + ((index * 17) % 40)}%`} />
          <Skeleton h={26} w={26} circle ml="auto" />
        </Group>
      ))}
    </div>
  )
}
