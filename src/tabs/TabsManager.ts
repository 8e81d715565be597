import { NOW } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { warnOnce } from '../base/warn.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Middleware } from '../controller/Middleware.ts'
import type { TabsChannel } from '../controller/TabsChannel.ts'
import { rowsOf } from '../reading/query.ts'
import type { Disk } from '../disk/Disk.ts'
import { findDisk } from '../disk/diskOf.ts'
import { isForeign } from '../disk/foreign.ts'
import { userChanged } from '../disk/userChanged.ts'
import type { Globals } from '../managers/globals.ts'
import type { Manager } from '../managers/Manager.ts'
import { FETCH, RESET } from '../requests/actionTypes.ts'
import { expire } from '../requests/expire.ts'
import type { CommittedChange } from '../rows/feed.ts'
import { nodesOf } from '../rows/Node.ts'
import { isInDoubt, type Row } from '../rows/Row.ts'
import {
  type Content,
  isCounted,
  isMessage,
  type Message,
  nameOf,
  type RowName,
  type SentRow,
  sentRows,
} from './messages.ts'
import { isRead, isShown, isWritten, rankOf } from './changes.ts'
import { Numbers } from './Numbers.ts'
import { findRow, takeRead, takeWritten } from './receive.ts'
import type { TabsOptions } from './TabsOptions.ts'

/** Milliseconds after which a message is late: the tab was frozen or muted, and may have missed others. */
const LATE = 5_000
/** Milliseconds for which writes are kept, to send them to a tab that comes. */
const RECENT = 10_000
/** Rows that one message has at most; of more every tab that shows such data is in doubt. */
const MOST = 5_000

export class TabsManager implements Manager, TabsChannel {
  private readonly options: TabsOptions
  private controller: Controller | undefined
  private channel: BroadcastChannel | undefined
  channelName: string | undefined
  /** When the data of this tab begins, and when each channel was reset last: what began before that is of a session that has ended. */
  private since = 0
  private readonly resets = new Map<string | undefined, number>()
  /** The store is being reset, because the app has another user. */
  private isLeaving = false
  private id = ''
  count = 0
  /** How many counted messages have come from each tab. */
  counts: Map<string, number> = new Map()
  private numbers = new Numbers()
  /** The writes of the last seconds. */
  private recent: (readonly [at: number, rows: readonly SentRow[]])[] = []
  /** A message of another tab is being carried out: nothing of it is passed on. */
  private isTaking = false
  /** Messages from before then are ignored. */
  private deafUntil = 0
  private endListening: (() => void) | undefined

  constructor(options: TabsOptions) {
    this.options = options
  }

  readonly middleware: Middleware = (controller) => {
    this.controller = controller
    controller.core.tabs = this
    return (next) => (action) => {
      if (action.type === FETCH) {
        this.note()
      }
      if (action.type !== RESET) {
        return next(action)
      }
      this.isLeaving = false
      this.begin(this.isTaking)
      const done = next(action)
      // Without a database the next commit tells who is signed in by then.
      this.close()
      return done
    }
  }

  init(): void {
    const { core, random } = this.controller!
    if (!('BroadcastChannel' in globalThis)) {
      return
    }
    this.id = random().toString(36).slice(2)
    const { document } = globalThis as Globals
    const onVisibility = (): void => {
      if (document?.visibilityState !== 'hidden') {
        this.post({ type: 'hello' })
      }
    }
    const onResume = (): void => this.miss()
    const { disk } = this
    const connect = (): void => this.connect()
    disk?.listeners.add(connect)
    document?.addEventListener('visibilitychange', onVisibility)
    document?.addEventListener('resume', onResume)
    const end = core.store.committed.listen((changes) => this.tell(changes))
    this.endListening = () => {
      end()
      disk?.listeners.delete(connect)
      document?.removeEventListener('visibilitychange', onVisibility)
      document?.removeEventListener('resume', onResume)
    }
    this.connect()
  }

  cleanup(): void {
    this.endListening?.()
    this.endListening = undefined
    this.close()
  }

  /** That of `persist`. */
  private get disk(): Disk | undefined {
    const controller = this.controller!
    return controller.core.persisted && findDisk(controller)
  }

  /** The name of the channel of this user and session; `undefined` if nobody is signed in. */
  private get place(): string | undefined {
    const { disk, options } = this
    if (disk) {
      const { status, name, version, session } = disk
      return status === 'open' || status === 'memory' ? `${name} tabs ${version} ${session}` : undefined
    }
    const { user, name = 'restitch', version = 1 } = options
    const id = user ? user() : ''
    return id == null ? undefined : `${name} ${id} tabs ${version}`
  }

  /** Joins the channel of the user who is signed in. Without a database that is noticed when a message is sent or received. */
  private connect(): void {
    const { place, channelName, controller } = this
    if (place === channelName || this.isLeaving) {
      return
    }
    if (channelName !== undefined && !this.disk) {
      // The app has not reset the store.
      if (DEV) {
        warnOnce(userChanged(channelName).message)
      }
      this.isLeaving = true
      this.begin()
      this.close()
      void NOW.then(() => controller!.resetEntireStore())
      return
    }
    this.close()
    if (place === undefined || !this.endListening || !('BroadcastChannel' in globalThis)) {
      return
    }
    this.channelName = place
    this.begin(true)
    try {
      this.channel = new BroadcastChannel(place)
    } catch {
      // Sandboxed frames may not have one.
      return
    }
    const { channel } = this
    channel.addEventListener('message', ({ data }) => channel === this.channel && this.hear(data))
    // In Node a channel keeps the process alive.
    ;(this.channel as { unref?(): void }).unref?.()
    this.post({ type: 'hello' })
  }

  private close(): void {
    this.channel?.close()
    this.channel = this.channelName = undefined
    this.counts = new Map()
    this.count = 0
  }

  /** The data of this tab begins now. */
  private begin(isQuiet?: boolean): void {
    const { resets, channelName, now } = this
    this.recent = []
    if (!isQuiet) {
      resets.set(channelName, now)
    }
    this.since = Math.max(now, this.resetAt + 1)
    if (!isQuiet) {
      this.post({ type: 'reset' })
    }
  }

  private get resetAt(): number {
    return this.resets.get(this.channelName) ?? -1
  }

  private post(content: Content): void {
    this.count += isCounted(content.type) ? 1 : 0
    const { id, count, now, since, resetAt } = this
    const message = { ...content, from: id, count, sentAt: now, since, resetAt } as Message
    try {
      // The other tabs of this origin, and nobody else.
      this.channel?.postMessage(message)
    } catch {
      // It was closed by the browser: the others notice that a message is missing.
    }
  }

  /** Wall time. */
  private get now(): number {
    const { clock } = this.controller!.core.store
    return clock.now() - clock.ahead()
  }

  private note(): void {
    const { clock, reached } = this.controller!.core.store
    this.numbers.note(clock.now(), reached)
  }

  /** Says what has changed here. */
  private tell(changes: readonly CommittedChange<Row>[]): void {
    this.note()
    if (!this.isTaking) {
      this.connect()
    }
    if (this.isTaking || !this.channel) {
      return
    }
    const own = changes.filter(
      ({ by, what }) => !isForeign(by) && what !== 'collected' && what !== 'reset' && by?.at !== 0,
    )
    const written = own.filter((one) => isWritten(one))
    const { clock } = this.controller!.core.store
    const rows = sentRows(
      written.map(({ row }) => row),
      clock.ahead(),
    )
    if (rows.length > 0 && rows.length <= MOST) {
      this.post({ type: 'wrote', rows })
      this.recent = [...this.recent.filter(([at]) => at > this.now - RECENT), [this.now, rows]]
    }
    const isLost = rows.length < written.length || rows.length > MOST
    const doubted = own.filter(({ row }) => row.marked.by !== undefined && isInDoubt(row)).map(({ row }) => row)
    const lost = isLost ? written.map(({ row }) => row) : []
    if (doubted.length + lost.length > 0) {
      this.post({ type: 'doubted', names: [...doubted, ...lost].map(nameOf) })
    }
    this.announce(own.filter((one) => isRead(one)).map(({ row }) => row))
  }

  /** Says what was fetched. */
  private announce(rows: readonly Row[]): void {
    const { clock } = this.controller!.core.store
    const fetchedAt = Math.min(...rows.map(({ meta }) => meta!.fetchedAt)) - clock.ahead()
    // A result brings what it contains.
    const results = rows.filter(({ key }) => key === '')
    const names = (rows.length > MOST ? results : rows).map(nameOf)
    if (names.length > 0) {
      this.post({ type: 'read', names, fetchedAt })
    }
  }

  private hear(data: unknown): void {
    const { controller } = this
    if (!isMessage(data) || data.from === this.id) {
      return
    }
    this.connect()
    const { sentAt, from, count, type, since, resetAt } = data
    if (!this.channel || this.isPast(since, resetAt)) {
      return
    }
    const known = this.counts.get(from)
    const next = (known ?? count - 1) + 1
    this.counts.set(from, count)
    if (this.now - sentAt > LATE || sentAt < this.deafUntil) {
      return this.miss()
    }
    const hasGap = known !== undefined && count !== (isCounted(type) ? next : known)
    if (hasGap) {
      this.miss()
    }
    const { core } = controller!
    this.isTaking = true
    try {
      core.change(() => this.take(data, hasGap))
    } finally {
      this.isTaking = false
    }
  }

  /** One of two tabs has not reset yet: it does, and does not hear the other one before. */
  private isPast(since: number, resetAt: number): boolean {
    if (resetAt > this.resetAt) {
      this.resets.set(this.channelName, resetAt)
    }
    if (this.since <= this.resetAt) {
      this.isTaking = true
      void this.controller!.resetEntireStore()
      this.isTaking = false
      return true
    }
    const isPast = since <= this.resetAt
    if (isPast) {
      this.post({ type: 'reset' })
    }
    return isPast
  }

  /** Carries out what another tab says. */
  private take(message: Message, hasGap: boolean): void {
    const { controller } = this
    const { store } = controller!.core
    switch (message.type) {
      case 'wrote':
        takeWritten(controller!, message.rows)
        break
      case 'doubted':
        store.doubt(
          this.find(message.names).filter(({ meta }) => meta),
          'expired',
        )
        break
      case 'read':
        this.pull(message)
        break
      case 'pull':
        this.reply(message)
        break
      case 'rows':
        if (message.to === this.id) {
          takeRead(controller!, message.rows, this.numbers)
        }
        break
      case 'hello':
        this.post({ type: 'here', to: message.from, rows: this.recent.flatMap(([, rows]) => rows) })
        break
      case 'here':
        if (message.to === this.id && !hasGap) {
          takeWritten(
            controller!,
            message.rows.filter((row) => this.isNews(row)),
          )
        }
    }
  }

  /** It was written after what is here was fetched. */
  private isNews([key, pk, fetchedAt]: SentRow): boolean {
    const row = findRow(this.controller!, [key, pk])
    return (row?.meta?.fetchedAt ?? Infinity) < fetchedAt + this.controller!.core.store.clock.ahead()
  }

  private find(names: readonly RowName[]): Row[] {
    return names.flatMap((name) => findRow(this.controller!, name) ?? [])
  }

  /** Requests the rows that are shown here, and older. */
  private pull({ from, names, fetchedAt }: Message & { readonly type: 'read' }): void {
    const { clock } = this.controller!.core.store
    const isOld = ({ meta }: Row): boolean => (meta?.date ?? 0) < fetchedAt + clock.ahead()
    const wanted = this.find(names).filter((row) => isOld(row) && isShown(row))
    if (wanted.length > 0) {
      this.post({ type: 'pull', to: from, names: wanted.map(nameOf) })
    }
  }

  /** Sends rows, with those that they contain. */
  private reply({ from, to, names }: Message & { readonly type: 'pull' }): void {
    if (to !== this.id) {
      return
    }
    const { clock } = this.controller!.core.store
    const rows = new Set<Row>()
    for (const row of this.find(names)) {
      const parts = row.node ? nodesOf(row.node).flatMap(rowsOf) : []
      ;[row, ...parts].forEach((one) => rows.add(one))
    }
    const isSound = (row: Row): boolean =>
      row.meta !== undefined && !isInDoubt(row) && (row.meta as { error?: unknown }).error === undefined
    const sent = sentRows([...rows].filter(isSound), clock.ahead())
    this.post({ type: 'rows', to: from, rows: sent.sort((a, b) => rankOf(a) - rankOf(b)) })
  }

  /** Messages were missed: nobody knows what is still right. */
  private miss(): void {
    const { core } = this.controller!
    this.deafUntil = this.now
    this.isTaking = true
    try {
      core.change(() => expire(core.store, [], () => true))
    } finally {
      this.isTaking = false
    }
  }
}
