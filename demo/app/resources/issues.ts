import { Collection, Query, resource } from 'restitch'
import { etagEndpoint } from 'restitch/etag'
import { getActivity } from './activity.ts'
import { ApiEndpoint, Versioned } from './api.ts'
import { type Comment, commentsOfIssue } from './comments.ts'
import { Label } from './labels.ts'
import { Person } from './people.ts'
import { ProjectResource } from './projects.ts'

export const STATUSES = ['backlog', 'todo', 'doing', 'review', 'done'] as const
export type Status = (typeof STATUSES)[number]

export class Issue extends Versioned {
  number = 0
  key = ''
  project = ''
  title = ''
  body = ''
  status: Status = 'backlog'
  priority = 0
  assignee: Person | null = null
  author = Person.fromJS()
  labels: Label[] = []
  comments: Comment[] = []
  rank = 0
  estimate = 0
  dueOn: string | null = null
  commentCount = 0
  createdAt = new Date(0)
  updatedAt = new Date(0)
  static override key = 'Issue'
  static override schema = {
    assignee: Person,
    author: Person,
    labels: [Label],
    comments: commentsOfIssue,
    createdAt: Date,
    updatedAt: Date,
  }

  /** Comments have their own endpoint: this joins them to the issue as soon as they are loaded. */
  static override process(input: any, parent: any, key: string | undefined, args: readonly any[]): any {
    const issue = super.process(input, parent, key, args)
    return issue.id ? { ...issue, comments: commentsOfIssue.pk([], issue, 'comments', args) } : issue
  }

  get isOverdue(): boolean {
    return isDue(this, 'overdue')
  }
}

/** The filters of an issue list. */
export interface IssueFilter {
  project?: string
  status?: Status | 'open'
  /** A person, or `none`. */
  assignee?: string
  author?: string
  label?: string
  priority?: number
  due?: 'overdue' | 'week' | 'none'
  q?: string
  sort?: 'updatedAt' | 'createdAt' | 'priority' | 'title' | 'estimate' | 'dueOn' | 'rank'
  order?: 'asc' | 'desc'
  limit?: number
}

/** The fields that can be written: people and labels by their ids. */
export interface IssueDraft {
  project: string
  title: string
  body: string
  status: Status
  priority: number
  assignee: string | null
  labels: string[]
  rank: number
  estimate: number
  dueOn: string | null
}

/**
 * All issue lists. The server's filters are more than comparisons of fields, so this defines each of them. A changed
 * issue then moves between all lists in the store, and their totals follow.
 */
const issueLists = new Collection([Issue], {
  counts: ['total'],
  createCollectionFilter: (...args) => {
    // The last argument is the record as it is stored: relations are ids.
    const issue = args.at(-1)
    return (list) => Object.entries(list).every(([name, wanted]) => MATCHES[name]?.(issue, wanted) ?? true)
  },
})

/** The same lists in the requested order, also after an issue has changed. */
const sortedIssues = new Query(issueLists, (issues, { sort = 'updatedAt', order = 'desc' }: IssueFilter = {}) =>
  issues.toSorted((a, b) => {
    const before = sortKey(a, sort) < sortKey(b, sort) || (sortKey(a, sort) === sortKey(b, sort) && +a.id < +b.id)
    return before === (order === 'asc') ? -1 : 1
  }),
)

/**
 * With ETags: the server sends no issue that has not changed (304), and refuses a description that is based on an older version
 * (412).
 */
const checked = resource({
  path: '/issues/:id',
  schema: Issue,
  body: {} as Pick<IssueDraft, 'body'>,
  Endpoint: etagEndpoint(ApiEndpoint),
  optimistic: true,
  mutationsExpire: [getActivity],
})

export const IssueResource = resource({
  path: '/issues/:id',
  schema: Issue,
  searchParams: {} as IssueFilter,
  body: {} as Partial<IssueDraft>,
  paginationField: 'cursor',
  Endpoint: ApiEndpoint,
  optimistic: true,
  // The server computes these from issues.
  mutationsExpire: [ProjectResource.stats, getActivity],
})
  .extend({
    getList: {
      schema: { items: sortedIssues, total: 0, next: '' },
      getNextPage: ({ next }: { next: string | null }) => next,
    },
    delete: { retry: (failures: number) => failures < 2 },
  })
  .extend(() => ({ get: checked.get, setDescription: checked.partialUpdate }))

/** Moves issues between the lists in the store, after changes by other windows. */
export const { move: moveIssue } = issueLists

const MATCHES: Record<string, (issue: any, wanted: string) => boolean> = {
  project: (issue, wanted) => issue.project === wanted,
  status: ({ status = 'backlog' }, wanted) => (wanted === 'open' ? status !== 'done' : status === wanted),
  assignee: ({ assignee }, wanted) => (assignee ?? 'none') === wanted,
  author: (issue, wanted) => issue.author === wanted,
  priority: (issue, wanted) => String(issue.priority) === wanted,
  label: (issue, wanted) => issue.labels?.includes(wanted) ?? false,
  due: isDue,
  q: ({ key = '', title = '', body = '' }, wanted) =>
    `${key} ${title} ${body}`.toLowerCase().includes(wanted.toLowerCase()),
}

function isDue({ dueOn, status }: Pick<Issue, 'dueOn' | 'status'>, wanted: string): boolean {
  if (!dueOn) {
    return wanted === 'none'
  }
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  if (wanted === 'overdue') {
    return dueOn < day(0) && status !== 'done'
  }
  return wanted === 'week' && dueOn >= day(0) && dueOn < day(7)
}

/** The value that the server compares. */
function sortKey(issue: Issue, sort: NonNullable<IssueFilter['sort']>): any {
  if (sort === 'title') {
    return issue.title.toLowerCase()
  }
  if (sort === 'dueOn') {
    return issue.dueOn ?? '9999-12-31'
  }
  return sort === 'createdAt' || sort === 'updatedAt' ? issue[sort].getTime() : issue[sort]
}
