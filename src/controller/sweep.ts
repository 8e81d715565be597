import { DIRTY, KNOWN, link, type Node, parentsOf, unlink } from '../denormalize/memo.ts'
import type { ListPage } from '../normalize/ListState.ts'
import type { Slot, Table, Tables } from '../normalize/tables.ts'
import { scalarTable } from '../schema/Scalar.ts'
import { INVALID, type Meta, STALE } from '../schema/Schema.ts'
import { type Counts, listsOf } from '../store/holds.ts'
import { createNames } from '../store/refs.ts'
import type { Store } from '../store/Store.ts'

/** What a slice of a sweep found that may go. */
export interface Garbage {
  readonly entities: readonly { readonly key: string; readonly pk: string }[]
  readonly endpoints: readonly string[]
}

/** The same, with its slots: to find each again by its name takes as long as all the rest. */
interface Found extends Garbage {
  readonly entities: { readonly key: string; readonly pk: string }[]
  readonly endpoints: string[]
  readonly slots: Slot[]
}

/** How long a slice looks, in milliseconds. Taking out what it found takes about half as long again; see `Pace`. */
const SLICE = 2
/** Rows between two looks at the clock, and rows of one slice, whatever the clock says. */
const STRIDE = 100
const MOST = 4_000

/** How many rows a slice takes out: few at first, since that code is seldom warm, then as many as a millisecond allows. */
interface Pace {
  readonly most: number
  /** So many milliseconds it took to take them out. */
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

/** Finds rows and results that nobody needs, and removes them. Browsers load it when the page is idle. */
export interface Collector {
  /**
   * Looks for garbage, a slice of at most 5 ms at each step, and yields what may be removed: pass it to `collect` before the
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
      const swept = garbage.entities === found?.entities && garbage.endpoints === found.endpoints
      collect(store, swept ? found!.slots : slotsOf(store.tables, garbage), swept)
      // Once a row is removed, another slot may take its place.
      found = undefined
      end()
      pace.took(store.clock.now() - start)
    },
  }
}

/**
 * Looks for what nobody needs any more, a slice at each step. What is held, shown, pending or within its limit stays,
 * and so does all that it names, at any distance. Rows written while a sweep goes on are followed too.
 */
function* sweep(store: Store, counts: Counts, limit: Limit, pace: Pace): Generator<Found, void> {
  const { tables, clock } = store
  const { endpoints } = tables
  // What names others comes first: once it is gone, nothing of theirs is held by it.
  const isLists = ({ unfiltered, filtered }: Table): boolean => unfiltered.size + filtered.size > 0
  const others = [...tables.tables.values()]
  const all = [endpoints, ...others.filter(isLists), ...others.filter((table) => !isLists(table))]
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
  const isOver = (): boolean =>
    ++steps % STRIDE === 0 && (steps >= MOST || found.slots.length >= pace.most || clock.now() - started >= SLICE)
  const pause = (): Found => {
    const garbage = found
    found = { entities: [], endpoints: [], slots: [] }
    return garbage
  }
  const resume = (): void => {
    started = clock.now()
    steps = 0
    // Meanwhile something may have been mounted, or written.
    unread = new Set()
    for (const slot of fresh) {
      needed.add(slot)
      queue.push(slot)
    }
    fresh.clear()
  }
  /** Whether the row may go as far as it alone is concerned. */
  const isOld = (slot: Slot): boolean => {
    const { meta, table } = slot
    return (
      meta !== undefined &&
      slot.layers === undefined &&
      !counts.has(slot) &&
      limit(meta, table === endpoints, slot.pk) < started &&
      // A request that is still open may bring something older, against which it has to stand.
      meta.order < store.horizon() &&
      !isRead(slot, unread) &&
      !isCellOfRow(slot, tables)
    )
  }
  function* trace(): Generator<Found, void> {
    for (let slot = queue.pop(); slot !== undefined; slot = queue.pop()) {
      follow(slot)
      if (isOver()) {
        yield pause()
        resume()
      }
    }
  }
  try {
    for (const table of all) {
      for (const slot of table.rows) {
        if (!isOld(slot)) {
          reach(slot)
        }
        if (queue.length > 0) {
          yield* trace()
        }
        if (isOver()) {
          yield pause()
          resume()
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
        if (isOver()) {
          yield pause()
          resume()
        }
      }
    }
    yield pause()
  } finally {
    store.fresh = undefined
  }
}

/** The places of what is to go. */
function slotsOf({ tables, endpoints }: Tables, garbage: Garbage): Slot[] {
  const slots: (Slot | undefined)[] = garbage.endpoints.map((key) => endpoints.slots.get(key))
  for (const { key, pk } of garbage.entities) {
    slots.push(tables.get(key)?.slots.get(pk))
  }
  return slots.filter((slot): slot is Slot => slot !== undefined)
}

/** Takes rows and results out. Lists that name a row which is gone are stale; the mark of a deleted record leaves them. */
function collect(store: Store, slots: readonly Slot[], swept: boolean): void {
  for (const slot of slots) {
    if (slot.value === INVALID) {
      for (const list of listsOf(store.tables, slot)) {
        leave(store, list, slot.pk)
      }
    }
  }
  const isNamed = ({ table, value }: Slot): boolean => table !== store.tables.endpoints && value !== INVALID
  if (!swept) {
    ageNaming(store, new Set(slots.filter(isNamed)))
  }
  store.drop(slots)
  slots.forEach(forget)
}

/** What names a row that is about to go is stale and incomplete: it is asked for again. A sweep leaves none. */
function ageNaming(store: Store, gone: ReadonlySet<Slot>): void {
  if (gone.size === 0) {
    return
  }
  const { endpoints } = store.tables
  let names = false
  const follow = createNames(store.tables, (slot) => (names ||= gone.has(slot)))
  for (const table of [endpoints, ...store.tables.tables.values()]) {
    for (const slot of table.rows) {
      if (table !== endpoints && slot.list === undefined) {
        continue
      }
      names = false
      follow(slot)
      if (!names) {
        continue
      }
      store.age(slot, STALE)
      for (const key of slot.list?.keys ?? []) {
        const result = endpoints.slots.get(key)
        if (result?.meta !== undefined) {
          store.age(result, STALE)
        }
      }
    }
  }
}

function leave(store: Store, slot: Slot, pk: string): void {
  const { list, meta } = slot
  if (list === undefined || meta === undefined) {
    return
  }
  const without = (value: any): any =>
    Array.isArray(value)
      ? value.filter((item) => item !== pk)
      : Object.fromEntries(Object.entries(value as object).filter(([, item]) => item !== pk))
  const { base, tail = [], pages = [] } = list
  const cut = (page: ListPage): ListPage => ({ ...page, items: without(page.items) as unknown })
  const left = pages.map(cut)
  const state = { ...list, base: without(base) as unknown, tail: without(tail) as unknown[], pages: left }
  store.put(slot, { value: without(slot.value), meta, list: state })
}

/** Removes the nodes of a removed row, and its slot, unless something still depends on it. */
function forget(slot: Slot): void {
  if (slot.node === undefined && slot.meta === undefined && slot.layers === undefined) {
    slot.table.slots.delete(slot.pk)
    return
  }
  const nodes = nodesOf(slot.node as Node | undefined)
  if (slot.meta !== undefined || slot.layers !== undefined || nodes.some((node) => node.extra?.view?.isMounted)) {
    return
  }
  for (const node of nodes) {
    if (node.up === undefined) {
      unlink(node)
    } else if (node.flags & DIRTY) {
      // Rows that refer to each other have to be unlinked; other dependents see that the value has changed.
      link(node, [])
      node.flags |= KNOWN
    }
  }
  if (nodes.every((node) => node.up === undefined)) {
    slot.table.slots.delete(slot.pk)
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

function nodesOf(first: Node | undefined): Node[] {
  return first === undefined ? [] : [first, ...(first.extra?.siblings ?? [])]
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
