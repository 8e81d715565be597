import { define } from './define.ts'
import { DEV } from './env.ts'
import { recall } from './recall.ts'

/** An object of any kind, but not a function. */
export function isObject(value: unknown): value is { [name: string]: any } {
  return typeof value === 'object' && value !== null
}

/** An own member of an object. */
export function member(of: unknown, name: string): unknown {
  return isObject(of) && Object.hasOwn(of, name) ? of[name] : undefined
}

/** An array, or an object made by a literal: what JSON can hold and what the store may copy, compare and freeze. */
export function isPlain(value: unknown): value is Record<string, unknown> | unknown[] {
  if (!isObject(value)) {
    return false
  }
  if (Array.isArray(value)) {
    return true
  }
  const proto: unknown = Object.getPrototypeOf(value)
  return proto === Object.prototype || proto === null
}

/** Deeper than this, values count as different: comparing recurses, and a stack has an end. */
const DEEPEST = 500
/** A graph in which parts refer to each other has no end; past this many comparisons the rest counts as different. */
const MOST = 200_000
let left = 0

/**
 * Gives `next`, with every part that equals the same part of `old` replaced by the old reference;
 * `old` itself when nothing differs. Neither is changed.
 */
export function share(old: unknown, next: unknown, depth = 0): unknown {
  if (Object.is(old, next)) {
    return old
  }
  if (typeof old !== 'object' || typeof next !== 'object' || depth > DEEPEST || !isPlain(old) || !isPlain(next)) {
    return next
  }
  if (depth === 0) {
    left = MOST
  }
  if (--left < 0) {
    return next
  }
  if (Array.isArray(next)) {
    return Array.isArray(old) ? shareArray(old, next, depth) : next
  }
  return Array.isArray(old) ? next : shareObject(old, next, depth)
}

function shareArray(old: unknown[], next: unknown[], depth: number): unknown[] {
  const out = next.map((part, place) => share(old[place], part, depth + 1))
  return out.length === old.length && out.every((part, place) => Object.is(part, old[place])) ? old : out
}

function shareObject(
  old: Record<string, unknown>,
  next: Record<string, unknown>,
  depth: number,
): Record<string, unknown> {
  const names = Object.keys(next)
  const out = {}
  let isSame = names.length === Object.keys(old).length
  for (const name of names) {
    const had = Object.hasOwn(old, name)
    const part = had ? share(old[name], next[name], depth + 1) : next[name]
    isSame &&= had && Object.is(part, old[name])
    put(out, name, part)
  }
  return isSame ? old : out
}

/** Sets an own member. A plain assignment to `__proto__` would replace the prototype instead. */
export function put(target: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    define(target, name, value)
  } else {
    ;(target as Record<string, unknown>)[name] = value
  }
}

/** Copies plain containers at any depth, so that what the caller does to its own objects later is not seen here. */
export function copyPlain(value: unknown): unknown {
  if (Array.isArray(value) && !value.some(isObject)) {
    return [...value]
  }
  const copies = new Map<any, object>()
  const copy = (part: unknown): unknown =>
    isPlain(part) ? recall(copies, part, () => (Array.isArray(part) ? [] : {})) : part
  const root = copy(value)
  // The walk meets what is added on its way: no recursion, however deep the value.
  for (const [from, to] of copies) {
    for (const name of Object.keys(from as object)) {
      put(to, name, copy(from[name]))
    }
  }
  return root
}

/** Freezes plain containers at any depth, at most 10,000 of them: a guard for development, not a promise. */
export function freezePlain(value: unknown): void {
  // Metro drops no unused export, so a function that only development calls is empty in production.
  if (DEV) {
    const queue: unknown[] = [value]
    for (let left = 10_000; queue.length > 0 && left > 0; left--) {
      const part = queue.pop()
      if (isPlain(part) && !Object.isFrozen(part)) {
        Object.freeze(part)
        for (const inner of Object.values(part)) {
          if (typeof inner === 'object') {
            queue.push(inner)
          }
        }
      }
    }
  }
}

/** Copies the containers in the members of an object. */
export function copyFields(fields: Record<string, unknown>): void {
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (isObject(value)) {
      put(fields, name, copyPlain(value))
    }
  }
}

/** The old value, where it has the same members. */
export function asBefore(old: unknown, value: unknown): unknown {
  return isPlain(old) && isPlain(value) && hasSame(old, value) ? old : value
}

function hasSame(old: object, value: object): boolean {
  if (Array.isArray(old) && Array.isArray(value)) {
    let i = old.length === value.length ? 0 : -1
    while (i >= 0 && i < old.length && Object.is(old[i], value[i])) {
      i++
    }
    return i === old.length
  }
  const isMixed = Array.isArray(old) || Array.isArray(value)
  return !isMixed && hasSame(Object.entries(old).flat(), Object.entries(value).flat())
}
