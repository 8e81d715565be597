import { isObject } from '../base/equal.ts'
import { RecordRow, type RecordTable } from '../records/RecordRow.ts'
import type { Meta } from '../rows/Meta.ts'
import { Patch, type PendingChange, Row, type RowContent } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'
import { Tables } from '../rows/Tables.ts'

import { keepEqual, placeAll } from './items.ts'
import type { Edit, List } from './List.ts'
import { ListIndex } from './ListIndex.ts'

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
        out = isObject(out) ? placeAll(out, all as Edit[]) : out
      } else {
        out = this.coverOne(out, changes[i]!)
      }
    }
    return out
  }

  override share(old: unknown, next: unknown): unknown {
    return keepEqual(old, next)
  }

  private replace(list: List | undefined): void {
    if (list !== this.list) {
      this.table.lists.put(this, this.list, list)
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
  /** Where they are found. */
  readonly lists: ListIndex<ListRow> = new ListIndex()

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
export type AllTables<Result extends Row = Row> = Tables<RecordTable, ListTable, Table<Result>>

/** @param Result the class of the rows of endpoints */
export function createTables<Result extends Row = Row>(
  Result: new (table: Table, pk: string) => Result = Row as never,
): AllTables<Result> {
  return new Tables(new Table('', Result), {
    records: (key) => new Table(key, RecordRow),
    lists: (key) => new ListTable(key),
  })
}
