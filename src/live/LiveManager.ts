import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { isObject } from '../base/equal.ts'
import type { ActionTypes, KeyTest } from '../requests/actions.ts'
import { FETCH, RESET, SET_RESPONSE, SUBSCRIBE, UNSUBSCRIBE } from '../requests/actionTypes.ts'
import type { Middleware } from '../controller/Middleware.ts'
import type { Controller } from '../controller/Controller.ts'
import { type ConnectionListener, DefaultConnectionListener } from '../managers/ConnectionListener.ts'
import type { Page, Globals } from '../managers/globals.ts'
import type { Manager } from '../managers/Manager.ts'
import { Outside } from '../managers/Outside.ts'
import { checkSpread, type Spread } from '../requests/spread.ts'
import { onRenewal } from '../managers/renewal.ts'
import type { LiveFact } from '../advice/Explanation.ts'
import { addLive } from '../explain/liveLinks.ts'
import { report } from '../base/report.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { Attempts, STABLE } from './Attempts.ts'
import { createWriter, type LiveWriter, type PatientWriter, type Version } from './createWriter.ts'
import type { LiveConnect, LiveLink, LiveMessage } from './LiveLink.ts'

/**
 * The state of a connection. `waiting`: for the next attempt; `paused`: the page is hidden; `refused`: the server wants no
 * connection. After a 401 or 403 the next successful request, token or sign-in ends it.
 *
 * @example
 * const isLive = (status: LiveStatus) => status === 'open'
 * @see docs/api/LiveManager.md#livestatus
 */
export type LiveStatus = 'closed' | 'connecting' | 'open' | 'waiting' | 'paused' | 'refused'

/** The options of a LiveManager. */
export interface LiveOptions {
  /** How to connect: `eventStream(url)`, `webSocket(url)`, or your own function. */
  readonly connect: LiveConnect
  /** Writes what a message says. */
  readonly receive: (message: LiveMessage, writer: LiveWriter) => void
  /** The endpoints that the messages keep up to date; after a gap they are refetched. By default all. */
  readonly covers?: readonly KeyTest[] | undefined
  /** The server sends the messages that were missed (`Last-Event-ID`): no gap, nothing is refetched. */
  readonly resumes?: boolean | undefined
  /** Also refetches what was fetched in the seconds before the first connection. */
  readonly strict?: boolean | undefined
  /** The version of a record, such as `updatedAt`: an older message does not overwrite a newer record. */
  readonly version?: ((record: any) => Version) | undefined
  /** The topic of a subscription (`useLive`, `useSubscription`), or `undefined` if it is polled. */
  readonly topicOf?: ((endpoint: EndpointInterface, ...args: readonly any[]) => string | undefined) | undefined
  /** Milliseconds after which a hidden page closes its connection; by default 5 minutes. */
  readonly pauseAfter?: number | undefined
  /** Called when the state of the connection changes. */
  readonly onStatus?: ((status: LiveStatus, error?: unknown) => void) | undefined
  /** Milliseconds within which it connects again, and refetches what events put in doubt, at random; by default 2,000. */
  readonly spread?: Spread | undefined
  readonly connectionListener?: ConnectionListener | undefined
  readonly page?: Page | undefined
}

/** Milliseconds for which a burst is collected. */
const BURST = 16

/** Whose options are wrong. */
const OWNER = 'LiveManager'

/**
 * Keeps the store up to date with messages of the server: over server-sent events or a WebSocket.
 *
 * @example
 * const live = new LiveManager({
 *   connect: eventStream('https://api.test/events'),
 *   receive: ({ type, data }, { set, remove }) => (type === 'deleted' ? remove(Todo, data) : set(Todo, data)),
 * })
 * const store = createStore({ managers: [live, ...getDefaultManagers()] })
 * @see docs/api/LiveManager.md
 */
export class LiveManager implements Manager {
  status: LiveStatus = 'closed'
  private readonly options: LiveOptions
  private readonly page: Page | undefined
  private readonly network: ConnectionListener
  private controller: Controller | undefined
  private writer: PatientWriter | undefined
  private aborter: AbortController | undefined
  private link: LiveLink | undefined
  private timer: unknown
  private hiding: unknown
  private queue: { text: string; type: string | undefined; id: string | undefined }[] = []
  private flushing: unknown
  private lastId = ''
  private readonly attempts: Attempts = new Attempts()
  private outside: Outside | undefined
  private startedAt = 0
  private openedAt: number | undefined
  /** When another attempt may follow a 401 or 403; `undefined` if none was refused. */
  private retryAt: number | undefined
  private endRenewal: (() => void) | undefined
  private wasOpen = false
  /** The connection that is open, or about to be, follows one that was lost: so it is for all clients, at the same moment. */
  private isAgain = false
  /** The keys of reads in flight, and of those whose response may have been computed before the connection was open. */
  private readonly inFlight: Set<string> = new Set()
  private suspects: Set<string> = new Set()
  private readonly topics: Map<string, number> = new Map()
  private statusAt = 0
  private failedWith: string | undefined
  private messages = 0
  private lastAt: number | undefined

  constructor(options: LiveOptions) {
    checkSpread(options.spread, OWNER)
    this.options = options
    this.page = options.page ?? (globalThis as Globals).document
    this.network = options.connectionListener ?? new DefaultConnectionListener()
  }

  readonly middleware: Middleware = (controller) => {
    this.controller = controller
    addLive(controller, (key) => this.report(key))
    const outside = (this.outside = new Outside(controller, this.options.spread, OWNER))
    this.writer = createWriter(controller, outside, this.options.version, (error) => this.onLost(error))
    return (next) => (action) => {
      if ((action.type === SUBSCRIBE || action.type === UNSUBSCRIBE) && this.count(action)) {
        return Promise.resolve()
      }
      if (action.type === FETCH && !action.endpoint.sideEffect) {
        this.inFlight.add(action.key)
      }
      const done = next(action)
      if (action.type === FETCH && action.endpoint.sideEffect) {
        this.writer!.onMutation(action)
      }
      if (action.type === SET_RESPONSE) {
        if (!action.error) {
          this.onAccepted()
        }
        this.inFlight.delete(action.key)
        if (this.suspects.delete(action.key)) {
          this.expireKeys((key) => key === action.key)
        }
      }
      if (action.type === RESET) {
        this.restart()
      }
      return done
    }
  }

  init(): void {
    this.startedAt = this.controller!.clock.now()
    this.page?.addEventListener('visibilitychange', this.onVisibility)
    this.network.addOnlineListener(this.onOnline)
    this.endRenewal = onRenewal(this.controller!, () => this.onAccepted())
    this.open()
    this.onVisibility()
  }

  cleanup(): void {
    this.page?.removeEventListener('visibilitychange', this.onVisibility)
    this.network.removeOnlineListener(this.onOnline)
    this.endRenewal?.()
    this.controller?.core.setHidden(false)
    this.close('closed')
    this.controller?.clock.clearTimeout(this.hiding)
  }

  private open(isAgain = false): void {
    const { options } = this
    const { clock } = this.controller!
    this.close('connecting')
    this.isAgain = isAgain
    const aborter = (this.aborter = new AbortController())
    const isCurrent = (): boolean => this.aborter === aborter
    const topics = new Set(this.topics.keys())
    const link: LiveLink = (this.link = {
      signal: aborter.signal,
      lastId: this.lastId,
      clock,
      topics,
      open: () => isCurrent() && this.onOpen(),
      receive: (text, type, id) => isCurrent() && this.collect(text, type, id),
      setDelay: (delay) => this.attempts.setDelay(delay),
    } as LiveLink)
    new Promise((done) => done(options.connect(link))).then(
      (value) => isCurrent() && this.onEnd(value === false),
      (error: unknown) => isCurrent() && this.onEnd(false, error),
    )
  }

  private onOpen(): void {
    const { resumes, strict } = this.options
    const now = this.controller!.clock.now()
    const isGap = this.wasOpen ? !(resumes && this.lastId) : strict || now - this.startedAt > STABLE
    this.wasOpen = true
    this.openedAt = now
    this.setStatus('open')
    if (isGap) {
      this.expire()
    }
  }

  /** Refetches what may have changed without a message. */
  private expire(): void {
    const testKey = (key: string): boolean => this.isCovered(key)
    this.suspects = new Set([...this.inFlight].filter(testKey))
    this.expireKeys(testKey)
  }

  /** A user who comes back does not wait. */
  private expireKeys(testKey: (key: string) => boolean): void {
    const expire = (): void => void this.controller!.expireAll({ testKey })
    if (this.isAgain) {
      this.outside!.run('gap', expire)
    } else {
      expire()
    }
  }

  private onEnd(isOver: boolean, error?: unknown): void {
    const { clock } = this.controller!
    const { attempts } = this
    const { status, code } = Object(error) as { status?: number; code?: string }
    if (this.openedAt !== undefined && clock.now() - this.openedAt >= STABLE) {
      attempts.restart()
    }
    if (isOver) {
      return this.close('refused', error)
    }
    if (code === 'live-unstreamed') {
      // It would be the same each time.
      report(error)
      return this.close('closed', error)
    }
    if (status === 401 || status === 403) {
      this.close('refused', error)
      this.retryAt = clock.now() + this.nextWait(error)
      return undefined
    }
    if ((code === 'live-response' || code === 'live-too-large') && attempts.isFirst) {
      report(error)
    }
    this.close('waiting', error)
    this.timer = clock.setTimeout(() => this.open(true), this.nextWait(error))
  }

  private nextWait(error: unknown): number {
    const { core, random } = this.controller!
    return this.attempts.next(error, core.store.clock, random, this.outside!.wait('connection'))
  }

  /** The server accepts requests of this user, so it may accept a connection that it refused: the token may be a newer one. */
  private onAccepted(): void {
    const { retryAt } = this
    if (retryAt !== undefined) {
      const { clock } = this.controller!
      this.retryAt = undefined
      this.timer = clock.setTimeout(() => this.open(), Math.max(retryAt - clock.now(), 0))
    }
  }

  private close(status: LiveStatus, error?: unknown): void {
    this.controller?.clock.clearTimeout(this.timer)
    const { aborter } = this
    this.aborter = undefined
    this.link = undefined
    this.openedAt = undefined
    this.retryAt = undefined
    if (status !== 'waiting' && status !== 'connecting') {
      this.drop()
    }
    aborter?.abort()
    this.setStatus(status, error)
  }

  /** Another user may have signed in. */
  private restart(): void {
    const { status } = this
    this.lastId = ''
    this.attempts.restart()
    this.drop()
    this.suspects.clear()
    this.inFlight.clear()
    if (status !== 'closed' && status !== 'paused') {
      this.wasOpen = false
      this.startedAt = this.controller!.clock.now()
      this.open()
    }
  }

  /** For `explain` and the devtools. */
  private report(key: string | undefined): LiveFact | undefined {
    const { status, statusAt, failedWith, messages, lastAt, topics } = this
    return key !== undefined && !this.isCovered(key)
      ? undefined
      : { status, since: statusAt, error: failedWith, messages, lastAt, topics: [...topics.keys()] }
  }

  private isCovered(key: string): boolean {
    const { covers } = this.options
    return !covers || covers.some((one) => one.testKey(key))
  }

  private setStatus(status: LiveStatus, error?: unknown): void {
    if (status !== this.status) {
      this.status = status
      this.statusAt = this.controller?.clock.now() ?? 0
      this.failedWith = error === undefined ? undefined : String((error as Partial<Error>)?.message ?? error)
      this.options.onStatus?.(status, error)
    }
  }

  /** Messages that come together are written together, so that readers are notified together. */
  private collect(text: string, type?: string, id?: string): void {
    this.messages += 1
    this.lastAt = this.controller!.clock.now()
    this.queue.push({ text, type, id })
    this.flushing ??= this.controller!.clock.setTimeout(() => this.flush(), BURST)
  }

  private flush(): void {
    const { queue } = this
    this.queue = []
    this.flushing = undefined
    this.outside!.run('event', () => this.write(queue))
  }

  private write(queue: LiveManager['queue']): void {
    for (const { text, type, id } of queue) {
      try {
        const data: unknown = JSON.parse(text)
        const ownType: unknown = isObject(data) ? data['type'] : undefined
        this.options.receive(
          { type: type ?? (typeof ownType === 'string' ? ownType : 'message'), data, id },
          this.writer!,
        )
      } catch (error) {
        this.onLost(error, `It began with: ${text.slice(0, 100)}. `)
      }
      this.lastId = id ?? this.lastId
    }
  }

  /** The change that a message was about is lost. */
  private onLost(cause: unknown, detail = ''): void {
    this.expire()
    report(
      fail(
        'live-message',
        (cause as Error).name,
        DEV && `A live message could not be used: ${(cause as Error).message}. ${detail}Data on screen is refetched.`,
        Error,
        { cause },
      ),
    )
  }

  private drop(): void {
    this.controller?.clock.clearTimeout(this.flushing)
    this.flushing = undefined
    this.queue = []
    this.writer?.drop()
  }

  /** True for a subscription that has a topic; others are left to the next manager. */
  private count(action: Extract<ActionTypes, { type: typeof SUBSCRIBE | typeof UNSUBSCRIBE }>): boolean {
    const topic = this.options.topicOf?.(action.endpoint, ...action.args)
    if (topic === undefined) {
      return false
    }
    const before = this.topics.get(topic) ?? 0
    const now = Math.max(before + (action.type === SUBSCRIBE ? 1 : -1), 0)
    if (now > 0) {
      this.topics.set(topic, now)
    } else {
      this.topics.delete(topic)
    }
    if ((before === 0) !== (now === 0)) {
      const { link } = this
      ;(link?.topics as Set<string> | undefined)?.[now > 0 ? 'add' : 'delete'](topic)
      link?.onTopic?.(topic, now > 0)
    }
    return true
  }

  private readonly onVisibility = (): void => {
    const { clock, core } = this.controller!
    const isHidden = this.page?.visibilityState === 'hidden'
    clock.clearTimeout(this.hiding)
    core.setHidden(isHidden)
    if (isHidden) {
      this.hiding = clock.setTimeout(() => this.close('paused'), this.options.pauseAfter ?? 300_000)
    } else {
      this.resume()
    }
  }

  private readonly onOnline = (): void => {
    if (this.status === 'waiting') {
      this.resume()
    }
  }

  /** The user, or the network, is back: it waits no longer, unless the server has said for how long. */
  private resume(): void {
    const { attempts, status } = this
    if (status === 'paused' || (status === 'waiting' && this.controller!.clock.now() >= attempts.allowedAt)) {
      attempts.restart()
      this.open()
    }
  }
}
