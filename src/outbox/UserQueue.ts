// The queue of one user: its entries, the sender, and the other tabs of that user.

import type { Clock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { report } from '../base/report.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Disk } from '../disk/Disk.ts'
import { withRealIds } from './aliases.ts'
import type { Attempts } from './Attempts.ts'
import type { Callers } from './Callers.ts'
import { AGAIN, type EndpointIds } from './EndpointIds.ts'
import type { Entry } from './Entry.ts'
import { newKey } from './newId.ts'
import { OtherTabs, type TabNews } from './OtherTabs.ts'
import type { OutboxOptions } from './OutboxOptions.ts'
import { pack } from './pack.ts'
import { type NewEntry, Queue } from './Queue.ts'
import { Sender, type SenderHost, type Tabs } from './Sender.ts'
import type { ShownEntries } from './ShownEntries.ts'
import { tell } from './tell.ts'
import { viewOf } from './viewOf.ts'

/** The parts that the queue of a user needs. */
export interface QueueParts {
  readonly controller: Controller
  readonly options: OutboxOptions
  /** Wall time, which other tabs understand. */
  readonly clock: Clock
  readonly disk: Disk
  readonly ids: EndpointIds
  readonly shown: ShownEntries
  readonly attempts: Attempts
  readonly callers: Callers
  readonly tab: string
  /** True for an entry that is shown, and whose first transaction has not ended. */
  isUnsaved(id: string): boolean
  /** The entries have changed. */
  publish(): void
}

/** No other tab has the entries of a queue in memory. */
const ALONE: Tabs = { living: () => Promise.resolve(undefined), alone: (run) => run() }

export class UserQueue {
  private readonly parts: QueueParts
  private readonly queue: Queue
  private readonly sender: Sender
  private readonly tabs: OtherTabs | undefined
  private isStopped = false
  /** The entries that were reported to the app, because they cannot be read. */
  private readonly told = new Set<string>()

  /** @param isShared other tabs have the same entries */
  constructor(parts: QueueParts, isShared: boolean) {
    const { disk, tab, clock } = parts
    this.parts = parts
    this.queue = new Queue(disk, tab)
    this.tabs = isShared
      ? new OtherTabs(disk.name, tab, disk.version, clock, (news) => void this.hear(news))
      : undefined
    this.sender = new Sender(this.queue, this.host())
  }

  get entries(): readonly Entry[] {
    return this.queue.entries
  }

  /** Shows and sends the entries that are there. */
  async start(): Promise<void> {
    const { controller, shown, ids } = this.parts
    await this.load()
    const { resetAt } = controller.core.store
    // They are older than everything in this store.
    this.entries.forEach((entry, i, { length }) => {
      if (entry.state === 'pending' && !shown.has(entry.id) && !this.isStopped) {
        shown.add(entry, ids.get(entry.endpoint), resetAt + (i + 1) / (length + 1))
      }
    })
    if (this.entries.length > 0) {
      void this.parts.disk.keep()
    }
    this.refresh()
    void this.sender.drain()
  }

  stop(): void {
    this.isStopped = true
    this.sender.stop()
    this.tabs?.close()
  }

  async add(entry: NewEntry): Promise<void> {
    await this.queue.add(entry)
    void this.parts.disk.keep()
    this.tabs?.tell({})
  }

  /** Sends what can be sent. */
  drain(): void {
    void this.sender.drain()
  }

  /** The network is back, or the user wants one of them to be sent now. */
  hurry(id?: string): void {
    this.sender.hurry(id)
  }

  /** The server accepts requests of this user. */
  signIn(): void {
    if (this.sender.isUnsigned) {
      this.sender.signIn()
    }
  }

  async retry(id: string, body: unknown): Promise<void> {
    const { clock, controller } = this.parts
    const entry = this.entries.find((one) => one.id === id)
    if (entry) {
      const args = body === undefined ? undefined : [...entry.args.slice(0, -1), pack(body, entry.endpoint, 'body')]
      await this.queue.retry(id, clock.now(), newKey(controller.random), args)
      this.hurry(id)
      this.changed()
    }
  }

  async discard(id: string): Promise<boolean> {
    const { clock, shown, callers } = this.parts
    const gone = await this.queue.discard(id, clock.now(), this.sender.isDead)
    for (const entry of gone) {
      shown.remove(entry.id)
      callers.fail(entry.id, { message: 'Discarded', name: 'AbortError' })
    }
    this.changed()
    this.drain()
    return gone.length > 0
  }

  /** Shows the entries as they are now. */
  refresh(): void {
    const { shown, ids, callers, controller, isUnsaved, publish } = this.parts
    if (this.isStopped) {
      return
    }
    const { tables } = controller.core.store
    const { aliases } = this.queue
    tables.realArgs = aliases.size > 0 ? (args) => withRealIds(args, aliases) : undefined
    const entries = new Map(this.entries.map((entry) => [entry.id, entry]))
    for (const id of shown.ids) {
      const entry = entries.get(id)
      if (entry?.state === 'pending' || isUnsaved(id)) {
        continue
      }
      if (entry) {
        shown.remove(id)
        callers.fail(id, entry.error ?? { message: entry.state })
      } else {
        shown.lose(id)
        callers.fail(id, { message: 'It was sent, or taken back, in another tab.', name: 'AbortError' })
      }
    }
    for (const entry of entries.values()) {
      if (entry.state === 'pending') {
        shown.update(entry, ids.get(entry.endpoint))
      }
    }
    controller.core.end(true)
    publish()
    this.tellOfUnreadable()
  }

  /** Nothing that was saved is dropped: what cannot be read may be of a newer version of the app. */
  private tellOfUnreadable(): void {
    for (const id of this.queue.unreadable.filter((one) => !this.told.has(one))) {
      this.told.add(id)
      const text =
        DEV &&
        `Entry "${id}" of the outbox cannot be read: another program has changed it, or another version of the app has made it. It stays in the database "${this.parts.disk.name}", and all others are sent. discard("${id}") deletes it.`
      tell(this.parts.options, fail('outbox-entry', id, text))
    }
  }

  private changed(): void {
    this.refresh()
    this.tabs?.tell({})
  }

  private async load(): Promise<void> {
    try {
      await this.queue.load()
    } catch (error) {
      // Its session has ended: the disk says so to its owner.
      if (!this.isStopped && this.parts.disk.status !== 'closed') {
        report(error)
      }
    }
  }

  /** Another tab has changed the queue. */
  private async hear({ settled }: TabNews): Promise<void> {
    const { shown, callers } = this.parts
    if (this.isStopped) {
      return
    }
    if (settled && shown.has(settled.id)) {
      const caller = callers.take(settled.id)
      shown.settle(settled.id, settled.response, caller ?? { resolve: () => {}, reject: () => {} })
    }
    await this.load()
    this.refresh()
    this.drain()
  }

  private host(): SenderHost {
    const { disk, clock, controller, ids, options, tab, attempts, shown, callers } = this.parts
    return {
      clock,
      random: controller.random,
      tab,
      version: disk.version,
      keyLifetime: options.keyLifetime,
      tabs: this.tabs ?? ALONE,
      sparedUntil: (entry) => this.sparedUntil(entry),
      knows: ({ endpoint }) => ids.canSend(endpoint),
      deliver: async (entry, begin) => {
        if (entry.attempts > 0) {
          controller.core.requests.budget.send(keyOfRequest(entry), controller.clock.now(), controller.random)
        }
        const endpoint = await ids.load(entry.endpoint)
        if (!endpoint) {
          clock.setTimeout(() => this.drain(), AGAIN)
          return undefined
        }
        return attempts.deliver(this.migrated(entry), endpoint, async (request) => {
          const begun = await begin(request)
          // Another user must not send it.
          return disk.check() ? undefined : begun
        })
      },
      apply: ({ id }) => {
        const { tables } = controller.core.store
        const aliases = attempts.apply(id, callers.take(id), (given) => {
          const all = new Map([...this.queue.aliases, ...given])
          tables.realArgs = all.size > 0 ? (args) => withRealIds(args, all) : undefined
          shown.rename(given)
        })
        return { aliases, rows: disk.rows?.() ?? [] }
      },
      looked: () => this.refresh(),
      changed: () => {
        this.refresh()
        const all = [...attempts.settled]
        attempts.settled.clear()
        all.forEach(([id, response]) => this.tabs?.tell({ settled: { id, response } }))
        this.tabs?.tell({})
      },
    }
  }

  private sparedUntil(entry: Entry): number {
    const { controller, clock } = this.parts
    const { store, requests } = controller.core
    // An entry has times of the wall clock, which other tabs have too.
    const until = requests.budget.allowedAt(keyOfRequest(entry)) - store.clock.ahead()
    if (until > clock.now()) {
      requests.budget.waiting.add(this.look)
    }
    return until
  }

  /** An origin responds again. */
  private readonly look = (): void => this.drain()

  /** An entry as the app of today understands it. */
  private migrated(entry: Entry): Entry {
    const { options, disk } = this.parts
    const args = entry.version < disk.version && entry.attempts === 0 ? options.migrate?.(viewOf(entry)) : undefined
    return args ? { ...entry, args: args.map((arg, i) => pack(arg, entry.endpoint, `arguments[${i}]`)) } : entry
  }
}

/** The key of an entry that was tried before, in the budget of its origin. */
function keyOfRequest({ request }: Entry): string {
  const { url = '', method } = request ?? {}
  return url.includes(' ') ? url : `${method} ${url}`
}
