import { POSITION } from '../schema/Collection.ts'
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

/**
 * Judges by the fields of a record whether it belongs to a list; parameters of the request stand in for missing fields.
 *
 * @param isNamed the schema names the Collection of the list
 */
export function fitOf(list: Fitting, fields: any, params: any, isNamed = false): Fit {
  const { keyArgs, name: own, collection, loose } = list
  if (collection?.ownFilter) {
    // It was written for the arguments of an adder; a write of any other kind must not fail because of it.
    try {
      return collection.createCollectionFilter({ ...params, ...fields }, fields)(keyArgs) ? IN : OUT
    } catch {
      return UNSURE
    }
  }
  // A name stands for what no argument says.
  let fit: Fit = own === undefined || isNamed ? IN : UNSURE
  for (const name of filterArgs(list)) {
    const value = valueOf(fields, params, name)
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
export function unknownArgs(list: Fitting, fields: unknown, params: unknown): string[] {
  const isUnknown = (name: string): boolean =>
    list.loose?.includes(name) === true || valueOf(fields, params, name) === undefined
  return list.collection?.ownFilter ? [] : filterArgs(list).filter(isUnknown)
}

/** True where an argument, which the app did not account for, says where an item stands. */
export function hasPosition({ keyArgs, collection }: Fitting, except?: RegExp): boolean {
  return (
    !collection?.ownFilter &&
    (collection === undefined || collection.nonFilterArgumentKeys === POSITION) &&
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
 */
export function learnArgs({ provenArgs }: Table, list: Fitting, items: readonly any[]): readonly string[] | undefined {
  const { keyArgs, collection } = list
  if (collection?.ownFilter) {
    return undefined
  }
  let loose: string[] | undefined
  for (const name of filterArgs(list)) {
    const known = items.map((item) => member(item, name)).filter((value) => value !== undefined)
    if (known.some((value) => filterText(value) !== filterText(keyArgs[name]))) {
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
export function isVague(
  { provenArgs }: Table,
  list: Fitting,
  items: unknown,
  fields: unknown,
  params: unknown,
): boolean {
  const { keyArgs, collection, path } = list
  const mayFit = (name: string): boolean =>
    !provenArgs.has(name) || filterText(valueOf(fields, params, name)) === filterText(keyArgs[name])
  return path !== undefined && !collection?.ownFilter && size(items) === 0 && filterArgs(list).every(mayFit)
}

/** The field of a record, or else the parameter of the request. */
export function valueOf(fields: unknown, params: unknown, name: string): unknown {
  const own = member(fields, name)
  // `null` is a value.
  return own === undefined ? member(params, name) : own
}

/** An own member of an object. */
export function member(of: any, name: string): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of as object, name) ? of[name] : undefined
}
