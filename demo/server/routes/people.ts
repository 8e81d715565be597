import type { Api, Services } from '../api.ts'
import { refuseChanged, sendRecord } from '../etags.ts'
import { invalid, Problem } from '../problem.ts'
import { readPeople, readPerson } from '../records.ts'
import { refuseStale, revise } from '../revise.ts'
import { color, email, found, integer, readFields, readId, readJson, text } from '../validate.ts'

const FIELDS = { name: text(1, 60), email, role: text(1, 60), color }
const READ_ONLY = ['id', 'avatar']

/** Pictures are public: the browser sends no access token with them. */
export function addAvatarRoute(app: Api, { db }: Services): void {
  app.get('/api/avatars/:id', (c) => {
    const { name, color } = found(readPerson(db, readId(c)), 'person')
    const initials = name.split(/\s+/).map((word) => Array.from(word)[0] ?? '')
    const shown = [initials[0], initials.length > 1 ? initials.at(-1) : ''].join('').toUpperCase()
    return c.body(drawAvatar(escape(shown), color), 200, {
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    })
  })
}

export function addPeopleRoutes(app: Api, { db, events }: Services): void {
  app.get('/api/people', (c) => c.json(readPeople(db)))

  app.post('/api/people', async (c) => {
    const body = readFields(await readJson(c), FIELDS, { required: ['name', 'email'], ignored: READ_ONLY })
    const { name = '', email = '', role = 'Engineer', color = '#64748b' } = body
    refuseTaken(email, 0)
    const id = events.write((note) => {
      const id = db.insert('people', { name, email, role, color })
      note('person', id, 'create')
      return id
    })
    return sendRecord(c, found(readPerson(db, id), 'person'), 201)
  })

  app.get('/api/people/:id', (c) => sendRecord(c, found(readPerson(db, readId(c)), 'person')))

  app.patch('/api/people/:id', async (c) => {
    const id = readId(c)
    const shape = { ...FIELDS, revision: integer(1, 1e9) }
    const { revision, ...fields } = readFields(await readJson(c), shape, { ignored: READ_ONLY })
    const person = found(readPerson(db, id), 'person')
    refuseStale(revision, person.revision)
    refuseChanged(c, person)
    if (fields.email !== undefined) {
      refuseTaken(fields.email, id)
    }
    events.write((note) => {
      revise(db, 'people', id, fields)
      note('person', id)
    })
    return sendRecord(c, found(readPerson(db, id), 'person'))
  })

  app.delete('/api/people/:id', (c) => {
    const id = readId(c)
    refuseChanged(c, found(readPerson(db, id), 'person'))
    for (const [sql, what] of TIES) {
      if (db.get(`SELECT 1 FROM ${sql} = ? LIMIT 1`, id)) {
        throw new Problem(409, `This person ${what}.`)
      }
    }
    events.write((note) => {
      db.run('DELETE FROM people WHERE id = ?', id)
      note('person', id, 'delete')
    })
    return c.body(null, 204)
  })

  function refuseTaken(email: string, id: number): void {
    if (db.get('SELECT 1 FROM people WHERE email = ? AND id <> ?', email, id)) {
      throw invalid({ email: 'is taken' })
    }
  }
}

// Everything that refers to a person stays, and so does the person.
const TIES = [
  ['issues WHERE assignee', 'still has issues'],
  ['projects WHERE lead', 'leads a project'],
  ['issues WHERE author', 'opened issues'],
  ['comments WHERE author', 'wrote comments'],
  ['attachments WHERE person', 'attached files'],
  ['activity WHERE person', 'took part'],
] as const

function drawAvatar(initials: string, color: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><rect width="64" height="64" fill="${color}"/>
<text x="32" y="33" fill="#fff" font-family="system-ui,sans-serif" font-size="26" font-weight="600" text-anchor="middle" dominant-baseline="central">${initials}</text></svg>`
}

function escape(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
