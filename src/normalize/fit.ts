import { POSITION } from '../schema/Collection.ts'
import type { Fitting } from './ListState.ts'
import { filterText, isNonFilter } from './listIndex.ts'
import { size } from './listItems.ts'
import type { Table } from './tables.ts'

/** Whether a record belongs to a list. */
export type Fit = typeof OUT | typeof UNSURE | typeof IN
export const OUT = 0
/** The list has an argument of which the record says nothing. */
export const UNSURE = 1
export const IN = 2

/** Judges by the fields of a record whether it belongs to a list; parameters of the request stand in for missing fields. */
export function fitOf({ keyArgs, name: own, collection, loose }: Fitting, fields: any, params: any): Fit {
  if (collection?.ownFilter) {
    // It was written for the arguments of an adder; a write of any other kind must not fail because of it.
    try {
      return collection.createCollectionFilter(fields, fields)(keyArgs) ? IN : OUT
    } catch {
      return UNSURE
    }
  }
  // A name stands for what no argument says.
  let fit: Fit = own === undefined ? IN : UNSURE
  for (const name of Object.keys(keyArgs)) {
    if (isNonFilter(collection, name)) {
      continue
    }
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

/** True where the list has an argument that the record says nothing about. */
export function hasUnknownArgument({ keyArgs, collection, loose }: Fitting, fields: unknown, params: unknown): boolean {
  return (
    !collection?.ownFilter &&
    Object.keys(keyArgs).some(
      (name) =>
        !isNonFilter(collection, name) && (loose?.includes(name) || valueOf(fields, params, name) === undefined),
    )
  )
}

/** True where an argument, which the app did not account for, says where an item stands. */
export function hasPosition(list: Fitting, names: RegExp = POSITION): boolean {
  const { keyArgs, collection } = list
  return (
    !collection?.ownFilter &&
    (collection === undefined || collection.nonFilterArgumentKeys === POSITION) &&
    Object.keys(keyArgs).some((name) => names.test(name))
  )
}

/** True where the list is cut out of a longer one: when an item leaves, another one may take its place. */
export function hasWindow(list: Fitting): boolean {
  return hasPosition(list, /^(page|limit|cursor)/)
}

/**
 * Arguments of a list that are fields of some of its items, with another value. Those with the same value are noted
 * with its table.
 */
export function compareArgs(
  { provenArgs }: Table,
  { keyArgs, collection }: Fitting,
  items: readonly any[],
): readonly string[] | undefined {
  if (collection?.ownFilter) {
    return undefined
  }
  let loose: string[] | undefined
  for (const name of Object.keys(keyArgs)) {
    const values = isNonFilter(collection, name) ? [] : items.map((item) => member(item, name))
    const known = values.filter((value) => value !== undefined)
    if (known.some((value) => filterText(value) !== filterText(keyArgs[name]))) {
      ;(loose ??= []).push(name)
    } else if (known.length > 0) {
      provenArgs.add(name)
    }
  }
  return loose
}

/** True where the arguments that tell an empty list from a record may mean something else than the field. */
export function isVague(
  { provenArgs }: Table,
  list: Fitting,
  items: unknown,
  fields: unknown,
  params: unknown,
): boolean {
  const { keyArgs, collection, path } = list
  return (
    path !== undefined &&
    !collection?.ownFilter &&
    size(items) === 0 &&
    Object.keys(keyArgs).every(
      (name) =>
        isNonFilter(collection, name) ||
        !provenArgs.has(name) ||
        filterText(valueOf(fields, params, name)) === filterText(keyArgs[name]),
    )
  )
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
