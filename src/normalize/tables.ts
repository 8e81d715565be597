import { DEV } from '../base/env.ts'
import { fail, pageOf } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import { warnOnce } from '../base/warn.ts'
import { Entity } from '../schema/Entity.ts'
import type { Meta } from '../schema/Schema.ts'
import type { ListEntry, ListState, RecentWrite } from './ListState.ts'
import type { RecordEvent } from './records.ts'
import type { PendingChange } from './shown.ts'
import { keyOwner, mayShare, taken, warnKeyless } from './entityKey.ts'

/** The node that was built from a slot: it is notified when the value of the slot changes. */
export interface Watcher {
  /** The value may have changed. */
  touch(): void
  /**
   * It may have become stale.
   *
   * @param isRenewed it was confirmed: readers that showed nothing may read it again
   */
  aged(isRenewed?: boolean): void
  /** The value that readers were last shown, and the row it was built from. */
  readonly value?: unknown
  readonly seen?: unknown
  /** The schema that the value is read with. */
  readonly schema?: unknown
}

/** The row of a slot: the committed one, or the one that pending operations change. */
export interface Row {
  /** Normalised fields, the pks of a list, a result; `INVALID` for a tombstone; `undefined` when there is none. */
  readonly value: unknown
  readonly meta: Meta | undefined
}

/**
 * The place of one row: `User 5`, the list `[User] {}`, the result of `GET /user/5`. It outlives its rows, so that
 * a reader can depend on a record that is not there yet.
 */
export class Slot implements Row {
  readonly table: Table
  readonly pk: string
  value: unknown = undefined
  meta: Meta | undefined = undefined
  /** The contributions to a record, while an open request may be ranked before some of them. */
  log: readonly RecordEvent[] | undefined = undefined
  list: ListState | undefined = undefined
  /** The contributions of pending operations, in the order they were issued. */
  pending: readonly PendingChange[] | undefined = undefined
  /** The row with their contributions, computed when it is read (`top`). */
  shown: Row | undefined = undefined
  isShownOld = false
  /** The row as changed by a response that is being normalised; invisible before the commit. */
  draft: Draft | undefined = undefined
  /** The node of its first reader: readers with another class or schema have theirs beside it (`nodes.ts`). */
  node: Watcher | undefined = undefined
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

/** A row has joined its table, or left it. */
export function membersChanged(table: Table): void {
  table.version++
  table.node?.touch()
}

/** A row in the making. */
export class Draft {
  value: unknown
  meta: Meta
  log: readonly RecordEvent[] | undefined = undefined
  list: ListState | undefined
  /** The incoming fields, before they are merged with the stored row. */
  incoming: Record<string, unknown> | undefined = undefined
  info: ClassInfo | undefined = undefined
  /** The very object that came in: met again, it is not visited again. */
  input: unknown = undefined
  /** How often its fields are being visited now, and the objects that arrived for it since. */
  busy = 0
  met: Set<unknown> | undefined = undefined
  /**
   * Contributions crossed here: readers refetch, and the next response makes it fresh. A list that only a response to a request
   * sent after the write can make fresh is one of `drafts.staleLists`.
   */
  stale = false
  /** How a pending operation changes a list, in place of a value. */
  entries: ListEntry[] | undefined = undefined

  constructor(value: unknown, meta: Meta, list?: ListState) {
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
  private listed: Slot[] = []
  /** Some removed rows are still listed: they are dropped on the next read, so that removing many is linear. */
  hasGaps = false
  /** The class that its rows came with; readers may use a class that extends it. */
  entity: typeof Entity | undefined
  /** Slots that only a pending operation fills. */
  readonly floating: Set<Slot> = new Set()
  /** Grows whenever a row joins or leaves. */
  version = 0
  /** Told when a row joins or leaves. */
  node: Watcher | undefined
  /** `field` -> value -> pk. */
  readonly indexes: Map<string, Map<string, string>> = new Map()
  /** The watchers of each entry of an index. */
  readonly indexNodes: Map<string, Watcher> = new Map()
  /** Lists of which no argument filters by a field. */
  readonly unfiltered: Set<Slot> = new Set()
  /** The others: argument -> value -> lists, by the first of their arguments that does. */
  readonly filtered: Map<string, Map<string, Set<Slot>>> = new Map()
  /** The arguments of all lists there were. `true` is one of them if a list has a filter of the app's own, or a name: any field may matter to it. */
  readonly listArgs: Set<string | true> = new Set()
  /** Arguments that some list has shown to be a field of its items, with the same value. */
  readonly provenArgs: Set<string> = new Set()

  constructor(key: string) {
    this.key = key
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
  set rows(slots: Slot[]) {
    this.listed = slots
    this.hasGaps = false
  }

  slot(pk: string): Slot {
    let slot = this.slots.get(pk)
    if (slot === undefined) {
      this.slots.set(pk, (slot = new Slot(this, pk)))
    }
    return slot
  }
}

/** Computed once per class and store. */
export interface ClassInfo {
  readonly Entity: typeof Entity
  readonly table: Table
  /** The class has merge hooks of its own: its records are merged as a whole, not field by field. */
  readonly hasMergeHooks: boolean
  readonly ownProcess: boolean
  readonly ownPk: boolean
  /** The number at which another class of its name took its place. */
  replaced: number
  /** That class. */
  successor: typeof Entity | undefined
  checked: boolean
}

/** Every table of a store, and the classes that use them. */
export class Tables {
  readonly tables: Map<string, Table> = new Map()
  /** The tables of lists, by the key of an entity that they hold. */
  readonly holders: Map<string, Table[]> = new Map()
  /** Lists with numbers beside them that follow their changes. */
  readonly counted: Set<Slot> = new Set()
  /** Writes since the oldest open request was sent. */
  recentWrites: RecentWrite[] = []
  /** Results of endpoints, by key. */
  readonly endpoints: Table = new Table('')
  private readonly classes = new Map<unknown, ClassInfo>()
  /** Called when a class is replaced by a newer version of itself. */
  onReplace: ((table: Table, old: typeof Entity, next: typeof Entity) => void) | undefined
  /** Called when a class brings an index to a table that has rows. */
  onIndex: ((table: Table, fields: readonly string[]) => void) | undefined
  /** The number the store has reached. */
  reached: () => number = () => 0

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

  /** The table of a class. `sent` tells requests that use a replaced class from those sent before it was replaced. */
  classInfo(Class: typeof Entity, sent: number): ClassInfo {
    const known = this.classes.get(Class)
    if (known !== undefined && sent <= known.replaced) {
      return known
    }
    return this.register(Class, known)
  }

  /** The newest version of a class. */
  current(Class: typeof Entity): typeof Entity {
    let info = this.classes.get(Class)
    while (info?.successor !== undefined) {
      info = this.classes.get(info.successor)
    }
    return info?.Entity ?? Class
  }

  private register(Class: typeof Entity, known: ClassInfo | undefined): ClassInfo {
    const { key } = Class
    if (typeof key !== 'string' || key === '') {
      throw fail(
        'entity-no-key',
        'Entity',
        DEV && 'Entity classes without a name must define `static key`. It names the table of their records.',
      )
    }
    const table = this.table(key)
    const first = table.entity
    if (known !== undefined) {
      throw taken(Class, first!)
    }
    if (first === undefined) {
      if (keyOwner(Class) === undefined) {
        warnKeyless(key)
      }
      table.entity = Class
    } else if (!(DEV && this.replace(Class, table)) && !mayShare(Class, first)) {
      throw taken(Class, first)
    }
    const info: ClassInfo = {
      Entity: Class,
      table,
      hasMergeHooks:
        Class.merge !== Entity.merge ||
        Class.shouldReorder !== Entity.shouldReorder ||
        Class.shouldUpdate !== Entity.shouldUpdate ||
        Class.mergeWithStore !== Entity.mergeWithStore ||
        Class.mergeMetaWithStore !== Entity.mergeMetaWithStore,
      ownProcess: Class.process !== Entity.process,
      ownPk: Class.pk !== Entity.pk || Class.prototype.pk !== Entity.prototype.pk,
      replaced: Number.POSITIVE_INFINITY,
      successor: undefined,
      checked: false,
    }
    this.classes.set(Class, info)
    const fresh = (Class.indexes ?? []).filter((field) => !table.indexes.has(field))
    for (const field of fresh) {
      table.indexes.set(field, new Map())
    }
    if (fresh.length > 0 && table.rows.length > 0) {
      this.onIndex?.(table, fresh)
    }
    return info
  }

  /** A class that was declared again, as by hot reload, takes the place of the one with its name; false when it is none. */
  private replace(Class: typeof Entity, table: Table): boolean {
    for (const old of this.classes.values()) {
      const { Entity: Old } = old
      if (old.table !== table || old.successor !== undefined || Old.name !== Class.name || mayShare(Class, Old)) {
        continue
      }
      if (DEV) {
        warnOnce(
          `Entity "${table.key}" was declared again; the new class replaces the old one, and its records stay. [entity-redefined] ${pageOf('entity-redefined')}`,
        )
      }
      old.replaced = this.reached()
      old.successor = Class
      if (table.entity === Old) {
        table.entity = Class
      }
      this.onReplace?.(table, Old, Class)
      return true
    }
    return false
  }
}

/** The value by which an index finds a row. An object has none: its text may be anything. */
export function indexText(row: unknown, field: string): string | undefined {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, field)) {
    return undefined
  }
  const value: unknown = (row as Record<string, unknown>)[field]
  return value === undefined || typeof value === 'object' ? undefined : String(value)
}

/** The name of one place of an index. */
export function indexName(field: string, value: string): string {
  return `${field}\0${value}`
}
