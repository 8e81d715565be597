import { type Clock, steady, type StoreClock, systemClock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { freezePlain } from '../base/equal.ts'
import { type Node, nodesOf, release } from '../rows/Node.ts'
import { allOf, type Doubt, type Reason } from '../rows/doubt.ts'
import { type CommittedChange, Feed, tellAll } from '../rows/feed.ts'
import { isInDoubt, type Row, type RowContent } from '../rows/Row.ts'
import { membersChanged, type Table } from '../rows/Table.ts'
import { INVALID } from '../schema/Schema.ts'
import { INVALIDATED, type Meta } from '../rows/Meta.ts'
import {
  type AllTables,
  createTables,
  type ListContent,
  ListPatch,
  type ListRow,
  type StoreChange,
} from '../lists/ListRow.ts'
import { type RecordContent, RecordPatch, type RecordRow } from '../records/RecordRow.ts'
import { report } from '../base/report.ts'
import { checkRow } from './checkRow.ts'
import { Operations, showAgain, shownNow } from './operations.ts'
import type { ResultTimes } from './stateShape.ts'
import { Subscriptions } from './subscriptions.ts'

/** The meta of an endpoint's result. */
export interface ResultMeta extends Meta, ResultTimes {
  /** Beside an error: when the value that stays was fetched. */
  readonly valueFetchedAt?: number | undefined
  /** The number of the invalidation: a response to a request sent before does not end it. */
  readonly invalidatedAt?: number | undefined
}

/** How long data and errors are fresh, in milliseconds, where neither the endpoint nor a NetworkManager says. */
export const DEFAULT_EXPIRY = { dataExpiryLength: 60_000, errorExpiryLength: 1_000 } as const

/** Rows, their order, and the pending operations over them. */
export class Store extends Operations {
  readonly tables: AllTables
  readonly clock: StoreClock
  readonly notifier: Subscriptions
  /** The time of the last reset, as states show it. */
  lastReset = 0
  /** The number of the last reset: responses to requests sent before it are not stored. */
  resetAt = 0
  /** How long data and errors are fresh, in milliseconds, where an endpoint does not say. */
  readonly defaults: { dataExpiryLength: number; errorExpiryLength: number } = { ...DEFAULT_EXPIRY }
  /** Called with its key when a request begins (1) or ends (-1), and when a response arrives without a request (0). */
  onRequest: ((key: string, by: 1 | -1 | 0) => void) | undefined = undefined
  /** Told when what is known of a list has changed, also where it shows the same: whether there is more of it. */
  readonly pagers: Set<{ tell(): void }> = new Set()
  /** Tells which committed rows have changed. */
  readonly committed: Feed<Row, Noted, CommittedChange<Row>> = new Feed(describe)
  /** Told of a row that is about to change, for the devtools. */
  journal: ((row: Row) => void) | undefined = undefined
  /** The keys that were expired last, and when. Of all keys it may be unknown whether they were expired before a number. */
  readonly expirations: Map<(key: string) => boolean, number> = new Map()
  expiredBefore = 0
  /** The number reached so far. Order is a number, never a clock: requests take one when they are sent, and writes one more when they are committed. */
  reached = 0
  /** The response, or the value that the app sets, that is being committed. */
  private by: Meta | undefined = undefined
  /** From when on readers fetch what is put in doubt now: 0 is at once. An event, which meets all clients, has a later moment (`live/Outside.ts`). */
  dueAt = 0
  private isTelling = false

  /** @param Result the class of the rows of endpoints */
  constructor(clock: Clock = systemClock, Result?: typeof Row) {
    super()
    this.tables = createTables(Result)
    this.clock = steady(clock)
    this.notifier = new Subscriptions(this.clock)
    if (DEV) {
      this.tables.onReplace = () => {
        this.notifier.flush(false)
        return this.reached
      }
    }
  }

  /**
   * A row is about to change.
   *
   * @param by the response that changes it
   * @param gone why it is removed
   */
  note(row: Row, by: Meta | undefined = this.by, gone?: Noted['gone']): void {
    const { committed } = this
    row.table.copy = this.state = undefined
    this.journal?.(row)
    if (committed.isHeard) {
      const { value, position } = committed.before(row) ?? row
      committed.note(row, { value, position, by, gone })
    }
  }

  /** Ends a change, which may be of several commits: pending operations run over it again, and the feeds tell of it. */
  end(): void {
    this.rerun()
    // The change that is being reported also reports the writes of its listeners.
    if ((this.committed.isHeard || this.visible.isHeard) && !this.isTelling) {
      const notify = this.notifier.hold()
      this.isTelling = true
      tellAll([this.committed, this.visible])
      this.isTelling = false
      notify()
    }
  }

  /** Makes patches the rows that everybody reads. Nothing here can throw. */
  commit(change: StoreChange): void {
    const { rows, doubts, wroteTo } = change
    const { meta, key } = change.intake
    this.by = meta
    this.take(change)
    for (const table of wroteTo) {
      table.fence = meta.at
      table.mutated = meta.kind === 'mutation' ? meta.at : table.mutated
    }
    if (doubts.size > 0) {
      const at = ++this.reached
      this.raise([...doubts].map(([row, { reason, pages }]) => [row, { at, reason, by: key, pages }]))
    }
    if (this.tables.lostDeletes.size > 0) {
      for (const row of this.tables.listCode!.settleDeletes(this.tables, rows, meta)) {
        this.put(row, { value: INVALID, meta, gone: meta.sent, by: meta, changedByRead: undefined })
      }
    }
    this.by = undefined
    if (DEV) {
      const broken = rows.map((row) => checkRow(row, this.reached)).find((text) => text !== undefined)
      if (broken) {
        report(new Error(broken))
      }
    }
  }

  /** Each row takes its patch. */
  private take(change: StoreChange): void {
    const { rows, doubts, intake } = change
    const { meta, key } = intake
    const met = new Set<Node>()
    let kept: Meta | undefined
    for (const row of rows) {
      const patch = row.patch!
      row.patch = undefined
      if (patch instanceof RecordPatch && patch.fields !== undefined) {
        this.finishRecord(change, row as RecordRow, patch, met)
      }
      patch.gone = patch.value === INVALID && patch.value !== row.value ? meta.at : undefined
      this.put(row, patch)
      for (const { rows: copies = [] } of (patch instanceof ListPatch && patch.edits) || []) {
        copies.forEach((one) => keep(one, row.kept!))
        kept = copies.length > 0 && row.kept!.expiresAt > (kept?.expiresAt ?? 0) ? row.kept : kept
      }
      const { doubt } = patch
      if (doubt?.at !== undefined) {
        this.raise([[row, { at: doubt.at, reason: doubt.reason, by: key }]])
      } else if (doubt) {
        doubts.set(row, doubt)
      }
    }
    // Records that came with one that has joined a list, such as its author, are kept with it.
    rows.forEach((row) => kept && keep(row, kept))
  }

  /** Completes the patch of a record before its row takes it. */
  private finishRecord(change: StoreChange, row: RecordRow, patch: RecordPatch, met: Set<Node>): void {
    row.table.code?.finish(change, row, patch, (a, b) => this.isFoundAlike(row.key, a, b))
    // Readers may show an error from before the write, beside the same value.
    if (patch.wrote && patch.value === row.value) {
      row.node?.aged(met)
    }
  }

  /** True where no list of these records can tell two versions of one apart. */
  private isFoundAlike(key: string, a: object, b: object): boolean {
    return (this.tables.holders.get(key) ?? []).every(({ index }) => index?.isAlike(a, b))
  }

  /** Replaces the content of a row. In development nobody can change it afterwards. */
  put(row: Row, next: RowContent & Partial<RecordContent & ListContent>): void {
    if (DEV) {
      freezePlain(next.value)
    }
    this.write(row, next)
  }

  /** The only place that gives a row other content. */
  write(row: Row, next: RowContent & Partial<RecordContent & ListContent>): void {
    const { table, value: old } = row
    const { value, meta } = next
    const shown = shownNow(row)
    const joins = old === undefined || old === INVALID || value === INVALID
    this.note(row, this.by ?? meta)
    this.beforeShown(row)
    this.beforeReplace(row, joins)
    const isOtherList = table.isOfLists && next.list !== (row as ListRow).list
    row.take(next)
    keep(row, meta)
    if (isOtherList) {
      this.pagers.forEach((pager) => this.notifier.add(pager))
    }
    // A result may be nothing but an error, so a row needs no value to count.
    if (row.position < 0) {
      // Rows may have been collected, so that its index is no number of its own.
      const { rows } = table
      row.position = (rows[rows.length - 1]?.position ?? -1) + 1
      rows.push(row)
      table.floating.delete(row)
    }
    if (joins && value !== old) {
      membersChanged(table)
    }
    // Pending operations may show less of themselves over the same value.
    if (value !== old || row.pending) {
      showAgain(row, shown)
    }
  }

  /** The only place that changes how old a row is without a response. */
  mark(row: Row, { marked = row.marked, expired = row.expired }: Partial<Pick<Row, 'marked' | 'expired'>>): void {
    // Nobody knows of a row without content.
    if (row.position >= 0) {
      this.note(row)
    }
    row.marked = marked
    row.expired = expired
  }

  /** All that was requested so far leaves these rows stale: mounted readers fetch them again. */
  doubt(rows: Iterable<Row>, reason: Reason, by?: string, at: number = ++this.reached): void {
    const doubt = { at, reason, by }
    this.raise([...rows].map((row) => [row, doubt]))
  }

  private raise(doubts: Iterable<readonly [Row, Doubt]>): void {
    const met = new Set<Node>()
    for (const [row, doubt] of doubts) {
      const { marked } = row
      if (doubt.at <= marked.at) {
        continue
      }
      this.mark(row, { marked: isInDoubt(row) ? { ...doubt, pages: allOf(marked.pages, doubt.pages) } : doubt })
      for (const node of row.node ? nodesOf(row.node) : []) {
        node.raise(doubt, (result) => this.note(result))
      }
      row.node?.aged(met)
    }
  }

  /** Removes results; their readers fetch them again. */
  invalidate(rows: Iterable<Row>): void {
    const date = this.clock.now()
    const number = ++this.reached
    // One meta for all, as of a response.
    const times = { fetchedAt: date, date, expiresAt: INVALIDATED, sent: number, at: number, kind: 'read' as const }
    const meta: ResultMeta = { ...times, invalidated: true, invalidatedAt: number }
    for (const row of rows) {
      this.mark(row, { marked: { at: number, reason: 'expired', by: undefined } })
      this.put(row, { value: undefined, meta })
      row.node?.aged()
    }
  }

  /** Takes rows out as if they had never been. */
  drop(rows: Iterable<Row>, gone: 'collected' | 'reset'): void {
    const touched = new Set<Table>()
    const released = new Set<Node>()
    for (const row of rows) {
      const { table } = row
      this.note(row, undefined, gone)
      this.beforeShown(row)
      this.beforeReplace(row, true)
      this.tables.lostDeletes.delete(row)
      row.clear()
      row.node?.touch()
      table.hasGaps = true
      touched.add(table)
      if (row.node) {
        release(row.node, released)
      }
    }
    touched.forEach((table) => {
      membersChanged(table)
      if (table.node) {
        release(table.node, released)
      }
    })
  }

  /** Clears everything. Pending requests keep their numbers, so that their responses are known to be old. */
  reset(): void {
    this.lastReset = this.clock.now()
    this.resetAt = ++this.reached
    this.clearOperations()
    this.expirations.clear()
    for (const table of [...this.tables.tables.values(), this.tables.endpoints]) {
      const { rows } = table
      this.drop(rows, 'reset')
      rows.forEach((row) => row.node?.aged())
      table.fence = table.mutated = 0
    }
  }
}

/** A committed row as it was before a change. */
interface Noted {
  readonly value: unknown
  readonly position: number
  readonly by: Meta | undefined
  readonly gone: 'collected' | 'reset' | undefined
}

/** The change of a committed row; `undefined` for one that was not there and still is not. */
function describe(row: Row, { value, position, by, gone }: Noted): CommittedChange<Row> | undefined {
  const isThere = row.position >= 0
  if (!isThere && position < 0) {
    return undefined
  }
  const what = row.value === value ? 'age' : row.value === INVALID ? 'deleted' : 'value'
  return { row, what: isThere ? what : (gone ?? what), by }
}

/** A row is not collected before what contains it. */
function keep(row: Pick<Row, 'kept'>, meta: Meta): void {
  row.kept = row.kept && row.kept.expiresAt > meta.expiresAt ? row.kept : meta
}
