import type { Choice } from '../schema/polymorphic.ts'
import { INVALID, isEntity } from '../schema/Schema.ts'
import { DIRTY, type Node } from './memo.ts'

/** Past this many changes one look at all items is cheaper than finding each. */
const FEW = 4

/** A list that can be made from what it was before. */
export interface Old {
  readonly items: readonly unknown[]
  /** How many dependencies stand before those that are its items, in order. */
  readonly skip: number
  /** How many items at its start and at its end are those of the new list. */
  readonly start: number
  readonly end: number
}

/** The start and end that two lists have in common, if the old one showed each item of `before`. */
export function findOld(node: Node, items: unknown, before: unknown, now: unknown, skip = 0): Old | undefined {
  const size = node.deps.length - skip
  if (!Array.isArray(items) || items.length !== size) {
    return undefined
  }
  if (!Array.isArray(before) || !Array.isArray(now) || before.length !== size) {
    return undefined
  }
  if (before === now) {
    return { items, skip, start: size, end: 0 }
  }
  const least = Math.min(size, now.length)
  let start = 0
  while (start < least && before[start] === now[start]) {
    start++
  }
  let end = 0
  while (end < least - start && before[size - 1 - end] === now[now.length - 1 - end]) {
    end++
  }
  return { items, skip, start, end }
}

/**
 * Takes over what stands at the start and at the end of an old list, with `fresh` between; items that have changed
 * since are looked up. `undefined` when one of them is not shown any more.
 *
 * `deps[skip + i]` is the node of item `i` of the old list: the list showed one item for each dependency after the first `skip`
 * (`findOld` makes sure of it). In the new list an item at its end stands `shift` places further.
 */
export function takeOver(
  { deps, builtAt, touched }: Node,
  { items, skip, start, end }: Old,
  fresh: readonly unknown[] | undefined,
  viewOf: (dep: Node) => unknown,
): readonly unknown[] | undefined {
  const size = items.length
  let out = fresh === undefined ? (items as unknown[]) : items.slice(0, start).concat(fresh, items.slice(size - end))
  const shift = out.length - size
  const put = (dep: Node, i: number): boolean => {
    if (i >= start && i < size - end) {
      return true
    }
    if ((dep.flags & DIRTY) === 0 && dep.changedAt <= builtAt) {
      return true
    }
    const value = viewOf(dep)
    if (value === undefined || value === INVALID) {
      return false
    }
    const at = i < start ? i : i + shift
    if (out[at] === value) {
      return true
    }
    if (out === items) {
      out = items.slice()
    }
    out[at] = value
    return true
  }
  if (touched === undefined || touched.length > FEW) {
    for (let i = skip; i < deps.length; i++) {
      if (!put(deps[i]!, i - skip)) {
        return undefined
      }
    }
  } else {
    for (const dep of touched) {
      for (let i = deps.indexOf(dep, skip); i >= 0; i = deps.indexOf(dep, i + 1)) {
        if (!put(dep, i - skip)) {
          return undefined
        }
      }
    }
  }
  return out
}

/** True where each item is one record, or nothing. */
export function holdsRecords({ schema, attribute }: Choice): boolean {
  return attribute === undefined ? isEntity(schema) : Object.values(schema as object).every(isEntity)
}

/** True for lists of the very same items. */
export function hasSameItems(a: unknown, b: unknown): boolean {
  return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => Object.is(item, b[i]))
}
