import { put } from '../base/equal.ts'
import { type Collection, keyObject } from '../schema/Collection.ts'
import { INVALID, isOlder, type ListChange } from '../schema/Schema.ts'
import type { Fitting } from './ListState.ts'
import type { Drafts } from './drafts.ts'
import { member } from './fit.ts'
import { filterText } from './listIndex.ts'
import type { Slot, Table } from './tables.ts'

/** One item of an adder, a remover or a mover: a change of lists that the schema names. */
export interface NamedChange {
  readonly change: ListChange
  readonly table: Table
  /** The item; in a map `[name, item]`. */
  readonly entry: unknown
  /** It decides on every list of its Collection: the filter is the app's own, or the lists follow nothing else. */
  readonly isExact: boolean
  /** Of an adder or a remover: whether it concerns a list. A moved record is judged by its fields. */
  readonly matches?: ((keyArgs: Record<string, any>) => boolean) | undefined
  /** Of a remover: the arguments that name its own list, where the Collection says which (`argsKey`). */
  readonly ownArgs: readonly string[]
  /** The fields of the item. */
  readonly fields: any
}

/** True for a list of the Collection whose change is named. */
export function namesList(named: NamedChange | undefined, table: Table, list: Fitting): named is NamedChange {
  return named?.table === table && named.change.collection.name === list.name
}

/** The change that the schema of a response names for one of its items. */
export function nameChange(drafts: Drafts, change: ListChange, entry: unknown, slot: Slot | undefined): NamedChange {
  const { kind, collection, filter } = change
  const fields: unknown = kind === 'move' ? movedFields(drafts, change, slot) : storedFields(drafts, kind, slot)
  return {
    change,
    table: drafts.intake.tables.table(collection.key),
    entry,
    isExact: filter !== undefined || collection.ownFilter || !collection.autoUpdate,
    matches: kind === 'move' ? undefined : listTest(change, fields),
    ownArgs: kind === 'remove' ? ownArgsOf(change) : [],
    fields,
  }
}

function ownArgsOf({ collection, args }: ListChange): readonly string[] {
  const { argsKey } = (collection as Collection).options
  try {
    return argsKey ? Object.keys(keyObject(argsKey(...args))) : []
  } catch {
    // It was written for the arguments of the list, not for those of a remover.
    return []
  }
}

/** Whether an item belongs to a list, told by the arguments of the list. */
function listTest(change: ListChange, fields: unknown): NamedChange['matches'] {
  const { collection, filter, args } = change
  const known = fields === undefined ? args : [...args, fields]
  if (filter !== undefined) {
    return filter(...known)
  }
  if (collection.ownFilter) {
    return collection.createCollectionFilter(...known)
  }
  return (keyArgs) =>
    Object.keys(keyArgs).every(
      (name) =>
        collection.nonFilterArgumentKeys(name) ||
        possibleTexts({ change, fields }, name).includes(filterText(keyArgs[name])),
    )
}

/** The values by which an item may match an argument of a list: those of the two arguments, else that of its own field. */
export function possibleTexts({ change, fields }: Pick<NamedChange, 'change' | 'fields'>, name: string): string[] {
  const [first, second] = change.args
  const values = [member(first, name), member(second, name)].filter((value) => value !== undefined)
  const own = values.length === 0 ? member(fields, name) : undefined
  return (own === undefined ? values : [own]).map(filterText)
}

/** The fields of a record that is added, or of one that is removed, which may be known only from before. */
function storedFields({ below }: Drafts, kind: ListChange['kind'], slot: Slot | undefined): unknown {
  const row: unknown = slot && below(slot).value
  const old = row === INVALID ? undefined : row
  const value: unknown = slot?.draft?.value
  return kind === 'add' ? (value ?? old) : (old ?? value)
}

/** The fields of a moved record: those of the response, else of the body, else the stored ones, else the parameters. */
function movedFields({ intake, below }: Drafts, change: ListChange, slot: Slot | undefined): object {
  const { args, items } = change
  const row = slot && below(slot)
  const now: any = slot?.draft?.value
  const isSingle = Object.keys(items).length === 1
  const params: object = isSingle && args.length > 1 ? args[0] : {}
  const body: object = isSingle && typeof args.at(-1) === 'object' ? args.at(-1) : {}
  // Where a write sent later has the last word on the record, it has it on its lists too.
  return row?.meta !== undefined && isOlder(intake.meta, row.meta)
    ? given(params, body, now)
    : given(params, row?.value, body, picked(now, slot?.draft?.incoming))
}

/** The members of all objects; later ones win, and undefined counts as not given. */
function given(...of: unknown[]): object {
  const out = {}
  for (const members of of) {
    for (const [name, value] of Object.entries(members ?? {})) {
      if (value !== undefined) {
        put(out, name, value)
      }
    }
  }
  return out
}

/** The fields that came in, as they are after they met the row. */
function picked(value: any, incoming: object | undefined): object {
  const out = {}
  for (const name of Object.keys(incoming ?? {})) {
    put(out, name, value?.[name])
  }
  return out
}
