import { NetworkError } from 'restitch'
import type { VirtualClock } from './clock.ts'
import { createRandom, hash } from './random.ts'
import type { Reply, Server } from './server.ts'

/** The ways in which a request may end. */
export type Outcome =
  | 'ok'
  /** It never reaches the server. */
  | 'lost'
  /** The server handles it, and the response is lost. */
  | 'lostResponse'
  /** The server responds with 503 and does nothing. */
  | 'down'
  /** The same, with a `Retry-After`. */
  | 'busy'
  /** The body of the response is incomplete. */
  | 'truncated'
  /** No response ever arrives. */
  | 'hang'

/** How reliable and how slow the network is. */
export interface Conditions {
  /** How often each outcome occurs, by weight. */
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>
  /** The same for reads, where it differs. */
  readonly reads?: Conditions['outcomes']
  /** The longest time in each direction, in milliseconds. */
  readonly latency: number
  /** The server handles requests in another order than they were sent; by default every second run does. */
  readonly reorders?: boolean
}

const RELIABLE: Conditions = { outcomes: { ok: 1 }, latency: 20 }

/** A request as the network sees it. */
export interface Request {
  readonly number: number
  readonly method: string
  readonly path: string
  readonly search: URLSearchParams
  readonly url: string
  readonly body: any
  /** Set by the action that caused the request; `undefined` if the library sent it. */
  readonly tag: unknown
  state: 'in flight' | 'responded' | 'failed' | 'aborted'
}

/** Is notified of everything that happens on the network. */
export interface Watcher {
  sent(request: Request): void
  served(request: Request): void
  /** A response is about to arrive, which may be a refusal, or a failure (without a `reply`). */
  delivered(request: Request, reply: Reply | undefined): void
  aborted(request: Request): void
  /** The response that is about to arrive has a `Retry-After`. */
  retryAfter(request: Request, until: number): void
}

/** The `Retry-After` of a busy server, in seconds. */
const RETRY_AFTER = 1
const HOST = 'http://sim'

/** Carries the requests of `fetchResponse`: each takes some time, and may be lost. */
export class Network {
  conditions: Conditions
  readonly open: Set<Request> = new Set()
  /** The tag of the next request, and the seed of its outcome and latency; set while an action runs. */
  next: { readonly tag: unknown; readonly seed: number; readonly method: string } | undefined
  count = 0
  /** The last step happened on the server: the client cannot have noticed it yet. */
  isServerStep = false
  /** When the last request reaches a server that keeps the order. */
  private lastServed = 0
  private readonly hanging = new Map<Request, (error: Error) => void>()
  private readonly requestCounts = new Map<string, number>()
  private readonly clock: VirtualClock
  private readonly server: Server
  private readonly seed: number
  private readonly watcher: Watcher

  constructor(clock: VirtualClock, server: Server, seed: number, conditions: Conditions, watcher: Watcher) {
    this.clock = clock
    this.server = server
    this.seed = seed
    this.conditions = conditions
    this.watcher = watcher
  }

  /** The `fetchResponse` of every endpoint. */
  readonly fetchResponse = (input: string, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? 'GET'
    const { seed, tag } = this.seedOf(method, input)
    const random = createRandom(seed)
    const { outcomes, reads = outcomes } = this.conditions
    const outcome = random.weigh(method === 'GET' ? reads : outcomes)
    const { reorders = this.seed % 2 === 1, latency } = this.conditions
    const arrival = Math.max(this.clock.time + random.below(latency), reorders ? 0 : this.lastServed)
    const up = arrival - this.clock.time
    this.lastServed = Math.max(arrival, this.lastServed)
    const down = random.below(latency)
    const { pathname, searchParams } = new URL(input)
    const request: Request = {
      number: ++this.count,
      method,
      path: pathname,
      search: searchParams,
      url: input.slice(HOST.length),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      tag,
      state: 'in flight',
    }
    this.open.add(request)
    this.watcher.sent(request)
    return new Promise((resolve, reject) => {
      const settle = (state: Request['state'], reply?: Reply): boolean => {
        if (request.state !== 'in flight') {
          return false
        }
        request.state = state
        this.open.delete(request)
        this.hanging.delete(request)
        if (state === 'aborted') {
          this.watcher.aborted(request)
        } else {
          this.watcher.delivered(request, reply)
        }
        return true
      }
      const fail = (error: Error): void => {
        if (settle('failed')) {
          reject(error)
        }
      }
      init.signal?.addEventListener('abort', () => {
        if (settle('aborted')) {
          reject(init.signal!.reason as Error)
        }
      })
      const broken = (): void => fail(new TypeError('fetch failed'))
      const deliver = (reply: Reply, text: string): void => {
        const good = outcome !== 'truncated' && reply.status < 300
        const after = outcome === 'busy' && reply.status === 503 ? `${RETRY_AFTER}` : undefined
        const response = respond(input, reply.status, outcome === 'truncated' ? text.slice(0, -1) : text, after)
        const isRefused = reply.status >= 400 && reply.status < 500 && outcome !== 'truncated'
        if (!settle(good ? 'responded' : 'failed', good || isRefused ? reply : undefined)) {
          return
        }
        if (after !== undefined) {
          this.watcher.retryAfter(request, this.clock.time + RETRY_AFTER * 1_000)
        }
        if (reply.status < 300) {
          resolve(response)
        } else {
          reject(new NetworkError(response, input, method))
        }
      }
      const serve = (): void => {
        const reply = this.server.handle(method, request.path, request.search, request.body)
        const text = reply.value === undefined ? '' : JSON.stringify(reply.value)
        this.watcher.served(request)
        this.isServerStep = true
        // An empty body cannot be truncated.
        const isLost = outcome === 'lostResponse' || (outcome === 'truncated' && text === '')
        this.clock.setTimeout(isLost ? broken : () => deliver(reply, text), down)
      }
      const refuse = (): void => deliver({ status: 503 }, '')
      if (outcome === 'hang') {
        this.hanging.set(request, fail)
      } else if (outcome === 'lost') {
        this.clock.setTimeout(broken, up + down)
      } else if (outcome === 'down' || outcome === 'busy') {
        this.clock.setTimeout(refuse, up + down)
      } else {
        this.clock.setTimeout(serve, up)
      }
    })
  }

  /** Ends all requests that hang, and lets every later one succeed. */
  heal(): void {
    this.conditions = { ...RELIABLE, reorders: this.conditions.reorders ?? this.seed % 2 === 1 }
    for (const fail of this.hanging.values()) {
      fail(new TypeError('fetch failed'))
    }
  }

  private seedOf(method: string, input: string): { seed: number; tag: unknown } {
    const { next } = this
    if (next?.method === method) {
      this.next = undefined
      return next
    }
    // The library sends this request itself: its outcome depends only on the URL and on how often that was requested.
    const times = (this.requestCounts.get(input) ?? 0) + 1
    this.requestCounts.set(input, times)
    return { seed: hash(this.seed, input, times), tag: undefined }
  }
}

/** The part of a `Response` that the library uses. */
function respond(url: string, status: number, text: string, after?: string): Response {
  const headers = new Map([['content-type', text === '' ? '' : 'application/json']])
  if (after !== undefined) {
    headers.set('retry-after', after)
  }
  const response = {
    ok: status < 300,
    status,
    statusText: '',
    url,
    redirected: false,
    headers: { get: (name: string) => headers.get(name.toLowerCase()) ?? null },
    text: () => Promise.resolve(text),
    json: () => Promise.resolve(JSON.parse(text)),
    clone: () => response,
  }
  return response as unknown as Response
}
