import { Group, Progress, SegmentedControl, Select, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useInfinite, useLive, useQuery, useSubscription, useSuspense } from 'restitch/react'
import { PRIORITIES, STATUS_LABELS } from '../parts/badges.tsx'
import { Bar, Legend, STATUS_COLORS } from '../parts/charts/Bar.tsx'
import { Chart } from '../parts/charts/Chart.tsx'
import { Section, SectionBoundary, SectionFailed, SmallFailed } from '../parts/charts/Section.tsx'
import { Tile, TileSkeleton } from '../parts/charts/Tile.tsx'
import { Weekly } from '../parts/charts/Weekly.tsx'
import { issuesByPerson, issuesByStatus, issueTotals, openByPriority } from '../resources/counts.ts'
import { type IssueFilter, IssueResource, STATUSES } from '../resources/issues.ts'
import { Person } from '../resources/people.ts'
import { ProjectResource } from '../resources/projects.ts'
import { getTicker, streamTicker, Ticker } from '../resources/ticker.ts'
import { formatNumber } from '../parts/format.ts'

const PRIORITY_COLORS = ['gray', 'blue', 'yellow', 'orange', 'red']

/** Polled, because changes of issues that are not loaded here can alter the totals. */
const liveIssues = IssueResource.getList.extend({ pollFrequency: 30_000 })

/** Numbers that follow every change, also those of other users. */
export function Dashboard(): ReactNode {
  return (
    <Stack>
      <Title order={1} size="h2">
        Dashboard
      </Title>
      <SimpleGrid type="container" cols={{ base: 2, '460px': 3, '860px': 6 }} spacing="sm">
        {STATUSES.map((status) => (
          <Total key={status} label={STATUS_LABELS[status]} color={STATUS_COLORS[status]} filter={{ status }} />
        ))}
        <Total label="Overdue" color="red" filter={{ due: 'overdue' }} />
      </SimpleGrid>
      <BuildMinutes />
      <SectionBoundary fallback={<TileSkeleton />}>
        <ProjectNumbers />
      </SectionBoundary>
    </Stack>
  )
}

/** The total from the server, updated by every issue that joins or leaves the list. */
function Total({ label, color, filter }: { label: string; color: string; filter: IssueFilter }): ReactNode {
  return (
    <Tile label={label} color={color}>
      <SectionBoundary fallback={<Skeleton h={34} w={72} aria-label="Loading" />} failed={SmallFailed}>
        <TotalNumber filter={filter} />
      </SectionBoundary>
    </Tile>
  )
}

function TotalNumber({ filter }: { filter: IssueFilter }): ReactNode {
  return formatNumber(useLive(liveIssues, { ...filter, limit: 1 }).total)
}

function BuildMinutes(): ReactNode {
  const [source, setSource] = useState('poll')
  return (
    <Section
      title="Build minutes"
      height={196}
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Data source"
          value={source}
          onChange={setSource}
          data={[
            { value: 'poll', label: 'Polled' },
            { value: 'stream', label: 'Streamed' },
          ]}
        />
      }
    >
      {source === 'poll' ? <PolledTicker /> : <StreamedTicker />}
    </Section>
  )
}

/** Polled while it is on the screen. */
function PolledTicker(): ReactNode {
  return <TickerChart ticker={useLive(getTicker)} />
}

/** Pushed by the server, without requests, while it is on the screen. */
function StreamedTicker(): ReactNode {
  useSubscription(streamTicker)
  const ticker = useQuery(Ticker, { id: 'stream' })
  return ticker ? <TickerChart ticker={ticker} /> : <Text h={196}>Waiting for the first event…</Text>
}

function TickerChart({ ticker: { minutes, history } }: { ticker: Ticker }): ReactNode {
  return (
    <>
      <Text fz={32} fw={700} lh={1} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {minutes.toFixed(1)}{' '}
        <Text span size="sm" fw={400}>
          minutes now; the chart shows the last 60 seconds
        </Text>
      </Text>
      <Chart
        kind="line"
        height={160}
        isTime={false}
        label={`Build minutes of the last ${history.length} seconds, now ${minutes}`}
        x={history.map((_, at) => at - history.length + 1)}
        series={[{ label: 'Minutes', color: 'blue', values: history }]}
      />
    </>
  )
}

function ProjectNumbers(): ReactNode {
  const projects = useSuspense(ProjectResource.getList)
  const [chosen, setChosen] = useState<string>()
  const id = chosen ?? projects[0]?.id
  if (id === undefined) {
    return <Text>There are no projects yet.</Text>
  }
  return (
    <>
      <Group justify="space-between">
        <Title order={2} size="h4">
          Project numbers
        </Title>
        <Select
          aria-label="Project"
          allowDeselect={false}
          value={id}
          onChange={(value) => value && setChosen(value)}
          data={projects.map((project) => ({ value: project.id, label: project.name }))}
        />
      </Group>
      <SectionBoundary fallback={<TileSkeleton />}>
        <LoadAll key={id} project={id} />
      </SectionBoundary>
      <Counts project={id}>
        <Section title="Opened and closed per week" height={200}>
          <WeeklyOf id={id} />
        </Section>
      </Counts>
    </>
  )
}

function WeeklyOf({ id }: { id: string }): ReactNode {
  return <Weekly project={useSuspense(ProjectResource.stats, { id }).projectStats} />
}

/** Loads all issues of a project into the store, page by page. The numbers below count the loaded ones. */
function LoadAll({ project }: { project: string }): ReactNode {
  const filter: IssueFilter = { project, sort: 'rank', order: 'asc', limit: 100 }
  const { total } = useSuspense(IssueResource.getList, filter)
  const { items, hasNextPage, fetchNextPage, fetchingNextPage, error } = useInfinite(IssueResource.getList, filter)
  useEffect(() => {
    if (hasNextPage && !fetchingNextPage && !error) {
      void fetchNextPage()
    }
  })
  if (!hasNextPage) {
    return null
  }
  return error ? (
    <SectionFailed error={error} resetErrorBoundary={() => void fetchNextPage()} />
  ) : (
    <div>
      <Text size="sm" mb={4}>
        Loading all issues of this project: {formatNumber(items.length)} of {formatNumber(total)}. The numbers below
        count the loaded ones.
      </Text>
      <Progress value={(items.length / total) * 100} aria-label="Loaded issues" size="sm" animated />
    </div>
  )
}

/** `children` are shown beside the numbers. */
function Counts({ project, children }: { project: string; children: ReactNode }): ReactNode {
  const counts = useQuery(issueTotals, { project })
  const byStatus = new Map(useQuery(issuesByStatus, { project })?.map(({ key, issues }) => [key, issues]))
  const byPriority = new Map(useQuery(openByPriority, { project })?.map(({ key, issues }) => [key, issues]))
  if (!counts || counts.total === 0) {
    return <Text>No issues of this project are loaded yet.</Text>
  }
  const parts = STATUSES.map((status) => ({
    label: STATUS_LABELS[status],
    color: STATUS_COLORS[status],
    value: byStatus.get(status) ?? 0,
  }))
  const most = Math.max(...byPriority.values(), 1)
  return (
    <>
      <SimpleGrid type="container" cols={{ base: 2, '640px': 4 }} spacing="sm">
        <Tile label="Issues" color="blue">
          {formatNumber(counts.total)}
        </Tile>
        <Tile label="Open" color="yellow">
          {formatNumber(counts.open)}
        </Tile>
        <Tile label="Overdue" color="red">
          {formatNumber(counts.overdue)}
        </Tile>
        <Tile label="Points left" color="grape">
          {formatNumber(counts.points)}
        </Tile>
      </SimpleGrid>
      <SimpleGrid type="container" cols={{ base: 1, '640px': 2 }} spacing="md">
        <Section title="By person" height={300}>
          <People project={project} />
        </Section>
        <Stack>
          <Section title="By status" height={60}>
            <Stack gap="xs">
              <Bar label="By status" parts={parts} />
              <Legend parts={parts} />
            </Stack>
          </Section>
          <Section title="Open by priority" height={160}>
            <Stack gap={10}>
              {PRIORITIES.map((label, priority) => {
                const value = byPriority.get(priority) ?? 0
                return (
                  <BarLine key={label} label={label} note={formatNumber(value)}>
                    <Bar
                      label={`Priority ${label}`}
                      total={most}
                      parts={[{ label: 'Open', color: PRIORITY_COLORS[priority]!, value }]}
                    />
                  </BarLine>
                )
              }).toReversed()}
            </Stack>
          </Section>
          {children}
        </Stack>
      </SimpleGrid>
    </>
  )
}

function People({ project }: { project: string }): ReactNode {
  const people = useQuery(issuesByPerson, { project }) ?? []
  const most = Math.max(...people.map(({ open, done }) => open + done), 1)
  return (
    <Stack gap={10}>
      <Legend
        parts={[
          { label: 'Overdue', color: 'red' },
          { label: 'Open', color: 'blue' },
          { label: 'Done', color: 'teal' },
        ]}
      />
      {people.map(({ key, ...numbers }) => (
        <PersonLine key={key} id={key} {...numbers} most={most} />
      ))}
    </Stack>
  )
}

interface PersonLineProps {
  readonly id: string
  readonly open: number
  readonly overdue: number
  readonly done: number
  readonly most: number
}

function PersonLine({ id, open, overdue, done, most }: PersonLineProps): ReactNode {
  const name = useQuery(Person, { id })?.name ?? 'Unassigned'
  return (
    <BarLine label={name} note={`${formatNumber(open)} open`}>
      <Bar
        label={name}
        total={most}
        parts={[
          { label: 'Overdue', color: 'red', value: overdue },
          { label: 'Open', color: 'blue', value: open - overdue },
          { label: 'Done', color: 'teal', value: done },
        ]}
      />
    </BarLine>
  )
}

function BarLine({ label, note, children }: { label: string; note: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap" mb={2}>
        <Text size="sm" truncate>
          {label}
        </Text>
        <Text size="xs" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
          {note}
        </Text>
      </Group>
      {children}
    </div>
  )
}
