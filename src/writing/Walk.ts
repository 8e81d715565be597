import { DEV } from '../base/env.ts'
import { type INormalizeDelegate, type Visit } from '../schema/Schema.ts'
import { checkReplaced } from '../records/hotReload.ts'
import { overlay } from '../records/RecordRow.ts'
import { classInfo } from '../records/classInfo.ts'
import type { ClassInfo, RecordRow } from '../records/RecordRow.ts'
import { Change } from '../rows/Change.ts'
import type { Fields } from '../rows/Fields.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import type { AllTables } from '../lists/ListRow.ts'

/** The walk through one value with its schema, and then the change that it makes. */
export class Walk extends Change<AllTables> {
  declare readonly visit: Visit
  /** The interface for schemas; responses that contain only entities need none. */
  delegate: INormalizeDelegate | undefined
  /** Fields of records that are nested too deeply to be visited on the stack. */
  readonly later: (() => void)[] = []
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
  gather(info: ClassInfo, row: RecordRow, incoming: Fields): void {
    const patch = this.patch(row)
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
  noteWritten(row: RecordRow): void {
    if (this.intake.isWrite && this.owner === undefined) {
      ;(this.written ??= new Set()).add(row)
    }
  }

  /** Where in the value the walk is, as in ` at user.friends[3] of GET /user/5`. */
  get where(): string {
    const { depth, trail, places, intake } = this
    const steps = trail.slice(0, depth + 1).map((name = '', i) => (places[i]! < 0 ? name : `${name}[${places[i]}]`))
    const path = steps.filter((step) => step).join('.')
    return `${path && ` at ${path}`}${intake.key === undefined ? '' : ` of ${intake.key}`}`
  }
}
