import { type Clock, steady, type StoreClock, systemClock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { freezePlain } from '../base/equal.ts'
import { warnOnce } from '../base/warn.ts'
import type { ListState } from '../normalize/ListState.ts'
import { indexList, isIndexedAs, unindexList } from '../normalize/listIndex.ts'
import { itemFor } from '../normalize/effectOf.ts'
import { itemKey, takeOut } from '../normalize/listItems.ts'
import { compactList, withoutItems } from '../normalize/lists.ts'
import type { Change } from '../normalize/normalize.ts'
import { compactRecord } from '../normalize/records.ts'
import { type Draft, indexName, indexText, membersChanged, type Slot, type Table, Tables } from '../normalize/tables.ts'
import { INVALID, type Meta, STALE } from '../schema/Schema.ts'
import { createOrder, type Order } from './order.ts'
import { createOperations, type Operations } from './operations.ts'
import { listsOf } from './holds.ts'
import { createSubscriptions, type Listening, type Subscriptions } from './subscriptions.ts'

/** The meta of an endpoint's result. */
export interface ResultMeta extends Meta {
  readonly prevExpiresAt?: number | undefined
  /** Beside an error: when the value that stays was fetched. */
  readonly valueFetchedAt?: number | undefined
  readonly error?: unknown
  readonly errorPolicy?: 'hard' | 'soft' | undefined
  readonly invalidated?: boolean | undefined
}

/** Rows, their order, and the pending operations over them. */
export interface Store extends Order, Omit<Operations, 'beforeReplace' | 'clear'> {
  readonly tables: Tables
  readonly clock: StoreClock
  readonly subscriptions: Subscriptions
  /** The time of the last reset, as states show it. */
  lastReset: number
  /** The number of the last reset: responses to requests sent before it are not stored. */
  resetAt: number
  /** How long data and errors are fresh, in milliseconds, where an endpoint does not say. */
  readonly defaults: { dataExpiryLength: number; errorExpiryLength: number }
  /** Called with the rows that the response of a mutation wrote, before readers are notified. */
  onWrite: ((slots: readonly Slot[]) => void) | undefined
  /** Called with its key when a request begins (1) or ends (-1), and when a response arrives without a request (0). */
  onRequest: ((key: string, by: 1 | -1 | 0) => void) | undefined
  /** Told when what is known of a list has changed, also where it shows the same: whether there is more of it. */
  readonly pagers: Set<Listening>
  /** Told before a row is replaced, so that a state can copy its table. */
  journal: ((slot: Slot) => void) | undefined
  /** Makes drafts the rows that everybody reads. Nothing here can throw. */
  commit(change: Change): void
  /** Replaces a row. */
  put(slot: Slot, row: Pick<Draft, 'value' | 'meta'> & Partial<Draft>): void
  /** Makes a row stale, and lets its readers judge its freshness again. */
  expire(slot: Slot): void
  /** Rows written since a sweep began; `undefined` while there is none. */
  fresh: Set<Slot> | undefined
  /** Removes the key of a record from all parts of a list, as if it had never been there. */
  removeItem(slot: Slot, record: Slot): void
  /** Takes rows out as if they had never been. */
  drop(slots: Iterable<Slot>): void
  /** Folds changes that no pending request can overtake any more. Called after each response. */
  compact(): void
  /** Clears everything. Pending requests keep their numbers, so that their responses are known to be old. */
  reset(): void
}

/** How long data and errors are fresh, in milliseconds, where neither the endpoint nor a NetworkManager says. */
export const DEFAULT_EXPIRY: Readonly<Store['defaults']> = { dataExpiryLength: 60_000, errorExpiryLength: 1_000 }

export function createRowStore(given: Clock = systemClock): Store {
  const clock = steady(given)
  const tables = new Tables()
  const order = createOrder(clock)
  const { beforeReplace, clear: clearOperations, ...operations } = createOperations()
  /** Slots that hold something only an open request makes necessary: changes of lists, orders of fields. */
  const uncompacted = new Set<Slot>()
  /** The horizon up to which everything is folded. */
  let compactedTo = 0

  const index = (slot: Slot, old: unknown, value: unknown, fields?: readonly string[]): void => {
    const { table, pk } = slot
    for (const field of fields ?? table.indexes.keys()) {
      const was = indexText(old, field)
      const now = indexText(value, field)
      const entries = table.indexes.get(field)!
      const touch = (text: string): void => table.indexNodes.get(indexName(field, text))?.touch()
      if (was !== now && entries.get(was!) === pk) {
        entries.delete(was!)
        touch(was!)
      }
      if (DEV && now === undefined && typeof value === 'object') {
        warnOnce(
          `A record of "${table.key}" lacks a field of its indexes (${[...table.indexes.keys()].join(', ')}), so it is not found by it.`,
        )
      }
      if (now !== undefined && entries.get(now) !== pk) {
        entries.set(now, pk)
        touch(now)
      }
    }
  }
  tables.reached = order.reached
  // Restored rows come before their class is known.
  tables.onIndex = (table, fields) => {
    for (const slot of table.rows) {
      index(slot, undefined, slot.value, fields)
    }
  }

  const put: Store['put'] = (slot, { value, meta, log, list }) => {
    const old = slot.value
    const { table } = slot
    const joins = old === undefined || old === INVALID || value === INVALID
    store.journal?.(slot)
    store.fresh?.add(slot)
    beforeReplace(slot, joins)
    slot.meta = meta
    slot.log = log
    if (list !== slot.list) {
      const isMoved = !isIndexedAs(slot.list, list)
      if (isMoved) {
        unindexList(slot)
      }
      slot.list = list
      tables.counted[list?.counts ? 'add' : 'delete'](slot)
      if (isMoved) {
        indexList(slot)
      }
      store.pagers.forEach(store.subscriptions.add)
    }
    if (log !== undefined || list?.log.length) {
      uncompacted.add(slot)
    }
    // A result may be nothing but an error, so a row needs no value to count.
    if (slot.position < 0) {
      // Rows may have been collected, so that its index is no number of its own.
      const { rows } = table
      slot.position = (rows[rows.length - 1]?.position ?? -1) + 1
      rows.push(slot)
      table.floating.delete(slot)
    }
    index(slot, old, value)
    if (value === old) {
      return
    }
    if (DEV) {
      freezePlain(value)
    }
    slot.value = value
    if (joins) {
      membersChanged(table)
    }
    slot.node?.touch()
  }

  const expire: Store['expire'] = (slot) => {
    if (slot.meta!.expiresAt === STALE) {
      return
    }
    store.journal?.(slot)
    slot.meta = { ...slot.meta!, expiresAt: STALE }
    slot.node?.aged()
  }

  /** A read and a write crossed on this row: readers of it, and of the lists that contain it, refetch. */
  const markStale = (slot: Slot): void => {
    const freshResults = ({ keys }: ListState): Slot[] =>
      keys
        .flatMap((key) => tables.endpoints.slots.get(key) ?? [])
        .filter(({ meta }) => meta && meta.expiresAt !== STALE)
    for (const { list } of slot.list ? [slot] : listsOf(tables, slot, (one) => freshResults(one).length > 0)) {
      freshResults(list!).forEach(expire)
    }
    expire(slot)
  }

  const clear = (slot: Slot): void => {
    store.journal?.(slot)
    slot.value = slot.meta = slot.log = slot.list = slot.schema = undefined
    slot.position = -1
    tables.counted.delete(slot)
    slot.node?.touch()
  }

  const store: Store = {
    ...order,
    ...operations,
    tables,
    clock,
    subscriptions: createSubscriptions(clock),
    defaults: { ...DEFAULT_EXPIRY },
    onWrite: undefined,
    onRequest: undefined,
    pagers: new Set(),
    lastReset: 0,
    resetAt: 0,
    journal: undefined,
    fresh: undefined,
    put,
    expire,
    commit: ({ slots, staleLists, recentWrites }) => {
      const stale: Slot[] = []
      for (const slot of slots) {
        const draft = slot.draft!
        slot.draft = undefined
        put(slot, draft)
        if (draft.stale) {
          stale.push(slot)
        }
      }
      if (recentWrites) {
        tables.recentWrites.push(...recentWrites)
      }
      staleLists?.forEach((revealed, slot) => {
        const list = slot.list!
        list.staleAt = order.reached()
        list.revealed = new Map([...(list.revealed ?? []), ...revealed])
        markStale(slot)
      })
      stale.forEach(markStale)
    },
    removeItem: (slot, record) => {
      const { list, meta } = slot
      if (list && meta) {
        const item = itemFor(list, record) ?? record.pk
        const isIt = (one: unknown): boolean => itemKey(one) === itemKey(item)
        put(slot, { value: takeOut(slot.value, [item]), meta, list: withoutItems(list, isIt) })
      }
    },
    drop: (slots) => {
      const touched = new Set<Table>()
      for (const slot of slots) {
        const { table } = slot
        beforeReplace(slot, true)
        uncompacted.delete(slot)
        unindexList(slot)
        index(slot, slot.value, undefined)
        clear(slot)
        table.hasGaps = true
        touched.add(table)
      }
      touched.forEach(membersChanged)
    },
    compact: () => {
      const horizon = order.horizon()
      // Without open requests nothing is left to fold, so that only a number tells that all was folded before.
      if (horizon === compactedTo && horizon !== Infinity) {
        return
      }
      compactedTo = horizon
      tables.recentWrites = tables.recentWrites.filter(({ meta }) => meta.order >= horizon)
      for (const slot of uncompacted) {
        slot.log = slot.log && compactRecord(slot.log, horizon)
        if (slot.list !== undefined) {
          slot.list = compactList(slot.list, horizon)
        }
        if (slot.log === undefined && !slot.list?.log.length) {
          uncompacted.delete(slot)
        }
      }
    },
    reset: () => {
      store.lastReset = clock.now()
      store.resetAt = order.nextNumber(store.lastReset)
      clearOperations()
      for (const table of [...tables.tables.values(), tables.endpoints]) {
        table.unfiltered.clear()
        table.filtered.clear()
        table.listArgs.clear()
        for (const slot of table.rows) {
          clear(slot)
          slot.node?.aged()
        }
        table.rows = []
        for (const entries of table.indexes.values()) {
          entries.clear()
        }
        for (const node of table.indexNodes.values()) {
          node.touch()
        }
        membersChanged(table)
      }
      uncompacted.clear()
      tables.recentWrites = []
    },
  }
  return store
}
