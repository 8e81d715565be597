import { buildSchema, execute, GraphQLError, parse, validate, type DocumentNode } from 'graphql'
import type { Api, Services } from './api.ts'
import type { Db } from './db.ts'
import { Problem } from './problem.ts'
import { peopleById } from './records.ts'
import { revise } from './revise.ts'
import { STATUSES } from './statuses.ts'
import { Complaint, readFields, readJson, text } from './validate.ts'

const SCHEMA = buildSchema(`
  type Query {
    projects: [ProjectStats!]!
    projectStats(id: ID!): ProjectStats
  }
  type Mutation {
    renameProject(id: ID!, name: String!): ProjectStats
  }
  type ProjectStats {
    id: ID!
    key: String!
    name: String!
    color: String!
    open: Int!
    done: Int!
    byStatus: [StatusCount!]!
    byPerson: [PersonCount!]!
    weekly: [Week!]!
  }
  type StatusCount { status: String! count: Int! }
  type PersonCount { person: Person! open: Int! done: Int! }
  type Person { id: ID! name: String! email: String! role: String! avatar: String! color: String! revision: Int! }
  type Week { week: String! opened: Int! closed: Int! }
`)

const DAY = 86_400_000
const WEEKS = 12
/** More than any question of the app needs, and less than would keep the parser busy. */
const LONGEST = 2000

export function addGraphqlRoute(app: Api, { db, clock, events }: Services): void {
  const rootValue = {
    projects: () => db.all<ProjectRow>('SELECT * FROM projects ORDER BY name, id').map((row) => describe(row)),
    projectStats: ({ id }: { id: string }) => findProject(id),
    renameProject({ id, name }: { id: string; name: string }) {
      const project = findProject(id)
      const { name: checked = name } = readFields({ name }, { name: text(1, 60) })
      if (!project) {
        return null
      }
      events.write((note) => {
        revise(db, 'projects', project.number, { name: checked })
        note('project', project.number)
      })
      return findProject(id)
    },
  }

  app.post('/api/graphql', async (c) => {
    const body = await readJson(c)
    const fields = readFields(
      body,
      { query: text(1, 20_000), variables: object, operationName: nullableText },
      {
        required: ['query'],
        ignored: ['extensions'],
      },
    )
    const document = parseQuery(fields.query ?? '')
    if (document instanceof GraphQLError) {
      return c.json({ errors: [document] }, 400)
    }
    const errors = validate(SCHEMA, document)
    if (errors.length > 0) {
      return c.json({ errors: errors.slice(0, 10) }, 400)
    }
    const result = await execute({
      schema: SCHEMA,
      document,
      rootValue,
      variableValues: fields.variables ?? null,
      operationName: fields.operationName ?? null,
    })
    return c.json({ ...result, ...(result.errors && { errors: result.errors.map(explain) }) })
  })

  function findProject(id: string): ReturnType<typeof describe> | null {
    const row = /^[1-9]\d{0,14}$/.test(id) && db.get<ProjectRow>('SELECT * FROM projects WHERE id = ?', Number(id))
    return row ? describe(row) : null
  }

  // Numbers are counted when a query requests them.
  function describe({ id, key, name, color }: ProjectRow) {
    const count = (sql: string) => () =>
      Number(db.get(`SELECT count(*) AS n FROM issues WHERE project = ? ${sql}`, id)?.n)
    return {
      id: String(id),
      number: id,
      key,
      name,
      color,
      open: count("AND status <> 'done'"),
      done: count("AND status = 'done'"),
      byStatus: () => countByStatus(db, id),
      byPerson: () => countByPerson(db, id),
      weekly: () => countByWeek(db, id, clock.now()),
    }
  }
}

interface ProjectRow {
  id: number
  key: string
  name: string
  color: string
}

function countByStatus(db: Db, project: number): object[] {
  const sql = 'SELECT status, count(*) AS n FROM issues WHERE project = ? GROUP BY status'
  const counts = new Map(db.all<{ status: string; n: number }>(sql, project).map(({ status, n }) => [status, n]))
  return STATUSES.map((status) => ({ status, count: counts.get(status) ?? 0 }))
}

function countByPerson(db: Db, project: number): object[] {
  const people = peopleById(db)
  const sql = `SELECT assignee, sum(status <> 'done') AS open, sum(status = 'done') AS done FROM issues
    WHERE project = ? AND assignee IS NOT NULL GROUP BY assignee ORDER BY open DESC, assignee`
  return db
    .all<{ assignee: number; open: number; done: number }>(sql, project)
    .map(({ assignee, open, done }) => ({ person: people.get(assignee), open, done }))
}

function countByWeek(db: Db, project: number, now: number): object[] {
  const today = new Date(now)
  const monday = Date.UTC(
    today.getUTCFullYear(),
    today.getUTCMonth(),
    today.getUTCDate() - ((today.getUTCDay() + 6) % 7),
  )
  return Array.from({ length: WEEKS }, (_, index) => {
    const [week, next] = [index, index + 1].map((at) => toDay(monday - (WEEKS - 1 - at) * 7 * DAY)) as [string, string]
    const count = (column: string) =>
      db.get(
        `SELECT count(*) AS n FROM issues WHERE project = ? AND ${column} >= ? AND ${column} < ?`,
        project,
        week,
        next,
      )
    return { week, opened: count('createdAt')?.n, closed: count('closedAt')?.n }
  })
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function parseQuery(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query, { maxLexicalTokens: LONGEST })
  } catch (error) {
    // Deep nesting overflows the stack of the parser.
    return error instanceof GraphQLError ? error : new GraphQLError('The question is nested too deep.')
  }
}

// The fields of bad input go along, for the form that sent it.
function explain(error: GraphQLError): object {
  const { originalError } = error
  if (!(originalError instanceof Problem)) {
    return error.toJSON()
  }
  return { ...error.toJSON(), extensions: { status: originalError.status, fields: originalError.fields } }
}

function object(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new Complaint('must be an object')
  }
  return value as Record<string, unknown> | null
}

function nullableText(value: unknown): string | null {
  return value == null ? null : text(1, 200)(value)
}
