import { type Node, nodesOf, parentsOf } from '../denormalize/memo.ts'
import type { Slot, Tables } from '../normalize/tables.ts'
import { scalarTable } from '../schema/Scalar.ts'
import { INVALID, type Meta } from '../schema/Schema.ts'
import type { Counts } from '../store/holds.ts'
import { createNames } from '../store/refs.ts'
import type { Store } from '../store/Store.ts'
import { collect, forget, findSlots } from './collect.ts'

/** Rows and results that may be removed. */
export interface Garbage {
  readonly entities: readonly { readonly key: string; readonly pk: string }[]
  readonly endpoints: readonly string[]
}

/** One slice of a sweep: the same with their slots, which would take long to find again by name. */
interface Found extends Garbage {
  readonly entities: { readonly key: string; readonly pk: string }[]
  readonly endpoints: string[]
  readonly slots: Slot[]
}

/** Milliseconds of one slice. Removing what it found takes about half as long; see `Pace`. */
const SLICE = 2
/** How many rows are visited before the clock is read, and at most in one slice. */
const STRIDE = 100
const MOST = 4_000

/** How many rows a slice removes: few at first, since that code is rarely optimised yet, then what a millisecond allows. */
interface Pace {
  readonly most: number
  /** Reports how long the last removal took. */
  took(milliseconds: number): void
}

function createPace(): Pace {
  let most = 250
  return {
    get most() {
      return most
    },
    took: (milliseconds) => {
      if (milliseconds < 1) {
        most = Math.min(most * 2, MOST)
      } else if (milliseconds > 1) {
        most = Math.max(most / 2, STRIDE)
      }
    },
  }
}

/** From when on a row may be removed. */
type Limit = (meta: Meta, isResult: boolean, key: string) => number

/** Finds rows and results without readers, and removes them. Browsers load it when the page is idle. */
export interface Collector {
  /**
   * Looks for garbage, a slice of about 2 ms at each step, and yields what may be removed: pass it to `collect` before the
   * next step. Call `return()` to end it early.
   */
  sweep(limit: Limit): Generator<Garbage, void>
  /** Removes rows and results. */
  collect(garbage: Garbage): void
  /** Calls `reach` for every row that a row names. */
  names(reach: (slot: Slot) => void): (slot: Slot) => void
}

/** @param end runs after a removal: notifies readers */
export function createCollector(store: Store, counts: Counts, end: () => void): Collector {
  /** The last slice of a sweep: nothing that stays names its rows. */
  let found: Found | undefined
  let pace = createPace()
  return {
    names: (reach) => createNames(store.tables, reach),
    *sweep(limit) {
      pace = createPace()
      for (found of sweep(store, counts, limit, pace)) {
        const { entities, endpoints } = found
        yield { entities, endpoints }
      }
    },
    collect(garbage) {
      const start = store.clock.now()
      // The GC action passes the arrays of the slice through the managers. If one of them has changed the action, its rows are
      // found by name, and the lists that name them become stale.
      const swept = garbage.entities === found?.entities && garbage.endpoints === found.endpoints
      collect(store, swept ? found!.slots : findSlots(store.tables, garbage), swept)
      // Once a row is removed, another slot may take its place.
      found = undefined
      end()
      pace.took(store.clock.now() - start)
    },
  }
}

/**
 * Finds unused rows, a slice at each step. Rows that are held, shown, pending or within their limit stay, and so
 * do all rows that they name, directly or not. Rows written during the sweep are followed, too.
 */
function* sweep(store: Store, counts: Counts, limit: Limit, pace: Pace): Generator<Found, void> {
  const { tables, clock } = store
  const { endpoints } = tables
  const all = [endpoints, ...tables.tables.values()]
  // While it is set, the store adds every row that it writes: a row that is visited already may name others by now.
  const fresh = (store.fresh = new Set())
  const needed = new Set<Slot>()
  const queue: Slot[] = []
  const reach = (slot: Slot): void => {
    if (needed.has(slot)) {
      return
    }
    needed.add(slot)
    queue.push(slot)
  }
  const follow = createNames(tables, reach)
  let unread = new Set<Node>()
  let started = clock.now()
  let steps = 0
  let found: Found = { entities: [], endpoints: [], slots: [] }
  const isSliceOver = (): boolean =>
    ++steps % STRIDE === 0 && (steps >= MOST || found.slots.length >= pace.most || clock.now() - started >= SLICE)
  function* pause(): Generator<Found, void> {
    const garbage = found
    found = { entities: [], endpoints: [], slots: [] }
    yield garbage
    started = clock.now()
    steps = 0
    // Readers may have mounted, and rows may have been written since.
    unread = new Set()
    for (const slot of fresh) {
      needed.add(slot)
      queue.push(slot)
    }
    fresh.clear()
  }
  /** True if nothing but another row keeps the row. */
  const isOld = (slot: Slot): boolean => {
    const { meta, table } = slot
    return (
      meta !== undefined &&
      slot.pending === undefined &&
      !counts.has(slot) &&
      limit(meta, table === endpoints, slot.pk) < started &&
      // The response of an open request may be older than the row, and must not replace it.
      meta.order < store.horizon() &&
      !isRead(slot, unread) &&
      !isCellOfRow(slot, tables)
    )
  }
  function* trace(): Generator<Found, void> {
    for (let slot = queue.pop(); slot !== undefined; slot = queue.pop()) {
      follow(slot)
      if (isSliceOver()) {
        yield* pause()
      }
    }
  }
  try {
    for (const table of all) {
      table.floating.forEach(reach)
      for (const slot of table.rows) {
        if (!isOld(slot)) {
          reach(slot)
        }
        if (isSliceOver()) {
          yield* pause()
        }
      }
    }
    for (const table of all) {
      for (const slot of table.slots.values()) {
        if (queue.length > 0) {
          yield* trace()
        }
        if (slot.meta === undefined) {
          if (!counts.has(slot)) {
            forget(slot)
          }
        } else if (needed.has(slot) || !isOld(slot)) {
          continue
        } else {
          found.slots.push(slot)
          if (table === endpoints) {
            found.endpoints.push(slot.pk)
          } else {
            found.entities.push({ key: table.key, pk: slot.pk })
          }
        }
        if (isSliceOver()) {
          yield* pause()
        }
      }
    }
    yield found
  } finally {
    store.fresh = undefined
  }
}

/**
 * True for a row that is part of what a mounted reader shows.
 *
 * @param unread nodes that are known to be part of nothing mounted
 */
function isRead({ node, value }: Slot, unread: Set<Node>): boolean {
  if (node === undefined) {
    return false
  }
  const isDeleted = value === INVALID
  const met = isDeleted ? new Set<Node>() : unread
  const stack = nodesOf(node as Node)
  const visited: Node[] = []
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    if (met.has(one)) {
      continue
    }
    if (one.extra?.view?.isMounted) {
      for (const seen of visited) {
        met.delete(seen)
      }
      return true
    }
    met.add(one)
    visited.push(one)
    // Lists show nothing of a deleted record.
    for (const parent of parentsOf(one)) {
      if (!isDeleted || parent.kind !== 'list') {
        stack.push(parent)
      }
    }
  }
  return false
}

const CELLS = scalarTable('').slice(0, -1)

/** The cells of a Scalar go with the record they belong to: `User|5|EUR`. */
function isCellOfRow({ table, pk }: Slot, { tables }: Tables): boolean {
  if (!table.key.startsWith(CELLS)) {
    return false
  }
  const start = pk.indexOf('|')
  return tables.get(pk.slice(0, start))?.slots.get(pk.slice(start + 1, pk.lastIndexOf('|')))?.meta !== undefined
}
