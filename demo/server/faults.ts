import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { MiddlewareHandler } from 'hono'
import type { Api, ApiContext, Env, Services } from './api.ts'
import type { Clock } from './clock.ts'
import { createRandom, type Random } from './random.ts'
import { seed } from './seed.ts'
import { boolean, integer, number, readFields, readJson } from './validate.ts'

/** The faults that the panel “Break it” can turn on. */
export interface Faults {
  /** Milliseconds before the work is done. */
  latency: number
  /** Up to so many milliseconds more after it. */
  jitter: number
  /** The share of requests that fail before anything is done. */
  errorRate: number
  offline: boolean
  /** Delays responses by a random time, so that they overtake each other. */
  reorder: boolean
  slowBody: boolean
}

const NONE: Faults = { latency: 0, jitter: 0, errorRate: 0, offline: false, reorder: false, slowBody: false }
const LONGEST = 60_000
/** How long a window may be away: a reload, or the poll of another window, comes sooner. */
const AWAY = 12_000
const PIECES = 20

/** Adds `/api/faults`, which nothing disturbs, and gives what disturbs the routes added after it. */
export function addFaults(
  app: Api,
  { db, clock, events }: Services,
  options: { random: Random; test: boolean },
): MiddlewareHandler<Env> {
  let faults = NONE
  let { random } = options
  let visits = 0

  app.get('/api/faults', (c) => {
    visits++
    return c.json(faults)
  })

  async function endAfter(visit: number): Promise<void> {
    await clock.sleep(AWAY)
    if (visit === visits) {
      faults = NONE
    }
  }

  // Faults end with the visit: the next visitor finds a server that works.
  app.post('/api/faults/leave', (c) => {
    const visit = ++visits
    void endAfter(visit)
    return c.body(null, 204)
  })

  app.put('/api/faults', async (c) => {
    const { seed, ...fields } = readFields(await readJson(c), {
      latency: number(0, LONGEST),
      jitter: number(0, LONGEST),
      errorRate: number(0, 1),
      offline: boolean,
      reorder: boolean,
      slowBody: boolean,
      seed: integer(0, 2 ** 32 - 1),
    })
    visits++
    faults = { ...faults, ...fields }
    if (seed !== undefined) {
      random = createRandom(seed)
    }
    if (fields.offline) {
      events.close()
    }
    return c.json(faults)
  })

  app.post('/api/faults/sign-out', (c) => {
    db.run('DELETE FROM sessions')
    events.close()
    return c.body(null, 204)
  })

  if (options.test) {
    app.post('/api/faults/reset-data', (c) => {
      faults = NONE
      seed(db, clock.now())
      events.announceLoss()
      return c.body(null, 204)
    })
  }

  return async (c, next) => {
    const { latency, jitter, errorRate, reorder, slowBody } = faults
    if (faults.offline) {
      return hangUp(c)
    }
    if (latency > 0) {
      await clock.sleep(latency)
    }
    if (random() < errorRate) {
      return failAtRandom(c, random)
    }
    await next()
    const held = jitter * random() + (reorder ? Math.max(1000, latency) * random() : 0)
    if (held > 0) {
      await clock.sleep(held)
    }
    // Offline may have been turned on since: then the write is done, but the response is lost.
    if (faults.offline) {
      c.res = hangUp(c)
    } else if (slowBody) {
      await slowDown(c, clock)
    }
    return undefined
  }
}

function hangUp(c: ApiContext): Response {
  c.env.incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}

function failAtRandom(c: ApiContext, random: Random): Response {
  const status = random() < 0.5 ? 500 : 503
  const headers: Record<string, string> = random() < 0.3 ? { 'retry-after': '1' } : {}
  return c.json({ message: 'This failed on purpose: see Break it.' }, status, headers)
}

async function slowDown(c: ApiContext, clock: Clock): Promise<void> {
  const { body, headers, status } = c.res
  if (!body || headers.get('content-type')?.startsWith('text/event-stream')) {
    return
  }
  const bytes = new Uint8Array(await c.res.arrayBuffer())
  const step = Math.max(1, Math.ceil(bytes.length / PIECES))
  let at = 0
  const pieces = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await clock.sleep(1500 / PIECES)
      if (at < bytes.length) {
        controller.enqueue(bytes.subarray(at, (at += step)))
      } else {
        controller.close()
      }
    },
  })
  const slow = new Response(pieces, { status, headers })
  slow.headers.set('content-length', String(bytes.length))
  c.res = slow
}
