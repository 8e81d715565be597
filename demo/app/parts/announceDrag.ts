import type { Active, Announcements, DndContextProps, Over } from '@dnd-kit/core'
import type { Issue, Status } from '../resources/issues.ts'
import { STATUS_LABELS } from './badges.tsx'

/** The data of a place for a card: above another card, or at the end of a column. */
export interface Place {
  readonly status: Status
  readonly before?: Issue | undefined
}

/** A card that is picked up lies over its own place: to say so would interrupt the first announcement. */
let isAway = false

/** Screen readers say these while a card is dragged: titles and columns. */
const announcements: Announcements = {
  onDragStart({ active }) {
    isAway = false
    return `Picked up ${titleOf(active)}, in ${STATUS_LABELS[issueOf(active).status]}.`
  },
  onDragOver({ active, over }) {
    isAway ||= !over || !isOwnPlace(active, over)
    return isAway ? `Over ${over ? placeOf(active, over) : 'no column'}.` : undefined
  },
  onDragEnd: ({ active, over }) =>
    over ? `Dropped ${titleOf(active)}: ${placeOf(active, over)}.` : `Dropped outside. ${stays(active)}`,
  onDragCancel: ({ active }) => `Cancelled. ${stays(active)}`,
}

const draggable =
  'To move this card, press Enter or the space bar. Arrow keys carry it to another place, Enter drops it there, Escape puts it back.'

export const dragAccessibility: NonNullable<DndContextProps['accessibility']> = {
  announcements,
  screenReaderInstructions: { draggable },
}

function issueOf(active: Active): Issue {
  return (active.data.current as { issue: Issue }).issue
}

function titleOf(active: Active): string {
  return `“${issueOf(active).title}”`
}

function placeOf(active: Active, over: Over): string {
  const { status, before } = over.data.current as unknown as Place
  const column = STATUS_LABELS[status]
  if (isOwnPlace(active, over)) {
    return `its own place in ${column}`
  }
  return before ? `${column}, before “${before.title}”` : `the end of ${column}`
}

function isOwnPlace(active: Active, over: Over): boolean {
  return (over.data.current as unknown as Place).before?.pk() === active.id
}

function stays(active: Active): string {
  return `${titleOf(active)} stays in ${STATUS_LABELS[issueOf(active).status]}.`
}
