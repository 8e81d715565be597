// A state that went through JSON, was copied or was written by hand: what a storage contains may be of any shape.

import { DEV } from '../base/env.ts'
import { member } from '../base/equal.ts'
import { warnOnce } from '../base/warn.ts'
import { INVALID } from '../schema/Schema.ts'
import { listOf } from './listOf.ts'
import type { Dump, DumpedRow } from './State.ts'
import type { ResultTimes } from './stateShape.ts'

/** The warning names so many rows. */
const NAMED = 5

/** The rows of an object that looks like a state, in the order of its members. Rows that cannot be read are left out with a warning. */
export function readShape(shape: unknown): Dump {
  // Older versions of data-client called three members otherwise.
  const either = (name: string, older: string): unknown => member(shape, name) ?? member(shape, older)
  const entities = member(shape, 'entities')
  const endpoints = either('endpoints', 'results')
  const entitiesMeta = either('entitiesMeta', 'entityMeta')
  const meta = member(shape, 'meta')
  const lost: string[] = []
  let now = 0
  const read = (name: string, row: DumpedRow | undefined): DumpedRow[] => {
    if (row === undefined) {
      lost.push(name)
      return []
    }
    now = Math.max(now, row[2].date, row[2].fetchedAt)
    return [row]
  }
  const tables = namesOf(entities).map((key) => {
    const rows = member(entities, key)
    if (!isRecord(rows)) {
      lost.push(key)
    }
    const times = member(entitiesMeta, key)
    return [key, namesOf(rows).flatMap((pk) => read(`${key} ${pk}`, readRow(key, pk, rows, times)))] as const
  })
  const results = [...new Set([...namesOf(meta), ...namesOf(endpoints)])].flatMap((key) => {
    const times = readTimes(member(meta, key))
    return read(key, times && [key, member(endpoints, key), times])
  })
  if (DEV) {
    warnLost(shape, isRecord(entities) || isRecord(endpoints), lost)
  }
  const lastReset = member(shape, 'lastReset')
  return {
    now,
    lastReset: isTime(lastReset) ? lastReset : 0,
    tables: tables.filter(([, rows]) => rows.length > 0),
    results,
  }
}

function readRow(key: string, pk: string, rows: unknown, allTimes: unknown): DumpedRow | undefined {
  const value = member(rows, pk)
  const times = readTimes(member(allTimes, pk))
  const list = listOf(key, pk, value)
  const isList = key.startsWith('[')
  const isGood =
    value === INVALID || (isList || key.startsWith('{') ? list && Array.isArray(value) === isList : isRecord(value))
  return isGood && times ? (list ? [pk, value, times, list] : [pk, value, times]) : undefined
}

/** In JSON, `Infinity` is null, and an error is no error any more. */
function readTimes(found: unknown): ResultTimes | undefined {
  if (found !== undefined && !isRecord(found)) {
    return undefined
  }
  const {
    date = 0,
    fetchedAt = date,
    expiresAt = 0,
    error,
    errorPolicy,
    invalidated,
  } = (found ?? {}) as Partial<ResultTimes>
  const end: unknown = expiresAt ?? Infinity
  if (!isTime(date) || !isTime(fetchedAt) || typeof end !== 'number' || Number.isNaN(end)) {
    return undefined
  }
  return {
    fetchedAt,
    date,
    expiresAt: end,
    ...(error instanceof Error && { error, errorPolicy: errorPolicy === 'soft' ? 'soft' : undefined }),
    ...(invalidated === true && { invalidated }),
  }
}

function isTime(value: unknown): value is number {
  return Number.isFinite(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function namesOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : []
}

function warnLost(shape: unknown, isState: boolean, lost: readonly string[]): void {
  if (!isState) {
    warnOnce(
      `A stored state was discarded, since ${isRecord(shape) ? 'it has neither "entities" nor "endpoints"' : 'it is no object'}. The store starts empty.`,
    )
  } else if (lost.length > 0) {
    const more = lost.length > NAMED ? ` and ${lost.length - NAMED} more` : ''
    warnOnce(
      `Rows of a stored state were discarded, since they cannot be read: ${lost.slice(0, NAMED).join(', ')}${more}. They are fetched again when they are needed.`,
    )
  }
}
