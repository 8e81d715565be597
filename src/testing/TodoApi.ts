// An API for todos in memory, and what a test does to its network. It is called by `fetch`, so that a test needs no wall time.
import { vi } from 'vitest'
import { Entity } from '../kinds/Entity.ts'
import { resource } from '../rest/resource.ts'

export class Task extends Entity {
  id = ''
  title = ''
  done = false
  static override readonly key = 'Task'
}

export const Tasks: any = resource({
  urlPrefix: 'https://api.test',
  path: '/tasks/:id',
  schema: Task,
  optimistic: true,
})

/** How a request ends. */
export type Fate =
  | 'done'
  /** It does not arrive. */
  | 'request lost'
  /** It arrives, and the response is lost. */
  | 'response lost'
  /** It arrives, and nothing comes back. */
  | 'no response'
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }

/** A request that has arrived. */
export interface Arrived {
  readonly line: string
  readonly body: any
  readonly headers: Headers
}

export class TodoApi {
  readonly tasks: Map<string, any> = new Map()
  /** The requests that have arrived. */
  readonly log: Arrived[] = []
  /** The fates of the next mutations; later ones are done. */
  fates: Fate[] = []
  isOnline = true
  /** It repeats no request whose key it knows. */
  knowsKeys = true
  /** It sends ETags, and refuses a change of another version. */
  hasEtags = false
  /** What a proxy makes of its ETags: weak ones, or none. */
  etagFor: (etag: string, isRead: boolean) => string | undefined = (etag) => etag
  private readonly known = new Map<string, () => Response>()
  private count = 100

  constructor() {
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => this.fetch(url, init))
  }

  /** The mutations that have arrived. */
  get writes(): string[] {
    return this.log
      .filter(({ line }) => !line.startsWith('GET'))
      .map(({ line, body }) => `${line} ${body?.title ?? ''}`.trim())
  }

  private async fetch(url: string, init: RequestInit): Promise<Response> {
    await Promise.resolve()
    const { method = 'GET', body } = init
    const headers = new Headers(init.headers)
    const isRead = method === 'GET'
    const fate = isRead ? 'done' : this.isOnline ? (this.fates.shift() ?? 'done') : 'request lost'
    if (!this.isOnline || fate === 'request lost') {
      throw new TypeError('fetch failed')
    }
    const path = new URL(url).pathname
    const parsed = typeof body === 'string' ? JSON.parse(body) : body
    this.log.push({ line: `${method} ${path}`, body: parsed, headers })
    if (typeof fate === 'object') {
      const text =
        typeof fate.body === 'string' ? fate.body : fate.body === undefined ? null : JSON.stringify(fate.body)
      const type = typeof fate.body === 'string' ? 'text/html' : 'application/json'
      return new Response(text, { status: fate.status, headers: { 'content-type': type, ...fate.headers } })
    }
    const key = headers.get('idempotency-key')
    const make = (key && this.knowsKeys && this.known.get(key)) || this.carryOut(method, path, parsed, headers)
    if (key) {
      this.known.set(key, make)
    }
    if (fate === 'no response') {
      await new Promise(() => {})
    }
    if (fate === 'response lost') {
      throw new TypeError('fetch failed')
    }
    return make()
  }

  private carryOut(method: string, path: string, body: any, headers: Headers): () => Response {
    const [, , id] = path.split('/')
    const task = id === undefined ? undefined : this.tasks.get(id)
    const send = (status: number, value?: unknown, of?: any): (() => Response) => {
      const text = value === undefined ? null : JSON.stringify(value)
      const known = this.hasEtags && of ? etagOf(of) : undefined
      const tag = known && this.etagFor(known, method === 'GET')
      const etag = tag === undefined ? {} : { etag: tag }
      return () =>
        new Response(text, { status, headers: { 'content-type': 'application/json', ...etag } as HeadersInit })
    }
    if (method === 'GET' && id === undefined) {
      return send(200, [...this.tasks.values()])
    }
    if (method === 'POST') {
      const made = { done: false, ...body, id: body?.id ?? String(++this.count) }
      this.tasks.set(made.id, made)
      return send(201, made, made)
    }
    if (!task) {
      return send(404, { message: 'gone' })
    }
    if (method === 'GET') {
      return send(200, task, task)
    }
    if (this.hasEtags && headers.has('if-match') && headers.get('if-match') !== etagOf(task)) {
      return send(412, { message: 'changed' })
    }
    if (method === 'DELETE') {
      this.tasks.delete(id!)
      return send(204)
    }
    const next = { ...task, ...body }
    this.tasks.set(id!, next)
    return send(200, next, next)
  }
}

function etagOf(task: unknown): string {
  let sum = 7
  for (const char of JSON.stringify(task)) {
    sum = (sum * 31 + char.charCodeAt(0)) % 1_000_003
  }
  return `"${sum}"`
}
