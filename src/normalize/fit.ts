import { recall } from '../base/recall.ts'
import { POSITION } from '../schema/Collection.ts'
import type { ListSchema } from '../schema/Schema.ts'
import type { Fitting } from './ListState.ts'
import { filterArgs, filterText } from './listIndex.ts'
import { size } from './listItems.ts'
import type { Table } from './tables.ts'

/** Whether a record belongs to a list. */
export type Fit = typeof OUT | typeof UNSURE | typeof IN
export const OUT = 0
/** The list has an argument of which the record says nothing. */
export const UNSURE = 1
export const IN = 2

/** The known fields of a record, by which lists are judged; parameters of the request stand in for those that it lacks. */
export class KnownFields {
  /** `undefined` for an unknown record, and for a deleted one. */
  readonly fields: any
  readonly params: any
  /** The tests of the app's own filters, each made once for all lists. */
  private readonly tests = new Map<ListSchema, (keyArgs: Record<string, any>) => boolean>()

  constructor(fields: unknown, params?: unknown) {
    this.fields = fields
    this.params = params
  }

  /** The field, or else the parameter. `null` is a value. */
  value(name: string): unknown {
    const own = member(this.fields, name)
    return own === undefined ? member(this.params, name) : own
  }

  passes(collection: ListSchema, keyArgs: Record<string, any>): boolean {
    const { fields, params } = this
    return recall(this.tests, collection, () => collection.createCollectionFilter({ ...params, ...fields }, fields))(
      keyArgs,
    )
  }
}

/**
 * Judges whether a record belongs to a list.
 *
 * @param isNamedList the schema names the Collection of the list
 */
export function fitOf(list: Fitting, known: KnownFields, isNamedList = false): Fit {
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
  for (const name of filterArgs(list)) {
    const value = known.value(name)
    const isEqual = value !== undefined && filterText(value) === filterText(keyArgs[name])
    if (!isEqual && (value === undefined || loose?.includes(name))) {
      fit = UNSURE
    } else if (!isEqual) {
      return OUT
    }
  }
  return fit
}

/** The arguments of a list that the record says nothing about. */
export function unknownArgs(list: Fitting, known: KnownFields): string[] {
  const isUnknown = (name: string): boolean => list.loose?.includes(name) === true || known.value(name) === undefined
  return list.collection?.ownFilter ? [] : filterArgs(list).filter(isUnknown)
}

/** True where an argument, which the app did not account for, says where an item stands. */
export function hasPosition({ keyArgs, collection }: Fitting, except?: RegExp): boolean {
  return (
    !collection?.ownFilter &&
    (collection === undefined || collection.guessesPosition) &&
    Object.keys(keyArgs).some((name) => POSITION.test(name) && !except?.test(name))
  )
}

/** True where the list is cut out of a longer one: when an item leaves, another one may take its place. */
export function hasWindow(list: Fitting): boolean {
  return hasPosition(list, /^(order|sort)/)
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
  items: readonly any[],
  before: readonly string[] = [],
): readonly string[] | undefined {
  const { keyArgs, collection } = list
  if (collection?.ownFilter) {
    return undefined
  }
  let loose: string[] | undefined
  for (const name of filterArgs(list)) {
    const known = items.map((item) => member(item, name)).filter((value) => value !== undefined)
    const isOther = known.some((value) => filterText(value) !== filterText(keyArgs[name]))
    if (isOther || (known.length === 0 && before.includes(name))) {
      ;(loose ??= []).push(name)
    } else if (known.length > 0) {
      provenArgs.add(name)
    }
  }
  return loose
}

/**
 * True for an empty list whose arguments may mean something else than fields of the record: nothing was seen so far of which
 * they were proven to be. Of `?status=all` without items nobody knows that it means any status.
 */
export function isVague({ provenArgs }: Table, list: Fitting, items: unknown, known: KnownFields): boolean {
  const { keyArgs, collection, path } = list
  const mayFit = (name: string): boolean =>
    !provenArgs.has(name) || filterText(known.value(name)) === filterText(keyArgs[name])
  return path !== undefined && !collection?.ownFilter && size(items) === 0 && filterArgs(list).every(mayFit)
}

/** An own member of an object. */
export function member(of: any, name: string): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of as object, name) ? of[name] : undefined
}
