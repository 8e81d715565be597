import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { MiddlewareHandler } from 'hono'
import type { Api, ApiContext, Env, Services } from '../api.ts'
import { invalid, Problem } from '../problem.ts'
import { readPeople, readPerson } from '../records.ts'
import { email, oneOf, readFields, readJson, text } from '../validate.ts'

/** The password of every user: this is a demo. */
const PASSWORD = 'demo'

interface Session {
  id: string
  kind: 'cookie' | 'token'
  person: number
}

/** Adds the routes to sign in and out. Returns the middleware that requires a session. */
export function addSessionRoutes(app: Api, { db, events }: Services): MiddlewareHandler<Env> {
  app.get('/api/welcome', (c) => {
    const people = readPeople(db).map(({ id, name, email, avatar }) => ({ id, name, email, avatar }))
    return c.json({ people })
  })

  app.post('/api/session', async (c) => {
    const fields = readFields(
      await readJson(c),
      { email, password: text(1, 100), kind: oneOf('cookie', 'token') },
      { required: ['email', 'password'] },
    )
    const row = db.get<{ id: number }>('SELECT id FROM people WHERE email = ?', fields.email ?? '')
    if (!row) {
      throw invalid({ email: 'does not belong to a user' })
    }
    if (fields.password !== PASSWORD) {
      throw invalid({ password: 'is wrong' })
    }

    const secret = randomBytes(24).toString('base64url')
    const { kind = 'cookie' } = fields
    const session = { id: randomUUID(), kind, person: row.id }
    db.insert('sessions', { ...session, secret: hash(secret) })
    if (kind === 'token') {
      return c.json({ ...describe(session), accessToken: secret }, 201)
    }
    setCookie(c, 'session', secret, { httpOnly: true, sameSite: 'Lax', path: '/' })
    return c.json(describe(session), 201)
  })

  // Not an error without a session: the response is `null`.
  app.get('/api/session', (c) => {
    const session = findSession(c)
    return c.json(session ? describe(session) : null)
  })

  app.delete('/api/session', (c) => {
    const { id } = needSession(c)
    db.run('DELETE FROM sessions WHERE id = ?', id)
    events.close(id)
    deleteCookie(c, 'session', { path: '/' })
    return c.body(null, 204)
  })

  return (c, next) => {
    const session = needSession(c)
    c.set('person', session.person)
    c.set('session', session.id)
    return next()
  }

  function needSession(c: ApiContext): Session {
    const session = findSession(c)
    if (!session) {
      throw new Problem(401, 'You are not signed in.')
    }
    return session
  }

  function findSession(c: ApiContext): Session | undefined {
    const given = c.req.header('authorization')
    const secret = given === undefined ? getCookie(c, 'session') : /^Bearer ([\w-]+)$/.exec(given)?.[1]
    if (!secret) {
      return undefined
    }
    return db.get<Session>('SELECT id, kind, person FROM sessions WHERE secret = ?', hash(secret))
  }

  function describe({ id, kind, person }: Session): object {
    return { id, kind, person: readPerson(db, person) }
  }
}

// A copy of the database is not enough to sign in.
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
