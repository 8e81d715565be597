import type { ApiContext } from './api.ts'
import { containing, type Db, type SqlValue } from './db.ts'
import { invalid } from './problem.ts'
import { ISSUES, toIssues } from './records.ts'
import { STATUSES } from './statuses.ts'
import { digits, idOf, oneOf, readQuery, text } from './validate.ts'

const DAY = 86_400_000

// Each gives something to compare for every row: what has no due date comes after all that have one.
const SORTS = {
  updatedAt: 'updatedAt',
  createdAt: 'createdAt',
  priority: 'priority',
  title: 'lower(title)',
  estimate: 'estimate',
  dueOn: "coalesce(dueOn, '9999-12-31')",
  rank: 'rank',
}
const SORT_NAMES = Object.keys(SORTS) as (keyof typeof SORTS)[]

/**
 * One page of issues. A cursor contains the position after the last issue of its page, in the requested order: rows
 * that are added, removed or changed elsewhere neither repeat nor hide another.
 */
export function findIssues(c: ApiContext, db: Db, now: number): object {
  const query = readQuery(c, {
    project: idOf(db, 'projects'),
    status: oneOf(...STATUSES, 'open'),
    assignee: (value) => (value === 'none' ? null : idOf(db, 'people')(value)),
    author: idOf(db, 'people'),
    label: idOf(db, 'labels'),
    priority: digits(0, 4),
    due: oneOf('overdue', 'week', 'none'),
    q: text(1, 200),
    sort: oneOf(...SORT_NAMES),
    order: oneOf('asc', 'desc'),
    cursor: text(1, 2000),
    limit: digits(1, 100),
  })
  const { sort = 'updatedAt', order = sort === 'rank' || sort === 'title' || sort === 'dueOn' ? 'asc' : 'desc' } = query
  const { limit = 50 } = query
  const conditions: string[] = ['1']
  const params: SqlValue[] = []
  const { project, status, assignee, author, label, priority, due, q } = query

  if (project !== undefined) {
    add('project = ?', project)
  }
  if (status === 'open') {
    add("status <> 'done'")
  } else if (status !== undefined) {
    add('status = ?', status)
  }
  if (assignee === null) {
    add('assignee IS NULL')
  } else if (assignee !== undefined) {
    add('assignee = ?', assignee)
  }
  if (author !== undefined) {
    add('author = ?', author)
  }
  if (label !== undefined) {
    add('EXISTS (SELECT 1 FROM json_each(labels) WHERE value = ?)', label)
  }
  if (priority !== undefined) {
    add('priority = ?', priority)
  }
  if (due === 'none') {
    add('dueOn IS NULL')
  } else if (due === 'overdue') {
    add("dueOn < ? AND status <> 'done'", toDay(now))
  } else if (due === 'week') {
    add('dueOn >= ? AND dueOn < ?', toDay(now), toDay(now + 7 * DAY))
  }
  if (q !== undefined) {
    const pattern = containing(q)
    add(`(title LIKE ? ESCAPE '\\' OR key LIKE ? ESCAPE '\\' OR body LIKE ? ESCAPE '\\')`, pattern, pattern, pattern)
  }

  const where = conditions.join(' AND ')
  const total = Number(db.get(`SELECT count(*) AS n FROM issues WHERE ${where}`, ...params)?.n)
  if (query.cursor !== undefined) {
    const [value, id] = decodeCursor(query.cursor, sort, order)
    add(`(${SORTS[sort]}, id) ${order === 'asc' ? '>' : '<'} (?, ?)`, value, id)
  }
  const rows = db.all(
    `${ISSUES.replace('*', `*, ${SORTS[sort]} AS sortKey`)} WHERE ${conditions.join(' AND ')}
      ORDER BY sortKey ${order}, id ${order} LIMIT ?`,
    ...params,
    limit + 1,
  )
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const next = last ? encodeCursor(sort, order, last.sortKey ?? null, Number(last.id)) : null
  return { items: toIssues(db, page), total, next }

  function add(condition: string, ...values: SqlValue[]): void {
    conditions.push(condition)
    params.push(...values)
  }
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function encodeCursor(sort: string, order: string, value: SqlValue, id: number): string {
  return Buffer.from(JSON.stringify([sort, order, value, id])).toString('base64url')
}

function decodeCursor(cursor: string, sort: string, order: string): [string | number, number] {
  try {
    const [ofSort, ofOrder, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const comparable = typeof value === 'string' || Number.isFinite(value)
    if (ofSort === sort && ofOrder === order && comparable && Number.isSafeInteger(id)) {
      return [value as string | number, id as number]
    }
  } catch {
    // The response is the same for every kind of fault.
  }
  throw invalid({ cursor: 'does not belong to this list' })
}
