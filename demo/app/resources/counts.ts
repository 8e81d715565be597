import { count, groupBy, query, sortBy, sum, where } from 'restitch/query'
import { Issue } from './issues.ts'

/**
 * Computed from the rows in the store, whichever endpoint loaded them. A changed issue, also by a pending edit, is looked at alone,
 * and no request is sent.
 */
const issuesOf = query(
  Issue,
  where((issue, { project }: { project: string }) => issue.project === project),
)

/** The numbers of a project's issues. */
export const issueTotals = query(issuesOf, {
  total: count(),
  open: count((issue) => issue.status !== 'done'),
  overdue: count((issue) => issue.isOverdue),
  points: sum((issue) => (issue.status === 'done' ? 0 : issue.estimate)),
})

export const issuesByStatus = query(
  issuesOf,
  groupBy((issue) => issue.status),
  { issues: count() },
)

export const openByPriority = query(
  issuesOf,
  where((issue) => issue.status !== 'done'),
  groupBy((issue) => issue.priority),
  { issues: count() },
)

/** By the id of the person, or nothing: those with the most open issues first. */
export const issuesByPerson = query(
  query(
    issuesOf,
    groupBy((issue) => issue.assignee?.id ?? ''),
    {
      open: count((issue) => issue.status !== 'done'),
      overdue: count((issue) => issue.isOverdue),
      done: count((issue) => issue.status === 'done'),
    },
  ),
  sortBy(({ open }) => [open, 'desc']),
)
