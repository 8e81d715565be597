// The order of sort keys, of groups and of distinct values.
//
// | rank | values                    | among each other          |
// | ---- | ------------------------- | ------------------------- |
// | 0    | `false`, `true`           | `false` first             |
// | 1    | numbers and bigints       | by value                  |
// | 2    | dates                     | by time                   |
// | 3    | text                      | by code units, as `<` does |
// | 4    | `NaN`, and invalid dates  | equal                     |
// | 5    | `null`                    | equal                     |
// | 6    | `undefined`               | equal                     |
//
// From rank 4 on a value is missing. Missing values come last, in descending order, too.

import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'

/**
 * A value that can be ordered: a sort key, or the key of a group.
 *
 * @example
 * const key: Key = new Date()
 * @see docs/api/LiveQuery.md#key
 */
export type Key = string | number | bigint | boolean | Date | null | undefined

/**
 * How a sort key is ordered: `asc` by default, or by a function of two keys.
 *
 * @example
 * const direction: Direction = new Intl.Collator('de').compare
 * @see docs/api/LiveQuery.md#direction
 */
export type Direction = 'asc' | 'desc' | ((a: any, b: any) => number)

const MISSING = 4

/** Compares two keys in the documented order, missing ones last. */
export function compareKeys(a: unknown, b: unknown, direction: Direction = 'asc'): number {
  if (typeof a === 'number' && typeof b === 'number' && direction === 'asc') {
    // The usual case, checked first because it is cheap. `NaN`, and infinite numbers that are equal, go on.
    const difference = a - b
    if (difference === difference) {
      return difference
    }
  }
  const rank = rankOf(a)
  const other = rankOf(b)
  if (rank >= MISSING || other >= MISSING) {
    return rank - other
  }
  if (typeof direction === 'function') {
    return direction(a, b) || 0
  }
  const result =
    rank === other ? ((a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0) : rank - other
  return direction === 'desc' ? -result : result
}

/** True for `undefined`, `null`, `NaN` and invalid dates. */
export function isMissing(value: unknown): boolean {
  return rankOf(value) >= MISSING
}

/** Checks a value that a function has returned as a key. */
export function checkKey(value: unknown): unknown {
  if (rankOf(value) < 0) {
    throw fail(
      'query-key',
      typeof value,
      DEV &&
        `A key of a query is ${Array.isArray(value) ? 'an array' : `of the type "${typeof value}"`}. Keys are text, numbers, booleans, dates, null or undefined: return one field.`,
      TypeError,
    )
  }
  return value
}

function rankOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return 3
    case 'number':
      return Number.isNaN(value) ? 4 : 1
    case 'bigint':
      return 1
    case 'boolean':
      return 0
    case 'undefined':
      return 6
    default:
      return value === null ? 5 : value instanceof Date ? (Number.isNaN(value.getTime()) ? 4 : 2) : -1
  }
}
