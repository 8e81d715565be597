import { isObject, member } from '../base/equal.ts'

/** The value that a name of `counts` stands for: `meta.total` is a member of a member. */
export function countAt(value: unknown, name: string): unknown {
  return name.split('.').reduce(member, value)
}

/** An object with another number in that place. */
export function withCount(value: unknown, name: string, change: (count: unknown) => unknown): unknown {
  return changeAt(value, name.split('.'), change)
}

/** An object with other numbers: those beside a list follow what joins and leaves it. */
export function addCounts(value: unknown, counts: Readonly<Record<string, number>>): unknown {
  const add = (all: unknown, [name, by]: [string, number]): unknown =>
    withCount(all, name, (count) => (typeof count === 'number' ? count + by : count))
  return Object.entries(counts).reduce(add, value)
}

function changeAt(
  value: unknown,
  [name = '', ...rest]: readonly string[],
  change: (count: unknown) => unknown,
): unknown {
  const old = member(value, name)
  const next = rest.length > 0 ? changeAt(old, rest, change) : change(old)
  return next === old ? value : { ...(isObject(value) ? value : undefined), [name]: next }
}
