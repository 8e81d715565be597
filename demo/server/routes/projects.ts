import type { Api, Services } from '../api.ts'
import type { Row } from '../db.ts'
import { refuseChanged, sendRecord } from '../etags.ts'
import { peopleById, readLabels, readProject, readProjects } from '../records.ts'
import { refuseStale, revise } from '../revise.ts'
import { readTicker } from '../ticker.ts'
import { color, digits, found, idOf, integer, readFields, readId, readJson, readQuery, text } from '../validate.ts'

const READ_ONLY = ['id', 'key', 'issueCount', 'openCount']

export function addProjectRoutes(app: Api, { db, clock, events }: Services): void {
  const shape = {
    name: text(1, 60),
    description: text(0, 500),
    color,
    lead: idOf(db, 'people'),
    revision: integer(1, 1e9),
  }

  app.get('/api/projects', (c) => c.json(readProjects(db)))
  app.get('/api/projects/:id', (c) => sendRecord(c, read(readId(c))))
  app.get('/api/labels', (c) => c.json(readLabels(db)))
  app.get('/api/ticker', (c) => c.json(readTicker(clock.now())))

  app.patch('/api/projects/:id', async (c) => {
    const id = readId(c)
    const { revision, ...fields } = readFields(await readJson(c), shape, { ignored: READ_ONLY })
    const project = found(db.get<Row>('SELECT revision FROM projects WHERE id = ?', id), 'project')
    refuseStale(revision, Number(project.revision))
    refuseChanged(c, read(id))
    events.write((note) => {
      revise(db, 'projects', id, fields)
      note('project', id)
    })
    return sendRecord(c, read(id))
  })

  app.get('/api/projects/:id/activity', (c) => {
    const id = readId(c)
    const { page = 1, limit = 20 } = readQuery(c, { page: digits(1, 1_000_000), limit: digits(1, 100) })
    found(db.get('SELECT 1 FROM projects WHERE id = ?', id), 'project')
    const total = Number(db.get('SELECT count(*) AS n FROM activity WHERE project = ?', id)?.n)
    const rows = db.all(
      `SELECT activity.*, coalesce(issues.title, activity.title) AS title FROM activity
        LEFT JOIN issues ON issues.id = activity.issue
        WHERE activity.project = ? ORDER BY at DESC, activity.id DESC LIMIT ? OFFSET ?`,
      id,
      limit,
      (page - 1) * limit,
    )
    const links: string[] = []
    const address = (page: number) => `</api/projects/${id}/activity?page=${page}&limit=${limit}>`
    if (page * limit < total) {
      links.push(`${address(page + 1)}; rel="next"`)
    }
    if (page > 1) {
      links.push(`${address(page - 1)}; rel="prev"`)
    }
    if (links.length > 0) {
      c.header('link', links.join(', '))
    }
    c.header('x-total-count', String(total))
    return c.json(toActivity(rows))
  })

  function read(id: number): object {
    return found(readProject(db, id), 'project')
  }

  function toActivity(rows: Row[]): object[] {
    const people = peopleById(db)
    return rows.map(({ id, at, person, issue, key, title, kind, text }) => ({
      id: String(id),
      at,
      person: people.get(Number(person)),
      kind,
      text,
      issue: { id: String(issue), key, title },
    }))
  }
}
