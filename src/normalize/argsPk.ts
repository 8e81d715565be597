import { isObject } from '../base/equal.ts'
import { type Entity, usablePk } from '../schema/Entity.ts'

/** The primary key that arguments name, if they do. They are no record: `pk` may find less in them than it needs. */
export function argsPk(Class: Pick<typeof Entity, 'pk'>, args: readonly any[]): string | undefined {
  const first: unknown = args[0]
  if (typeof first === 'string' || typeof first === 'number') {
    return usablePk(first)
  }
  if (!isObject(first)) {
    return undefined
  }
  try {
    const pk = usablePk(Class.pk(first, undefined, '', args))
    // A composite of which a part was not given; unless that is what was given.
    return pk?.includes('undefined') && !Object.values(first).includes(pk) ? undefined : pk
  } catch {
    return undefined
  }
}
