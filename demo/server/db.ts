import Database from 'libsql'

/** The values that SQLite stores; any other value makes the driver end the process. */
export type SqlValue = string | number | Uint8Array | null

export type Row = Record<string, SqlValue>

/** The database: every call is done when it returns, so a request's work is never mixed with another's. */
export interface Db {
  all<R = Row>(sql: string, ...params: SqlValue[]): R[]
  get<R = Row>(sql: string, ...params: SqlValue[]): R | undefined
  /** Gives the id of the row it inserted. */
  run(sql: string, ...params: SqlValue[]): number
  /** Rows of one call have the same columns. Gives the id of the last. */
  insert(table: string, ...rows: Row[]): number
  /** Commits when `work` returns and takes everything back when it throws. */
  transaction<T>(work: () => T): T
  close(): void
}

export function openDb(file: string): Db {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  // A response means that the write is on the disk, not that it will be.
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.transaction(() => database.exec(SCHEMA))()
  const statements = new Map<string, Database.Statement>()

  return { all, get: (sql, ...params) => all<never>(sql, ...params)[0], run, insert, transaction, close }

  function prepare(sql: string, params: SqlValue[]): Database.Statement {
    for (const value of params) {
      if (value !== null && typeof value !== 'string' && typeof value !== 'number' && !(value instanceof Uint8Array)) {
        throw new TypeError(`${typeof value} is nothing SQLite can store`)
      }
    }
    let statement = statements.get(sql)
    if (!statement) {
      // Filters make many texts: forget them before they fill the memory.
      if (statements.size > 500) {
        statements.clear()
      }
      statements.set(sql, (statement = database.prepare(sql)))
    }
    return statement
  }

  function all<R>(sql: string, ...params: SqlValue[]): R[] {
    return prepare(sql, params).all(...params) as R[]
  }

  function run(sql: string, ...params: SqlValue[]): number {
    return Number(prepare(sql, params).run(...params).lastInsertRowid)
  }

  // A statement for many rows costs little more than one for a single row.
  function insert(table: string, ...rows: Row[]): number {
    const names = Object.keys(rows[0] ?? {})
    const one = `(${names.map(() => '?').join(', ')})`
    let id = 0
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH)
      const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES ${batch.map(() => one).join(', ')}`
      id = run(sql, ...batch.flatMap((row) => names.map((name) => row[name] ?? null)))
    }
    return id
  }

  function transaction<T>(work: () => T): T {
    return database.transaction(work)()
  }

  function close(): void {
    statements.clear()
    database.close()
  }
}

const BATCH = 50

/** The argument of `LIKE ? ESCAPE '\\'` that finds a text anywhere. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS people (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
    color TEXT NOT NULL, revision INTEGER NOT NULL DEFAULT 1
  );
  CREATE TABLE IF NOT EXISTS projects (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL, description TEXT NOT NULL,
    lead INTEGER NOT NULL REFERENCES people, color TEXT NOT NULL, lastNumber INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 1
  );
  CREATE TABLE IF NOT EXISTS labels (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, color TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS issues (
    id INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL REFERENCES projects, number INTEGER NOT NULL,
    key TEXT NOT NULL UNIQUE, title TEXT NOT NULL, body TEXT NOT NULL, status TEXT NOT NULL, priority INTEGER NOT NULL,
    assignee INTEGER REFERENCES people, author INTEGER NOT NULL REFERENCES people, labels TEXT NOT NULL,
    rank REAL NOT NULL, estimate INTEGER NOT NULL, dueOn TEXT, createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL,
    closedAt TEXT, revision INTEGER NOT NULL DEFAULT 1
  );
  CREATE INDEX IF NOT EXISTS issuesByStatus ON issues (project, status, rank);
  CREATE INDEX IF NOT EXISTS issuesByUpdate ON issues (updatedAt, id);
  CREATE INDEX IF NOT EXISTS issuesByAssignee ON issues (assignee);
  CREATE INDEX IF NOT EXISTS issuesByAuthor ON issues (author);
  CREATE TABLE IF NOT EXISTS comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT, issue INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE,
    author INTEGER NOT NULL REFERENCES people, body TEXT NOT NULL, createdAt TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1
  );
  CREATE INDEX IF NOT EXISTS commentsByIssue ON comments (issue, id);
  CREATE INDEX IF NOT EXISTS commentsByAuthor ON comments (author);
  CREATE TABLE IF NOT EXISTS attachments (
    id INTEGER PRIMARY KEY AUTOINCREMENT, issue INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE,
    name TEXT NOT NULL, type TEXT NOT NULL, size INTEGER NOT NULL, person INTEGER NOT NULL REFERENCES people,
    createdAt TEXT NOT NULL, data BLOB NOT NULL
  );
  CREATE INDEX IF NOT EXISTS attachmentsByIssue ON attachments (issue, id);
  CREATE INDEX IF NOT EXISTS attachmentsByPerson ON attachments (person);
  CREATE TABLE IF NOT EXISTS activity (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, project INTEGER NOT NULL REFERENCES projects,
    person INTEGER NOT NULL REFERENCES people, issue INTEGER NOT NULL, key TEXT NOT NULL, title TEXT NOT NULL,
    kind TEXT NOT NULL, text TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS activityByProject ON activity (project, at, id);
  CREATE INDEX IF NOT EXISTS activityByPerson ON activity (person);
  CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, secret TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE
  );
  CREATE TABLE IF NOT EXISTS answers (
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE, request TEXT NOT NULL, at INTEGER NOT NULL,
    status INTEGER NOT NULL, etag TEXT, body TEXT NOT NULL, PRIMARY KEY (person, request)
  );
  CREATE TABLE IF NOT EXISTS changes (
    number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id INTEGER NOT NULL, event TEXT NOT NULL
  );
`
