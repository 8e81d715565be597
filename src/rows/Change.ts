import type { Meta } from './Meta.ts'
import { valueBelow } from './overlay.ts'
import { allOf, type NewDoubt, type Pages, type Reason } from './doubt.ts'
import type { Patch, Row } from './Row.ts'
import type { Table } from './Table.ts'
import type { Tables } from './Tables.ts'

/** The source of a value, and how to normalise it. */
export interface Intake<T extends Tables = Tables> {
  readonly tables: T
  readonly args: readonly any[]
  readonly meta: Meta
  /** The key of the endpoint, for messages and for lists. */
  readonly key?: string | undefined
  /** The path of the endpoint. A list of another path that an adder names is in doubt: the server may not add to it. */
  readonly path?: string | undefined
  /** Set for a pending operation, which may create records without a primary key: the beginning of their temporary ones. */
  readonly standIn?: string | undefined
  /** Of a pending operation, and of the response to its request: its records as they were below it before reads have changed them. */
  readonly issuedOver?: Map<Row, unknown> | undefined
  /** Notes what a pending operation depends on: records, and the tables whose lists it looked for. */
  readonly dependsOn?: Set<Row | Table> | undefined
  /** Passed by the app, not from the network: containers are copied, and values that were read before do not count as written. */
  readonly fromApp?: boolean
  /** The response of a mutation, or a value that the app wrote: lists follow the records at its top level. */
  readonly isWrite?: boolean | undefined
  /** The arguments name the record at the top of the value, which may then lack its primary key. */
  readonly isNamed?: boolean | undefined
  /** The records that were read to create the value, by row: unchanged fields do not count as written. */
  readonly madeFrom?: ReadonlyMap<Row, object> | undefined
  /** The endpoint of the response, with which a page of it is fetched again. Not of a value that the app writes. */
  readonly endpoint?: object | undefined
  /** The list and all its pages were fetched again: whatever is older than this response of the list is gone. */
  readonly hasAllPages?: boolean | undefined
  /** The pages of the list that were not fetched again are as they were when it was requested. */
  readonly keepsPages?: boolean | undefined
  /** The response as it came, which tells what page follows. */
  readonly response?: unknown
}

/** The changes that a value makes: patches with the rows, which stay as they are before the commit. */
export class Change<T extends Tables = Tables> {
  readonly intake: Intake<T>
  /** The value is that of a pending operation, and stands on what lies below it. */
  readonly isPending: boolean
  /** The value, with keys in place of records. */
  result: unknown = undefined
  /** The rows that have a patch. */
  readonly rows: Row[] = []
  /** Records at the top level of a write. Made when needed: most responses need none. */
  written: Set<Row> | undefined
  /** The lists that it brings or changes by name (`lists/ChangedLists.ts`). */
  lists: ListsOfChange | undefined
  /** Rows that only the server can tell about, and why. */
  readonly doubts: Map<Row, NewDoubt> = new Map()
  /** Tables that it may have written to in an unknown way. */
  readonly wroteTo: Table[] = []

  constructor(intake: Intake<T>) {
    this.intake = intake
    this.isPending = intake.standIn !== undefined
  }

  /** The value below the patch: the committed one, and for a pending operation the one that earlier operations show. */
  below(row: Row): unknown {
    return this.isPending ? valueBelow(row, this.intake.meta.sent) : row.value
  }

  /** The patch of a row; the first time it begins as the row itself. */
  patch<P extends Patch>(row: Row & { draft(meta: Meta): P }): P {
    if (row.patch === undefined) {
      this.rows.push(row)
      row.patch = row.draft(this.intake.meta)
    }
    return row.patch as P
  }

  /** Takes the patches back: nothing has happened. */
  discard(): void {
    this.rows.forEach((row) => (row.patch = undefined))
  }

  /**
   * Puts a row in doubt. The first reason stays.
   *
   * @param pages of a list: what may be wrong, if that is not all of it
   */
  doubt(row: Row, reason: Reason, pages?: Pages): void {
    const before = this.doubts.get(row)
    this.doubts.set(row, { reason: before?.reason ?? reason, pages: before ? allOf(before.pages, pages) : pages })
  }
}

/** The lists in a value, as far as its result goes. */
export interface ListsOfChange {
  /** The list at the top of the value. */
  readonly top: Row | undefined
  /** The page of it that the value is; `undefined` if a newer one was already stored. */
  readonly page: object | undefined
  /** Places the lists of the value: they look at the records, so they come after them. */
  receive(): void
  /** The result to store, with the members beside the list. */
  shownResult(result: unknown, stored: unknown): unknown
}
