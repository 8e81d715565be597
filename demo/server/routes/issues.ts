import type { Api, Services } from '../api.ts'
import { containing, type Row } from '../db.ts'
import { refuseChanged, sendRecord } from '../etags.ts'
import type { Note } from '../events.ts'
import { findIssues } from '../findIssues.ts'
import { invalid } from '../problem.ts'
import { ISSUES, readIssue, toIssues } from '../records.ts'
import { refuseStale, revise } from '../revise.ts'
import { STATUS_NAMES, STATUSES } from '../statuses.ts'
import {
  date,
  digits,
  found,
  idOf,
  integer,
  listOf,
  nullable,
  number,
  oneOf,
  readFields,
  readId,
  readJson,
  readQuery,
  text,
} from '../validate.ts'

const READ_ONLY = ['id', 'number', 'key', 'author', 'commentCount', 'createdAt', 'updatedAt']
const PAGE = 20

export function addIssueRoutes(app: Api, { db, clock, events }: Services): void {
  const shape = {
    title: text(1, 200),
    body: text(0, 20_000),
    status: oneOf(...STATUSES),
    priority: integer(0, 4),
    assignee: nullable(idOf(db, 'people')),
    labels: listOf(idOf(db, 'labels'), 12),
    rank: number(-1e9, 1e9),
    estimate: integer(0, 100),
    dueOn: nullable(date),
    project: idOf(db, 'projects'),
    revision: integer(1, 1e9),
  }
  type Fields = { [K in keyof typeof shape]?: ReturnType<(typeof shape)[K]> }

  app.get('/api/issues', (c) => c.json(findIssues(c, db, clock.now())))

  app.post('/api/issues', async (c) => {
    const body = await readJson(c)
    const fields = readFields(body, shape, { required: ['title', 'project'], ignored: READ_ONLY })
    const id = events.write((note) => create(fields, c.get('person'), note))
    return sendRecord(c, read(id), 201)
  })

  app.get('/api/issues/:id', (c) => sendRecord(c, read(readId(c))))

  app.patch('/api/issues/:id', async (c) => {
    const id = readId(c)
    const fields = readFields(await readJson(c), shape, { ignored: READ_ONLY })
    events.write((note) => {
      refuseChanged(c, read(id))
      change(id, fields, c.get('person'), note)
    })
    return sendRecord(c, read(id))
  })

  app.put('/api/issues/:id', async (c) => {
    const id = readId(c)
    const fields = readFields(await readJson(c), shape, { required: ['title'], ignored: READ_ONLY })
    events.write((note) => {
      refuseChanged(c, read(id))
      change(id, { ...DEFAULTS, ...fields }, c.get('person'), note)
    })
    return sendRecord(c, read(id))
  })

  app.delete('/api/issues/:id', (c) => {
    const id = readId(c)
    events.write((note) => {
      const issue = find(id)
      refuseChanged(c, read(id))
      log(issue, c.get('person'), 'deleted', 'deleted the issue')
      db.run('DELETE FROM issues WHERE id = ?', id)
      note('issue', id, 'delete')
      note('project', Number(issue.project))
    })
    return c.body(null, 204)
  })

  app.get('/api/search', (c) => {
    const { q, page = 1 } = readQuery(c, { q: text(1, 200), page: digits(1, 100_000) })
    if (q === undefined) {
      return c.json({ items: [], page: 1, pages: 0, total: 0 })
    }
    const pattern = containing(q)
    const where = `WHERE title LIKE ?1 ESCAPE '\\' OR key LIKE ?1 ESCAPE '\\' OR body LIKE ?1 ESCAPE '\\'`
    const total = Number(db.get(`SELECT count(*) AS n FROM issues ${where}`, pattern)?.n)
    // Titles say more than bodies.
    const order = `ORDER BY key LIKE ?2 DESC, title LIKE ?1 ESCAPE '\\' DESC, updatedAt DESC, id DESC`
    const rows = db.all(`${ISSUES} ${where} ${order} LIMIT ?3 OFFSET ?4`, pattern, q, PAGE, (page - 1) * PAGE)
    return c.json({ items: toIssues(db, rows), page, pages: Math.ceil(total / PAGE), total })
  })

  function read(id: number): object {
    return found(readIssue(db, id), 'issue')
  }

  function find(id: number): Row {
    return found(db.get('SELECT * FROM issues WHERE id = ?', id), 'issue')
  }

  function create({ project = 0, ...fields }: Fields, author: number, note: Note): number {
    const { title = '', body, status, priority, assignee, labels, estimate, dueOn } = { ...DEFAULTS, ...fields }
    db.run('UPDATE projects SET lastNumber = lastNumber + 1 WHERE id = ?', project)
    const { key, lastNumber } = db.get<{ key: string; lastNumber: number }>(
      'SELECT key, lastNumber FROM projects WHERE id = ?',
      project,
    ) ?? { key: '', lastNumber: 0 }
    const rank = fields.rank ?? Number(db.get('SELECT coalesce(max(rank), 0) + 1 AS rank FROM issues')?.rank)
    const now = new Date(clock.now()).toISOString()
    const id = db.insert('issues', {
      project,
      number: lastNumber,
      key: `${key}-${lastNumber}`,
      title,
      body,
      status,
      priority,
      assignee,
      author,
      labels: JSON.stringify(labels),
      rank,
      estimate,
      dueOn,
      createdAt: now,
      updatedAt: now,
      closedAt: status === 'done' ? now : null,
    })
    log(find(id), author, 'created', 'opened the issue')
    note('issue', id, 'create')
    note('project', project)
    return id
  }

  function change(id: number, { revision, project, labels, ...fields }: Fields, person: number, note: Note): void {
    const issue = find(id)
    refuseStale(revision, Number(issue.revision))
    if (project !== undefined && project !== issue.project) {
      throw invalid({ project: 'cannot be changed' })
    }
    const now = new Date(clock.now()).toISOString()
    const { status = issue.status } = fields
    revise(db, 'issues', id, {
      ...fields,
      ...(labels && { labels: JSON.stringify(labels) }),
      closedAt: status === 'done' ? (issue.closedAt ?? now) : null,
      updatedAt: now,
    })
    note('issue', id)
    if (status !== issue.status) {
      log(issue, person, 'status', `moved it to “${STATUS_NAMES[String(status)]}”`)
    } else {
      log(issue, person, 'edited', describeEdit({ ...fields, ...(labels && { labels }) }))
    }
    // Its counters follow the status.
    if ((status === 'done') !== (issue.status === 'done')) {
      note('project', Number(issue.project))
    }
  }

  function log({ id: issue = 0, project = 0, key = '', title = '' }: Row, person: number, kind: string, text: string) {
    const at = new Date(clock.now()).toISOString()
    db.insert('activity', { at, project, person, issue, key, title, kind, text })
  }
}

const DEFAULTS = {
  body: '',
  status: 'backlog',
  priority: 0,
  assignee: null,
  estimate: 0,
  dueOn: null,
  labels: [] as number[],
} as const

const FIELD_NAMES: Readonly<Record<string, string>> = { body: 'description', dueOn: 'due date', rank: 'position' }

function describeEdit(fields: object): string {
  const names = Object.keys(fields).map((name) => FIELD_NAMES[name] ?? name)
  return names.length > 0 ? `changed the ${names.join(', ').replace(/, ([^,]+)$/, ' and $1')}` : 'looked at it'
}
