import { findOld, replaceClass } from '../advice/hotReload.ts'
import { warnUnindexed } from '../advice/misuse.ts'
import { DEV } from '../base/env.ts'
import { member } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import type { Entity } from '../schema/Entity.ts'
import type { INVALID } from '../schema/Schema.ts'
import type { Meta } from '../rows/Meta.ts'
import { ListIndex } from '../lists/ListIndex.ts'
import type { Edit, List } from '../lists/List.ts'
import type { LostDelete } from './lostDeletes.ts'
import { type Doubt, NO_DOUBT, type Reason } from '../rows/doubt.ts'
import type { Fields } from '../rows/Fields.ts'
import { type Node, nodesOf } from './Node.ts'
import type { PendingChange } from './overlay.ts'
import { oldestSent, type Stamps } from './stamps.ts'
import { checkKey, keyOwner, mayShare, taken, warnKeyless } from '../schema/entityKey.ts'

/** Several values: nobody has kept them all. */
export const SEVERAL: unique symbol = Symbol('several')

export type { Fields }

/**
 * The place of one row: the record `User 5`, the list `[User] {}`, the result of `GET /user/5`. It outlives its content, so that a reader
 * can depend on a record that is not there yet.
 */
export class Slot {
  readonly table: Table
  readonly pk: string
  /** Normalised fields, the items of a list, a result; `INVALID` after a delete; `undefined` while nothing is known. */
  value: unknown = undefined
  /** The newest response that contained it, by when it was sent: its age. */
  meta: Meta | undefined = undefined
  /** Of a record: who brought which field. */
  by: Stamps | undefined = undefined
  /** Of a record: the last write of the app, by when it was sent. */
  wrote: Meta | undefined = undefined
  /** The response that contained it and expires last: unused rows are collected by it. */
  kept: Meta | undefined = undefined
  /**
   * Of a record: reads have changed it since its last write, and lists follow no read. When the first of those that overlap did, and the
   * fields before, where they were known; `SEVERAL` if several reads have changed a field that is an argument of a list. `seenAt`: the
   * responses that had the whole record as it is now, so that their lists know it.
   */
  changedByRead:
    | {
        readonly at: number
        readonly from: Fields | typeof SEVERAL | undefined
        readonly seenAt?: readonly number[] | undefined
      }
    | undefined = undefined
  /** When the record, or the list, was last deleted. A read that was sent before tells of its former life. */
  gone = 0
  /** It asks the server, and why. */
  doubt: Doubt = NO_DOUBT
  /** The number at which a result that contained it was last expired: readers without a result of their own fetch what is older. */
  expired = 0
  list: List | undefined = undefined
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
  /** The schema of a result, with which the rows it references are found. */
  schema: unknown = undefined

  constructor(table: Table, pk: string) {
    this.table = table
    this.pk = pk
  }

  get key(): string {
    return this.table.key
  }
}

/** True where something in the row was fetched before it was doubted: readers fetch it again. */
export function isInDoubt({ doubt, meta, by = meta }: Pick<Slot, 'doubt' | 'meta'> & Partial<Slot>): boolean {
  return doubt.at > 0 && by !== undefined && doubt.at > oldestSent(by)
}

/** True where something in the row is older than an expiration of a result that contained it, or than `number`. */
export function isExpired({ expired, meta, by = meta }: Slot, number: number = 0): boolean {
  const last = Math.max(expired, number)
  return last > 0 && by !== undefined && last > oldestSent(by)
}

/** A row has joined its table, or left it. */
export function membersChanged(table: Table): void {
  table.version++
  table.node?.touch()
}

/** News about one row, from a response, a write or a pending operation; and the row afterwards. */
export class Patch {
  /** The fields of a record as they came in; `INVALID` deletes it. */
  fields: Fields | typeof INVALID | undefined = undefined
  /** The changes of membership of a list. */
  edits: Edit[] | undefined = undefined
  /** By how much the numbers beside a list change that stand in this row. */
  counts: Record<string, number> | undefined = undefined

  // The row afterwards.
  value: unknown
  meta: Meta
  by: Stamps | undefined = undefined
  wrote: Meta | undefined = undefined
  list: List | undefined
  /** Why the row asks the server afterwards, and as of which number; `undefined`: as of this response. */
  ask: Reason | undefined = undefined
  askedAt: number | undefined = undefined

  /** The record as a read has it that lost some of its fields: a list of that response may know it so. */
  lost: Fields | undefined = undefined

  // While its value is walked.
  info: ClassInfo | undefined = undefined
  /** The very object that came in: met again, it is not visited again. */
  input: unknown = undefined
  /** How often its fields are being visited now, and the objects that arrived for it since. */
  busy = 0
  met: Set<unknown> | undefined = undefined

  constructor(value: unknown, meta: Meta, list: List | undefined) {
    this.value = value
    this.meta = meta
    this.list = list
  }
}

/** All rows of one kind. */
export class Table {
  readonly key: string
  /** Of a table of lists or maps, such as `[Post;User]`: the keys of the records that they hold. */
  readonly holds: readonly string[]
  readonly slots: Map<string, Slot> = new Map()
  private readonly Row: typeof Slot
  private listed: Slot[] = []
  /** Some removed rows are still listed: they are dropped on the next read, so that removing many is linear. */
  hasGaps = false
  /** The class that its rows came with; readers may use a class that extends it. */
  entity: typeof Entity | undefined
  /** Slots that only a pending operation fills. */
  readonly floating: Set<Slot> = new Set()
  /** Grows whenever a row joins or leaves. */
  version = 0
  /** Its rows as data, until one of them changes (`State.ts`). */
  copy: readonly unknown[] | undefined = undefined
  /** Told when a row joins or leaves. */
  node: Node | undefined
  /** `field` -> value -> pk. */
  readonly indexes: Map<string, Map<string, string>> = new Map()
  /** The watchers of each entry of an index. */
  readonly indexNodes: Map<string, Node> = new Map()
  /** The number of the last write of one of its records, and of the last mutation among them. */
  fence = 0
  mutated = 0
  /** Of a table of lists: where they are found. */
  readonly lists: ListIndex<Slot> = new ListIndex()

  /** @param Row the class of its slots */
  constructor(key: string, Row: typeof Slot = Slot) {
    this.key = key
    this.Row = Row
    this.holds = /^[[{]/.test(key) ? [...new Set(key.slice(1, -1).split(';'))] : []
  }

  /** Slots that hold a row, in the order they first did. */
  get rows(): Slot[] {
    if (this.hasGaps) {
      this.listed = this.listed.filter(({ position }) => position >= 0)
    }
    this.hasGaps = false
    return this.listed
  }

  slot(pk: string): Slot {
    let slot = this.slots.get(pk)
    if (slot === undefined) {
      this.slots.set(pk, (slot = new this.Row(this, pk)))
    }
    return slot
  }
}

const MERGE_HOOKS = ['merge', 'shouldReorder', 'shouldUpdate', 'mergeWithStore', 'mergeMetaWithStore'] as const

/** Computed once per class and store. */
export interface ClassInfo {
  readonly Entity: typeof Entity
  readonly table: Table
  /** The class has merge hooks of its own: its records are merged as a whole, not field by field. */
  readonly hasMergeHooks: boolean
  readonly ownProcess: boolean
  readonly ownPk: boolean
  checked: boolean
}

/** Every table of a store, and the classes that use them. */
export class Tables {
  readonly tables: Map<string, Table> = new Map()
  /** The tables of lists, by the key of an entity that they hold. */
  readonly holders: Map<string, Table[]> = new Map()
  /** Results of endpoints, by key. */
  readonly endpoints: Table
  /** Records that a DELETE without an outcome names. */
  readonly lostDeletes: Map<Slot, LostDelete> = new Map()
  private readonly classes = new Map<unknown, ClassInfo>()
  /** In development: called when a class was declared again. Returns the number that the store has reached. */
  onReplace: () => number = () => 0

  /** @param Result the class of the slots of endpoints */
  constructor(Result?: typeof Slot) {
    this.endpoints = new Table('', Result)
  }

  table(key: string): Table {
    let table = this.tables.get(key)
    if (table === undefined) {
      this.tables.set(key, (table = new Table(key)))
      for (const held of table.holds) {
        recall(this.holders, held, (): Table[] => []).push(table)
      }
    }
    return table
  }

  /** The table of a class, and facts about it. */
  classInfo(Class: typeof Entity): ClassInfo {
    return this.classes.get(Class) ?? this.register(Class)
  }

  private register(Class: typeof Entity): ClassInfo {
    const key = checkKey(Class.key)
    const table = this.table(key)
    const first = table.entity
    const old = DEV ? findOld(Class, table, this.classes.values()) : undefined
    if (DEV && keyOwner(Class) === undefined) {
      warnKeyless(key)
    }
    if (first === undefined) {
      table.entity = Class
    } else if (old === undefined && !mayShare(Class, first)) {
      throw taken(Class, first)
    }
    // A class that someone else made may have none.
    const Base = Class.entityBase as typeof Entity | undefined
    const info: ClassInfo = {
      Entity: Class,
      table,
      hasMergeHooks: MERGE_HOOKS.some((name) => Class[name] !== Base?.[name]),
      ownProcess: Class.process !== Base?.process,
      ownPk: Class.pk !== Base?.pk || Class.prototype.pk !== Base?.prototype.pk,
      checked: false,
    }
    if (DEV && old) {
      const nodes = [...table.slots.values()].flatMap(({ node }) => (node ? nodesOf(node) : []))
      replaceClass(old, info, nodes, this.onReplace)
    }
    this.classes.set(Class, old ?? info)
    const fresh = (Class.indexes ?? []).filter((field) => !table.indexes.has(field))
    for (const field of fresh) {
      table.indexes.set(field, new Map())
    }
    // Restored rows come before their class is known.
    for (const slot of fresh.length > 0 ? table.rows : []) {
      indexRow(slot, undefined, slot.value, fresh)
    }
    return info
  }
}

/** Enters a row in the indexes of its table. */
export function indexRow(
  { table, pk }: Slot,
  old: unknown,
  value: unknown,
  fields: Iterable<string> = table.indexes.keys(),
): void {
  if (table.indexes.size === 0) {
    return
  }
  for (const field of fields) {
    const was = indexText(old, field)
    const now = indexText(value, field)
    const entries = table.indexes.get(field)!
    const touch = (text: string): void => table.indexNodes.get(indexName(field, text))?.touch()
    if (was !== now && entries.get(was!) === pk) {
      entries.delete(was!)
      touch(was!)
    }
    if (DEV && now === undefined && typeof value === 'object') {
      warnUnindexed(table.key, table.indexes.keys())
    }
    if (now !== undefined && entries.get(now) !== pk) {
      entries.set(now, pk)
      touch(now)
    }
  }
}

/** The value by which an index finds a row. An object has none: its text may be anything. */
export function indexText(row: unknown, field: string): string | undefined {
  const value = member(row, field)
  return value === undefined || typeof value === 'object' ? undefined : String(value)
}

/** The name of one place of an index. */
export function indexName(field: string, value: string): string {
  return `${field}\0${value}`
}
