import { initialState } from '../store/initialState.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import type { List, ListPage } from '../lists/List.ts'
import { FIRST, nextOf, pageKey } from '../lists/pages.ts'
import { INVALID } from '../schema/Schema.ts'
import { readShape } from '../store/readShape.ts'
import { aheadOf, type Dump, type DumpedRow, dumpOf, shifted, shiftTimes, stateOf } from '../store/State.ts'
import type { ResultTimes, State } from '../store/stateShape.ts'

const FORMAT = 1
/** Marks an object for a value that JSON lacks. Data with a member of this name gets one more `$`. */
const MARK = '$restitch'
const ESCAPED = /^\$+restitch$/

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
    return JSON.stringify({ format: FORMAT, now, lastReset, tables: written, results }, mark)
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
    const found = JSON.parse(text, unmark) as WrittenDump & { readonly format: unknown }
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

/** A list as text has it: the items of all its pages are one list, and the arguments of the pages are kept, to fetch them again. */
interface WrittenList
  extends Pick<List, 'name' | 'isMap' | 'path' | 'loose' | 'counted'>, Pick<ListPage, 'next' | 'previous'> {
  /** The arguments that tell it from other lists. */
  readonly at: List['keyArgs']
  readonly pages?: readonly (readonly [args: readonly any[]])[]
}

type WrittenRow = readonly [pk: string, value: unknown, times: ResultTimes, list?: WrittenList | undefined]

interface WrittenDump extends Omit<Dump, 'tables'> {
  readonly tables: readonly (readonly [key: string, rows: readonly WrittenRow[]])[]
}

function writeList(list: List): WrittenList {
  const { keyArgs, name, isMap, path, loose, counted } = list
  const next = nextOf(list)
  const previous = list.pages[0]?.previous
  const pages = list.pages.flatMap(({ id, isBefore, args }) => (id === FIRST || isBefore ? [] : [[args!] as const]))
  return {
    at: keyArgs,
    name,
    isMap,
    path,
    ...(loose && { loose }),
    ...(counted && { counted }),
    ...(next && { next }),
    ...(previous && { previous }),
    ...(pages.length > 0 && { pages }),
  }
}

/** A list whose items are all in its first page. */
function readList({ at, pages = [], next, previous, ...known }: WrittenList, items: unknown): List {
  const all = [[] as const, ...pages].map(([args], i): ListPage => ({
    id: args ? pageKey(args) : FIRST,
    items: i === 0 ? items : known.isMap ? {} : [],
    sent: 0,
    firstSent: 0,
    args,
    next: pages[i]?.[0] ?? next,
    previous: i === 0 ? previous : undefined,
  }))
  return { ...known, keyArgs: at, pages: all, tail: [] }
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

function mark(this: any, key: string, value: unknown): unknown {
  if (value === undefined) {
    return { [MARK]: 'undefined' }
  }
  if (value === INVALID) {
    return { [MARK]: 'invalid' }
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value : { [MARK]: 'number', value: String(value) }
  }
  if (typeof value === 'bigint') {
    return { [MARK]: 'bigint', value: String(value) }
  }
  // Seen before a `toJSON` of its own made something else of it.
  const raw: unknown = this[key]
  if (raw instanceof Error) {
    return { [MARK]: 'error', ...errorFields(raw) }
  }
  return isObject(value) ? renamed(value, (name) => `$${name}`) : value
}

function unmark(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value
  }
  // A member that becomes undefined would be removed, so its owner sets it.
  for (const [name, part] of Object.entries(value)) {
    if (part === UNDEFINED) {
      ;(value as Record<string, unknown>)[name] = undefined
    }
  }
  if (!isObject(value)) {
    return value
  }
  if (!Object.hasOwn(value, MARK)) {
    return renamed(value, (name) => name.slice(1))
  }
  switch (value[MARK]) {
    case 'invalid':
      return INVALID
    case 'number':
      return Number(value['value'])
    case 'bigint':
      return BigInt(String(value['value']))
    case 'undefined':
      return UNDEFINED
    case 'error':
      return errorOf(value)
    default:
      throw unreadable(DEV && `it holds a mark "${String(value[MARK])}"`)
  }
}

/** The same object, with members that look like marks under another name. */
function renamed(value: Record<string, unknown>, rename: (name: string) => string): Record<string, unknown> {
  const names = Object.keys(value)
  if (!names.some((name) => ESCAPED.test(name))) {
    return value
  }
  return Object.fromEntries(names.map((name) => [ESCAPED.test(name) ? rename(name) : name, value[name]]))
}

const UNDEFINED: unique symbol = Symbol('undefined')

function errorFields(error: Error): object {
  const { name, message, stack, status, code } = error as Error & { status?: number; code?: string }
  return Object.fromEntries(
    Object.entries({ name, message, status, code, stack }).filter(([, value]) => value !== undefined),
  )
}

function errorOf({ name, message, status, code, stack }: Record<string, unknown>): Error {
  const error = new Error(String(message))
  for (const [field, value] of Object.entries({ name, status, code, stack })) {
    if (typeof value === 'string' || typeof value === 'number') {
      Object.defineProperty(error, field, {
        value,
        writable: true,
        configurable: true,
        enumerable: field !== 'stack' && field !== 'name',
      })
    }
  }
  return error
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
  if (!isEntry(row) || !isTimes(row[2])) {
    return false
  }
  const [, value, , list] = row
  const isRecord = list === undefined || (isList(list) && list['isMap'] === true)
  return (isRecord || isList(list)) && (value === INVALID || (isRecord ? isObject(value) : Array.isArray(value)))
}

/** True for the `WrittenList` of a row. */
function isList(list: unknown): list is Record<string, unknown> {
  return (
    isObject(list) &&
    isObject(list['at']) &&
    Object.entries(MAY_HAVE).every(([name, isGood]) => list[name] === undefined || isGood(list[name]))
  )
}

const MAY_HAVE: Record<string, (value: unknown) => boolean> = {
  name: isText,
  path: isText,
  loose: isTexts,
  counted: isTexts,
  next: Array.isArray,
  previous: Array.isArray,
  pages: (pages) => Array.isArray(pages) && pages.every((page) => Array.isArray(page) && Array.isArray(page[0])),
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}

function isTimes(value: unknown): boolean {
  const isTime = (name: string): boolean => typeof (value as Record<string, unknown>)[name] === 'number'
  return isObject(value) && ['fetchedAt', 'date', 'expiresAt'].every(isTime)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Why a text cannot be used: said in the warning, and nowhere else. */
function unreadable(why: string | false): TypeError {
  return new TypeError(why || '')
}
