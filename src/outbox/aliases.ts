import { isPlain } from '../base/equal.ts'
import { isStandIn } from '../base/standIn.ts'

/** The ids that the server has given, by the temporary ones. */
export type Aliases = ReadonlyMap<string, string>

/** The temporary ids in a value, as whole strings or numbers, at any depth. */
export function standInsIn(value: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value === 'string' || typeof value === 'number') {
    if (isStandIn(String(value))) {
      found.add(String(value))
    }
  } else if (isPlain(value)) {
    Object.values(value).forEach((part) => standInsIn(part, found))
  }
  return found
}

/** The same value with real ids instead of temporary ones; the same object where there are none. */
export function withRealIds<T>(value: T, aliases: Aliases): T {
  return replace(value, aliases) as T
}

function replace(value: unknown, aliases: Aliases): unknown {
  if (typeof value === 'string' || typeof value === 'number') {
    const real = aliases.get(String(value))
    return real === undefined ? value : typeof value === 'number' ? Number(real) : real
  }
  if (Array.isArray(value)) {
    const next = value.map((part) => replace(part, aliases))
    return next.some((part, i) => part !== value[i]) ? next : value
  }
  if (isPlain(value)) {
    let isOther = false
    const next = Object.entries(value).map(([name, part]) => {
      const real = replace(part, aliases)
      isOther ||= real !== part
      return [name, real] as const
    })
    return isOther ? Object.fromEntries(next) : value
  }
  return value
}
