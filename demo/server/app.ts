import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { Api, Env, Services } from './api.ts'
import { realClock, type Clock } from './clock.ts'
import type { Db } from './db.ts'
import { createEvents } from './events.ts'
import { addFaults } from './faults.ts'
import { addGraphqlRoute } from './graphql.ts'
import { answerOnce } from './once.ts'
import { answerProblem, Problem } from './problem.ts'
import { createRandom, type Random } from './random.ts'
import { addAttachmentRoutes, limitTo } from './routes/attachments.ts'
import { addCommentRoutes } from './routes/comments.ts'
import { addIssueRoutes } from './routes/issues.ts'
import { addAvatarRoute, addPeopleRoutes } from './routes/people.ts'
import { addProjectRoutes } from './routes/projects.ts'
import { addSessionRoutes } from './routes/session.ts'
import { addPage } from './static.ts'

export interface AppOptions {
  db: Db
  clock?: Clock
  /** Where the faults take chance from. */
  random?: Random
  /** The folder of the built page. */
  page?: string
  /** Adds a route that seeds the data again. */
  test?: boolean
}

const JSON_LIMIT = 1024 * 1024

/** The API and the page. Middleware applies to the routes below it. */
export function createApp({ db, clock = realClock, random = createRandom(1), page, test = false }: AppOptions): Api {
  const app = new Hono<Env>()
  const services: Services = { db, clock, events: createEvents(db, clock) }

  app.use(secureHeaders({ strictTransportSecurity: false }))
  app.onError((error, c) => {
    if (error instanceof Problem) {
      return answerProblem(c, error)
    }
    // The client closed the connection before its request was complete: it does not read the response.
    if ('code' in error && error.code === 'ECONNRESET') {
      return answerProblem(c, new Problem(400, 'The body broke off.'))
    }
    console.error(error)
    return answerProblem(c, new Problem(500, 'The server made a mistake.'))
  })
  app.notFound((c) => {
    const allowed = findMethods(app, c.req.path)
    if (allowed.length === 0) {
      return answerProblem(c, new Problem(404, 'There is nothing here.'))
    }
    c.header('allow', allowed.join(', '))
    return answerProblem(c, new Problem(405, `Here you can ${allowed.join(', ')}.`))
  })

  const attachmentPath = /^\/api\/issues\/[^/]+\/attachments$/
  const limitJson = limitTo(JSON_LIMIT)
  app.use('/api/*', async (c, next) => {
    // The page may keep what it gets for its user, and has to ask whether it is still so.
    c.header('cache-control', 'private, no-cache')
    return attachmentPath.test(c.req.path) ? next() : limitJson(c, next)
  })
  app.use('/api/*', addFaults(app, services, { random, test }))
  addAvatarRoute(app, services)
  app.use('/api/*', addSessionRoutes(app, services))
  app.use('/api/*', answerOnce(services))

  addIssueRoutes(app, services)
  addCommentRoutes(app, services)
  addAttachmentRoutes(app, services)
  addPeopleRoutes(app, services)
  addProjectRoutes(app, services)
  addGraphqlRoute(app, services)
  app.get('/api/events', (c) => {
    const stream = services.events.open(c.get('session'), c.req.header('last-event-id'))
    return c.body(stream, 200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  })
  app.all('/api/*', (c) => c.notFound())
  if (page !== undefined) {
    addPage(app, page)
  }
  return app
}

/** The methods of the routes with this path. */
function findMethods(app: Api, path: string): string[] {
  const methods = app.routes
    .filter((route) => route.method !== 'ALL' && !route.path.includes('*'))
    .filter((route) => new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path))
  return [...new Set(methods.map(({ method }) => method))]
}
