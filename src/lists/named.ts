// Adders and removers name their lists by the arguments of the request.

import { member } from '../base/equal.ts'
import { mayFilter } from '../schema/argumentKinds.ts'
import type { ListClass } from '../schema/ListClass.ts'
import { keyObject } from './listKey.ts'
import type { ListChange } from '../schema/Schema.ts'
import type { Fields } from '../rows/Fields.ts'
import { filterText } from './arguments.ts'
import type { List } from './List.ts'

/** Whether an adder or a remover names the list with these arguments. */
export type Names = (keyArgs: Readonly<Record<string, any>>) => boolean

/**
 * The lists that an adder or a remover names: by the parameters of the request, else by the fields of the item. The body alone is only a
 * wish: the response decides, and of a pending operation what it shows. A mover names none: it goes by the fields, as any other write does.
 *
 * @param versions the item as it was and is, as far as that is known
 * @param fields what the response says of it
 */
export function listsNamedBy(
  endpoint: object | undefined,
  { kind, collection, filter, args }: ListChange,
  versions: readonly Fields[],
  fields?: unknown,
): Names | undefined {
  if (kind === 'move') {
    return undefined
  }
  const isAdded = kind === 'add'
  const items = isAdded ? versions.slice(-1) : versions
  if (filter || collection.ownFilter) {
    return (filter ?? collection.createCollectionFilter).apply(collection, [...args, ...items.slice(0, 1)] as any[])
  }
  const hasBody = isAdded && sendsBody(endpoint)
  const params = hasBody ? args.slice(0, -1) : args.slice(0, 2)
  const body: unknown = hasBody ? args.at(-1) : undefined
  const valuesOf = (all: readonly unknown[], name: string): unknown[] =>
    all.map((one): unknown => member(one, name)).filter((value) => value !== undefined)
  const isEqual = (name: string, wanted: unknown): boolean => {
    const named = valuesOf(params, name)
    const isWish = named.length === 0 || valuesOf([body], name).length > 0
    const told = isAdded ? valuesOf([fields, body, ...items], name).slice(0, 1) : valuesOf(items, name)
    return [...named, ...(isWish ? told : [])].some((value) => filterText(value) === filterText(wanted))
  }
  return (keyArgs) =>
    Object.keys(keyArgs).every((name) => !mayFilter(collection.argumentKind(name)) || isEqual(name, keyArgs[name]))
}

/** False where all arguments are parameters: of `controller.set`, and of an endpoint without a body. */
function sendsBody(endpoint: object | undefined): boolean {
  return endpoint !== undefined && !('body' in endpoint && endpoint.body === undefined)
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
  const { argsKey } = (collection as ListClass).options
  try {
    return !argsKey || Object.keys(keyObject(argsKey(...args))).every((name) => Object.hasOwn(keyArgs, name))
  } catch {
    // It was written for the arguments of the list, not for those of a remover.
    return true
  }
}
