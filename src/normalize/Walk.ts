import { checkReplaced } from '../records/hotReload.ts'
import { DEV } from '../base/env.ts'
import type { NextPageInfo } from '../lists/nextPage.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { type Choice, isTagged } from '../schema/polymorphic.ts'
import { type INormalizeDelegate, isEntity, type ListChange, type Visit } from '../schema/Schema.ts'
import type { Meta } from '../rows/Meta.ts'
import type { ListPage } from '../lists/List.ts'
import { allOf, type Pages, type Reason } from '../rows/doubt.ts'
import { valueBelow } from '../rows/overlay.ts'
import { overlay } from '../records/RecordRow.ts'
import { classInfo } from '../records/classInfo.ts'
import type { ClassInfo, RecordRow } from '../records/RecordRow.ts'
import type { Fields } from '../rows/Fields.ts'
import type { Patch, Row } from '../rows/Row.ts'
import type { Table } from '../rows/Table.ts'
import type { AllTables, ListRow } from '../lists/ListRow.ts'

/** The source of a value, and how to normalise it. */
export interface Intake {
  readonly tables: AllTables
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
  /** The records that were read to create the value, by slot: unchanged fields do not count as written. */
  readonly madeFrom?: ReadonlyMap<Row, object> | undefined
  /** The endpoint of the response, with which a page of it is fetched again. Not of a value that the app writes. */
  readonly endpoint?: object | undefined
  /** The list and all its pages were fetched again: whatever is older than this response of the list is gone. */
  readonly hasAllPages?: boolean | undefined
  /** The pages of the list that were not fetched again are as they were when it was requested. */
  readonly keepsPages?: boolean | undefined
  /** The page that follows, according to the response. */
  readonly next?: ((isEmpty: boolean) => NextPageInfo | undefined) | undefined
}

/** The walk through one value with its schema, and then the change that it makes: patches with the rows, which stay as they are before the commit. */
export class Walk {
  readonly intake: Intake
  /** The value is that of a pending operation, and stands on what lies below it. */
  readonly isPending: boolean
  declare readonly visit: Visit
  /** The interface for schemas; responses that contain only entities need none. */
  delegate: INormalizeDelegate | undefined
  /** The value, with keys in place of records. */
  result: unknown = undefined
  /** The rows that have a patch. */
  readonly slots: Row[] = []
  /** Records at the top level of a write. Made when needed, as are the next ones: most responses need few of them. */
  written: Set<RecordRow> | undefined
  /** Changes of lists that the schema names. */
  listChanges: ListChange[] | undefined
  /** Lists that this response replaces. */
  replacedLists: Set<ListRow> | undefined
  /** Rows that only the server can tell about, and why. */
  readonly doubts: Map<Row, { readonly reason: Reason; readonly pages: Pages }> = new Map()
  /** Tables that it may have written to in an unknown way. */
  readonly wroteTo: Table[] = []
  /** Fields of records that are nested too deeply to be visited on the stack. */
  readonly later: (() => void)[] = []
  /** Lists in the value: they look at the records, so they come after them. */
  readonly lists: (() => void)[] = []
  /** The list at the top of the value, and the page that it is a response for; none if a newer one was already stored. */
  topList: ListRow | undefined
  page: ListPage | undefined
  /** The record whose fields are being visited. */
  owner: RecordRow | undefined
  /** The value being visited stands in a list. */
  isItem = false
  /** A list may contain a record twice: this response already contained one of them. */
  isRepeated = false
  /** Greater than 0 inside an adder: records may lack a primary key. */
  creating = 0
  standIns = 0
  /** Where in the value the walk is, for messages: at each level of records the field, and the place in a list. */
  depth = 0
  readonly trail: (string | undefined)[] = []
  readonly places: number[] = [-1]
  private lastClass: unknown
  private lastInfo: ClassInfo | undefined

  constructor(intake: Intake) {
    this.intake = intake
    this.isPending = intake.standIn !== undefined
  }

  /** The value below the patch: the committed one, and for a pending operation the one that earlier operations show. */
  below(slot: Row): unknown {
    return this.isPending ? valueBelow(slot, this.intake.meta.sent) : slot.value
  }

  /** The patch of a row; the first time it begins as the row itself. */
  patch<P extends Patch>(row: Row & { draft(meta: Meta): P }): P {
    if (row.patch === undefined) {
      this.slots.push(row)
      row.patch = row.draft(this.intake.meta)
    }
    return row.patch as P
  }

  /**
   * A row asks the server. The first reason stays.
   *
   * @param pages of a list: what may be wrong, if that is not all of it
   */
  ask(slot: Row, reason: Reason, pages?: Pages): void {
    const before = this.doubts.get(slot)
    this.doubts.set(slot, { reason: before?.reason ?? reason, pages: before ? allOf(before.pages, pages) : pages })
  }

  info(Class: unknown): ClassInfo {
    if (Class !== this.lastClass) {
      const { tables, meta } = this.intake
      this.lastInfo = classInfo(tables, Class as RecordClass)
      if (DEV) {
        checkReplaced(this.lastInfo, Class as RecordClass, meta.sent)
      }
      this.lastClass = Class
    }
    return this.lastInfo!
  }

  /** Adds incoming fields to a record, which the response may contain more than once. */
  gather(info: ClassInfo, slot: RecordRow, incoming: Fields): void {
    const patch = this.patch(slot)
    const { fields } = patch
    patch.info = info
    patch.fields =
      typeof fields !== 'object'
        ? incoming
        : info.hasMergeHooks
          ? (info.Entity.merge(fields, incoming) as Fields)
          : overlay(fields, incoming)
  }

  /** Notes a record at the top level of a write: lists follow it. */
  noteWritten(slot: RecordRow): void {
    if (this.intake.isWrite && this.owner === undefined) {
      ;(this.written ??= new Set()).add(slot)
    }
  }

  /** The row that an item of a list stands for. */
  itemSlot({ schema, attribute }: Choice, item: any): RecordRow | undefined {
    const tagged = attribute !== undefined && isTagged(item, schema)
    const Class: unknown = attribute === undefined ? schema : tagged ? schema[item.schema] : undefined
    const pk: unknown = tagged ? item.id : item
    return isEntity(Class) && typeof pk === 'string' ? this.info(Class).table.slot(pk) : undefined
  }

  /** Where in the value the walk is, as in ` at user.friends[3] of GET /user/5`. */
  get where(): string {
    const { depth, trail, places, intake } = this
    const steps = trail.slice(0, depth + 1).map((name = '', i) => (places[i]! < 0 ? name : `${name}[${places[i]}]`))
    const path = steps.filter((step) => step).join('.')
    return `${path && ` at ${path}`}${intake.key === undefined ? '' : ` of ${intake.key}`}`
  }
}
