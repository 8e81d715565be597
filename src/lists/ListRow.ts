import { isObject } from '../base/equal.ts'
import { type RecordCode, type RecordRow, RecordTable } from '../records/RecordRow.ts'
import type { Change, Intake } from '../rows/Change.ts'
import type { Reason } from '../rows/doubt.ts'
import type { Meta } from '../rows/Meta.ts'
import type { Node } from '../rows/Node.ts'
import { Patch, type PendingChange, Row, type RowContent } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'
import { Tables } from '../rows/Tables.ts'
import type { ListClass } from '../schema/ListClass.ts'
import type { ListChange, ListSchema } from '../schema/Schema.ts'
import type { Edit, List, ListPage } from './List.ts'
import type { ListIndex } from './ListIndex.ts'

/** The row of a list: its value are the items of its pages and its tail, as keys. */
export class ListRow extends Row {
  declare readonly table: ListTable & Table
  declare patch: ListPatch | undefined
  /** Set by `take`. */
  list: List | undefined = undefined

  override draft(meta: Meta): ListPatch {
    return new ListPatch(this.value, meta, this.list)
  }

  override take(next: ListContent): void {
    super.take(next)
    this.replace(next.list)
  }

  override clear(): void {
    super.clear()
    this.replace(undefined)
  }

  /** Many operations on one list cost one pass together. */
  override cover(value: unknown, changes: readonly PendingChange[]): unknown {
    let out = value
    for (let i = 0; i < changes.length; i++) {
      const { edits } = changes[i]!
      if (edits) {
        const all = [...edits]
        while (changes[i + 1]?.edits) {
          all.push(...changes[++i]!.edits!)
        }
        out = isObject(out) ? this.table.code!.applyEdits(out, all as Edit[]) : out
      } else {
        out = this.coverOne(out, changes[i]!)
      }
    }
    return out
  }

  override share(old: unknown, next: unknown): unknown {
    return this.table.code?.keepEqual(old, next) ?? next
  }

  private replace(list: List | undefined): void {
    if (list !== this.list) {
      this.table.index?.put(this, this.list, list)
      this.list = list
    }
  }
}

/** Without a state the list is gone. */
export type ListContent = RowContent & { readonly list?: List | undefined }

/** News about a list. */
export class ListPatch extends Patch {
  /** The changes of membership. */
  edits: Edit[] | undefined = undefined
  list: List | undefined

  constructor(value: unknown, meta: Meta, list: List | undefined) {
    super(value, meta)
    this.list = list
  }
}

/** All lists of one kind. */
export class ListTable extends Table<ListRow> {
  /** Where they are found; made when it is needed first (`indexOf`). */
  index: ListIndex<ListRow> | undefined = undefined
  /** The code that the first Collection of these lists has brought; `undefined` while there are restored ones only. */
  code: ListCode | undefined = undefined

  constructor(key: string) {
    super(key, ListRow)
  }
}

/** The state of a list; `undefined` for any other row. */
export function listAt(row: Row | undefined): List | undefined {
  return (row as Partial<ListRow> | undefined)?.list
}

/** A row of any kind, for explanations. */
export type AnyRow = Row & Partial<Pick<RecordRow, 'by' | 'wrote'> & Pick<ListRow, 'list'> & { schema: unknown }>

/** The tables of a store. */
export class AllTables<Result extends Row = Row> extends Tables<RecordTable, ListTable, Table<Result>> {
  /** Puts real ids in place of temporary ones that stood for them; `undefined` where there were none. */
  realArgs: ((args: readonly any[]) => readonly any[]) | undefined = undefined
  /** The code that the first Entity of the store has brought. */
  recordCode: RecordCode | undefined = undefined
  /** The code that the first Collection of the store has brought. */
  listCode: ListCode | undefined = undefined
}

/** The changes that a value makes in a store. */
export type StoreChange = Change<AllTables>

/** The source of such a value. */
export type StoreIntake = Intake<AllTables>

/** @param Result the class of the rows of endpoints */
export function createTables<Result extends Row = Row>(
  Result: new (table: Table, pk: string) => Result = Row as never,
): AllTables<Result> {
  const all: AllTables<Result> = new AllTables(new Table('', Result), {
    records: (key) => new RecordTable(key, all),
    lists: (key) => new ListTable(key),
  })
  return all
}

/** The code of lists (`code.ts`). A Collection brings it, and the core calls it through this interface: an app without lists does not carry it. */
export interface ListCode {
  /** Makes the index of a table, which may have restored lists. */
  indexOf(table: ListTable): unknown
  /** A list, or a page of it, stands in a value. Returns its key. */
  write(change: StoreChange, list: WrittenList): string
  /** A list is gone. */
  invalidate(change: StoreChange, table: ListTable, collection: ListSchema, keyArgs: Record<string, any>): string
  /** The schema adds to lists, removes from them or moves between them. */
  changeLists(change: StoreChange, how: ListChange): void
  /** Lists follow what was written. */
  follow(change: StoreChange): void
  /** Nobody knows what a write has done: lists that can hold the records of a table are in doubt. */
  doubt(change: StoreChange, table: string, schema: unknown, pks: readonly (string | undefined)[], reason: Reason): void
  /** The records that a call is about to delete, and the lists that hold them; `undefined` for any other call. */
  deletesOf(tables: AllTables, schema: unknown, args: readonly any[]): Deletes | undefined
  /** Notes that nobody knows whether these records were deleted. */
  loseDeletes(tables: AllTables, deletes: Deletes, at: number): void
  /** The records that are known to be gone, now that these rows were committed. */
  settleDeletes(tables: AllTables, rows: readonly Row[], meta: Meta): RecordRow[]
  /** Items after edits. */
  applyEdits(items: any, edits: readonly Edit[]): any
  /** The stored list that a Collection and the arguments of its endpoint name. */
  find(tables: AllTables, list: ListClass, args: readonly any[]): ListRow | undefined
  /** The pages to fetch again for a result that is in doubt, whose node this is; `undefined`: everything. */
  pagesInDoubt(row: ListRow, node: Node): ReadonlySet<string> | undefined
  /** The page to fetch next of a list that is fetched again. */
  nextFetch(
    list: RefetchedList,
    older: readonly ListPage[],
    done: ReadonlySet<string>,
    fresh: readonly FetchedPage[],
  ): NextFetch | undefined
  /** The old items where the new ones are equal. */
  keepEqual(old: unknown, next: unknown): unknown
}

/** A list in a value, and where it stands. */
export interface WrittenList {
  readonly table: ListTable
  readonly collection: ListSchema
  readonly keyArgs: Record<string, any>
  readonly items: any
  /** It stands in a field. */
  readonly nested: boolean
  /** The record in which it is nested. */
  readonly owner: RecordRow | undefined
  /** The value may have an item twice. */
  readonly isRepeated: boolean
  /** For messages. */
  where(): string
}

/** A list that is fetched again, and its pages with it. */
export interface RefetchedList {
  readonly endpoint: object
  readonly args: readonly any[]
  /** Only these are fetched, by their ids. */
  readonly pages: ReadonlySet<string> | undefined
  /** It was invalidated since it was sent. */
  readonly isInvalidated: boolean
}

/** The list, or a page of it, that has responded. */
export interface FetchedPage {
  readonly request: Pick<RefetchedList, 'endpoint' | 'args'>
  readonly response: unknown
  readonly page?: ListPage
}

/** A page to fetch again. Without arguments there is none any more. */
export interface NextFetch {
  readonly page: ListPage
  readonly endpoint: object
  readonly args: readonly any[] | undefined
  /** The server counts pages: it has no other way than a 404 to say that this one is past the end. */
  readonly isCounted: boolean
}

/** The records that a mutation deletes, each with the lists that hold it. */
export type Deletes = ReadonlyMap<RecordRow, readonly ListRow[]>
