import { copyPlain, isObject, put, share } from '../base/equal.ts'
import { stableKey } from '../base/stableKey.ts'
import type { Entity } from '../schema/Entity.ts'
import { type Choice, isUnion, listChoice } from '../schema/polymorphic.ts'
import { isEntity } from '../schema/Schema.ts'
import type { Drafts } from './drafts.ts'
import { originOf, rawValues } from './origin.ts'
import { type ClassInfo, type Slot, top } from './tables.ts'

type Fields = Record<string, unknown>

/** What a converter made counts as what it was made from. */
export function raw(value: unknown): unknown {
  return isConverted(value) ? rawValues.get(value) : value
}

function isConverted(value: unknown): value is object {
  return typeof value === 'object' && value !== null && rawValues.has(value)
}

/** Takes out the fields that are still those which were read to make the record. */
export function dropSame(processed: Fields, was: object | undefined): void {
  for (const name in was) {
    if (
      Object.hasOwn(processed, name) &&
      Object.hasOwn(was, name) &&
      Object.is(processed[name], (was as Fields)[name])
    ) {
      Reflect.deleteProperty(processed, name)
    }
  }
}

/**
 * A record that was read and spread has fields that only we can have made. One that merely has every field may as well be
 * a whole record from elsewhere, all of which counts as written. The defaults of what was not loaded are taken out of
 * both: an empty list among them would empty the list it stands for.
 */
export function handedBack(
  { below }: Drafts,
  { Entity: Class, whole }: ClassInfo,
  slot: Slot,
  processed: Fields,
): 'spread' | 'whole' | undefined {
  const stored = below(slot).value
  if (typeof stored !== 'object' || stored === null) {
    return undefined
  }
  const has = (name: string): boolean => Object.hasOwn(processed, name)
  const { schema } = Class
  const defaults = Class.defaults as Fields
  const handedOut = (name: string): boolean => originOf(processed[name]) !== undefined || isConverted(processed[name])
  const isWhole = Object.keys(stored).every(has) && Object.keys(defaults).every(has)
  const isOurs = Object.keys(schema).some(handedOut)
  if (!isWhole && !isOurs) {
    return undefined
  }
  for (const name of Object.keys(defaults)) {
    if (
      !Object.hasOwn(stored, name) &&
      (!whole || Object.hasOwn(schema, name)) &&
      isDefault(defaults[name], processed[name])
    ) {
      Reflect.deleteProperty(processed, name)
    }
  }
  return isOurs ? 'spread' : 'whole'
}

/** What the app gave is copied. Of a record it read and spread, only what differs counts as written; what is merely shown in another way than it is stored stays as it is. */
export function ownFields(
  drafts: Drafts,
  { Entity: Class }: ClassInfo,
  slot: Slot,
  processed: Fields,
  back: 'spread' | 'whole' | undefined,
): void {
  const stored = drafts.below(slot).value as Fields
  for (const name of Object.keys(processed)) {
    const given = processed[name]
    const value = isObject(given) ? copyPlain(given) : given
    put(processed, name, value)
    if (!back || !Object.hasOwn(stored, name)) {
      continue
    }
    const old = stored[name]
    if (!Object.is(share(old, value), old) && !isShownAs(drafts, Class, name, old, value)) {
      continue
    }
    if (back === 'spread') {
      Reflect.deleteProperty(processed, name)
    } else {
      put(processed, name, old)
    }
  }
}

/** Reading converts, shows the default of a record that is not there, and leaves such records out of lists. */
function isShownAs(drafts: Drafts, Class: typeof Entity, name: string, stored: any, given: unknown): boolean {
  const member: unknown = Class.schema[name]
  const isThere = (of: Choice, item: unknown): boolean => {
    const slot = drafts.itemSlot(of, item)
    return slot === undefined ? item !== undefined : typeof top(slot).value === 'object'
  }
  if (isEntity(member) || isUnion(member)) {
    return (
      !isThere(isUnion(member) ? member : { schema: member, attribute: undefined }, stored) &&
      isDefault((Class.defaults as Fields)[name], given)
    )
  }
  if (typeof member === 'function') {
    return converts(member as never, stored, given)
  }
  const of = Array.isArray(member) ? listChoice(member) : (member as { choice?: Choice } | undefined)?.choice
  if (of === undefined || typeof stored !== 'object' || stored === null) {
    return false
  }
  const shown = Object.entries(stored as object).filter(([, item]) => item === null || isThere(of, item))
  const list: unknown = Array.isArray(stored) ? shown.map(([, item]) => item as unknown) : Object.fromEntries(shown)
  return Object.is(share(list, given), list)
}

/** Each instance makes its own defaults, so they are compared by what they show. */
function isDefault(value: any, given: any): boolean {
  return (
    share(value, given) === value ||
    (typeof value?.toJSON === 'function' &&
      value.constructor === given?.constructor &&
      stableKey(value) === stableKey(given))
  )
}

/** True for a value that a function, called with the stored one, has made: numbers and texts bear no mark. */
function converts(member: (raw: unknown) => unknown, stored: unknown, value: unknown): boolean {
  try {
    return typeof value !== 'object' && Object.is(member(stored), value)
  } catch {
    return false
  }
}
