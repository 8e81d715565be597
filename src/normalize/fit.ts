// Whether a record belongs to a list, told by the arguments of the list. An argument is taken for a field of the record; the items of a
// list tell which arguments are not (`learnArgs`).

import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import { POSITION } from '../schema/Collection.ts'
import type { ListSchema } from '../schema/Schema.ts'
import { size } from './listItems.ts'
import type { Table } from './tables.ts'

export type Fit = typeof OUT | typeof UNSURE | typeof IN
export const OUT = 0
/** The list has an argument of which the record says nothing. */
export const UNSURE = 1
export const IN = 2

/** The facts that decide whether a record belongs to a list. */
export interface Fitting {
  /** The arguments that tell it from other lists. */
  readonly keyArgs: Readonly<Record<string, any>>
  readonly name: string | undefined
  /** The Collection that its last response came with; not known of a restored list. */
  readonly collection?: ListSchema | undefined
  /** Arguments that do not simply filter by a field: some items have that field with another value. */
  readonly loose?: readonly string[] | undefined
  /** The path of the endpoint whose response it is; not of a nested list, nor where the app makes the key itself. */
  readonly path: string | undefined
  /** The result of `filtersOf`. */
  filters?: readonly (readonly [name: string, text: string])[] | undefined
}

/** The known fields of a record; parameters of the request stand in for those that it lacks. */
export class KnownFields {
  readonly fields: object
  readonly params: unknown
  /** The tests of the app's own filters, and the values as text, each made once for all lists. */
  private readonly tests = new Map<ListSchema, (keyArgs: Record<string, any>) => boolean>()
  private readonly texts = new Map<string, string>()

  constructor(fields: object, params?: unknown) {
    this.fields = fields
    this.params = params
  }

  /** The field, or else the parameter. `null` is a value. */
  value(name: string): unknown {
    const own = member(this.fields, name)
    return own === undefined ? member(this.params, name) : own
  }

  text(name: string): string {
    return recall(this.texts, name, () => filterText(this.value(name)))
  }

  passes(collection: ListSchema, keyArgs: Record<string, any>): boolean {
    const { fields, params } = this
    const test = (): ((keyArgs: Record<string, any>) => boolean) =>
      collection.createCollectionFilter({ ...(params as object), ...fields }, fields)
    return recall(this.tests, collection, test)(keyArgs)
  }
}

/**
 * Judges whether a record belongs to a list.
 *
 * @param isNamedList the schema names the Collection of the list
 */
export function fitOf(list: Fitting, known: KnownFields, isNamedList: boolean): Fit {
  const { keyArgs, name: own, collection, loose } = list
  if (collection?.ownFilter) {
    // It was written for the arguments of an adder; a write of any other kind must not fail because of it.
    try {
      return known.passes(collection, keyArgs) ? IN : OUT
    } catch {
      return UNSURE
    }
  }
  // A name stands for what no argument says.
  let fit: Fit = own === undefined || isNamedList ? IN : UNSURE
  for (const [name, text] of filtersOf(list)) {
    if (known.text(name) === text) {
      continue
    }
    if (known.value(name) !== undefined && !loose?.includes(name)) {
      return OUT
    }
    fit = UNSURE
  }
  return fit
}

/**
 * True for an empty list whose arguments may mean something else than fields of the record: nothing was seen so far of which
 * they were proven to be. Of `?status=all` without items nobody knows that it means any status.
 */
export function isVague(
  { provenArgs }: Table,
  list: Fitting,
  items: unknown,
  before: KnownFields | symbol | undefined,
  known: KnownFields,
): boolean {
  if (list.path === undefined || list.collection?.ownFilter || size(items ?? []) > 0) {
    return false
  }
  const isChanged = (name: string): boolean =>
    !(before instanceof KnownFields) || before.value(name) !== known.value(name)
  const mayFit = (name: string): boolean =>
    !provenArgs.has(name) || filterText(known.value(name)) === filterText(list.keyArgs[name])
  return filterArgs(list).every(mayFit) && filterArgs(list).some(isChanged)
}

const ORDER = /^(order|sort)/

/** The arguments that say where an item stands, by their names. The app may declare all arguments that do not filter. */
function positions({ keyArgs, collection }: Fitting, isOrder: boolean): string[] {
  return collection?.guessesPosition === false
    ? []
    : Object.keys(keyArgs).filter((name) => POSITION.test(name) && ORDER.test(name) === isOrder)
}

/** True where the app tells the order of the list. */
function isOrdered({ keyArgs, collection }: Fitting): boolean {
  return collection?.orderOf?.(keyArgs) !== undefined
}

/** True where an argument sorts the list or cuts a part out of it. */
export function hasPosition(list: Fitting): boolean {
  return isSorted(list) || positions(list, false).length > 0
}

/** True where the server sorts the list by an argument, and nobody told the order. */
function isSorted(list: Fitting): boolean {
  return !isOrdered(list) && positions(list, true).length > 0
}

/**
 * True where a record may stand elsewhere in a list than before. The list is sorted, and the record differs in a field that the argument
 * names, as `sort=-created_at` names `createdAt`, or the argument names none; or it is a part of a list whose order nobody knows.
 */
export function mayMove(list: Fitting, before: KnownFields | undefined, now: KnownFields): boolean {
  if (!isSorted(list)) {
    // The order of a part is that of the server.
    return !isOrdered(list) && positions(list, false).length > 0
  }
  const words = positions(list, true).flatMap((name) => String(list.keyArgs[name]).split(/[^\w-]+|\b(?:a|de)sc\b/i))
  const named = new Set(words.map(plain).filter((word) => word !== ''))
  const fields = Object.keys(now.fields).filter((name) => named.has(plain(name)))
  return !before || fields.length === 0 || fields.some((name) => before.value(name) !== now.value(name))
}

/** A name without case, `-` and `_`. */
function plain(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase()
}

/**
 * True where the list may be cut out of a longer one, by an argument that the record says nothing about: when an item leaves, another
 * one may take its place.
 */
export function isCut(list: Fitting, known: KnownFields | undefined): boolean {
  const isUnknown = (name: string): boolean => list.loose?.includes(name) === true || known?.value(name) === undefined
  return positions(list, false).length > 0 || (!list.collection?.ownFilter && filterArgs(list).some(isUnknown))
}

/** The arguments of a list that filter by a field, and their values as text. */
export function filtersOf(list: Fitting): NonNullable<Fitting['filters']> {
  const { keyArgs } = list
  return (list.filters ??= filterArgs(list).map((name) => [name, filterText(keyArgs[name])]))
}

/** The arguments of a list that filter by a field. */
export function filterArgs({ keyArgs, collection }: Fitting): string[] {
  return Object.keys(keyArgs).filter(
    (name) => !(collection ? collection.nonFilterArgumentKeys(name) : POSITION.test(name)),
  )
}

/** How an argument of a list is compared: as text. */
export function filterText(value: unknown): string {
  // A NUL keeps `null` and objects apart from the text that looks like them.
  return typeof value === 'object' ? `\0${stableKey(value)}` : String(value)
}

/**
 * Learns from the items of a list what its arguments mean. Returns those that are fields of some items with another value, as
 * of `?title=a` where titles only contain it; those with the same value are noted with the table: they filter by the field.
 *
 * @param before those it returned for the response before: an empty response changes nothing
 */
export function learnArgs(
  { provenArgs }: Table,
  list: Fitting,
  items: readonly unknown[],
  before: readonly string[] = [],
): readonly string[] | undefined {
  if (list.collection?.ownFilter) {
    return undefined
  }
  let loose: string[] | undefined
  for (const name of filterArgs(list)) {
    const known = items.map((item) => member(item, name)).filter((value) => value !== undefined)
    const isOther = known.some((value) => filterText(value) !== filterText(list.keyArgs[name]))
    if (isOther || (known.length === 0 && before.includes(name))) {
      ;(loose ??= []).push(name)
    } else if (known.length > 0) {
      provenArgs.add(name)
    }
  }
  return loose
}

/** An own member of an object. */
export function member(of: any, name: string): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of as object, name) ? of[name] : undefined
}
