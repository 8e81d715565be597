import { isObject } from '../base/equal.ts'
import { argsPk } from '../schema/pk.ts'
import type { Choice } from '../schema/polymorphic.ts'
import { INVALID, type ListChange, STALE } from '../schema/Schema.ts'
import type { Drafts, Intake } from './drafts.ts'
import { KnownFields } from './fit.ts'
import { itemOf } from './listItems.ts'
import { nameChange, type NamedChange } from './namedChanges.ts'
import { overlay } from './records.ts'
import type { Slot, Table, Tables } from './tables.ts'

/** A record before and after a write or a read. */
export interface Edit {
  /** `undefined` for an item of an adder that is no record. */
  readonly slot: Slot | undefined
  readonly old: KnownFields
  readonly now: KnownFields
  readonly isWrite: boolean
  /** It had been deleted: what it was then is not known any more. */
  readonly isBack: boolean
  /** It was marked stale: the server may have another value, so a list that does not agree with this one is refetched. */
  readonly wasStale?: boolean
  /** Of an item of an adder, a remover or a mover. */
  readonly named?: NamedChange | undefined
  /** Of a mover: what the record was when the request was sent, if a response has changed it since. */
  readonly whenSent?: KnownFields | undefined
  /** A write sent later stands in its place, though the server may have executed this one last: it moves nothing. */
  readonly isOverruled?: boolean
}

/** The records that lists have to follow: those of each change that the schema names, then the others. */
export function editsOf(drafts: Drafts): readonly (readonly Edit[])[] {
  const { intake, slots, written, listChanges } = drafts
  // Of several records each speaks for itself.
  const params: unknown = written?.size === 1 ? intake.args[0] : undefined
  const groups: Edit[][] = []
  const named = new Set<Slot | undefined>()
  for (const change of listChanges ?? []) {
    const edits = namedEdits(drafts, change, params)
    edits.forEach(({ slot }) => named.add(slot))
    groups.push(edits)
  }
  let others: Edit[] | undefined
  for (const slot of slots) {
    const isWrite = written?.has(slot) === true
    const overruled = isWrite ? overruledEdit(slot) : undefined
    const edit = named.has(slot) ? undefined : editOf(drafts, slot, isWrite, params)
    if (overruled) {
      ;(others ??= []).push(overruled)
    }
    if (edit) {
      ;(others ??= []).push(edit)
    }
  }
  return others ? [...groups, others] : groups
}

/** The items of an adder, a remover or a mover. */
function namedEdits(drafts: Drafts, change: ListChange, params: unknown): Edit[] {
  const entries = Object.entries(change.items).filter(([, item]) => item !== null && item !== undefined)
  return entries.map(([label, item]): Edit => {
    const entry: unknown = Array.isArray(change.items) ? item : [label, item]
    const slot = drafts.itemSlot(change.item as Choice, itemOf(entry))
    const named = nameChange(drafts, change, entry, slot)
    if (!slot) {
      const [old, now] = [new KnownFields(undefined), new KnownFields(named.fields, params)]
      return { slot, old, now, isWrite: true, isBack: false, named }
    }
    drafts.intake.dependsOn?.add(slot)
    // A single argument of a mover is the body.
    return compare(drafts, slot, true, change.kind === 'move' && change.args.length < 2 ? undefined : params, named)!
  })
}

/** A write, or a delete, that crossed a write sent later, which stays: the server has one or the other. */
function overruledEdit(slot: Slot): Edit | undefined {
  const { value, stale, incoming } = slot.draft!
  if (!stale || value === INVALID) {
    return undefined
  }
  const now = incoming && overlay(value as Record<string, unknown>, incoming)
  return now === value
    ? undefined
    : { slot, old: new KnownFields(value), now: new KnownFields(now), isWrite: true, isBack: false, isOverruled: true }
}

/** The record of a slot before and after; `undefined` where no list can be concerned. */
function editOf(drafts: Drafts, slot: Slot, isWrite: boolean, params: unknown): Edit | undefined {
  const edit = compare(drafts, slot, isWrite, isWrite ? params : undefined)
  if (!edit) {
    return undefined
  }
  // Lists that come later are judged by it, too.
  const isKept = isWrite && (drafts.mayBeMissed || drafts.isPending)
  const lists = drafts.intake.tables.holders.get(slot.key) ?? []
  return isKept || edit.wasStale || lists.some((table) => mayConcern(edit, table)) ? edit : undefined
}

/** The same; `undefined` only where nothing differs. */
function compare(drafts: Drafts, slot: Slot, isWrite: boolean, params: unknown, named?: NamedChange): Edit | undefined {
  const { intake, isPending } = drafts
  const row = drafts.below(slot)
  const { value } = slot.draft ?? row
  const wasStale = !isPending && row.meta?.expiresAt === STALE
  // A read that arrived before the response of the write may contain its effect: then nothing that lists follow differs any more,
  // and the record is compared with what it was when the write was sent.
  const isMove = named?.change.kind === 'move'
  const mayBeRead = isWrite && intake.whenSent !== undefined && !isPending && !isMove
  const wasRead = mayBeRead && (row.value === value || isSameForLists(intake, slot, row.value, value))
  const before: unknown = wasRead ? intake.whenSent.get(slot) : row.value
  if (before === value && !named && !wasStale) {
    return undefined
  }
  // Lists may still hold the key of a deleted record that comes back.
  if (!isWrite && (before === undefined || isPending || value === INVALID)) {
    return undefined
  }
  const isBack = before === INVALID
  const old = new KnownFields(isBack ? undefined : before, params)
  const now = new KnownFields(value === INVALID ? undefined : isMove ? named.fields : value, params)
  const sent = isMove ? intake.whenSent?.get(slot) : undefined
  return { slot, old, now, isWrite, isBack, wasStale, named, whenSent: sent && new KnownFields(sent, params) }
}

/** True for a record that the arguments of the request name, and of which no field has changed that is an argument of a list. */
function isSameForLists({ tables, args }: Intake, { table, pk }: Slot, old: unknown, now: unknown): boolean {
  return (
    isObject(old) &&
    !tables.holders.get(table.key)?.some((lists) => hasNewArgs(lists, old, now)) &&
    table.entity !== undefined &&
    argsPk(table.entity, args) === pk
  )
}

/** True where an edit may change a list of a table: of a write it is enough that lists have arguments. */
function mayConcern({ old, now, isWrite }: Edit, table: Table): boolean {
  return old.fields === undefined || (isWrite ? table.listArgs.size > 0 : hasNewArgs(table, old.fields, now.fields))
}

/** True where a field has changed that is an argument of a list. */
function hasNewArgs({ listArgs }: Table, old: any, now: any): boolean {
  for (const name of listArgs) {
    if (name === true || old[name] !== now[name]) {
      return true
    }
  }
  return false
}

/** The records that the arguments of a mutation name, as they are when it is sent. */
export function recordsBefore(
  { tables }: Tables,
  keys: Iterable<string>,
  args: readonly any[],
): ReadonlyMap<Slot, object> {
  const before = new Map<Slot, object>()
  for (const key of keys) {
    const table = tables.get(key)
    const pk = table?.entity && argsPk(table.entity, args)
    const slot = pk === undefined ? undefined : table!.slots.get(pk)
    if (typeof slot?.value === 'object') {
      before.set(slot, slot.value as object)
    }
  }
  return before
}
