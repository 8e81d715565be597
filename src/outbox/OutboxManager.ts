// The queue of a store. What happens to an entry stands in `Queue.ts`, when it is sent in `Sender.ts`, how in `Attempts.ts`.

import { type Clock, NOW, pause } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { report } from '../base/report.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Middleware } from '../controller/Middleware.ts'
import { Disk } from '../disk/Disk.ts'
import { diskOf } from '../disk/diskOf.ts'
import { memoryStorage } from '../disk/memoryStorage.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { Globals } from '../managers/globals.ts'
import { onRenewal } from '../managers/renewal.ts'
import type { Dispatch, FetchAction } from '../requests/actions.ts'
import { FETCH, RESET, SET_RESPONSE } from '../requests/actionTypes.ts'
import { callOf } from '../requests/Call.ts'
import type { Request } from '../requests/Request.ts'
import { ResetError } from '../requests/ResetError.ts'
import { Attempts } from './Attempts.ts'
import { Callers } from './Callers.ts'
import { concernsOf } from './concerns.ts'
import { AGAIN, EndpointIds } from './EndpointIds.ts'
import type { Entry } from './Entry.ts'
import type { Outbox, OutboxEntry, OutboxOptions } from './OutboxOptions.ts'
import { newId, newKey } from './newId.ts'
import { pack } from './pack.ts'
import { type NewEntry, Queue } from './Queue.ts'
import { Sender, type SenderHost } from './Sender.ts'
import { ShownEntries } from './ShownEntries.ts'
import { viewOf } from './viewOf.ts'

export class OutboxManager implements Outbox {
  pending: readonly OutboxEntry[] = []
  failed: readonly OutboxEntry[] = []
  conflicts: readonly OutboxEntry[] = []
  durable: boolean | undefined = false
  private readonly options: OutboxOptions
  private readonly listeners = new Set<() => void>()
  private readonly callers = new Callers()
  /** Entries whose transaction has not ended, with it. */
  private readonly unsaved = new Map<string, { readonly entry: Entry; readonly saved: Promise<unknown> }>()
  /** Endpoints that were looked for among those that are not loaded. */
  private readonly looked = new WeakSet<object>()
  private controller!: Controller
  private clock!: Clock
  private ids!: EndpointIds
  private shown!: ShownEntries
  private attempts!: Attempts
  private tab = ''
  private disk: Disk | undefined
  private isOwnDisk = false
  private queue: Queue | undefined
  private sender: Sender | undefined
  private user: string | undefined
  /** A mutation that is made now is sent without being queued. */
  private isDirect = false
  private ends: (() => void)[] = []
  /** The session without a disk has ended: its entries are being removed. */
  private ended: Promise<void> = NOW

  constructor(options: OutboxOptions) {
    this.options = options
  }

  readonly middleware: Middleware = (controller) => {
    const { core, random } = (this.controller = controller)
    const { clock } = core.store
    // Times of entries are compared with those of other tabs: they are wall times.
    this.clock = {
      now: () => clock.now() - clock.ahead(),
      setTimeout: (run, delay) => clock.setTimeout(run, delay),
      clearTimeout: (timer) => clock.clearTimeout(timer),
    }
    this.ids = new EndpointIds(this.options.endpoints, this.clock.now)
    this.shown = new ShownEntries(core)
    this.attempts = new Attempts(controller, this.shown, this.options)
    this.tab = newKey(random)
    return (next) => (action) => {
      if (action.type === SET_RESPONSE && this.attempts.hold(action, next)) {
        return Promise.resolve()
      }
      const taken = action.type === FETCH ? this.take(action, next) : undefined
      if (taken) {
        return taken
      }
      const done = next(action)
      if (action.type === RESET) {
        this.onReset()
      }
      return done
    }
  }

  init(): void {
    const { controller } = this
    const { addEventListener, removeEventListener } = globalThis as Globals
    // Without `persist`, whose middleware has run by now, entries are kept in memory.
    const disk = (this.disk = diskOf(controller, () => {
      this.isOwnDisk = true
      return new Disk({ storage: memoryStorage() }, this.clock)
    }))
    const onDisk = (): void => this.onDisk()
    const onOnline = (): void => this.sender?.hurry()
    disk.listeners.add(onDisk)
    addEventListener?.call(globalThis, 'online', onOnline)
    this.ends = [
      () => disk.listeners.delete(onDisk),
      () => removeEventListener?.call(globalThis, 'online', onOnline),
      onRenewal(controller, () => this.sender?.signIn()),
    ]
    if (this.isOwnDisk) {
      void disk.open()
    }
    onDisk()
  }

  cleanup(): void {
    this.ends.forEach((end) => end())
    this.ends = []
    this.leave()
  }

  enqueue<E extends EndpointInterface>(endpoint: E, ...args: readonly [...Parameters<E>]): Promise<OutboxEntry> {
    const id = this.ids?.idOf(endpoint, args)
    if (!this.disk || id === undefined) {
      const subject = endpoint.name
      const text =
        DEV &&
        `"${subject}" cannot be queued: ${this.disk ? 'it is none of the "endpoints" of the outbox' : 'the outbox is no manager of a store that runs'}.`
      return Promise.reject(fail('outbox-endpoint', subject, text))
    }
    const request = this.controller.core.requests.begin(callOf(endpoint, args), { auto: true })
    return this.queueUp(id, request)
  }

  async retry(id: string, body?: unknown): Promise<void> {
    await this.unsaved.get(id)?.saved
    const { queue, clock } = this
    const entry = queue?.entries.find((one) => one.id === id)
    if (!queue || !entry) {
      return
    }
    const args = body === undefined ? undefined : [...entry.args.slice(0, -1), pack(body, entry.endpoint, 'body')]
    await queue.retry(id, clock.now(), newKey(this.controller.random), args)
    this.sender!.hurry(id)
    this.refresh()
  }

  async discard(id: string): Promise<boolean> {
    await this.unsaved.get(id)?.saved
    const { queue, sender, clock } = this
    const gone = (await queue?.discard(id, clock.now(), sender!.isDead)) ?? []
    for (const entry of gone) {
      this.shown.remove(entry.id)
      this.callers.fail(entry.id, { message: 'Discarded', name: 'AbortError' })
    }
    this.refresh()
    void sender?.drain()
    return gone.length > 0
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** Queues the mutation of an action. Returns `undefined` for one that is not queued. */
  private take(action: FetchAction, next: Dispatch): Promise<void> | undefined {
    const { endpoint, args, meta } = action
    const request = this.controller.core.requests.open.get(meta.requestId)
    const isMutation = endpoint.sideEffect && request?.state === 'open' && !this.attempts.isOwn(action)
    if (!isMutation || !this.disk || this.isDirect) {
      return undefined
    }
    const id = this.ids.idOf(endpoint, args)
    if (id !== undefined) {
      this.queueUp(id, request).catch(() => {})
      return Promise.resolve()
    }
    if (this.ids.unloaded.length === 0 || this.looked.has(endpoint)) {
      return undefined
    }
    this.looked.add(endpoint)
    return this.lookFor(action, next)
  }

  /** The app has loaded the endpoint, so its module is there: to import it again takes a moment, and others need not be waited for. */
  private async lookFor(action: FetchAction, next: Dispatch): Promise<void> {
    const loaded = this.ids.unloaded.map((id) => this.ids.load(id))
    await Promise.race([Promise.all(loaded), pause(this.clock, 0)])
    return this.take(action, next) ?? next(action)
  }

  /** Shows and saves a mutation. */
  private async queueUp(id: string, request: Request): Promise<OutboxEntry> {
    const { core, random } = this.controller
    let args: readonly unknown[]
    try {
      args = request.args.map((arg, i) => pack(arg, request.key, `arguments[${i}]`))
    } catch (error) {
      request.isUnsent = true
      core.requests.drop(request, error)
      throw error
    }
    const now = this.clock.now()
    const own = { id: newId(random), key: newKey(random), args, shown: [] }
    const { meta } = request.action
    core.requests.close(request)
    const operation = this.shown.add(own, undefined, meta.sent, request)
    const times = { createdAt: now, dueAt: now, version: this.disk!.version }
    const concerns = concernsOf(core.store.tables, own.id, request, operation)
    const made: Entry = { ...own, ...times, ...concerns, endpoint: id, order: Infinity, attempts: 0, state: 'pending' }
    const entry = { ...made, records: this.options.order?.(viewOf(made)) ?? made.records }
    this.callers.add(own.id, meta, request.endpoint, () => void this.discard(own.id))
    core.end(true)
    const saved = this.save(entry, request)
    this.unsaved.set(own.id, { entry, saved: saved.catch(() => {}) })
    this.publish()
    await saved
    return viewOf(this.queue?.entries.find((one) => one.id === own.id) ?? entry)
  }

  private async save(
    { order: _order, attempts: _attempts, state: _state, ...entry }: Entry,
    request: Request,
  ): Promise<void> {
    const { id } = entry
    try {
      await Promise.all([this.disk!.ready(), this.ended])
      if (!this.queue) {
        return this.sendDirectly(id, request)
      }
      await this.queue.add(entry satisfies NewEntry)
    } catch (error) {
      this.shown.remove(id)
      this.callers.take(id)?.reject(error)
      throw error
    } finally {
      this.unsaved.delete(id)
      this.refresh()
    }
    void this.sender?.drain()
  }

  /** Nobody is signed in, so nothing is stored: it is sent as any other request. */
  private sendDirectly(id: string, { endpoint, args }: Request): void {
    const caller = this.callers.take(id)
    this.shown.remove(id)
    this.isDirect = true
    void this.controller.core.requests.fetch(endpoint, args).then(caller?.resolve, caller?.reject)
    this.isDirect = false
  }

  /** The disk has opened, or closed, or is that of another user. */
  private onDisk(): void {
    const { status, user } = this.disk!
    const next = status === 'open' || status === 'memory' ? user : status === 'closed' ? undefined : this.user
    this.durable = status === 'open' && !this.isOwnDisk ? this.durable : false
    if (next !== this.user) {
      this.leave()
      this.user = next
      if (next !== undefined) {
        void this.enter()
      }
    }
  }

  /** Shows and sends the entries of the user who is signed in. */
  private async enter(): Promise<void> {
    const { disk, controller, ids, tab } = this
    const queue = (this.queue = new Queue(disk!, tab))
    const sender = (this.sender = new Sender(queue, this.host()))
    try {
      await queue.load()
    } catch (error) {
      return report(error)
    }
    const { resetAt } = controller.core.store
    // They are older than everything in this store.
    queue.entries.forEach((entry, i, { length }) => {
      if (entry.state === 'pending' && !this.shown.has(entry.id)) {
        this.shown.add(entry, ids.get(entry.endpoint), resetAt + (i + 1) / (length + 1))
      }
    })
    this.refresh()
    void sender.drain()
  }

  /** What a sender of this store stands on. */
  private host(): SenderHost {
    const { disk, clock, controller, ids, options, tab, attempts } = this
    return {
      clock,
      random: controller.random,
      tab,
      version: disk!.version,
      keyLifetime: options.keyLifetime,
      tabs: { living: () => Promise.resolve(undefined), alone: (run) => run() },
      knows: ({ endpoint }) => ids.canSend(endpoint),
      deliver: async (entry, begin) => {
        const endpoint = await ids.load(entry.endpoint)
        if (!endpoint) {
          clock.setTimeout(() => void this.sender?.drain(), AGAIN)
          return undefined
        }
        return attempts.deliver(this.migrated(entry), endpoint, begin)
      },
      apply: ({ id }) => {
        const aliases = attempts.apply(id, this.callers.take(id), (given) => this.shown.rename(given))
        return { aliases, rows: disk!.rows?.() ?? [] }
      },
      changed: () => this.refresh(),
    }
  }

  private leave(): void {
    this.sender?.stop()
    this.queue = this.sender = this.user = undefined
    this.shown?.ids.forEach((id) => !this.unsaved.has(id) && this.shown.remove(id))
    this.controller?.core.end(true)
    this.publish()
  }

  /** The user has signed out: what the store has shown is gone. */
  private onReset(): void {
    this.shown.clear()
    this.callers.failAll(new ResetError())
    if (this.isOwnDisk && this.disk) {
      const lost = [...this.pending, ...this.failed, ...this.conflicts].length
      if (lost > 0) {
        this.tell(
          fail(
            'outbox-unsent',
            String(lost),
            DEV &&
              `The store was reset while ${lost} mutations waited in the outbox. They were in memory only, and are gone: the next user must not send them. Add persist() to keep them for their user.`,
          ),
        )
      }
      this.leave()
      this.ended = this.disk.end(() => true).then(() => this.onDisk())
    } else {
      this.refresh()
    }
  }

  /** An entry as the app of today understands it. */
  private migrated(entry: Entry): Entry {
    const { migrate } = this.options
    const args = entry.version < this.disk!.version && entry.attempts === 0 ? migrate?.(viewOf(entry)) : undefined
    return args ? { ...entry, args: args.map((arg, i) => pack(arg, entry.endpoint, `arguments[${i}]`)) } : entry
  }

  private tell(error: Error): void {
    const { onError } = this.options
    if (onError) {
      onError(error)
    } else if (DEV) {
      console.error(error)
    }
  }

  /** Shows the entries as they are now. */
  private refresh(): void {
    const { shown, ids, queue, unsaved } = this
    const entries = new Map(queue?.entries.map((entry) => [entry.id, entry]))
    for (const id of shown.ids) {
      const entry = entries.get(id)
      if (entry?.state === 'pending' || unsaved.has(id)) {
        continue
      }
      if (entry) {
        shown.remove(id)
        this.callers.fail(id, entry.error ?? { message: entry.state })
      } else {
        shown.lose(id)
      }
    }
    for (const entry of entries.values()) {
      if (entry.state === 'pending') {
        shown.update(entry, ids.get(entry.endpoint))
      }
    }
    this.controller.core.end(true)
    this.publish()
  }

  private publish(): void {
    const unsaved = [...this.unsaved.values()].map(({ entry }) => entry)
    const all = [...(this.queue?.entries ?? []), ...unsaved]
    const of = (state: Entry['state']): readonly OutboxEntry[] =>
      all.filter((entry) => entry.state === state).map(viewOf)
    this.pending = of('pending')
    this.failed = of('failed')
    this.conflicts = of('conflict')
    this.listeners.forEach((listener) => listener())
  }
}
