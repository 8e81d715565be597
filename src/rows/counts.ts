import { isObject } from '../base/equal.ts'
import type { Fields } from './Fields.ts'

/** An object with other numbers: those beside a list follow what joins and leaves it. */
export function addCounts(value: unknown, counts: Readonly<Record<string, number>>): unknown {
  if (!isObject(value)) {
    return value
  }
  const next: Fields = { ...value }
  for (const [name, by] of Object.entries(counts)) {
    const number = next[name]
    if (typeof number === 'number') {
      next[name] = number + by
    }
  }
  return next
}
