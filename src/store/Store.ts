import { type Clock, steady, type StoreClock, systemClock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { freezePlain, isObject } from '../base/equal.ts'
import { warnOnce } from '../base/warn.ts'
import { ListIndex } from '../normalize/listIndex.ts'
import type { Change } from '../normalize/normalize.ts'
import {
  indexName,
  indexText,
  MANY,
  membersChanged,
  type Patch,
  type Slot,
  type Table,
  Tables,
} from '../normalize/tables.ts'
import { INVALID, isWrite, type Meta } from '../schema/Schema.ts'
import { createOperations, type Operations, showAgain, shownNow } from './operations.ts'
import { createSubscriptions, type Listening, type Subscriptions } from './subscriptions.ts'

/** The meta of an endpoint's result. */
export interface ResultMeta extends Meta {
  readonly prevExpiresAt?: number | undefined
  /** Beside an error: when the value that stays was fetched. */
  readonly valueFetchedAt?: number | undefined
  readonly error?: unknown
  readonly errorPolicy?: 'hard' | 'soft' | undefined
  readonly invalidated?: boolean | undefined
  /** The number of the invalidation: a response to a request sent before does not end it. */
  readonly invalidatedAt?: number | undefined
}

/** Rows, their order, and the pending operations over them. */
export interface Store extends Omit<Operations, 'beforeReplace' | 'clear'> {
  /** Order is a number, never a clock: requests take one when they are sent, responses and writes one more when they are committed. */
  nextNumber(): number
  /** The number reached so far. */
  reached(): number
  readonly tables: Tables
  readonly clock: StoreClock
  readonly subscriptions: Subscriptions
  /** The time of the last reset, as states show it. */
  lastReset: number
  /** The number of the last reset: responses to requests sent before it are not stored. */
  resetAt: number
  /** How long data and errors are fresh, in milliseconds, where an endpoint does not say. */
  readonly defaults: { dataExpiryLength: number; errorExpiryLength: number }
  /** Called with its key when a request begins (1) or ends (-1), and when a response arrives without a request (0). */
  onRequest: ((key: string, by: 1 | -1 | 0) => void) | undefined
  /** Told when what is known of a list has changed, also where it shows the same: whether there is more of it. */
  readonly pagers: Set<Listening>
  /** Counts the changes of rows: a state copies the tables that have changed. */
  changes: number
  /** A row is about to change. */
  note(slot: Slot): void
  /** Told then, for the devtools. */
  journal: ((slot: Slot) => void) | undefined
  /** Makes patches the rows that everybody reads. Nothing here can throw. */
  commit(change: Change): void
  /** Replaces a row. */
  put(slot: Slot, row: Pick<Patch, 'value' | 'meta'> & Partial<Patch>): void
  /** All that was fetched so far leaves these rows stale: mounted readers fetch them again. */
  doubt(slots: Iterable<Slot>): void
  /** The number of the last doubt. */
  lastDoubt: number
  /** Takes rows out as if they had never been. */
  drop(slots: Iterable<Slot>): void
  /** Clears everything. Pending requests keep their numbers, so that their responses are known to be old. */
  reset(): void
}

/** Remembers a change that lists did not follow. */
function noteChange(slot: Slot, { value, isFollowed, hasLost }: Patch, at: number): void {
  const { value: old, unfollowed } = slot
  if (isFollowed) {
    slot.unfollowed = undefined
  } else if (value !== old || hasLost) {
    slot.unfollowed = { at, fields: unfollowed?.fields || hasLost ? MANY : isObject(old) ? old : undefined }
  }
}

/** How long data and errors are fresh, in milliseconds, where neither the endpoint nor a NetworkManager says. */
export const DEFAULT_EXPIRY: Readonly<Store['defaults']> = { dataExpiryLength: 60_000, errorExpiryLength: 1_000 }

export function createRowStore(given: Clock = systemClock, createResult?: (table: Table, pk: string) => Slot): Store {
  const clock = steady(given)
  const tables = new Tables(createResult)
  let number = 0
  const { beforeReplace, clear: clearOperations, ...operations } = createOperations()

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
  tables.reached = () => number
  // Restored rows come before their class is known.
  tables.onIndex = (table, fields) => {
    for (const slot of table.rows) {
      index(slot, undefined, slot.value, fields)
    }
  }

  const put: Store['put'] = (slot, { value, meta, list }) => {
    const old = slot.value
    const { table } = slot
    const shown = shownNow(slot)
    const joins = old === undefined || old === INVALID || value === INVALID
    store.note(slot)
    beforeReplace(slot, joins)
    slot.meta = meta
    slot.kept = slot.kept && slot.kept.expiresAt > meta.expiresAt ? slot.kept : meta
    if (list !== slot.list) {
      slot.list = list
      table.lists.put(slot, list)
      store.pagers.forEach(store.subscriptions.add)
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
    if (DEV) {
      freezePlain(value)
    }
    slot.value = value
    if (joins && value !== old) {
      membersChanged(table)
    }
    // Pending operations may show less of themselves over the same value.
    if (value !== old || slot.pending) {
      showAgain(slot, shown)
    }
  }

  const doubt: Store['doubt'] = (slots) => {
    store.lastDoubt = ++number
    const mark = (slot: Slot): void => {
      store.note(slot)
      slot.doubt = store.lastDoubt
    }
    for (const slot of slots) {
      mark(slot)
      slot.node?.aged(mark)
    }
  }

  const clear = (slot: Slot): void => {
    store.note(slot)
    slot.value = slot.meta = slot.kept = slot.by = slot.wrote = slot.unfollowed = slot.list = slot.schema = undefined
    slot.gone = 0
    slot.position = -1
    slot.node?.touch()
  }

  const store: Store = {
    nextNumber: () => ++number,
    reached: () => number,
    ...operations,
    tables,
    clock,
    subscriptions: createSubscriptions(clock),
    defaults: { ...DEFAULT_EXPIRY },
    onRequest: undefined,
    pagers: new Set(),
    lastReset: 0,
    resetAt: 0,
    changes: 0,
    note: (slot) => {
      slot.table.changed = ++store.changes
      store.journal?.(slot)
    },
    journal: undefined,
    put,
    doubt,
    lastDoubt: 0,
    commit: ({ slots, doubted, wroteTo, meta }) => {
      const all = new Set(doubted)
      const wrote = new Set(wroteTo)
      for (const slot of slots) {
        const patch = slot.patch!
        const { fields } = patch
        slot.patch = undefined
        if (fields !== undefined) {
          const { meta: old } = slot
          patch.meta = old && old.sent > meta.sent ? old : patch.meta
          slot.by = patch.by ?? slot.by
          slot.wrote = patch.wrote ?? slot.wrote
          noteChange(slot, patch, meta.at)
          slot.gone = patch.value === INVALID && patch.value !== slot.value ? meta.at : slot.gone
          if (isWrite(meta)) {
            wrote.add(slot.table)
          }
        }
        // Readers may show an error from before the write, beside the same value.
        if (patch.wrote && patch.value === slot.value) {
          slot.node?.aged()
        }
        put(slot, patch)
        slot.doubt = Math.max(slot.doubt, patch.doubt)
        if (patch.isDoubted) {
          all.add(slot)
        }
      }
      for (const table of wrote) {
        table.fence = meta.at
        table.mutated = meta.kind === 'mutation' ? meta.at : table.mutated
      }
      if (all.size > 0) {
        doubt(all)
      }
    },
    drop: (slots) => {
      const touched = new Set<Table>()
      for (const slot of slots) {
        const { table } = slot
        beforeReplace(slot, true)
        table.lists.put(slot, undefined)
        index(slot, slot.value, undefined)
        clear(slot)
        table.hasGaps = true
        touched.add(table)
      }
      touched.forEach(membersChanged)
    },
    reset: () => {
      store.lastReset = clock.now()
      store.resetAt = ++number
      clearOperations()
      for (const table of [...tables.tables.values(), tables.endpoints]) {
        for (const slot of table.rows) {
          clear(slot)
          slot.node?.aged()
        }
        table.rows = []
        table.fence = table.mutated = 0
        table.lists = new ListIndex()
        for (const entries of table.indexes.values()) {
          entries.clear()
        }
        for (const node of table.indexNodes.values()) {
          node.touch()
        }
        membersChanged(table)
      }
    },
  }
  return store
}
