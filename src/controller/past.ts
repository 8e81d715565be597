import { slotsOf, sourcesOf } from '../denormalize/queries.ts'
import { INVALID } from '../schema/Schema.ts'
import { type Slot, Table } from '../normalize/tables.ts'
import type { State } from '../store/State.ts'
import { createDriver, type Driver } from './driver.ts'
import { isEndpoint, isSkip, type Reading, type Target } from './read.ts'
import type { CountRefOptions } from './GCInterface.ts'

/** Reads the store, or a state of it. */
export interface Past {
  /** @param rest the arguments, and the state where one is given */
  read(target: Target, rest: readonly any[]): Reading
  /** The rows of a reading. */
  paths(target: Target, rest: readonly any[]): CountRefOptions
}

export function createPast(driver: Driver): Past {
  // Another store has the rows of the state.
  const copies = new WeakMap<State, Driver>()

  const readAt = (target: Target, args: readonly any[], state: State): Reading => {
    const live = driver.read(target, args)
    if (isSkip(args)) {
      return live
    }
    const same = isUnchanged(driver, target, args, state)
    if (same && isFreshAlike(driver, target, args, state)) {
      return live
    }
    let copy = copies.get(state)
    if (copy === undefined) {
      copies.set(state, (copy = createDriver(driver.store.clock)))
      copy.restore(state)
    }
    const old = copy.read(target, args)
    return same ? { ...old, data: live.data } : old
  }

  return {
    read(target, rest) {
      const [args, state] = splitState(rest)
      return state === undefined ? driver.read(target, args) : readAt(target, args, state)
    },
    paths(target, rest) {
      const [args] = splitState(rest)
      if (isSkip(args)) {
        return {}
      }
      const slots = slotsOf(driver.node(target, args))
      const paths = slots.filter(({ table }) => table !== driver.store.tables.endpoints)
      return { key: isEndpoint(target) ? target.key(...args) : undefined, paths }
    },
  }
}

function splitState(rest: readonly any[]): [args: readonly any[], state: State | undefined] {
  const last: unknown = rest[rest.length - 1]
  return typeof last === 'object' && last !== null && 'entities' in last && 'entitiesMeta' in last
    ? [rest.slice(0, -1), last as State]
    : [rest, undefined]
}

/** True if all rows that were read are those of the state, so that the current object can be returned. */
function isUnchanged(driver: Driver, target: Target, args: readonly any[], state: State): boolean {
  const { endpoints } = driver.store.tables
  const isRow = ({ table, pk, value, pending }: Slot): boolean =>
    pending === undefined && value === (table === endpoints ? state.endpoints : state.entities[table.key])?.[pk]
  for (const source of sourcesOf(driver.node(target, args))) {
    if (!(source instanceof Table)) {
      if (!isRow(source)) {
        return false
      }
      continue
    }
    const there = Object.values(state.entities[source.key] ?? {}).filter((value) => value !== INVALID)
    const now = source.rows.filter(({ value }) => value !== undefined && value !== INVALID)
    if (there.length !== now.length) {
      return false
    }
  }
  return true
}

function isFreshAlike(driver: Driver, target: Target, args: readonly any[], state: State): boolean {
  if (!isEndpoint(target)) {
    return true
  }
  const key = target.key(...args)
  return driver.getState().meta[key] === state.meta[key]
}
