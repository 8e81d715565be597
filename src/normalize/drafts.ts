import type { NextPageInfo } from '../rest/paginate.ts'
import type { Entity } from '../schema/Entity.ts'
import { type Choice, isTagged } from '../schema/polymorphic.ts'
import { INVALID, isEntity, type ListChange, type Meta } from '../schema/Schema.ts'
import type { ListEntry, RecentWrite } from './ListState.ts'
import { contribute } from './records.ts'
import { rowBelow } from './shown.ts'
import { type ClassInfo, Draft, type Row, type Slot, type Table, type Tables } from './tables.ts'

/** The source of a value, and how to normalise it. */
export interface Intake {
  readonly tables: Tables
  readonly args: readonly any[]
  readonly meta: Meta
  /** The key of the endpoint, for messages and for lists. */
  readonly key?: string | undefined
  /** The path of the endpoint: lists of another path do not change. */
  readonly path?: string | undefined
  /** Set for a pending operation, which may create records without a primary key: the beginning of their temporary ones. */
  readonly standIn?: string | undefined
  /** Notes what a pending operation depends on: records, and the tables whose lists it looked for. */
  readonly dependsOn?: Set<Slot | Table> | undefined
  /** Passed by the app, not from the network: containers are copied, and values that were read before do not count as written. */
  readonly fromApp?: boolean
  /** The response of a mutation, or a value that the app wrote: lists follow the records at its top level. */
  readonly isWrite?: boolean | undefined
  /** The records that were read to create the value, by slot: unchanged fields do not count as written. */
  readonly madeFrom?: ReadonlyMap<Slot, object> | undefined
  /** The records that the arguments name, as they were when the request was sent. */
  readonly whenSent?: ReadonlyMap<Slot, object> | undefined
  /** The number of the oldest open request. */
  readonly horizon: number
  /** The endpoint of the response, with which a page of it is fetched again. */
  readonly endpoint?: unknown
  /** The list and all its pages were fetched again: whatever is older than this response of the list is gone. */
  readonly hasAllPages?: boolean | undefined
  /** The page that follows, according to the response. */
  readonly next?: ((isEmpty: boolean) => NextPageInfo) | undefined
}

/**
 * Lists that may be wrong since this write: a response to a request sent before it leaves them stale (`ListState.staleAt`). With
 * each the records (`itemKey`) that a read casts doubt on, and whether the list held them.
 */
export type StaleLists = Map<Slot, Map<unknown, boolean>>

/** The drafts of a response that is being normalised. */
export interface Drafts {
  readonly intake: Intake
  /** They are those of a pending operation, and stand on what lies below it. */
  readonly isPending: boolean
  /** A request that was sent before this write is open: if it fetches a list, the response may lack the write. */
  readonly mayBeMissed: boolean
  readonly slots: Slot[]
  /** Records at the top level of a write. Made when needed, as are the next ones: most responses need few of them. */
  written: Set<Slot> | undefined
  /** Changes of lists that the schema names. */
  listChanges: ListChange[] | undefined
  /** Lists that this response replaces. */
  replacedLists: Set<Slot> | undefined
  staleLists: StaleLists | undefined
  /** Writes that lists still on their way may lack. */
  recentWrites: RecentWrite[] | undefined
  /** The row below a draft: the committed one, and for a pending operation the one that earlier operations show. */
  below(slot: Slot): Row
  /** The draft of a slot; the first time it begins as a copy of the row. */
  draft(slot: Slot): Draft
  /** The changes of a list that a pending operation leaves to the first reader. */
  change(slot: Slot): ListEntry[]
  /** Leaves a tombstone, unless a write sent later has the last word. */
  tombstone(slot: Slot): void
  info(Class: unknown): ClassInfo
  /** The row that an item of a list stands for. */
  itemSlot(of: Choice, item: any): Slot | undefined
}

export function createDrafts(intake: Intake): Drafts {
  const { tables, meta } = intake
  const isPending = intake.standIn !== undefined
  const mayBeMissed = !isPending && intake.horizon <= meta.order
  const slots: Slot[] = []
  let lastClass: unknown
  let lastInfo: ClassInfo
  const below = (slot: Slot): Row => (isPending ? rowBelow(slot, meta.sent) : slot)
  const info = (Class: unknown): ClassInfo => {
    if (Class !== lastClass) {
      lastInfo = tables.classInfo(Class as typeof Entity, meta.sent)
      lastClass = Class
    }
    return lastInfo
  }
  const draft = (slot: Slot): Draft => {
    if (slot.draft === undefined) {
      slots.push(slot)
      const row = below(slot)
      slot.draft = new Draft(row.value, row.meta ?? meta, slot.list)
      slot.draft.log = slot.log
    }
    return slot.draft
  }
  const drafts: Drafts = {
    intake,
    isPending,
    mayBeMissed,
    slots,
    written: undefined,
    listChanges: undefined,
    replacedLists: undefined,
    staleLists: undefined,
    recentWrites: undefined,
    below,
    draft,
    change: (slot) => {
      if (slot.draft === undefined) {
        slots.push(slot)
        slot.draft = new Draft(undefined, meta)
      }
      return (slot.draft.entries ??= [])
    },
    info,
    tombstone: (slot) => {
      draft(slot).incoming = undefined
      contribute(drafts, slot, INVALID)
    },
    itemSlot: ({ schema, attribute }, item) => {
      const tagged = attribute !== undefined && isTagged(item, schema)
      const Class: unknown = attribute === undefined ? schema : tagged ? schema[item.schema] : undefined
      const pk: unknown = tagged ? item.id : item
      return isEntity(Class) && typeof pk === 'string' ? info(Class).table.slot(pk) : undefined
    },
  }
  return drafts
}

/** Keeps a write for the lists that may have missed it. They are judged by it when they arrive. */
export function rememberWrite(drafts: Drafts, entriesFor: RecentWrite['entriesFor']): void {
  if (drafts.mayBeMissed) {
    ;(drafts.recentWrites ??= []).push({ meta: drafts.intake.meta, entriesFor })
  }
}

/** Forgets drafts that are not to be committed. */
export function discard(slots: readonly Slot[]): void {
  for (const slot of slots) {
    slot.draft = undefined
  }
}
