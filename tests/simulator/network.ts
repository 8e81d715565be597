import { NetworkError } from 'restitch'
import type { VirtualClock } from './clock.ts'
import { createRandom, hash } from './random.ts'
import type { Said, Server } from './server.ts'

/** What may become of a request. */
export type Fate =
  | 'ok'
  /** It never reaches the server. */
  | 'lost'
  /** The server did what was asked, and the answer is lost. */
  | 'lostAnswer'
  /** The server refuses before it does anything. */
  | 'down'
  /** It refuses, and says when to ask again. */
  | 'busy'
  /** The answer breaks off. */
  | 'cut'
  /** Nobody ever answers. */
  | 'hang'

export interface Weather {
  readonly fates: Readonly<Partial<Record<Fate, number>>>
  /** What may become of reads, where that is something else. */
  readonly reads?: Weather['fates']
  /** The longest way, in milliseconds. */
  readonly latency: number
}

const CALM: Weather = { fates: { ok: 1 }, latency: 20 }

/** A request as the network sees it. */
export interface Request {
  readonly number: number
  readonly method: string
  readonly path: string
  readonly search: URLSearchParams
  readonly url: string
  readonly body: any
  /** What the action that caused it wants to know it by. */
  readonly tag: unknown
  state: 'under way' | 'answered' | 'failed' | 'aborted'
}

/** Who watches the network. */
export interface Watcher {
  sent(request: Request): void
  served(request: Request): void
  /** An answer is about to arrive, or a failure (`said` is missing). */
  delivered(request: Request, said: Said | undefined): void
  aborted(request: Request): void
  /** The answer that is about to arrive says not to ask before that. */
  postponed(request: Request, until: number): void
}

/** How long a server that is busy wants to be left alone, in seconds. */
const AFTER = 1
const HOST = 'http://sim'

/** Carries requests below `fetchResponse`: each takes its time, and may be lost. */
export class Network {
  weather: Weather
  readonly open: Set<Request> = new Set()
  /** What the next request is known by, and what decides its way; set while an action runs. */
  next: { readonly tag: unknown; readonly seed: number; readonly method: string } | undefined
  count = 0
  /** The last that happened was at the server: the client cannot know of it yet. */
  isFar = false
  private readonly hanging = new Map<Request, (error: Error) => void>()
  private readonly ways = new Map<string, number>()
  private readonly clock: VirtualClock
  private readonly server: Server
  private readonly seed: number
  private readonly watcher: Watcher

  constructor(clock: VirtualClock, server: Server, seed: number, weather: Weather, watcher: Watcher) {
    this.clock = clock
    this.server = server
    this.seed = seed
    this.weather = weather
    this.watcher = watcher
  }

  /** Takes the place of `fetchResponse` of every endpoint. */
  readonly fetchResponse = (input: string, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? 'GET'
    const { seed, tag } = this.wayOf(method, input)
    const random = createRandom(seed)
    const { fates, reads = fates } = this.weather
    const fate = random.weigh(method === 'GET' ? reads : fates)
    const up = random.below(this.weather.latency)
    const down = random.below(this.weather.latency)
    const { pathname, searchParams } = new URL(input)
    const request: Request = {
      number: ++this.count,
      method,
      path: pathname,
      search: searchParams,
      url: input.slice(HOST.length),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      tag,
      state: 'under way',
    }
    this.open.add(request)
    this.watcher.sent(request)
    return new Promise((resolve, reject) => {
      const settle = (state: Request['state'], said?: Said): boolean => {
        if (request.state !== 'under way') {
          return false
        }
        request.state = state
        this.open.delete(request)
        this.hanging.delete(request)
        if (state === 'aborted') {
          this.watcher.aborted(request)
        } else {
          this.watcher.delivered(request, said)
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
      const deliver = (said: Said, text: string): void => {
        const good = fate !== 'cut' && said.status < 300
        const after = fate === 'busy' && said.status === 503 ? `${AFTER}` : undefined
        const response = respond(input, said.status, fate === 'cut' ? text.slice(0, -1) : text, after)
        if (!settle(good ? 'answered' : 'failed', good ? said : undefined)) {
          return
        }
        if (after !== undefined) {
          this.watcher.postponed(request, this.clock.time + AFTER * 1_000)
        }
        if (said.status < 300) {
          resolve(response)
        } else {
          reject(new NetworkError(response, input, method))
        }
      }
      const serve = (): void => {
        const said = this.server.answer(method, request.path, request.search, request.body)
        const text = said.value === undefined ? '' : JSON.stringify(said.value)
        this.watcher.served(request)
        this.isFar = true
        // What is empty cannot be cut.
        const isLost = fate === 'lostAnswer' || (fate === 'cut' && text === '')
        this.clock.setTimeout(isLost ? broken : () => deliver(said, text), down)
      }
      const refuse = (): void => deliver({ status: 503 }, '')
      if (fate === 'hang') {
        this.hanging.set(request, fail)
      } else if (fate === 'lost') {
        this.clock.setTimeout(broken, up + down)
      } else if (fate === 'down' || fate === 'busy') {
        this.clock.setTimeout(refuse, up + down)
      } else {
        this.clock.setTimeout(serve, up)
      }
    })
  }

  /** Everything that hangs is cut off, and all goes well from now on. */
  heal(): void {
    this.weather = CALM
    for (const fail of this.hanging.values()) {
      fail(new TypeError('fetch failed'))
    }
  }

  private wayOf(method: string, input: string): { seed: number; tag: unknown } {
    const { next } = this
    if (next?.method === method) {
      this.next = undefined
      return next
    }
    // What the library sends of itself: the way depends on nothing but the address, and how often it was asked.
    const times = (this.ways.get(input) ?? 0) + 1
    this.ways.set(input, times)
    return { seed: hash(this.seed, input, times), tag: undefined }
  }
}

/** As much of an answer as is looked at. */
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
