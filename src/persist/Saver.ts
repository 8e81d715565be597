// Writes the rows that have changed: in idle time, records first, so that a list on the disk never lacks a record that it names.

import { pause } from '../base/clock.ts'
import type { Controller } from '../controller/Controller.ts'
import { rowsOf } from '../reading/query.ts'
import { isForeign } from '../disk/foreign.ts'
import type { Disk } from '../disk/Disk.ts'
import { SessionEnded } from '../disk/SessionEnded.ts'
import type { DiskFound, DiskWrite } from '../disk/DiskStorage.ts'
import { notedEtag } from '../requests/etags.ts'
import type { ResultMeta } from '../store/Store.ts'
import type { CommittedChange } from '../rows/feed.ts'
import { isInDoubt, type Row } from '../rows/Row.ts'
import type { Table } from '../rows/Table.ts'
import { type About, aboutName, lastName, readAbout } from './About.ts'
import type { Choice } from './Choice.ts'
import { idle } from './idle.ts'
import { fetchedAtOf, nameOf, prefixOf, writeRow } from './rowText.ts'
import { unwritable } from './unwritable.ts'

/** Milliseconds between two transactions, at least. */
const PACE = 100
/** Rows of one transaction; on `pagehide` it has all. */
const SLICE = 1_000
/** Milliseconds for which the disk may show a row older than it is, where nothing but its age has changed. */
const AGE_LAG = 60_000
/** Milliseconds after which a failed transaction is tried again, at most. */
const LONGEST_WAIT = 60_000

/** A row on the disk. */
export interface OnDisk {
  readonly bytes: number
  readonly date: number
}

export class Saver {
  /** The rows on the disk, by their key there. */
  readonly saved: Map<string, OnDisk> = new Map()
  bytes = 0
  /** The user whose rows the store has: only the database of that user gets them. */
  user: string | undefined
  lastWrittenAt: number | undefined
  /** The last transaction has failed. */
  isFailing = false
  /** Called when one of these has changed. */
  onChange: () => void = () => {}
  /** The place of the last row among all. */
  lastOrder = 0
  readonly prefix: string
  readonly tab: string
  private readonly controller: Controller
  private readonly disk: Disk
  private readonly choice: Choice
  /** The keys of mutations, whose results have no readers. */
  readonly mutations: Set<string> = new Set()
  /** The numbers of requests whose responses may not be stored. */
  readonly unstorable: Set<number> = new Set()
  /** Records, lists and results that have changed. */
  private dirty: readonly Set<Row>[] = noRows()
  private aged = new Set<Row>()
  private readonly orders = new WeakMap<Row, number>()
  /** Rows that cannot be written: what contains them is not written either. */
  private readonly unwritable = new WeakSet<Row>()
  private hasUnwritable: boolean
  /** The number of the last write of each table that the disk knows of. */
  private readonly fenced = new Map<Table, number>()
  private isScheduled = false
  private failures = 0
  private turn = 0

  constructor(controller: Controller, disk: Disk, choice: Choice, version: number) {
    this.controller = controller
    this.disk = disk
    this.choice = choice
    this.prefix = prefixOf(version)
    this.tab = controller.random().toString(36).slice(2, 10)
    this.hasUnwritable = choice.isPartial
  }

  /** Notes what a change of the store has touched. */
  note(changes: readonly CommittedChange<Row>[]): void {
    const { now } = this
    for (const { row, what, by } of changes) {
      if (isForeign(by)) {
        // The tab that it came from writes it.
        continue
      }
      if (what === 'collected' || what === 'reset') {
        this.dirty[rankOf(row)]!.delete(row)
        this.aged.delete(row)
      } else if (what === 'age' && !isInDoubt(row) && this.isRecent(row, now)) {
        this.aged.add(row)
      } else {
        this.dirty[rankOf(row)]!.add(row)
      }
    }
    this.schedule()
  }

  /** Notes all rows that the disk does not have. */
  noteAll(): void {
    const { tables } = this.controller.core.store
    const all: readonly Table[] = [...tables.tables.values(), tables.endpoints]
    const rows: Row[] = all.flatMap((table) => table.rows)
    this.note(rows.flatMap((row) => (this.orders.has(row) ? [] : [{ row, what: 'value', by: undefined }])))
  }

  /** Forgets what it would write. */
  clear(): void {
    this.turn++
    this.user = undefined
    this.dirty = noRows()
    this.aged = new Set()
    this.saved.clear()
    this.bytes = this.lastOrder = 0
    this.isFailing = false
    this.isScheduled = false
    this.failures = 0
  }

  /** The row was read from the disk. */
  remember(name: string, row: Row | undefined, saved: OnDisk & { readonly order: number }): void {
    this.count(name, saved)
    this.lastOrder = Math.max(this.lastOrder, saved.order)
    if (row) {
      this.orders.set(row, saved.order)
    }
  }

  /** Deletes the older half of the rows, because the storage is full. */
  makeRoom(): DiskWrite[] {
    const oldest = [...this.saved].sort(([, a], [, b]) => a.date - b.date).slice(0, Math.ceil(this.saved.size / 2))
    this.forget(oldest.map(([name]) => name))
    return oldest.map(([name]) => [name, undefined])
  }

  /** The rows of these keys are gone from the disk. */
  forget(names: Iterable<string>): void {
    for (const name of names) {
      this.count(name)
    }
    this.onChange()
  }

  /** Writes all that has changed, in one transaction. */
  async flush(): Promise<void> {
    this.aged.forEach((row) => this.dirty[rankOf(row)]!.add(row))
    this.aged = new Set()
    await this.write(Infinity)
  }

  /** The writes of all rows that have changed. They are written once more: whether the caller can, nobody knows yet. */
  *writes(): Generator<DiskWrite> {
    if (this.user !== this.disk.user) {
      return
    }
    for (const row of this.dirty.flatMap((rows) => [...rows])) {
      const write = this.writeOf(row)
      if (write) {
        yield write
      }
    }
  }

  private isRecent(row: Row, now: number): boolean {
    const saved = this.saved.get(nameOf(this.prefix, row))
    return saved !== undefined && Math.abs(now - saved.date) < AGE_LAG
  }

  private schedule(): void {
    if (this.isScheduled || this.dirty.every(({ size }) => size === 0) || this.disk.status !== 'open') {
      return
    }
    this.isScheduled = true
    void this.run(this.turn)
  }

  private async run(turn: number): Promise<void> {
    const { clock } = this.controller
    await pause(clock, Math.min(PACE * 2 ** this.failures, LONGEST_WAIT))
    await idle()
    if (turn === this.turn) {
      await this.write(SLICE)
    }
    if (turn === this.turn) {
      this.isScheduled = false
      this.schedule()
    }
  }

  private async write(most: number): Promise<void> {
    const rows = this.user === undefined ? [] : this.take(most)
    const { turn } = this
    if (rows.length === 0) {
      return
    }
    const { now } = this
    const writes = new Map(rows.map((row) => this.writeOf(row, now)).filter((write) => write !== undefined))
    try {
      await this.store(writes, now)
      this.failures = 0
    } catch (error) {
      if (error instanceof SessionEnded || turn !== this.turn) {
        return
      }
      this.failures++
      rows.forEach((row) => this.dirty[rankOf(row)]!.add(row))
    }
    this.isFailing = this.failures > 0
    this.onChange()
  }

  /** The rows of the next transaction. */
  private take(most: number): Row[] {
    const taken: Row[] = []
    for (const rows of this.dirty) {
      for (const row of rows) {
        if (taken.length === most) {
          return taken
        }
        rows.delete(row)
        taken.push(row)
      }
    }
    return taken
  }

  /** @returns nothing if the row stays as it is on the disk */
  private writeOf(row: Row, now: number = this.now): DiskWrite | undefined {
    const name = nameOf(this.prefix, row)
    const { error, invalidated } = (row.meta ?? {}) as Partial<ResultMeta>
    if (invalidated) {
      return [name, undefined]
    }
    if (!row.meta || row.value === undefined || error !== undefined || !this.isKept(row)) {
      return undefined
    }
    const order = this.orders.get(row) ?? ++this.lastOrder
    this.orders.set(row, order)
    try {
      const ahead = this.controller.core.store.clock.ahead()
      return [name, writeRow(row, { order, now, writer: this.tab, ahead, etag: this.etagOf(row) })]
    } catch (cause) {
      this.refuse(row, cause)
      return [name, undefined]
    }
  }

  /** The ETag of a result, while readers see what came with it. */
  private etagOf(row: Row): string | undefined {
    return row.table.key === '' && row.node ? notedEtag(row, row.node.value) : undefined
  }

  /** The app wants it on the disk, the server allows it, and so do all rows of a result. */
  private isKept(row: Row): boolean {
    const { table, node, metas } = row
    const isRetained = metas.every(({ date, expiresAt, sent }) => expiresAt > date && !this.unstorable.has(sent))
    if (!this.choice.has(row) || !isRetained || (table.key === '' && this.mutations.has(row.pk))) {
      this.hasUnwritable ||= !isRetained
      return false
    }
    const contains = (one: Row): boolean => one !== row && one.value !== undefined && !this.isSavable(one)
    return !(this.hasUnwritable && table.key === '' && node && rowsOf(node).some(contains))
  }

  private isSavable(row: Row): boolean {
    return this.saved.has(nameOf(this.prefix, row)) || (!this.unwritable.has(row) && this.isKept(row))
  }

  private refuse(row: Row, cause: unknown): void {
    if (!this.unwritable.has(row)) {
      this.disk.report(unwritable(row, cause))
    }
    this.unwritable.add(row)
    this.hasUnwritable = true
  }

  private async store(writes: ReadonlyMap<string, unknown>, now: number): Promise<void> {
    const { disk, tab, prefix, user } = this
    const [about, last] = [aboutName(prefix), lastName(prefix)]
    const fences = this.newFences()
    if (writes.size === 0 && fences.size === 0) {
      return
    }
    let [own, isOther] = [writes, false]
    const decide = (found: DiskFound, compares?: boolean): DiskWrite[] => {
      const before = readAbout(found, prefix)
      isOther = before.writer !== undefined && before.writer !== tab
      // It may be the database of the next user by now.
      if ((isOther && !compares) || disk.user !== user) {
        return []
      }
      own = new Map([...writes].filter(([name, text]) => !text || fetchedAtOf(found.get(name)) <= fetchedAtOf(text)))
      const next: About = { writer: tab, fences: { ...before.fences, ...this.fencesAt(now, fences) } }
      return [...own, [about, next]]
    }
    await disk.transact([about, last], (found) => decide(found), 'relaxed', true)
    if (isOther) {
      // Rows that another tab has fetched later stay.
      await disk.transact([about, last, ...writes.keys()], (found) => decide(found, true), 'relaxed', true)
    }
    fences.forEach((fence, table) => this.fenced.set(table, fence))
    own.forEach((text, name) => this.count(name, text ? { bytes: String(text).length, date: now } : undefined))
    this.lastWrittenAt = now
  }

  /** Writes all that has changed in the moment in which the page ends. */
  flushLast(): void {
    const { now, disk, prefix } = this
    const rows = this.take(Infinity)
    const writes = rows.map((row) => this.writeOf(row, now)).filter((write) => write !== undefined)
    if (writes.length > 0 && disk.status === 'open' && disk.user === this.user) {
      disk.writeLast([...writes, [lastName(prefix), { fences: this.fencesAt(now, this.newFences()) }]])
    }
    // The page may come back.
    rows.forEach((row) => this.dirty[rankOf(row)]!.add(row))
    this.schedule()
  }

  private fencesAt(now: number, fences: ReadonlyMap<Table, number>): About['fences'] {
    return Object.fromEntries([...fences.keys()].map(({ key }) => [key, [now, this.tab] as const]))
  }

  /** The tables that the app has written to since the last transaction. */
  private newFences(): Map<Table, number> {
    const { tables } = this.controller.core.store.tables
    const all = [...tables.values()].map((table): [Table, number] => [table, table.fence])
    return new Map(all.filter(([table, fence]) => fence > (this.fenced.get(table) ?? 0)))
  }

  /** Wall time. */
  get now(): number {
    const { clock } = this.controller.core.store
    return clock.now() - clock.ahead()
  }

  private count(name: string, saved?: OnDisk): void {
    this.bytes += (saved?.bytes ?? 0) - (this.saved.get(name)?.bytes ?? 0)
    this.saved[saved ? 'set' : 'delete'](name, saved!)
  }
}

function noRows(): readonly Set<Row>[] {
  return [new Set(), new Set(), new Set()]
}

/** Records are written before the lists that name them, and those before results. */
function rankOf({ table }: Row): number {
  return table.key === '' ? 2 : table.isOfLists ? 1 : 0
}
