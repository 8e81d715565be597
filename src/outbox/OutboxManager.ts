// The queue of a store, as a manager. `Queue.ts` says what happens to an entry, `Sender.ts` when it is sent, `Attempts.ts` how.

import { type Clock, NOW, pause } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Middleware } from '../controller/Middleware.ts'
import type { HeldMutation } from '../controller/MutationQueue.ts'
import { Disk } from '../disk/Disk.ts'
import { diskOf } from '../disk/diskOf.ts'
import { memoryStorage } from '../disk/memoryStorage.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { Globals } from '../managers/globals.ts'
import { onRenewal } from '../managers/renewal.ts'
import type { ActionTypes, Dispatch, FetchAction } from '../requests/actions.ts'
import { FETCH, RESET, SET_RESPONSE } from '../requests/actionTypes.ts'
import { callOf } from '../requests/Call.ts'
import type { Request } from '../requests/Request.ts'
import { ResetError } from '../requests/ResetError.ts'
import { Attempts } from './Attempts.ts'
import { Callers } from './Callers.ts'
import { EndpointIds } from './EndpointIds.ts'
import type { Entry } from './Entry.ts'
import { type EntryParts, newEntry } from './newEntry.ts'
import { newId, newKey } from './newId.ts'
import type { Outbox, OutboxEntry, OutboxOptions } from './OutboxOptions.ts'
import { ShownEntries } from './ShownEntries.ts'
import { tell } from './tell.ts'
import { UserQueue } from './UserQueue.ts'
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
  private queue: UserQueue | undefined
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
    core.queue = { outbox: this, hold: (endpoint, args, within) => this.hold(endpoint, args, within) }
    return (next) => (action) => this.handle(action, next)
  }

  init(): void {
    const { controller } = this
    // Without `persist`, whose middleware has run by now, entries are kept in memory.
    const disk = (this.disk = diskOf(controller, () => {
      this.isOwnDisk = true
      return new Disk({ storage: memoryStorage() }, this.clock)
    }))
    const onDisk = (): void => this.onDisk()
    disk.listeners.add(onDisk)
    this.ends = [
      () => disk.listeners.delete(onDisk),
      listen('online', () => this.queue?.hurry()),
      listen('pagehide', () => (this.attempts.isLeaving = true)),
      listen('pageshow', () => (this.attempts.isLeaving = false)),
      onRenewal(controller, () => this.queue?.signIn()),
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
    this.disk?.check()
    const id = this.ids?.idOf(endpoint, args)
    if (!this.disk || id === undefined) {
      const subject = endpoint.name
      const text =
        DEV &&
        `"${subject}" cannot be queued: ${this.disk ? 'it is none of the "endpoints" of the outbox' : 'the outbox is no manager of a store that runs'}.`
      return Promise.reject(fail('outbox-endpoint', subject, text))
    }
    return this.queueUp(id, this.controller.core.requests.begin(callOf(endpoint, args), { auto: true })).saved
  }

  async retry(id: string, body?: unknown): Promise<void> {
    await this.unsaved.get(id)?.saved
    await this.queue?.retry(id, body)
  }

  async discard(id: string): Promise<boolean> {
    await this.unsaved.get(id)?.saved
    return (await this.queue?.discard(id)) ?? false
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  private handle(action: ActionTypes, next: Dispatch): Promise<void> {
    if (action.type === SET_RESPONSE) {
      if (this.attempts.hold(action, next)) {
        return NOW
      }
      if (!action.error && !action.endpoint.sideEffect) {
        this.attempts.preflight.read(action.key)
        this.queue?.signIn()
      }
    }
    if (action.type === RESET) {
      return this.reset(action, next)
    }
    return (action.type === FETCH && this.take(action, next)) || next(action)
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
      this.queueUp(id, request)
      return NOW
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
    await Promise.race([Promise.all(loaded), pause(this.controller.clock, 0)])
    return this.take(action, next) ?? next(action)
  }

  /** Queues a mutation that can be taken back for a while. */
  private hold(endpoint: EndpointInterface, args: readonly any[], within: number): HeldMutation | undefined {
    this.disk?.check()
    const id = this.ids.idOf(endpoint, args)
    if (!this.disk || id === undefined || (!this.queue && this.disk.status === 'closed')) {
      return undefined
    }
    const request = this.controller.core.requests.begin(callOf(endpoint, args))
    const { entryId, saved } = this.queueUp(id, request, within)
    return {
      promise: request.action.meta.promise,
      send: () => void saved.then(() => this.queue?.hurry(entryId)).catch(() => {}),
      undo: () => void this.discard(entryId),
    }
  }

  /** Shows and saves a mutation, which is due after `within` milliseconds. */
  private queueUp(
    id: string,
    request: Request,
    within: number = 0,
  ): { readonly entryId: string; readonly saved: Promise<OutboxEntry> } {
    const { core, random } = this.controller
    const entryId = newId(random)
    let entry: Entry
    try {
      entry = newEntry(this.entryParts(), id, entryId, request, within)
    } catch (error) {
      request.isUnsent = true
      core.requests.drop(request, error)
      const saved = Promise.reject(error)
      saved.catch(() => {})
      return { entryId, saved }
    }
    this.callers.add(entryId, request.action.meta, request.endpoint, () => void this.discard(entryId))
    core.end(true)
    const saved = this.save(entry, request)
    this.unsaved.set(entryId, { entry, saved: saved.catch(() => {}) })
    this.publish()
    return { entryId, saved }
  }

  private async save(made: Entry, request: Request): Promise<OutboxEntry> {
    const { order: _order, attempts: _attempts, state: _state, ...entry } = made
    const { id } = entry
    const { store } = this.controller.core
    const { resetAt } = store
    const isPast = (): boolean => store.resetAt !== resetAt
    try {
      await Promise.all([this.disk!.ready(), this.ended])
      if (isPast()) {
        throw new ResetError()
      }
      if (!this.queue) {
        this.sendDirectly(id, request)
        return viewOf(made)
      }
      await this.queue.add(entry)
    } catch (error) {
      this.shown.remove(id)
      this.callers.take(id)?.reject(error)
      throw isPast() ? new ResetError() : error
    } finally {
      this.unsaved.delete(id)
      this.queue?.refresh()
      this.publish()
    }
    this.queue?.drain()
    return viewOf(this.queue?.entries.find((one) => one.id === id) ?? made)
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
    this.durable = status === 'open' && !this.isOwnDisk ? this.disk!.durable : false
    if (next !== this.user) {
      this.leave()
      this.user = next
      if (next !== undefined) {
        this.enter()
      }
    } else if (status === 'open') {
      // A storage that has responded late may have entries that nobody knows of yet.
      void this.queue?.start()
    }
    this.publish()
  }

  /** Shows and sends the entries of the user who is signed in. */
  private enter(): void {
    const { controller, options, clock, disk, ids, shown, attempts, callers, tab } = this
    const parts = { controller, options, clock, disk: disk!, ids, shown, attempts, callers, tab }
    const isUnsaved = (id: string): boolean => this.unsaved.has(id)
    this.queue = new UserQueue({ ...parts, isUnsaved, publish: () => this.publish() }, !this.isOwnDisk)
    void this.queue.start()
  }

  private leave(): void {
    this.queue?.stop()
    this.queue = this.user = undefined
    if (this.controller) {
      this.shown.ids.forEach((id) => !this.unsaved.has(id) && this.shown.remove(id))
      this.controller.core.store.tables.realArgs = undefined
      this.controller.core.end(true)
    }
    this.publish()
  }

  /** The user signs out: what the store has shown is gone. */
  private reset(action: ActionTypes, next: Dispatch): Promise<void> {
    const { disk, isOwnDisk } = this
    const lost = disk?.status === 'memory' || isOwnDisk ? this.all.length : 0
    const done = next(action)
    this.shown.clear()
    this.unsaved.clear()
    this.callers.failAll(new ResetError())
    if (isOwnDisk && disk) {
      this.leave()
      this.ended = disk.end(() => true).then(() => this.onDisk())
    } else {
      this.queue?.refresh()
      this.publish()
    }
    if (lost > 0) {
      tell(
        this.options,
        fail(
          'outbox-unsent',
          String(lost),
          DEV &&
            `The store was reset while ${lost} mutations waited in the outbox. They were in memory only, and are gone: the next user must not send them. persist() keeps them for their user, where the storage works.`,
        ),
      )
    }
    return done
  }

  private entryParts(): EntryParts {
    const { controller, options, shown, clock } = this
    return { controller, options, shown, now: clock.now(), version: this.disk!.version, others: this.all }
  }

  /** The entries, also those that are not saved yet. */
  private get all(): readonly Entry[] {
    return [...(this.queue?.entries ?? []), ...[...this.unsaved.values()].map(({ entry }) => entry)]
  }

  private publish(): void {
    const { all } = this
    const of = (state: Entry['state']): readonly OutboxEntry[] =>
      all.filter((entry) => entry.state === state).map(viewOf)
    this.pending = of('pending')
    this.failed = of('failed')
    this.conflicts = of('conflict')
    this.listeners.forEach((listener) => listener())
  }
}

/** Listens to the page, if there is one. Returns the function that ends it. */
function listen(type: string, listener: () => void): () => void {
  const { addEventListener, removeEventListener } = globalThis as Globals
  addEventListener?.call(globalThis, type, listener)
  return () => removeEventListener?.call(globalThis, type, listener)
}
