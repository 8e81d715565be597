// The database of a user, as the entries `persist` and `outbox` share it: what belongs together changes in one transaction.
//
// It works without a storage, too: writes that could not be stored are kept in memory, lie over what is read, and are stored with the next
// transaction that succeeds.

import type { Clock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { diskFailed } from './diskFailed.ts'
import type { DiskOptions, User } from './DiskOptions.ts'
import type { DiskDatabase, DiskFound, DiskStorage, DiskWrite, Durability } from './DiskStorage.ts'
import { isRange } from './DiskStorage.ts'
import { indexedDBStorage } from './indexedDBStorage.ts'
import { endOf, SESSION, SessionEnded, sessionOf } from './SessionEnded.ts'

/**
 * | state     | meaning                                                              |
 * | --------- | -------------------------------------------------------------------- |
 * | `closed`  | nobody is signed in, or the store is stopped                         |
 * | `opening` | the storage has not responded yet                                    |
 * | `open`    | everything is stored                                                 |
 * | `memory`  | there is no storage, or it fails: all data is gone with the page     |
 */
export type DiskStatus = 'closed' | 'opening' | 'open' | 'memory'

/** Milliseconds after which a storage that does not respond counts as failed. */
const PATIENCE = 5_000

export class Disk {
  status: DiskStatus = 'closed'
  /** The user whose database it is. */
  user: string | undefined = undefined
  /** Called when the status changes. */
  readonly listeners: Set<() => void> = new Set()
  /** Called when the session was ended elsewhere. */
  onEnded: (() => void) | undefined = undefined
  /** Called when the app has another user, and has not reset the store. */
  onOther: (() => void) | undefined = undefined
  /** The writes that go along with a transaction that settles: the rows that have changed. */
  rows: (() => Iterable<DiskWrite>) | undefined = undefined
  /** The writes that delete data which the server has, for when the storage is full. */
  makeRoom: (() => Iterable<DiskWrite>) | undefined = undefined
  /** The platform has promised not to evict the data; `undefined` if it was not asked, or does not say. */
  durable: boolean | undefined = undefined
  private readonly options: DiskOptions
  private readonly clock: Clock
  private database: DiskDatabase | undefined = undefined
  /** The number of the session. */
  session = 0
  /** Resolves when the storage has responded, or counts as failed. */
  private opened: Promise<void> = Promise.resolve()
  /** Writes that are not stored. */
  private unstored = new Map<string, unknown>()
  /** The values that were read or written last, for when the storage fails. */
  private known = new Map<string, unknown>()
  private isReported = false
  private isKept = false
  /** The app has to look up who its user is. */
  private isAsync = false
  private count = 0

  constructor(options: DiskOptions, clock: Clock) {
    this.options = options
    this.clock = clock
  }

  /** The version of the app's data. */
  get version(): number {
    return this.options.version ?? 1
  }

  /** The name of the database. */
  get name(): string {
    return `${this.options.name ?? 'restitch'} ${this.user ?? ''}`.trim()
  }

  /** Opens the database of the user who is signed in. Resolves when it can be read, or has failed; it never rejects. */
  open(): Promise<void> {
    return (this.opened = this.openNext())
  }

  private async openNext(): Promise<void> {
    const turn = ++this.count
    const before = this.opened
    let user: User
    try {
      const asked = this.options.user ? this.options.user() : ''
      this.isAsync = typeof asked === 'object' && asked !== null
      user = await asked
    } catch (error) {
      this.failed(error)
    }
    if (turn !== this.count || (this.status !== 'closed' && user != null && String(user) === this.user)) {
      return before
    }
    this.close()
    if (user == null) {
      return
    }
    this.user = String(user)
    return this.connect()
  }

  /** Closes the database. Writes that were not stored are lost. */
  close(): void {
    this.count++
    this.database?.close()
    this.database = this.user = undefined
    this.unstored = new Map()
    this.known = new Map()
    this.move('closed')
  }

  /** Closes the disk at once. Returns one that has the database, for what the session writes last. */
  detach(): Disk {
    const { options, clock, user, database, session, status, unstored, known, isReported } = this
    const own = new Disk({ ...options, user: () => user }, clock)
    if (status === 'opening') {
      void own.open()
    } else {
      Object.assign(own, { database, session, status, user, unstored, known, isReported })
      this.database = undefined
    }
    this.close()
    return own
  }

  /** True if the app has another user by now, which its owner learns. Only the next opening calls an async `user`. */
  check(): boolean {
    const { options, status, isAsync } = this
    if (status === 'closed' || !options.user || isAsync) {
      return false
    }
    const user = options.user() as string | number | null | undefined
    const isOther = user == null || String(user) !== this.user
    if (isOther) {
      this.onOther?.()
    }
    return isOther
  }

  /** Resolves when the database is open, or has failed. */
  ready(): Promise<void> {
    return this.opened
  }

  /**
   * A transaction of the session of this tab. It rejects if that has ended by then, or the app has another user, and is ignored while nobody is signed in.
   * If it cannot be stored, its writes are kept in memory.
   *
   * @param isLoss its writes may be lost: then it rejects instead
   */
  async transact(
    keys: readonly string[],
    decide: (found: DiskFound) => Iterable<DiskWrite>,
    durability?: Durability,
    isLoss?: boolean,
  ): Promise<void> {
    const before = this.status === 'closed' ? undefined : this.count
    await this.opened
    const { count } = this
    if ((before ?? count) !== count || this.check()) {
      throw new SessionEnded()
    }
    if (this.status === 'closed') {
      return
    }
    try {
      await this.attempt(keys, decide, durability)
      this.move('open')
    } catch (error) {
      if (error instanceof SessionEnded || count !== this.count) {
        throw error
      }
      if (this.database) {
        this.failed(error)
      }
      if (isLoss) {
        throw error
      }
      this.move('memory')
      this.remember(decide(this.over(keys, this.known)), this.unstored, this.known)
    }
  }

  /** Reads all keys that begin so, some at a time where the storage can. It rejects where that fails. */
  async readParts(range: string, take: (part: DiskFound) => void): Promise<void> {
    await this.opened
    const { database, unstored } = this
    return database?.readParts && unstored.size === 0
      ? database.readParts(range, take)
      : this.transact([range], (found) => (take(found), []), 'relaxed', true)
  }

  /** Writes of the session of this tab in the moment in which its page ends. Nobody learns whether they were stored. */
  writeLast(writes: readonly DiskWrite[]): void {
    const { database, session } = this
    try {
      if (this.check()) {
        return
      }
      if (database?.writeLast) {
        database.writeLast(writes, endOf(session))
      } else {
        this.transact([], () => writes, 'relaxed', true).catch(() => {})
      }
    } catch {
      // The browser has dropped the connection.
    }
  }

  /** Ends the session: tabs that belong to it write nothing any more. Everything goes whose key passes. */
  async end(isGone: (key: string) => boolean): Promise<void> {
    const next = this.session + 1
    await this.transact(['row/', 'entry/', 'alias/'], (found) => {
      return [
        [SESSION, next],
        [endOf(next - 1), true],
        ...[...found.keys()].filter(isGone).map((key): DiskWrite => [key, undefined]),
      ]
    })
    this.session = next
  }

  /** Asks the platform, once, not to evict the data. */
  async keep(): Promise<void> {
    const { storage } = this
    if (storage && !this.isKept) {
      this.isKept = true
      try {
        this.durable = await storage.keep?.()
      } catch {
        // It does not say.
      }
      this.listeners.forEach((listener) => listener())
    }
  }

  /** Reports that something could not be stored. */
  report(error: Error): void {
    const { onError } = this.options
    if (onError) {
      onError(error)
    } else if (DEV) {
      console.error(error)
    }
  }

  /** None on a server. */
  private get storage(): DiskStorage | undefined {
    return this.options.storage ?? ('indexedDB' in globalThis ? indexedDBStorage() : undefined)
  }

  private async connect(): Promise<void> {
    const { storage } = this
    if (!storage) {
      return this.move('memory')
    }
    const turn = this.count
    this.move('opening')
    const opening = this.reach(storage, turn)
    let timer: unknown
    const late = new Promise<void>((resolve) => {
      timer = this.clock.setTimeout(() => {
        if (turn === this.count && this.status === 'opening') {
          this.failed(silence())
          this.move('memory')
        }
        resolve()
      }, PATIENCE)
    })
    await Promise.race([opening, late])
    this.clock.clearTimeout(timer)
  }

  private async reach(storage: DiskStorage, turn: number): Promise<void> {
    try {
      const database = await storage.open(this.name)
      if (turn !== this.count) {
        return database.close()
      }
      await database.transact([SESSION], (found) => {
        this.session = sessionOf(found)
        return []
      })
      this.database = database
      this.move('open')
    } catch (error) {
      if (turn === this.count) {
        this.failed(error)
        this.move('memory')
      }
    }
  }

  private async attempt(
    keys: readonly string[],
    decide: (found: DiskFound) => Iterable<DiskWrite>,
    durability?: Durability,
    isRetry?: boolean,
  ): Promise<void> {
    const { database, unstored, session, count } = this
    if (!database) {
      throw new Error('No storage')
    }
    let writes: DiskWrite[] = []
    let read: DiskFound = new Map()
    const timer = this.clock.setTimeout(() => this.failed(silence()), PATIENCE)
    try {
      await database.transact(
        [...keys, SESSION],
        (found) => {
          if (sessionOf(found) !== session) {
            throw new SessionEnded()
          }
          read = found
          writes = [...unstored, ...decide(this.over(keys, found))]
          return writes
        },
        durability,
      )
    } catch (error) {
      if (error instanceof SessionEnded) {
        this.onEnded?.()
        throw error
      }
      // The browser has dropped the connection, as iOS does with pages in the background.
      if (!isRetry && (error as Error | null)?.name === 'InvalidStateError' && this.options.storage === undefined) {
        const again = await indexedDBStorage().open(this.name)
        if (count !== this.count) {
          again.close()
          throw new SessionEnded()
        }
        this.database = again
        return this.attempt(keys, decide, durability, true)
      }
      if ((error as Error | null)?.name === 'QuotaExceededError' && (await this.freeRoom(database))) {
        return this.attempt(keys, decide, durability, isRetry)
      }
      throw error
    } finally {
      this.clock.clearTimeout(timer)
    }
    // Other tabs have deleted what is not there any more.
    for (const name of [...this.known.keys()].filter((one) => isOf(one, keys) && !read.has(one))) {
      this.known.delete(name)
    }
    this.remember(read, this.known)
    this.remember(writes, this.known)
    unstored.forEach((value, key) => this.unstored.get(key) === value && this.unstored.delete(key))
  }

  /** Deletes some of what the server has. Resolves to false when there is nothing left of it. */
  private async freeRoom(database: DiskDatabase): Promise<boolean> {
    const writes = [...(this.makeRoom?.() ?? [])]
    await database.transact([], () => writes)
    return writes.length > 0
  }

  /** The values of these keys, with those that could not be stored. */
  private over(keys: readonly string[], found: DiskFound): DiskFound {
    const all = new Map([...found].filter(([name, value]) => value !== undefined && isOf(name, keys)))
    for (const [name, value] of this.unstored) {
      if (isOf(name, keys)) {
        all[value === undefined ? 'delete' : 'set'](name, value)
      }
    }
    return all
  }

  /** Rows are in the store, so they are not kept twice. */
  private remember(writes: Iterable<DiskWrite>, ...maps: Map<string, unknown>[]): void {
    for (const [key, value] of writes) {
      if (!key.startsWith('row/')) {
        maps.forEach((map) => map.set(key, value))
      }
    }
  }

  private failed(cause: unknown): void {
    if (!this.isReported) {
      this.isReported = true
      this.report(diskFailed(this.name, cause))
    }
  }

  private move(status: DiskStatus): void {
    if (status !== this.status) {
      this.status = status
      this.listeners.forEach((listener) => listener())
    }
  }
}

function silence(): Error {
  return new Error(`No response within ${PATIENCE / 1000} seconds`)
}

/** True for a name that these keys read. */
function isOf(name: string, keys: readonly string[]): boolean {
  return keys.some((key) => (isRange(key) ? name.startsWith(key) : name === key))
}
