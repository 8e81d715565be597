import { All, Query } from 'restitch'
import { Issue, type Status, STATUSES } from './issues.ts'
import type { Person } from './people.ts'

export interface PersonCount {
  readonly person: Person | null
  open: number
  overdue: number
  done: number
}

/** The numbers of a project's issues. */
export interface IssueCounts {
  readonly total: number
  readonly open: number
  readonly overdue: number
  readonly points: number
  readonly byStatus: Readonly<Record<Status, number>>
  /** Open ones, by priority. */
  readonly byPriority: readonly number[]
  /** Those with the most open issues first. */
  readonly byPerson: readonly PersonCount[]
}

/**
 * Computed from the rows in the store, whichever endpoint loaded them. It is computed again when one of them changes, also by
 * a pending edit, and sends no request.
 */
export const countIssues = new Query(new All(Issue), (issues, { project }: { project: string }): IssueCounts => {
  const byStatus: Record<Status, number> = { backlog: 0, todo: 0, doing: 0, review: 0, done: 0 }
  const byPriority = [0, 0, 0, 0, 0]
  const people = new Map<Person | null, PersonCount>()
  let points = 0
  let overdue = 0
  for (const issue of issues) {
    if (issue.project !== project) {
      continue
    }
    const { status, priority, assignee, isOverdue } = issue
    const person = people.get(assignee) ?? { person: assignee, open: 0, overdue: 0, done: 0 }
    people.set(assignee, person)
    byStatus[status] += 1
    person[status === 'done' ? 'done' : 'open'] += 1
    if (status === 'done') {
      continue
    }
    byPriority[priority]! += 1
    points += issue.estimate ?? 0
    if (!isOverdue) {
      continue
    }
    overdue += 1
    person.overdue += 1
  }
  const total = STATUSES.reduce((sum, status) => sum + byStatus[status], 0)
  const byPerson = [...people.values()].toSorted((a, b) => b.open - a.open)
  return { total, open: total - byStatus.done, overdue, points, byStatus, byPriority, byPerson }
})
