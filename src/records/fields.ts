import { isObject, put, share } from '../base/equal.ts'
import type { Fields } from '../rows/Fields.ts'
import { INVALID } from '../rows/INVALID.ts'
import { isWrite, type Meta } from '../rows/Meta.ts'
import { stampOf, type Stamps } from './Stamps.ts'

/** The fields of a pending operation over the record below it. Those of a write that was sent later, and has its response, stay. */
export function coverFields(
  { value, by, wrote }: { readonly value: unknown; readonly by: Stamps | undefined; readonly wrote: Meta | undefined },
  below: unknown,
  fields: Fields | typeof INVALID,
  sent: number,
): unknown {
  if (below === undefined || below === INVALID || fields === INVALID) {
    return wrote && wrote.sent > sent ? below : fields
  }
  const isLeft = ([name]: [string, unknown]): boolean => {
    const holder = isObject(value) && Object.hasOwn(value, name) ? stampOf(by, name) : undefined
    return !holder || !isWrite(holder) || holder.sent < sent
  }
  return overlay(below as Fields, Object.fromEntries(Object.entries(fields).filter(isLeft)))
}

/** `existing` with the fields of `incoming`; `existing` itself when none of them differs. */
export function overlay(existing: Fields, incoming: Fields): Fields {
  let out: Fields | undefined
  for (const name in incoming) {
    const next = incoming[name]
    const old = existing[name]
    if (next === old && (next !== undefined || Object.hasOwn(existing, name))) {
      continue
    }
    const part = typeof next === 'object' && Object.hasOwn(existing, name) ? share(old, next) : next
    if (Object.is(part, old) && Object.hasOwn(existing, name)) {
      continue
    }
    out ??= { ...existing }
    put(out, name, part)
  }
  return out ?? existing
}
