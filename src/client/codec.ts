// How rows are text, on a page, in a storage and on a disk: JSON, with a mark where JSON lacks a value.

import { DEV } from '../base/env.ts'
import type { List, ListPage } from '../lists/List.ts'
import { FIRST, nextOf, pageKey } from '../lists/pages.ts'
import { INVALID } from '../schema/Schema.ts'

/** Marks an object for a value that JSON lacks. Data with a member of this name gets one more `$`. */
const MARK = '$restitch'
const ESCAPED = /^\$+restitch$/

/** A list as text has it: the items of all its pages are one list, and the arguments of the pages are kept, to fetch them again. */
export interface WrittenList
  extends Pick<List, 'name' | 'isMap' | 'path' | 'loose' | 'counted'>, Pick<ListPage, 'next' | 'previous'> {
  /** The arguments that tell it from other lists. */
  readonly at: List['keyArgs']
  readonly pages?: readonly (readonly [args: readonly any[]])[]
}

export function writeList(list: List): WrittenList {
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
export function readList({ at, pages = [], next, previous, ...known }: WrittenList, items: unknown): List {
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

/** @param check called with each member, and throws to refuse it */
export function toText(value: unknown, check?: (key: string, value: unknown) => void): string {
  return JSON.stringify(value, function (this: unknown, key: string, part: unknown) {
    check?.(key, part)
    return mark.call(this, key, part)
  })
}

/** Refuses what text would lose: functions and symbols. */
export function checkData(key: string, value: unknown): void {
  if (typeof value === 'function' || (typeof value === 'symbol' && value !== INVALID)) {
    throw new TypeError(`"${key}" is a ${typeof value}`)
  }
}

/** Throws where the text is none of ours. */
export function fromText(text: string): unknown {
  // A function for each member takes time, and most texts have nothing that JSON lacks.
  return JSON.parse(text, text.includes('restitch"') ? unmark : undefined)
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

/** True for the content of a row as it was written: a record, a list with its state, or a deleted one. */
export function isContent(value: unknown, list: unknown): boolean {
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

export function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Why a text cannot be used: said in the warning, and nowhere else. */
export function unreadable(why: string | false): TypeError {
  return new TypeError(why || '')
}
