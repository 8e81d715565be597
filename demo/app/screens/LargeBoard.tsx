import { Button, Group, Paper, Select, SimpleGrid, Skeleton, Switch, Text, TextInput, Title } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, use, useDeferredValue, useEffect, useRef, useState } from 'react'
import { DataProvider, useController, useQuery } from 'restitch/react'
import { STATUS_LABELS, StatusIcon } from '../parts/badges.tsx'
import { Boundary } from '../parts/Boundary.tsx'
import { STATUS_COLORS } from '../parts/charts/Bar.tsx'
import { Tile } from '../parts/charts/Tile.tsx'
import { formatNumber } from '../parts/format.ts'
import { STATUS_OPTIONS } from '../parts/pickers.tsx'
import { STATUSES } from '../resources/issues.ts'
import {
  busiestOwners,
  changeTask,
  countTasks,
  looks,
  openLargeStore,
  SIZE,
  tasksByStatus,
  type TaskView,
  type Visible,
  visibleTasks,
  writeTasks,
} from '../resources/large.ts'

const ROW = 36
const SORTS = [
  { value: 'title', label: 'By title' },
  { value: 'owner', label: 'By person' },
  { value: 'points', label: 'Most points first' },
]

/** The cost of a change: what the queries of this screen had to look at again. */
interface Cost {
  readonly changed: number
  readonly looked: number
  readonly time: number
}

/** Many records, and queries that are never computed twice. */
export function LargeBoard(): ReactNode {
  const [{ store, loaded }] = useState(openLargeStore)
  return (
    <DataProvider store={store} own devButton={null}>
      <div className="fill">
        <title>Large board</title>
        <Title order={1} size="h2">
          {formatNumber(SIZE)} rows
        </Title>
        <Text size="sm" maw={720} mb="sm">
          Four live queries sort, filter, count and group all of them in this page. After a change they look at the
          changed records alone, however many there are.
        </Text>
        <Boundary fallback={<Skeleton h={420} />}>
          <Tasks loaded={loaded} />
        </Boundary>
      </div>
    </DataProvider>
  )
}

function Tasks({ loaded }: { loaded: Promise<unknown> }): ReactNode {
  use(loaded)
  const [view, setView] = useState<TaskView>({ text: '', status: null, sort: 'title' })
  const shown = useDeferredValue(view)
  const visible = useRef<Visible>({ ...view, first: 0, size: 30 })
  const change = (fields: Partial<TaskView>) => setView((old) => ({ ...old, ...fields }))
  return (
    <>
      <Totals />
      <Changes view={shown} visible={visible} />
      <Group gap="xs" my="sm" align="end">
        <TextInput
          aria-label="Search tasks"
          placeholder="Search"
          leftSection={<IconSearch size={16} />}
          value={view.text}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        />
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          w={150}
          data={STATUS_OPTIONS}
          value={view.status}
          onChange={(status) => change({ status: status as TaskView['status'] })}
        />
        <Select
          aria-label="Order"
          allowDeselect={false}
          w={170}
          data={SORTS}
          value={view.sort}
          onChange={(sort) => change({ sort: sort as TaskView['sort'] })}
        />
      </Group>
      <Rows view={shown} visible={visible} isStale={shown !== view} />
    </>
  )
}

function Totals(): ReactNode {
  const groups = new Map(useQuery(tasksByStatus)!.map((group) => [group.key, group]))
  return (
    <SimpleGrid type="container" cols={{ base: 2, '460px': 3, '860px': 5 }} spacing="sm">
      {STATUSES.map((status) => (
        <Tile key={status} label={STATUS_LABELS[status]} color={STATUS_COLORS[status]}>
          {formatNumber(groups.get(status)?.tasks ?? 0)}
          <Text size="xs" fw={400} c="dimmed">
            {formatNumber(groups.get(status)?.points ?? 0)} points
          </Text>
        </Tile>
      ))}
    </SimpleGrid>
  )
}

/** Changes records, and shows what that has cost. */
function Changes({ view, visible }: { view: TaskView; visible: RefObject<Visible> }): ReactNode {
  const controller = useController()
  const owners = useQuery(busiestOwners)!
  const [cost, setCost] = useState<Cost>()
  const [isRunning, setRunning] = useState(false)
  const step = useRef(0)
  const change = (changed: number) => {
    const before = looks.count
    const start = performance.now()
    step.current += 1
    const ids = Array.from({ length: changed }, (_, at) => ((step.current * 7919 + at * 97) % SIZE) + 1)
    const tasks = ids.map((id) => changeTask(id, step.current))
    void controller.setResponse(writeTasks, tasks, tasks)
    // The components read these next; read here, they can be measured.
    controller.get(visibleTasks, visible.current)
    controller.get(countTasks, view)
    controller.get(tasksByStatus)
    controller.get(busiestOwners)
    setCost({ changed, looked: looks.count - before, time: performance.now() - start })
  }
  const latest = useRef(change)
  useEffect(() => {
    latest.current = change
  })
  useEffect(() => {
    const timer = isRunning ? setInterval(() => latest.current(1), 50) : undefined
    return () => clearInterval(timer)
  }, [isRunning])
  return (
    <Paper withBorder p="sm" mt="sm" component="section" aria-label="Changes">
      <Group gap="sm">
        <Button size="compact-sm" onClick={() => change(1)}>
          Change one row
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => change(1000)}>
          Change 1,000 rows
        </Button>
        <Switch
          size="sm"
          label="20 changes a second"
          checked={isRunning}
          onChange={({ currentTarget }) => setRunning(currentTarget.checked)}
        />
        <Text size="sm" role={isRunning ? undefined : 'status'} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {cost ? (
            <>
              {formatNumber(cost.changed)} of {formatNumber(SIZE)} rows changed: the queries looked{' '}
              <b>{formatNumber(cost.looked)} times</b> at a record, in {cost.time.toFixed(1)} ms.
            </>
          ) : (
            `The queries looked ${formatNumber(looks.count)} times at a record so far.`
          )}
        </Text>
      </Group>
      <Text size="xs" c="dimmed" mt={6}>
        Most open tasks: {owners.map(({ key, open }) => `${key} ${formatNumber(open)}`).join(' · ')}
      </Text>
    </Paper>
  )
}

interface RowsProps {
  readonly view: TaskView
  readonly visible: RefObject<Visible>
  readonly isStale: boolean
}

function Rows({ view, visible, isStale }: RowsProps): ReactNode {
  const total = useQuery(countTasks, view)!
  const scroll = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 10,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const args = { ...view, first, size: items.length || 30 }
  const tasks = useQuery(visibleTasks, args)!
  useEffect(() => {
    visible.current = args
  })
  return (
    <div
      ref={scroll}
      className={`scroll panel ${isStale ? 'stale' : ''}`}
      role="region"
      aria-label={`${formatNumber(total)} tasks`}
      tabIndex={0}
      style={{ minHeight: 240 }}
    >
      <div role="list" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {items.map(({ index, start }) => {
          const task = tasks[index - first]
          return (
            task && (
              <div key={task.id} role="listitem" className="task" style={{ height: ROW, top: start }}>
                <StatusIcon status={task.status} />
                <Text size="sm" truncate>
                  {task.title}
                </Text>
                <Text size="xs" c="dimmed">
                  {task.owner}
                </Text>
                <Text size="xs" ta="end">
                  {task.points}
                </Text>
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
