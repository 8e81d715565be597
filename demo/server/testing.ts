import { createApp } from './app.ts'
import type { Api } from './api.ts'
import type { Clock } from './clock.ts'
import { openDb, type Db } from './db.ts'
import { seed } from './seed.ts'

export const NOW = Date.parse('2026-03-04T12:00:00Z')

/** Time that passes when a test says so. */
export interface HeldClock extends Clock {
  /** Goes on step by step: what is due in between happens at its own time. */
  advance(ms: number): Promise<void>
  /** Resolves when so many have gone to sleep, with how long the last of them will. */
  sleeping(count?: number): Promise<number>
}

export interface Server {
  app: Api
  db: Db
  clock: HeldClock
  /** Sends as Mia, who is signed in; `raw` is a body that may be no JSON. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>, raw?: string): Promise<Response>
  /** Sends, expects the status, and gives the parsed body. */
  ask<T = Record<string, unknown>>(method: string, path: string, status?: number, body?: unknown): Promise<T>
}

/** A server with little data, on a database in memory. */
export async function createServer(options: { test?: boolean; page?: string } = {}): Promise<Server> {
  const db = openDb(':memory:')
  seed(db, NOW, { issues: 300, comments: 400, attachments: 12 })
  const clock = holdClock()
  const app = createApp({ db, clock, ...options })
  const token = await signIn(app)

  return { app, db, clock, send, ask }

  async function send(method: string, path: string, body?: unknown, headers?: Record<string, string>, raw?: string) {
    const text = body === undefined ? raw : JSON.stringify(body)
    return app.request(path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : JSON_TYPE), ...headers },
      ...(text === undefined ? {} : { body: text }),
    })
  }

  async function ask<T>(method: string, path: string, status = 200, body?: unknown): Promise<T> {
    const response = await send(method, path, body)
    const text = await response.text()
    if (response.status !== status) {
      throw new Error(`${method} ${path} gave ${response.status}: ${text}`)
    }
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
}

export const JSON_TYPE = { 'content-type': 'application/json' }

export async function signIn(app: Api, email = 'mia.okafor@example.com'): Promise<string> {
  const body = JSON.stringify({ email, password: 'demo', kind: 'token' })
  const response = await app.request('/api/session', { method: 'POST', body, headers: JSON_TYPE })
  return ((await response.json()) as { accessToken: string }).accessToken
}

function holdClock(): HeldClock {
  let now = NOW
  let timers: { at: number; every?: number; run: () => void }[] = []
  let tellSleep: (ms: number) => unknown = () => {}
  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((run) => {
        timers.push({ at: now + ms, run })
        tellSleep(ms)
      }),
    every(ms, run) {
      const timer = { at: now + ms, every: ms, run }
      timers.push(timer)
      return () => void (timers = timers.filter((other) => other !== timer))
    },
    async advance(ms) {
      const end = now + ms
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) {
          break
        }
        now = next.at
        if (next.every) {
          next.at += next.every
        } else {
          timers = timers.filter((other) => other !== next)
        }
        next.run()
        // Callbacks may wait again.
        await new Promise((done) => setImmediate(done))
      }
      now = end
    },
    sleeping: (count = 1) =>
      new Promise((done) => {
        tellSleep = (ms) => --count === 0 && done(ms)
      }),
  }
}
