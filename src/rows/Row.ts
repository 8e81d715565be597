import { share } from '../base/equal.ts'
import { addCounts } from './counts.ts'
import { type Doubt, type NewDoubt, NO_DOUBT } from './doubt.ts'
import type { Meta } from './Meta.ts'
import type { Node } from './Node.ts'
import type { Table } from './Table.ts'

/**
 * One row of a table: the record `User 5`, the list `[User] {}`, the result of `GET /user/5`. It outlives its content, so that a reader can
 * depend on a record that is not there yet. Each kind of rows extends it with members of its own.
 *
 * | members                          | the one place that changes them                                        |
 * | -------------------------------- | ---------------------------------------------------------------------- |
 * | `value` `meta` `gone` `position` | `Store.write`, with `take`; `Store.drop` takes them away, with `clear` |
 * | `kept`                           | `keep` in `store/Store.ts`                                             |
 * | `marked` `expired`               | `Store.mark`                                                           |
 * | `pending`                        | `Operations`                                                           |
 * | `shown` `isShownOld`             | `showAgain`, after which `top` computes it                             |
 * | `patch`                          | the change that it belongs to, until its commit                        |
 * | `node`                           | `findNode`                                                             |
 */
export class Row {
  readonly table: Table
  readonly pk: string
  /** Normalised fields, the items of a list, a result; `INVALID` after a delete; `undefined` while nothing is known. */
  value: unknown = undefined
  /** The newest response that contained it, by when it was sent: its age. */
  meta: Meta | undefined = undefined
  /** The response that contained it and expires last: unused rows are collected by it. */
  kept: Meta | undefined = undefined
  /** When the record, or the list, was last deleted. A read that was sent before tells of its former life. */
  gone = 0
  /** When it was last put in doubt, and why. */
  marked: Doubt = NO_DOUBT
  /** The number at which a result that contained it was last expired: readers without a result of their own fetch what is older. */
  expired = 0
  /** The changes of pending operations, in the order they were issued. */
  pending: readonly PendingChange[] | undefined = undefined
  /** The value with these changes, computed when it is read (`top`). */
  shown: unknown = undefined
  isShownOld = false
  /** The patch of a response that is being normalised; invisible before the commit. */
  patch: Patch | undefined = undefined
  /** The node of its first reader: readers with another class or schema have theirs beside it (`nodes.ts`). */
  node: Node | undefined = undefined
  /** Its place in the order of the table's rows, or -1. */
  position = -1

  /** @param value of a row that stands in no table */
  constructor(table: Table, pk: string, value?: unknown) {
    this.table = table
    this.pk = pk
    this.value = value
  }

  get key(): string {
    return this.table.key
  }

  /** Why it is fetched again (`doubt.ts`). */
  get doubt(): Doubt {
    return this.marked
  }

  /** The number at which the oldest request was sent that its content comes from; `undefined` without content. */
  get oldest(): number | undefined {
    return this.meta?.sent
  }

  /** The responses that its content comes from. */
  get metas(): readonly Meta[] {
    return this.meta ? [this.meta] : []
  }

  /** Its patch, as it begins: the row itself. */
  draft(meta: Meta): Patch {
    return new Patch(this.value, meta)
  }

  /** Takes the content of a patch, with the members of its kind. */
  take({ value, meta, gone = this.gone }: RowContent): void {
    this.value = value
    this.meta = meta
    this.gone = gone
  }

  /** Loses all content. */
  clear(): void {
    this.value = this.meta = this.kept = undefined
    this.gone = 0
    this.position = -1
  }

  /** A value with the changes of operations. */
  cover(value: unknown, changes: readonly PendingChange[]): unknown {
    return changes.reduce((below, change) => this.coverOne(below, change), value)
  }

  /** A value with one of them. */
  protected coverOne(value: unknown, change: PendingChange): unknown {
    return change.counts ? addCounts(value, change.counts) : change.value
  }

  /** `next`, or `old` where they are equal. */
  share(old: unknown, next: unknown): unknown {
    return share(old, next)
  }
}

/** The new content of a row. Members that are not given stay, but for those of a list. */
export type RowContent = Pick<Patch, 'value' | 'meta'> & Partial<Pick<Patch, 'gone'>>

/** The operation behind a change. */
export interface Pending {
  /** The number at which it was issued. */
  readonly sent: number
  /** It waits in an outbox, maybe for hours: no reader waits for it, and it will be sent after all others. Makes the error of a reader whose data it deletes. */
  queued?: ((key: string) => Error) | undefined
}

/** The change of a row by a pending operation: a whole value, numbers beside a list, or what its kind of rows knows: fields, edits. */
export interface PendingChange {
  readonly by: Pending
  readonly value?: unknown
  readonly counts?: Readonly<Record<string, number>> | undefined
  readonly fields?: unknown
  readonly edits?: readonly unknown[] | undefined
}

/** News about one row, from a response, a write or a pending operation; and the row afterwards. */
export class Patch {
  value: unknown
  meta: Meta
  /** Set where it is deleted. */
  gone: number | undefined = undefined
  /** By how much the numbers beside a list change that stand in this row. */
  counts: Record<string, number> | undefined = undefined
  /** Why the row is in doubt afterwards. */
  doubt: NewDoubt | undefined = undefined

  constructor(value: unknown, meta: Meta) {
    this.value = value
    this.meta = meta
  }
}

/** True where something in the row was fetched before it was doubted: readers fetch it again. */
export function isInDoubt(row: Pick<Row, 'doubt' | 'oldest'>): boolean {
  const { at } = row.doubt
  // Few rows were ever in doubt, and to find the oldest response takes time.
  return at > 0 && at > (row.oldest ?? Infinity)
}

/** True where something in the row is older than an expiration of a result that contained it, or than `number`. */
export function isExpired(row: Row, number: number = 0): boolean {
  const last = Math.max(row.expired, number)
  return last > 0 && last > (row.oldest ?? Infinity)
}
