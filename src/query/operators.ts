import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { Ordered } from './Ordered.ts'
import type { Direction, Key } from './compareKeys.ts'
import type { Step } from './Stage.ts'
import { type Run, usesArgs } from './functions.ts'
import { step } from './step.ts'
import type { NoRecords, Operator } from './types.ts'
import { Where } from './Where.ts'
import { Window } from './Window.ts'

/**
 * A sort key of a record, with a direction where that is not ascending.
 *
 * @example
 * const key: SortKey = ['high', 'desc']
 * @see docs/api/LiveQuery.md#sortkey
 */
export type SortKey = Key | readonly [key: Key, direction: Direction]

/**
 * A number of records, or a function of the arguments that returns it.
 *
 * @example
 * const limit: Limit<[{ size: number }]> = ({ size }) => size
 * @see docs/api/LiveQuery.md#limit
 */
export type Limit<A extends readonly unknown[] = []> = number | ((...args: A) => number)

/**
 * Keeps the records that pass a condition. A type predicate narrows their type.
 *
 * @example
 * const open = query(Todo, where((todo) => !todo.done))
 * @see docs/api/LiveQuery.md#where
 */
export function where<T, U extends T, A extends readonly unknown[] = []>(
  passes: (record: T, ...args: A) => record is U,
): Operator<T, U, A, U[]>
export function where<T, A extends readonly unknown[] = []>(
  passes: (record: T, ...args: A) => unknown,
): Operator<T, T, A, T[]>
export function where(passes: Run): Operator<any, any, any, any> {
  return step('where', usesArgs(passes, 'where'), (parent, args) => new Where(parent, args, passes))
}

/**
 * Sorts by one or more keys. Missing keys come last, and records with equal keys are ordered by their primary key.
 *
 * @example
 * const byTitle = query(Todo, sortBy((todo) => todo.done, (todo) => [todo.title, 'desc']))
 * @see docs/api/LiveQuery.md#sortby
 */
export function sortBy<T, A extends readonly unknown[] = []>(
  ...keys: readonly ((record: T, ...args: A) => SortKey)[]
): Operator<T, T, A, T[]> {
  const sees = keys.map((key) => usesArgs(key, 'sortBy')).includes(true)
  return step('sortBy', sees, (parent, args) => new Ordered(parent, args, keys as readonly Run[]))
}

/**
 * Keeps the first records. With `skip` before it, a page.
 *
 * @example
 * const page = query(Todo, sortBy((todo) => todo.title), take(50))
 * @see docs/api/LiveQuery.md#take
 */
export function take<T, A extends readonly unknown[] = []>(count: Limit<A>): Operator<T, T, A, T[]> {
  return cut('take', count, 0)
}

/**
 * Leaves the first records out.
 *
 * @example
 * const page = query(Todo, sortBy((todo) => todo.title), skip(({ from }: { from: number }) => from), take(50))
 * @see docs/api/LiveQuery.md#skip
 */
export function skip<T, A extends readonly unknown[] = []>(count: Limit<A>): Operator<T, T, A, T[]> {
  return cut('skip', count, 1)
}

/**
 * The first record, or `undefined`.
 *
 * @example
 * const next = query(Todo, where((todo) => !todo.done), sortBy((todo) => todo.title), first())
 * @see docs/api/LiveQuery.md#first
 */
export function first<T>(): Operator<
  T,
  NoRecords<'first() returns one record: nothing can follow it'>,
  [],
  T | undefined
> {
  return step('first', false, (parent) => new First(parent, [], 0, 1), { isLast: true, isOfPlaces: true })
}

class First extends Window {
  override read(...of: Parameters<Window['read']>): unknown {
    return (super.read(...of) as unknown[])[0]
  }
}

/** @param at which of a window's ends it moves */
function cut(name: string, count: Limit<any>, at: 0 | 1): Operator<any, any, any, any> {
  const isRun = typeof count === 'function'
  if (!isRun) {
    checkCount(name, count)
  }
  const make: Step['make'] = (parent, args) => {
    const size = isRun ? checkCount(name, count(...args)) : count
    return at === 1 ? new Window(parent, args, size, Infinity) : new Window(parent, args, 0, size)
  }
  return step(name, isRun, make, { isOfPlaces: true })
}

function checkCount(name: string, count: number): number {
  if (!(count >= 0) || (!Number.isInteger(count) && count !== Infinity)) {
    throw fail(
      'query-count',
      `${name} ${count}`,
      DEV && `${name}() needs a number of records, such as 50, but got ${count}.`,
      RangeError,
    )
  }
  return count
}
