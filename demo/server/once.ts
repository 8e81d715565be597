import type { MiddlewareHandler } from 'hono'
import type { Env, Services } from './api.ts'

const DAY = 86_400_000

interface Stored {
  status: number
  etag: string | null
  body: string
}

/**
 * Makes a write with an `Idempotency-Key` once: an attempt with a key that this user has sent before gets the response of the first
 * one.
 */
export function answerOnce({ db, clock }: Services): MiddlewareHandler<Env> {
  /** A browser may repeat a request while the first is still being served. */
  const inFlight = new Map<string, Promise<void>>()
  return async (c, next) => {
    const key = c.req.header('idempotency-key')
    if (key === undefined || c.req.method === 'GET') {
      return next()
    }
    const request = `${c.req.method} ${c.req.path} ${key}`.slice(0, 500)
    const person = c.get('person')
    const name = `${person} ${request}`
    while (inFlight.has(name)) {
      await inFlight.get(name)
    }
    const known = db.get<Stored>(
      'SELECT status, etag, body FROM answers WHERE person = ? AND request = ?',
      person,
      request,
    )
    if (known) {
      const { status, etag, body } = known
      const headers = { 'content-type': 'application/json', ...(etag !== null && { etag }) }
      return status === 204 ? c.body(null, 204) : c.body(body, status as 200, headers)
    }
    const served = serve()
    inFlight.set(
      name,
      served.catch(() => {}),
    )
    try {
      return await served
    } finally {
      inFlight.delete(name)
    }

    async function serve(): Promise<void> {
      await next()
      const { res } = c
      if (res.ok) {
        const body = await res.clone().text()
        const at = clock.now()
        db.run('DELETE FROM answers WHERE at < ?', at - DAY)
        db.insert('answers', { person, request, at, status: res.status, etag: res.headers.get('etag'), body })
      }
    }
  }
}
