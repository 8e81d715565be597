import { ActionIcon, Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import {
  closestCorners,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  KeyboardSensor,
  PointerSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { IconArrowsExchange, IconGripVertical } from '@tabler/icons-react'
import { memo, useEffect, useRef, useState } from 'react'
import { isOptimistic } from 'restitch'
import { useController, useInfinite, useSuspense } from 'restitch/react'
import { Link } from 'wouter'
import { dragAccessibility, type Place } from '../parts/announceDrag.ts'
import { LabelBadge, PersonAvatar, PriorityIcon, STATUS_LABELS, StatusIcon } from '../parts/badges.tsx'
import { Boundary } from '../parts/Boundary.tsx'
import { jumpByKey } from '../parts/jumpByKey.ts'
import { StatusMenu } from '../parts/pickers.tsx'
import { Saving, useSaving } from '../parts/Saving.tsx'
import { useSend } from '../parts/useSend.ts'
import { Issue, type IssueFilter, IssueResource, STATUSES, type Status } from '../resources/issues.ts'
import { formatNumber } from '../parts/format.ts'

/** The list of one column. */
export const columnOf = (project: string, status: Status): IssueFilter => {
  return { project, status, sort: 'rank', order: 'asc', limit: 15 }
}

/** Columns are filtered lists: a dropped issue moves from one to the other before the server responds. */
export function Board({ id }: { id: string }) {
  const controller = useController()
  const send = useSend()
  const [dragged, setDragged] = useState<Issue>()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: jumpByKey }),
  )

  /** Drops before a card, or at the end of a column. */
  const drop = ({ active, over }: DragEndEvent) => {
    setDragged(undefined)
    const { status, before } = (over?.data.current ?? {}) as Partial<Place>
    if (!status || before?.id === active.id) {
      return
    }
    const column = controller.getResponse(IssueResource.getList, columnOf(id, status)).data?.items ?? []
    const others = column.filter((issue) => issue.id !== active.id)
    const at = before ? others.indexOf(before) : others.length
    const above = others[at - 1]?.rank
    const below = before?.rank
    const rank = above === undefined ? (below ?? 1) - 1 : below === undefined ? above + 1 : (above + below) / 2
    void send(IssueResource.getList.move, { id: String(active.id) }, { status, rank })
  }

  return (
    <DndContext
      sensors={sensors}
      accessibility={dragAccessibility}
      collisionDetection={closestCorners}
      autoScroll={{ threshold: { x: 0.08, y: 0.12 } }}
      onDragStart={({ active }) => setDragged(controller.get(Issue, { id: String(active.id) }))}
      onDragEnd={drop}
      onDragCancel={() => setDragged(undefined)}
    >
      <div className="board">
        {STATUSES.map((status) => (
          <Column key={status} project={id} status={status} />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className="card panel card-lifted">
            <IconGripVertical size={16} />
            <Text size="sm">{dragged.title}</Text>
          </div>
        )}
      </DragOverlay>
    </DndContext>
  )
}

function Column({ project, status }: { project: string; status: Status }) {
  const { setNodeRef, isOver } = useDroppable({ id: status, data: { status } })
  return (
    <section ref={setNodeRef} className="column" data-over={isOver || undefined} aria-label={STATUS_LABELS[status]}>
      <Boundary fallback={<ColumnSkeleton />}>
        <Cards project={project} status={status} />
      </Boundary>
    </section>
  )
}

function Cards({ project, status }: { project: string; status: Status }) {
  const list = columnOf(project, status)
  const { items, hasNextPage, fetchNextPage, fetchingNextPage, error } = useInfinite(IssueResource.getList, list)
  const { total } = useSuspense(IssueResource.getList, list)
  return (
    <>
      <Group gap={6} p="sm" pb="xs" wrap="nowrap">
        <StatusIcon status={status} />
        <Text fw={600} size="sm" truncate>
          {STATUS_LABELS[status]}
        </Text>
        <Badge size="sm" variant="default" ml="auto" flex="none">
          {formatNumber(total)}
        </Badge>
      </Group>
      <div className="scroll" tabIndex={0} role="group" aria-label={`Cards of ${STATUS_LABELS[status]}`}>
        <Stack gap={6} p={8} pt={2}>
          {items.map((issue) => (
            <Card key={issue.pk()} issue={issue} />
          ))}
          {items.length === 0 && (
            <Text c="dimmed" size="sm" ta="center" py="lg">
              No issues. Drop a card here.
            </Text>
          )}
          {hasNextPage && (
            <Button variant="default" size="compact-sm" loading={fetchingNextPage} onClick={() => void fetchNextPage()}>
              {error ? 'Try again' : 'Show more'}
            </Button>
          )}
        </Stack>
      </div>
    </>
  )
}

/** The card that the menu has moved last: its button is a new one, and takes the focus. */
const moved = { id: '' }

const Card = memo(function Card({ issue }: { issue: Issue }) {
  const send = useSend()
  const moveButton = useRef<HTMLButtonElement>(null)
  const { id, key, title, status, priority, labels, assignee } = issue
  const saving = useSaving(issue)
  const drag = useDraggable({ id: issue.pk()!, data: { issue }, disabled: isOptimistic(issue) })
  const drop = useDroppable({ id: `before ${issue.pk()}`, data: { status, before: issue } })
  const moveTo = (status: Status) => {
    moved.id = id
    void send(IssueResource.getList.move, { id }, { status })
  }
  useEffect(() => {
    if (moved.id === id) {
      moved.id = ''
      moveButton.current?.focus()
    }
  }, [id])
  return (
    <article
      ref={(node) => {
        drag.setNodeRef(node)
        drop.setNodeRef(node)
      }}
      className="card panel"
      data-issue={issue.pk()}
      data-over={(drop.isOver && !drag.isDragging) || undefined}
      data-dragged={drag.isDragging || undefined}
      data-pending={saving || undefined}
      onPointerDown={drag.listeners?.['onPointerDown'] as never}
    >
      <ActionIcon
        {...drag.attributes}
        ref={drag.setActivatorNodeRef}
        onKeyDown={drag.listeners?.['onKeyDown'] as never}
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={`Drag ${key}: ${title}`}
      >
        <IconGripVertical size={16} />
      </ActionIcon>
      <Stack gap={6} miw={0}>
        <Text component={Link} href={`/issues/${id}`} className="plain-link" size="sm" fw={500} draggable={false}>
          {title}
        </Text>
        <Group gap={4}>
          <PriorityIcon priority={priority} size={16} />
          <Text size="xs" c="dimmed" mr={4}>
            {key}
          </Text>
          {labels.slice(0, 2).map((label) => (
            <LabelBadge key={label.id} label={label} />
          ))}
          {saving && <Saving state={saving} />}
        </Group>
      </Stack>
      <Stack gap={4} align="center">
        <StatusMenu status={status} onMove={moveTo}>
          <ActionIcon ref={moveButton} variant="subtle" color="gray" size="sm" aria-label={`Move ${key} to…`}>
            <IconArrowsExchange size={16} />
          </ActionIcon>
        </StatusMenu>
        <PersonAvatar person={assignee} size={24} />
      </Stack>
    </article>
  )
})

export function BoardSkeleton() {
  return (
    <div className="board">
      {STATUSES.map((status) => (
        <section key={status} className="column">
          <ColumnSkeleton />
        </section>
      ))}
    </div>
  )
}

function ColumnSkeleton() {
  return (
    <Stack gap={8} p="sm">
      <Skeleton h={18} w="60%" />
      {[72, 92, 72, 92, 72].map((height, index) => (
        <Skeleton key={index} h={height} />
      ))}
    </Stack>
  )
}
