// Adders and removers name their lists by the arguments of the request.

import { member } from '../base/equal.ts'
import { type Collection, keyObject } from '../schema/Collection.ts'
import type { ListChange } from '../schema/Schema.ts'
import type { Fields } from '../rows/Fields.ts'
import { filterText } from './arguments.ts'
import type { List } from './List.ts'

/** Whether an adder or a remover names the list with these arguments. */
export type Names = (keyArgs: Readonly<Record<string, any>>) => boolean

/**
 * The lists that an adder or a remover names: by the first two arguments of the request, else by the fields of the item. A mover names
 * none: it goes by the fields, as any other write does.
 *
 * @param versions the item as it was and is, as far as that is known
 */
export function namedBy(
  { kind, collection, filter, args }: ListChange,
  versions: readonly Fields[],
): Names | undefined {
  if (kind === 'move') {
    return undefined
  }
  if (filter || collection.ownFilter) {
    return (filter ?? collection.createCollectionFilter).apply(collection, [...args, ...versions.slice(0, 1)] as any[])
  }
  const valuesOf = (all: readonly unknown[], name: string): unknown[] =>
    all.map((one): unknown => member(one, name)).filter((value) => value !== undefined)
  const isEqual = (name: string, wanted: unknown): boolean => {
    const given = valuesOf(args.slice(0, 2), name)
    const values = given.length > 0 ? given : versions.map((one) => member(one, name))
    return values.some((value) => filterText(value) === filterText(wanted))
  }
  return (keyArgs) =>
    Object.keys(keyArgs).every((name) => collection.nonFilterArgumentKeys(name) || isEqual(name, keyArgs[name]))
}

/** True where the app decides on every list of a Collection. */
export function isDecidedByApp({ collection, filter }: ListChange): boolean {
  return filter !== undefined || collection.ownFilter || !collection.autoUpdate
}

/**
 * False for a list without one of the arguments that name the list of a remover (`argsKey`): a person who leaves the list of one meeting
 * still belongs to the list of all people.
 */
export function hasArgumentsOf({ collection, args }: ListChange, { keyArgs }: List): boolean {
  const { argsKey } = (collection as Collection).options
  try {
    return !argsKey || Object.keys(keyObject(argsKey(...args))).every((name) => Object.hasOwn(keyArgs, name))
  } catch {
    // It was written for the arguments of the list, not for those of a remover.
    return true
  }
}
