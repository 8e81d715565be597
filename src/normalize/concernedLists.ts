import { POSITION } from '../schema/Collection.ts'
import { type ListChange, type ListSchema, STALE } from '../schema/Schema.ts'
import { followsWrites, type ListState } from './ListState.ts'
import type { Edit } from './edits.ts'
import { filterText } from './listIndex.ts'
import { size } from './listItems.ts'
import { namesList, possibleTexts } from './namedChanges.ts'
import type { Slot, Table, Tables } from './tables.ts'

/** Every list that a record may have joined or left, or changed its place in. */
export function eachList(
  tables: Tables,
  table: Table,
  edit: Edit,
  isQuiet: boolean,
  visit: (slot: Slot, list: ListState) => void,
): void {
  const { old, now, isBack, wasStale } = edit
  const named = edit.named?.table === table ? edit.named : undefined
  const each = (slots: Iterable<Slot>): void => {
    for (const slot of slots) {
      const stored = slot.draft?.list ?? slot.list
      const list = stored && withCollection(slot, stored)
      if (list === undefined || isUntouched(tables, edit, slot, list, isQuiet)) {
        continue
      }
      if (followsWrites(list) || namesList(named, table, list)) {
        visit(slot, list)
      }
    }
  }
  each(table.unfiltered)
  for (const [name, values] of table.filtered) {
    const before = old.value(name)
    const after = now.value(name)
    // Of a record that says nothing about it any of these lists may be meant.
    if (
      isBack ||
      wasStale ||
      (named && isAny(named.change, name)) ||
      (old.fields !== undefined && before === undefined) ||
      (now.fields !== undefined && after === undefined)
    ) {
      values.forEach(each)
      continue
    }
    const texts = new Set(
      [before, after, edit.whenSent?.value(name)].filter((value) => value !== undefined).map(filterText),
    )
    ;(named ? possibleTexts(named, name) : []).forEach((text) => texts.add(text))
    for (const text of texts) {
      each(values.get(text) ?? [])
    }
    // An empty list may mean any record (`isVague`).
    for (const [text, slots] of table.provenArgs.has(name) ? [] : values) {
      if (!texts.has(text)) {
        each([...slots].filter(({ draft, value }) => size(draft?.value ?? value ?? []) === 0))
      }
    }
  }
}

/** True where a change that the schema names may concern lists of any value of an argument. */
function isAny({ filter, collection }: ListChange, name: string): boolean {
  return filter !== undefined || collection.ownFilter || collection.nonFilterArgumentKeys(name)
}

/**
 * True where an update cannot change a list: none of its arguments is a field that changed, and its order is known, or it
 * is marked stale already, and so are its results. Most lists end here, so it has to be cheap.
 *
 * @param isQuiet no request is open that a mark would have to outlive
 */
function isUntouched(
  { endpoints }: Tables,
  { old: { fields: old }, now: { fields: now }, wasStale, named }: Edit,
  slot: Slot,
  list: ListState,
  isQuiet: boolean,
): boolean {
  const { keyArgs, name: own, collection, loose } = list
  if (old === undefined || now === undefined || wasStale || named !== undefined || collection?.ownFilter) {
    return false
  }
  // A result whose refetch failed has lost its mark: it is marked again, so that it is fetched again.
  const isMarked =
    isQuiet &&
    slot.meta?.expiresAt === STALE &&
    list.keys.every((key) => (endpoints.slots.get(key)?.meta?.expiresAt ?? STALE) <= STALE)
  if (!isMarked && (own !== undefined || loose !== undefined)) {
    return false
  }
  for (const name in keyArgs) {
    const value: unknown = old[name]
    if (value !== now[name] || (!isMarked && (value === undefined || POSITION.test(name)))) {
      return false
    }
  }
  return true
}

/** The Collection of a restored list is that of its reader. */
function withCollection(slot: Slot, list: ListState): ListState {
  const schema = list.collection ? undefined : (slot.node?.schema as ListSchema | undefined)
  return schema?.createCollectionFilter ? { ...list, collection: schema } : list
}
