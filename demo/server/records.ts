import type { Db, Row } from './db.ts'

export interface Person {
  id: string
  name: string
  email: string
  role: string
  avatar: string
  color: string
  revision: number
}

export interface Label {
  id: string
  name: string
  color: string
}

/** The kinds of records that the API speaks of, each by the function that reads one. */
export const READERS = {
  person: readPerson,
  project: readProject,
  label: readLabel,
  issue: readIssue,
  comment: readComment,
  attachment: readAttachment,
}
export type Kind = keyof typeof READERS

export function toPerson(row: Row): Person {
  const { id, name, email, role, color, revision } = row
  return {
    id: String(id),
    name: String(name),
    email: String(email),
    role: String(role),
    // A picture shows the initials: a new name has a new address, and what an address shows never changes.
    avatar: `/api/avatars/${id}?v=${revision}`,
    color: String(color),
    revision: Number(revision),
  }
}

export function readPeople(db: Db): Person[] {
  return db.all('SELECT * FROM people ORDER BY name, id').map(toPerson)
}

export function readPerson(db: Db, id: number): Person | undefined {
  const row = db.get('SELECT * FROM people WHERE id = ?', id)
  return row && toPerson(row)
}

export function readLabels(db: Db): Label[] {
  return db.all('SELECT * FROM labels ORDER BY name, id').map(toLabel)
}

function readLabel(db: Db, id: number): Label | undefined {
  const row = db.get('SELECT * FROM labels WHERE id = ?', id)
  return row && toLabel(row)
}

function toLabel({ id, name, color }: Row): Label {
  return { id: String(id), name: String(name), color: String(color) }
}

const PROJECTS = `SELECT *, (SELECT count(*) FROM issues WHERE project = projects.id) AS issueCount,
  (SELECT count(*) FROM issues WHERE project = projects.id AND status <> 'done') AS openCount FROM projects`

export function readProjects(db: Db): object[] {
  return db.all(`${PROJECTS} ORDER BY name, id`).map((row) => toProject(db, row))
}

export function readProject(db: Db, id: number): object | undefined {
  const row = db.get(`${PROJECTS} WHERE id = ?`, id)
  return row && toProject(db, row)
}

function toProject(db: Db, { lastNumber: _, ...row }: Row): object {
  return { ...row, id: String(row.id), lead: readPerson(db, Number(row.lead)) }
}

/** Select issues with this, and give the rows to `toIssues`. */
export const ISSUES = `SELECT *, (SELECT count(*) FROM comments WHERE issue = issues.id) AS commentCount FROM issues`

export function readIssue(db: Db, id: number): object | undefined {
  return toIssues(db, db.all(`${ISSUES} WHERE id = ?`, id))[0]
}

// People and labels are few: reading them all is cheaper than a join for each.
export function toIssues(db: Db, rows: Row[]): object[] {
  const people = peopleById(db)
  const labels = new Map(readLabels(db).map((label) => [Number(label.id), label]))
  return rows.map(({ closedAt: _, sortKey: __, ...row }) => ({
    ...row,
    id: String(row.id),
    project: String(row.project),
    assignee: people.get(Number(row.assignee)) ?? null,
    author: people.get(Number(row.author)),
    labels: (JSON.parse(String(row.labels)) as number[]).flatMap((id) => labels.get(id) ?? []),
  }))
}

export function readComments(db: Db, issue: number): object[] {
  return toComments(db, db.all('SELECT * FROM comments WHERE issue = ? ORDER BY createdAt, id', issue))
}

export function readComment(db: Db, id: number): object | undefined {
  return toComments(db, db.all('SELECT * FROM comments WHERE id = ?', id))[0]
}

function toComments(db: Db, rows: Row[]): object[] {
  const people = peopleById(db)
  return rows.map((row) => ({
    ...row,
    id: String(row.id),
    issue: String(row.issue),
    author: people.get(Number(row.author)),
  }))
}

const ATTACHMENTS = 'SELECT id, issue, name, type, size, person, createdAt FROM attachments'

export function readAttachments(db: Db, issue: number): object[] {
  return toAttachments(db, db.all(`${ATTACHMENTS} WHERE issue = ? ORDER BY createdAt, id`, issue))
}

export function readAttachment(db: Db, id: number): object | undefined {
  return toAttachments(db, db.all(`${ATTACHMENTS} WHERE id = ?`, id))[0]
}

function toAttachments(db: Db, rows: Row[]): object[] {
  const people = peopleById(db)
  return rows.map(({ person, ...row }) => ({
    ...row,
    id: String(row.id),
    issue: String(row.issue),
    by: people.get(Number(person)),
    url: `/api/attachments/${row.id}/file`,
  }))
}

export function peopleById(db: Db): Map<number, Person> {
  return new Map(readPeople(db).map((person) => [Number(person.id), person]))
}
