import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { Clock } from './clock.ts'
import type { Db } from './db.ts'
import type { Events } from './events.ts'

/** The signed-in person; set by the session before a route runs. */
export interface Env {
  Bindings: HttpBindings
  Variables: { person: number; session: string }
}
export type Api = Hono<Env>
export type ApiContext = Context<Env>

/** The services that routes use. */
export interface Services {
  db: Db
  clock: Clock
  events: Events
}
