import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request to a route, with its body parsed. */
export interface ApiRequest {
  readonly params: Record<string, string>
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: any
}

/** The status, headers and body of a response. */
export class Reply {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>
  constructor(status: number, body?: unknown, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** Returns what to send: a `Reply`, or a value that is sent as JSON with status 200. */
export type Route = (request: ApiRequest) => unknown

export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** Serves JSON routes such as `'GET /api/books/:id'`, and leaves all other paths to the next middleware. */
export function serveRoutes(routes: Record<string, Route>): Middleware {
  const table = Object.entries(routes).map(([name, route]) => {
    const [method, path = ''] = name.split(' ')
    return { method, pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`), route }
  })
  return (request, response, next) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (!pathname.startsWith('/api/')) {
      next()
      return
    }
    const found = table.find(({ method, pattern }) => method === request.method && pattern.test(pathname))
    void (async () => {
      const reply = found
        ? await run(found.route, {
            params: decode(found.pattern.exec(pathname)?.groups ?? {}),
            query: searchParams,
            headers: request.headers,
            body: await readJson(request),
          })
        : new Reply(404, { message: 'Not found' })
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...reply.headers }
      response.writeHead(reply.status, headers).end(reply.body === undefined ? undefined : JSON.stringify(reply.body))
    })()
  }
}

async function run(route: Route, request: ApiRequest): Promise<Reply> {
  try {
    const result = await route(request)
    return result instanceof Reply ? result : new Reply(200, result)
  } catch (error) {
    // A route may throw its reply.
    return error instanceof Reply ? error : new Reply(500, { message: String(error) })
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) {
    text += chunk
  }
  return text === '' ? undefined : JSON.parse(text)
}

function decode(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
}
