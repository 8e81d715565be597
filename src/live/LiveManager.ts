import type { ActionTypes } from '../requests/actions.ts'
import { FETCH, RESET, SET_RESPONSE, SUBSCRIBE, UNSUBSCRIBE } from '../requests/actionTypes.ts'
import type { Middleware } from '../controller/Middleware.ts'
import type { Controller } from '../controller/Controller.ts'
import { type ConnectionListener, DefaultConnectionListener } from '../managers/ConnectionListener.ts'
import type { Page, Globals } from '../managers/globals.ts'
import type { Manager } from '../managers/Manager.ts'
import { checkSpread, type SpreadCause } from '../requests/spread.ts'
import { onRenewal } from '../managers/renewal.ts'
import type { LiveFact } from '../advice/Explanation.ts'
import { addLive } from '../explain/liveLinks.ts'
import { report } from '../base/report.ts'
import { Attempts, STABLE } from './Attempts.ts'
import { createWriter, type PatientWriter } from './createWriter.ts'
import { Inbox, unusable } from './Inbox.ts'
import type { LiveLink } from './LiveLink.ts'
import type { LiveOptions, LiveStatus } from './LiveOptions.ts'
import { Outside } from './Outside.ts'
import { setHidden } from './setHidden.ts'
import { Suspects } from './Suspects.ts'
import { Topics } from './Topics.ts'

/** Milliseconds for which a page that is shown waits for its connection before it refetches. */
const PATIENCE = 1_000

/** The name in errors about options. */
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
  private inbox: Inbox | undefined
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
  private readonly suspects: Suspects = new Suspects()
  private readonly topics: Topics = new Topics()
  private statusAt = 0
  private failedWith: string | undefined

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
    const writer = (this.writer = createWriter(controller, outside, this.options.version, (error) =>
      this.onLost(error),
    ))
    this.inbox = new Inbox({
      clock: controller.clock,
      receive: (message) => this.options.receive(message, writer),
      run: (write) => outside.run('event', write),
      onLost: (error, detail) => this.onLost(error, detail),
    })
    return (next) => (action) => {
      if ((action.type === SUBSCRIBE || action.type === UNSUBSCRIBE) && this.count(action)) {
        return Promise.resolve()
      }
      if (action.type === FETCH && !action.endpoint.sideEffect) {
        this.suspects.sent(action.key)
      }
      const done = next(action)
      if (action.type === FETCH && action.endpoint.sideEffect) {
        writer.onMutation(action)
      }
      if (action.type === SET_RESPONSE) {
        if (!action.error) {
          this.onAccepted()
        }
        if (this.suspects.responded(action.key)) {
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
    if (this.controller) {
      setHidden(this.controller.core, false)
    }
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
    const link: LiveLink = (this.link = {
      signal: aborter.signal,
      lastId: this.inbox!.lastId,
      clock,
      topics: this.topics.all,
      open: () => isCurrent() && this.onOpen(),
      receive: (text, type, id) => isCurrent() && this.inbox!.add(text, type, id),
      setDelay: (delay) => this.attempts.setDelay(delay),
    } as LiveLink)
    new Promise((done) => done(options.connect(link))).then(
      (value) => isCurrent() && this.onEnd(value === false),
      (error: unknown) => isCurrent() && this.onEnd(false, error),
    )
  }

  private onOpen(): void {
    const { isGap } = this
    this.wasOpen = true
    this.openedAt = this.controller!.clock.now()
    this.setStatus('open')
    if (isGap) {
      this.expire()
    }
    this.look()
  }

  /** Messages may have been missed before the connection that opens now. */
  private get isGap(): boolean {
    const { resumes, strict } = this.options
    const isLate = this.controller!.clock.now() - this.startedAt > STABLE
    return this.wasOpen ? !(resumes && this.inbox!.lastId) : strict || isLate
  }

  /** Refetches what may have changed without a message. */
  private expire(cause?: SpreadCause): void {
    const testKey = (key: string): boolean => this.isCovered(key)
    this.suspects.suspect(testKey)
    this.expireKeys(testKey, cause)
  }

  /** A user who comes back does not wait. */
  private expireKeys(testKey: (key: string) => boolean, cause: SpreadCause = 'gap'): void {
    const expire = (): void => void this.controller!.expireAll({ testKey })
    if (this.isAgain || cause === 'event' || this.controller!.core.isHidden) {
      this.outside!.run(cause, expire)
    } else {
      expire()
    }
  }

  private onEnd(isOver: boolean, error?: unknown): void {
    const { clock } = this.controller!
    const { attempts } = this
    this.look()
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
    this.inbox!.lastId = ''
    this.attempts.restart()
    this.drop()
    this.suspects.clear()
    if (status !== 'closed' && status !== 'paused') {
      this.wasOpen = false
      this.startedAt = this.controller!.clock.now()
      this.open()
    }
  }

  /** For `explain` and the devtools. */
  private report(key: string | undefined): LiveFact | undefined {
    const { status, statusAt, failedWith, topics, inbox } = this
    return key !== undefined && !this.isCovered(key)
      ? undefined
      : {
          status,
          since: statusAt,
          error: failedWith,
          messages: inbox!.count,
          lastAt: inbox!.lastAt,
          topics: [...topics.all],
        }
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

  /** The change that a message was about is lost. */
  private onLost(cause: unknown, detail = ''): void {
    this.expire('event')
    report(unusable(cause as Error, detail))
  }

  private drop(): void {
    this.inbox?.drop()
    this.writer?.drop()
  }

  /** True for a subscription that has a topic; others are left to the next manager. */
  private count(action: Extract<ActionTypes, { type: typeof SUBSCRIBE | typeof UNSUBSCRIBE }>): boolean {
    const topic = this.options.topicOf?.(action.endpoint, ...action.args)
    if (topic === undefined) {
      return false
    }
    const isNeeded = action.type === SUBSCRIBE
    if (this.topics.count(topic, isNeeded)) {
      this.link?.onTopic?.(topic, isNeeded)
    }
    return true
  }

  private readonly onVisibility = (): void => {
    const { clock, core } = this.controller!
    const isHidden = this.page?.visibilityState === 'hidden'
    if (isHidden) {
      clock.clearTimeout(this.hiding)
      setHidden(core, true)
      this.hiding = clock.setTimeout(() => this.close('paused'), this.options.pauseAfter ?? 300_000)
    } else if (this.status === 'paused' && this.isGap) {
      // One round fetches what was put off and what was missed, when the connection is open.
      this.expire()
      this.hiding = clock.setTimeout(() => this.look(), PATIENCE)
      this.resume()
    } else {
      this.look()
      this.resume()
    }
  }

  /** A page that is shown fetches what it owes. */
  private look(): void {
    const { clock, core } = this.controller!
    if (this.page?.visibilityState !== 'hidden') {
      clock.clearTimeout(this.hiding)
      setHidden(core, false)
    }
  }

  private readonly onOnline = (): void => {
    this.controller!.core.requests.budget.clear()
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
