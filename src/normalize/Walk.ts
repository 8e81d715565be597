import type { INormalizeDelegate, Visit } from '../schema/Schema.ts'
import type { Drafts, Intake } from './drafts.ts'
import type { ListOutcome } from './pages.ts'
import { overlay } from './records.ts'
import type { ClassInfo, Slot } from './tables.ts'

type Fields = Record<string, unknown>

/** The walk through one value with its schema. Records go to drafts of their rows; lists change after all records are known. */
export interface Walk {
  readonly intake: Intake
  readonly drafts: Drafts
  readonly visit: Visit
  /** The interface for schemas; responses that contain only entities need none. */
  delegate: INormalizeDelegate | undefined
  /** Fields of records that are nested too deeply to be visited on the stack. */
  readonly later: (() => void)[]
  /** Changes of lists. */
  readonly lists: (() => void)[]
  /** The outcome for the list at the top, if there is one. */
  listOutcome: ListOutcome | undefined
  /** The record whose fields are being visited. */
  owner: Slot | undefined
  /** The value being visited stands in a list. */
  isItem: boolean
  /** A list may contain a record twice: this response already contained one of them. */
  isRepeated: boolean
  /** Greater than 0 inside an adder: records may lack a primary key. */
  creating: number
  standIns: number
  /** Where in the value the walk is, for messages: at each level of records the field, and the place in a list. */
  depth: number
  readonly trail: (string | undefined)[]
  readonly places: number[]
}

/** Notes a record at the top level of a write: lists follow it. */
export function noteWritten({ intake, owner, drafts }: Walk, slot: Slot): void {
  if (intake.isWrite && owner === undefined) {
    ;(drafts.written ??= new Set()).add(slot)
  }
}

/** Adds incoming fields to the draft of a record, which the response may contain more than once. */
export function gather(drafts: Drafts, info: ClassInfo, slot: Slot, incoming: Fields): void {
  const draft = drafts.draft(slot)
  draft.info = info
  if (draft.incoming === undefined) {
    draft.incoming = incoming
  } else {
    draft.incoming = info.hasMergeHooks
      ? (info.Entity.merge(draft.incoming, incoming) as Fields)
      : overlay(draft.incoming, incoming)
  }
}

/** Where in the value the walk is, as in ` at user.friends[3] of GET /user/5`. */
export function whereIs({ depth, trail, places, intake: { key } }: Walk): string {
  let path = ''
  for (let i = 0; i <= depth; i++) {
    if (trail[i] !== undefined) {
      path += path ? `.${trail[i]}` : trail[i]
    }
    if (places[i]! >= 0) {
      path += `[${places[i]}]`
    }
  }
  return `${path && ` at ${path}`}${key === undefined ? '' : ` of ${key}`}`
}
