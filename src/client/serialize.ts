import { initialState } from '../store/initialState.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import { readShape } from '../store/readShape.ts'
import { aheadOf, type Dump, type DumpedRow, dumpOf, shifted, shiftTimes, stateOf } from '../store/State.ts'
import type { ResultTimes, State } from '../store/stateShape.ts'
import {
  fromText,
  isContent,
  isObject,
  isText,
  readList,
  toText,
  unreadable,
  type WrittenList,
  writeList,
} from './codec.ts'

const FORMAT = 1
/**
 * Makes text of a state, for a page or a storage. The order of tables, tombstones, errors and endless times survive.
 *
 * @example
 * localStorage.setItem('cache', serializeState(controller.getState()))
 * @see docs/api/serializeState.md
 */
export function serializeState(state: State): string {
  try {
    const dump = dumpOf(state)
    const { now, lastReset, tables, results } = shiftDump(dump, -aheadOf(dump))
    const written = tables.map(([key, rows]) => [
      key,
      rows.map(([pk, value, times, list]) => [pk, value, times, ...(list ? [writeList(list)] : [])]),
    ])
    return toText({ format: FORMAT, now, lastReset, tables: written, results })
  } catch (cause) {
    throw fail(
      'state-not-serializable',
      String(cause),
      DEV && `The state cannot be made text: ${String(cause)}. A value in it is nested too deeply, or contains itself.`,
      Error,
      { cause },
    )
  }
}

/**
 * Creates a state from the text of `serializeState`, or from a state as JSON. Text that it does not understand is
 * discarded with a warning.
 *
 * @example
 * const store = createStore({ initialState: deserializeState(localStorage.getItem('cache') ?? '') })
 * @see docs/api/serializeState.md#deserializestate
 */
export function deserializeState(text: string): State {
  if (text === '') {
    return initialState
  }
  try {
    if (!/^\s*\{\s*"format"/.test(text)) {
      const dump = readShape(JSON.parse(text))
      return dump.tables.length + dump.results.length > 0 ? notLate(dump) : initialState
    }
    const found = fromText(text) as WrittenDump & { readonly format: unknown }
    if (found.format !== FORMAT) {
      throw unreadable(DEV && `its format is ${String(found.format)}, not ${FORMAT}`)
    }
    return notLate(readDump(found))
  } catch (error) {
    if (DEV) {
      warnOnce(
        `A stored state was discarded, since ${error instanceof Error ? error.message : String(error)}. The store starts empty.`,
      )
    }
    return initialState
  }
}

/** The state of a dump. Nothing in it is from the future, where the clock has been set back. */
function notLate(dump: Dump): State {
  return stateOf(shiftDump(dump, Math.min(0, Date.now() - dump.now)))
}

/** The same rows with the times of a clock that shows another time. */
function shiftDump({ now, lastReset, tables, results }: Dump, shift: number): Dump {
  const shiftRow = ([pk, value, times, ...list]: DumpedRow): DumpedRow => [pk, value, shiftTimes(times, shift), ...list]
  return {
    now: now + shift,
    lastReset: shifted(lastReset, shift),
    tables: tables.map(([key, rows]) => [key, rows.map(shiftRow)]),
    results: results.map(shiftRow),
  }
}

type WrittenRow = readonly [pk: string, value: unknown, times: ResultTimes, list?: WrittenList | undefined]

interface WrittenDump extends Omit<Dump, 'tables'> {
  readonly tables: readonly (readonly [key: string, rows: readonly WrittenRow[]])[]
}

function readDump(written: WrittenDump): Dump {
  checkDump(written)
  return {
    ...written,
    tables: written.tables.map(([key, rows]) => [
      key,
      rows.map(([pk, value, times, list]) => (list ? [pk, value, times, readList(list, value)] : [pk, value, times])),
    ]),
  }
}

function checkDump({ now, lastReset, tables, results }: WrittenDump): void {
  const good =
    typeof now === 'number' &&
    typeof lastReset === 'number' &&
    Array.isArray(tables) &&
    Array.isArray(results) &&
    tables.every((table: unknown) => isEntry(table) && Array.isArray(table[1]) && table[1].every(isRow)) &&
    results.every((result: unknown) => isEntry(result) && isTimes(result[2]))
  if (!good) {
    throw unreadable(DEV && 'its tables are not as they were written')
  }
}

function isEntry(value: unknown): value is [string, unknown, unknown, unknown] {
  return Array.isArray(value) && isText(value[0])
}

function isRow(row: unknown): boolean {
  return isEntry(row) && isTimes(row[2]) && isContent(row[1], row[3])
}

function isTimes(value: unknown): boolean {
  const isTime = (name: string): boolean => typeof (value as Record<string, unknown>)[name] === 'number'
  return isObject(value) && ['fetchedAt', 'date', 'expiresAt'].every(isTime)
}
