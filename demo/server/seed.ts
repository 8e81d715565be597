import type { Db, Row } from './db.ts'
import { createRandom } from './random.ts'
import { CONTEXTS, LABELS, PEOPLE, PROJECTS, REMARKS, SENTENCES, SUBJECTS, VERBS } from './seedTexts.ts'
import { STATUS_NAMES, STATUSES } from './statuses.ts'

const FULL_SIZE = { issues: 5000, comments: 9000, attachments: 400 }
const BIG_FILE = 3 * 1024 * 1024
const DAY = 86_400_000

export function isSeeded(db: Db): boolean {
  return db.get("SELECT 1 FROM meta WHERE key = 'seededAt'") !== undefined
}

/** Replaces all data by the same believable set; only its dates follow `now`. Sessions stay. */
export function seed(db: Db, now: number, size: typeof FULL_SIZE = FULL_SIZE): void {
  const random = createRandom(20_260)
  const openedAt: number[] = []
  db.transaction(() => {
    const sessions = db.all('SELECT * FROM sessions')
    for (const table of TABLES) {
      db.run(`DELETE FROM ${table}`)
    }
    db.run(`DELETE FROM sqlite_sequence WHERE name <> 'changes'`)
    db.insert('people', ...PEOPLE.map(([name, role, color]) => ({ name, email: toEmail(name), role, color })))
    db.insert('labels', ...LABELS.map(([name, color]) => ({ name, color })))
    db.insert(
      'projects',
      ...PROJECTS.map(([key, name, description, color], at) => ({ key, name, description, lead: at * 2 + 1, color })),
    )
    seedIssues()
    seedComments()
    seedAttachments()
    db.insert('sessions', ...sessions.filter(({ person }) => Number(person) <= PEOPLE.length))
    // Changes are counted on from the time, so that a stream that knew other data finds out.
    const used = Number(db.get("SELECT max(seq) AS seq FROM sqlite_sequence WHERE name = 'changes'")?.seq)
    db.insert('changes', { number: Math.max(used + 1, Math.floor(now / 1000)), kind: 'project', id: 1, event: 'set' })
    db.insert('meta', { key: 'seededAt', value: new Date(now).toISOString() })
  })

  function seedIssues(): void {
    const issues: Row[] = []
    const activity: Row[] = []
    const numbers = new Map<number, number>()
    for (let id = 1; id <= size.issues; id++) {
      const project = 1 + Math.floor(random() ** 1.4 * PROJECTS.length)
      const number = (numbers.get(project) ?? 0) + 1
      numbers.set(project, number)
      // Later issues are younger, and the young ones are the open ones.
      const createdAt = now - Math.floor((1 - id / (size.issues + 1)) * 540 * DAY) - Math.floor(random() * 0.1 * DAY)
      const status = random() < 0.9 - (id / size.issues) * 0.6 ? 'done' : pick(STATUSES.slice(0, 4))
      openedAt.push(createdAt)
      const updatedAt = between(createdAt, Math.min(now, createdAt + 60 * DAY))
      const isDue = random() < 0.35
      const dueOn = isDue ? toTime(updatedAt + Math.floor((random() * 60 - 10) * DAY)).slice(0, 10) : null
      const author = person()
      const key = `${PROJECTS[project - 1]?.[0]}-${number}`
      const title = makeTitle()
      issues.push({
        project,
        number,
        key,
        title,
        body: makeBody(),
        status,
        priority: Math.floor(random() ** 1.5 * 5),
        assignee: random() < 0.15 ? null : person(),
        author,
        labels: JSON.stringify(pickLabels()),
        rank: id,
        estimate: pick([0, 1, 2, 3, 5, 8]),
        dueOn,
        createdAt: toTime(createdAt),
        updatedAt: toTime(updatedAt),
        closedAt: status === 'done' ? toTime(updatedAt) : null,
      })
      const entry = { project, issue: id, key, title }
      activity.push({ ...entry, at: toTime(createdAt), person: author, kind: 'created', text: 'opened the issue' })
      if (status !== 'backlog') {
        const text = `moved it to “${STATUS_NAMES[status]}”`
        activity.push({ ...entry, at: toTime(updatedAt), person: person(), kind: 'status', text })
      }
    }
    db.insert('issues', ...issues)
    db.insert('activity', ...activity)
    for (const [project, number] of numbers) {
      db.run('UPDATE projects SET lastNumber = ? WHERE id = ?', number, project)
    }
  }

  function seedComments(): void {
    const comments = Array.from({ length: size.comments }, () => {
      const issue = pickIssue()
      const createdAt = toTime(between(openedAt[issue - 1] ?? now, now))
      const body = random() < 0.3 ? `${pick(REMARKS)} ${pick(REMARKS)}` : pick(REMARKS)
      return { issue, author: person(), body, createdAt }
    })
    db.insert('comments', ...comments)
  }

  function seedAttachments(): void {
    const attachments = Array.from({ length: size.attachments }, (_, at) => {
      // The newest issue has the big file: it is the first that people open.
      const { name, type, text } = at === 0 ? makeBigFile() : makeFile(at)
      const data = Buffer.from(text)
      const issue = at === 0 ? size.issues : pickIssue()
      const createdAt = toTime(between(openedAt[issue - 1] ?? now, now))
      return { issue, name, type, size: data.length, person: person(), createdAt, data }
    })
    db.insert('attachments', ...attachments)
  }

  function pick<T>(list: readonly T[]): T {
    return list[Math.floor(random() * list.length)] as T
  }

  function person(): number {
    return 1 + Math.floor(random() * PEOPLE.length)
  }

  // People talk about what is new.
  function pickIssue(): number {
    return size.issues - Math.floor(random() ** 1.3 * size.issues)
  }

  // Most things happen soon.
  function between(start: number, end: number): number {
    return Math.floor(start + random() ** 3 * (end - start))
  }

  function pickLabels(): number[] {
    const count = Math.floor(random() * 3.2)
    return [...new Set(Array.from({ length: count }, () => 1 + Math.floor(random() * LABELS.length)))]
  }

  function makeTitle(): string {
    return `${pick(VERBS)} ${pick(SUBJECTS)}${random() < 0.6 ? ` ${pick(CONTEXTS)}` : ''}`
  }

  function makeBody(): string {
    return Array.from({ length: Math.floor(random() * 5) }, () => pick(SENTENCES)).join('\n\n')
  }

  function makeFile(at: number): { name: string; type: string; text: string } {
    if (at % 3 === 0) {
      const rows = Array.from(
        { length: 40 },
        (_, day) => `${toTime(now - day * DAY).slice(0, 10)},${pick([3, 5, 8])},${at}`,
      )
      return { name: `bookings-${at}.csv`, type: 'text/csv', text: `day,rooms,desks\n${rows.join('\n')}\n` }
    }
    if (at % 3 === 1) {
      const bars = Array.from(
        { length: 12 },
        (_, x) => `<rect x="${x * 10}" y="${pick([5, 20, 40])}" width="8" height="60"/>`,
      )
      const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 100" fill="#1d4ed8">${bars.join('')}</svg>\n`
      return { name: `sketch-${at}.svg`, type: 'image/svg+xml', text }
    }
    const lines = Array.from({ length: 30 }, (_, line) => `${toTime(now - at * DAY + line * 1000)} ${pick(SENTENCES)}`)
    return { name: `server-${at}.log`, type: 'text/plain', text: `${lines.join('\n')}\n` }
  }

  function makeBigFile(): { name: string; type: string; text: string } {
    const line = `${toTime(now)} GET /api/rooms 200 ${pick(SENTENCES)}\n`
    return { name: 'full-trace.log', type: 'text/plain', text: line.repeat(Math.ceil(BIG_FILE / line.length)) }
  }
}

const TABLES = [
  'sessions',
  'attachments',
  'comments',
  'activity',
  'issues',
  'labels',
  'projects',
  'people',
  'changes',
  'meta',
]

function toEmail(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{Mn}/gu, '')
  return `${plain.toLowerCase().replace(' ', '.')}@example.com`
}

function toTime(time: number): string {
  return new Date(time).toISOString()
}
