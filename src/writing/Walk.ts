import type { AllTables } from '../lists/ListRow.ts'
import type { ClassInfo, RecordRow } from '../records/RecordRow.ts'
import { Change } from '../rows/Change.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import type { INormalizeDelegate, Visit } from '../schema/Schema.ts'

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
  /** The class that was met last, and the facts about it. */
  lastClass: unknown
  lastInfo: ClassInfo | undefined

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

/** The code by which an Entity normalises its records. */
export interface RecordWriter {
  /** A value stands for a record of the class, or is its key: leaves the fields in the patch of the row, and returns its primary key. */
  visit(walk: Walk, Class: unknown, input: any, parent: any, key: string | undefined): unknown
  /** Facts about a class, which is known to the store from now on. */
  info(walk: Walk, Class: unknown): ClassInfo
  /** Adds fields to a record. */
  merge(walk: Walk, Class: unknown, pk: string, fields: object): void
}

/** The code that an Entity has brought. */
export function writerOf(Class: unknown): RecordWriter {
  return (Class as RecordClass).code as RecordWriter
}
