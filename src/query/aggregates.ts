import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { checkKey, compareKeys, isMissing, type Key } from './compareKeys.ts'
import { type Shows, Groups } from './Groups.ts'
import type { Step } from './Stage.ts'
import { type Run, usesArgs } from './functions.ts'
import { step } from './step.ts'
import { type Total, Totals } from './Totals.ts'
import type { Group, Operator, TotalOperator } from './types.ts'

/**
 * Groups records by a key. Totals after it make an object of each group; without them a group has its records.
 *
 * @example
 * const load = query(Todo, groupBy((todo) => todo.done), { todos: count() })
 * @see docs/api/LiveQuery.md#groupby
 */
export function groupBy<T, K extends Key, A extends readonly unknown[] = []>(
  key: (record: T, ...args: A) => K,
): Operator<T, Group<K, T>, A, Group<K, T>[]> {
  return grouping('groupBy', key as Run, 'records')
}

/**
 * The different values that a function returns, in order.
 *
 * @example
 * const titles = query(Todo, distinct((todo) => todo.title))
 * @see docs/api/LiveQuery.md#distinct
 */
export function distinct<T, K extends Key, A extends readonly unknown[] = []>(
  key: (record: T, ...args: A) => K,
): Operator<T, K, A, K[]> {
  return grouping('distinct', key as Run, 'key')
}

/**
 * How many records there are, or how many pass a condition.
 *
 * @example
 * const open = query(Todo, count((todo) => !todo.done))
 * @see docs/api/LiveQuery.md#count
 */
export function count<T, A extends readonly unknown[] = []>(
  passes?: (record: T, ...args: A) => unknown,
): TotalOperator<T, A, number> {
  return total('count', passes as Run | undefined, (value) => (value ? 1 : 0), add)
}

/**
 * The sum of a number of each record. Missing numbers count as 0.
 *
 * @example
 * const length = query(Todo, sum((todo) => todo.title.length))
 * @see docs/api/LiveQuery.md#sum
 */
export function sum<T, A extends readonly unknown[] = []>(
  number: (record: T, ...args: A) => number | null | undefined,
): TotalOperator<T, A, number> {
  return total('sum', number as Run, (value) => numberOf('sum', value) ?? 0, add)
}

/**
 * The average of a number of each record that has one; `undefined` if none has.
 *
 * @example
 * const length = query(Todo, average((todo) => todo.title.length))
 * @see docs/api/LiveQuery.md#average
 */
export function average<T, A extends readonly unknown[] = []>(
  number: (record: T, ...args: A) => number | null | undefined,
): TotalOperator<T, A, number | undefined> {
  const partOf = (value: unknown): readonly [number, number] => {
    const found = numberOf('average', value)
    return found === undefined ? [0, 0] : [found, 1]
  }
  return total(
    'average',
    number as Run,
    partOf,
    (parts, from, to) => {
      let sum = 0
      let size = 0
      for (let i = from; i < to; i++) {
        sum += parts[i][0]
        size += parts[i][1]
      }
      return [sum, size]
    },
    ([all, size]) => (size > 0 ? all / size : undefined),
  )
}

/**
 * The smallest value, in the order of sort keys. Missing values are left out; `undefined` if there is no other.
 *
 * @example
 * const title = query(Todo, min((todo) => todo.title))
 * @see docs/api/LiveQuery.md#min
 */
export function min<T, K extends Key, A extends readonly unknown[] = []>(
  value: (record: T, ...args: A) => K,
): TotalOperator<T, A, NonNullable<K> | undefined> {
  return total('min', value as Run, checkKey, extreme(1))
}

/**
 * The largest value, in the order of sort keys. Missing values are left out; `undefined` if there is no other.
 *
 * @example
 * const title = query(Todo, max((todo) => todo.title))
 * @see docs/api/LiveQuery.md#max
 */
export function max<T, K extends Key, A extends readonly unknown[] = []>(
  value: (record: T, ...args: A) => K,
): TotalOperator<T, A, NonNullable<K> | undefined> {
  return total('max', value as Run, checkKey, extreme(-1))
}

function grouping(name: string, key: Run, shows: Shows): any {
  return {
    ...step(name, usesArgs(key, name), (parent, args) => new Groups(parent, args, key, shows)),
    withTotals: (totals: Readonly<Record<string, Total>>) => {
      const sees = usesArgs(key, name) || Object.values(totals).some((one) => one.usesArgs)
      return step(name, sees, (parent, args) => new Groups(parent, args, key, totals))
    },
  }
}

function total(
  name: string,
  run: Run | undefined,
  partOf: (value: unknown) => unknown,
  fold: Total['fold'],
  end: Total['end'] = (part) => part as unknown,
): any {
  const sees = name === 'count' && run === undefined ? false : usesArgs(run!, name)
  const of: Total = {
    name,
    usesArgs: sees,
    run,
    partOf: (value, args) => partOf(run ? run(value, ...args) : true),
    fold,
    end,
  }
  const alone: Step = step(name, sees, (parent, args) => new Totals(parent, args, [of]), { isLast: true })
  return { ...of, ...alone, beside }
}

/** Several totals as one step. */
function beside(totals: Readonly<Record<string, Total>>): Step {
  const all = Object.values(totals)
  const names = Object.keys(totals)
  const sees = all.some((one) => one.usesArgs)
  return step(names.join(), sees, (parent, args) => new Totals(parent, args, all, names), { isLast: true })
}

function add(parts: readonly number[], from: number, to: number): number {
  let all = 0
  for (let i = from; i < to; i++) {
    all += parts[i]!
  }
  return all
}

function numberOf(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null || typeof value === 'number') {
    return value ?? undefined
  }
  throw fail(
    'query-number',
    name,
    DEV && `${name}() adds numbers, but its function returned a value of the type "${typeof value}".`,
    TypeError,
  )
}

/** @param sign 1 for the smallest value, -1 for the largest */
function extreme(sign: 1 | -1): Total['fold'] {
  return (parts, from, to) => {
    let found: unknown
    for (let i = from; i < to; i++) {
      const part: unknown = parts[i]
      if (!isMissing(part) && (found === undefined || compareKeys(part, found) * sign < 0)) {
        found = part
      }
    }
    return found
  }
}
