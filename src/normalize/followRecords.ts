import { append, type Collection, POSITION } from '../schema/Collection.ts'
import { INVALID, type ListSchema, STALE } from '../schema/Schema.ts'
import type { Fitting, ListEntry, ListState, RecentWrite } from './ListState.ts'
import type { Decision, Drafts } from './drafts.ts'
import {
  type Fit,
  fitOf,
  hasPosition,
  hasUnknownArgument,
  hasWindow,
  IN,
  isVague,
  OUT,
  UNSURE,
  valueOf,
} from './fit.ts'
import { filterText } from './listIndex.ts'
import { contains, size } from './listItems.ts'
import { applyEntry, addItem } from './applyEntry.ts'
import { overlay } from './records.ts'
import { isThere } from './shown.ts'
import type { Slot, Table, Tables } from './tables.ts'

/** The effect of an edit on a list: a sum of these flags. */
const JOIN = 1
const LEAVE = 2
const DOUBT = 4

/** A record before and after a write or a read. */
interface Edit {
  readonly slot: Slot
  /** `undefined` where nothing was known of it. */
  readonly old: any
  /** `undefined` where it was deleted. */
  readonly now: any
  readonly isWrite: boolean
  /** It had been deleted: what it was then is not known any more. */
  readonly isBack: boolean
  /** Two writes crossed on it earlier, and the server may have held either value: a list that does not agree is refetched. */
  readonly isUncertain?: boolean
  /** Of an item of an adder or a mover: the lists that it has decided on. */
  readonly decision: Decision | undefined
  /** Parameters of the request, which stand in for fields that the record lacks. */
  readonly params: unknown
  /** A later write stands in its place, though the server may have done this one last: it moves nothing. */
  readonly isDoubt?: boolean
}

/**
 * Lists follow the records. A write of the app's own changes each list exactly where the fields of the record tell how,
 * and casts doubt on the others, so that they are refetched. A read changes no list: it casts doubt on those that hold the
 * record though it no longer fits, and on those that it fits now.
 */
export function followRecords(drafts: Drafts): void {
  const { tables, meta, standIn, horizon, reads } = drafts.intake
  const edits = editsOf(drafts)
  if (edits === undefined) {
    return
  }
  const joins = new Map<Slot, unknown[]>()
  const leaves = new Map<Slot, unknown[]>()
  const isQuiet = standIn === undefined && horizon > meta.order
  for (const edit of edits) {
    for (const table of tables.holders.get(edit.slot.key) ?? []) {
      reads?.add(table)
      eachList(tables, table, edit, isQuiet, (at, list) => follow(drafts, edit, at, list, joins, leaves))
    }
  }
  for (const [slot, items] of leaves) {
    applyEntry(drafts, slot, { meta, items, merge: undefined }, items.length)
  }
  for (const [slot, items] of joins) {
    applyEntry(drafts, slot, { meta, items, merge: placing(slot.list!) })
  }
  if (standIn === undefined && horizon <= meta.order) {
    for (const edit of edits.filter(({ isWrite }) => isWrite)) {
      ;(drafts.recentWrites ??= []).push({ meta, entriesFor: (...of) => entriesFor(drafts, edit, ...of) })
    }
  }
}

/** The changes that the response of a list lacks if it was sent before the write. */
function entriesFor(
  { intake: { tables, meta } }: Drafts,
  edit: Edit,
  table: Table,
  list: Fitting,
  itemsBefore: () => unknown,
): ReturnType<RecentWrite['entriesFor']> {
  const { slot, decision } = edit
  const isDecided = decision?.table === table && decision.name === list.name
  if (
    !tables.holders.get(slot.key)?.includes(table) ||
    list.collection?.autoUpdate === false ||
    (isDecided && decision.isExact)
  ) {
    return []
  }
  const item = itemFor(list, slot)
  const effect = effectOf(table, list, edit, itemsBefore, () => contains(itemsBefore(), item))
  if (effect === 0) {
    return []
  }
  if (effect & DOUBT || item === undefined || edit.isDoubt) {
    return undefined
  }
  // The entries of the mover itself say the same.
  if (isDecided && decision.kind === 'move') {
    return []
  }
  return [{ meta, items: [item], merge: effect & JOIN ? placing(list) : undefined }]
}

/** How an item is placed that joins a list because it was changed. */
function placing({ collection }: Fitting): NonNullable<ListEntry['merge']> {
  return (collection as Collection | undefined)?.move.merge ?? append
}

/** The records that lists have to follow. */
function editsOf({ intake, slots, written, decisions, below }: Drafts): Edit[] | undefined {
  const { tables, meta, standIn, args, horizon, before: sent } = intake
  let edits: Edit[] | undefined
  // Of several records each speaks for itself.
  const params: unknown = written?.size === 1 ? args[0] : undefined
  for (const slot of slots) {
    const isWrite = written?.has(slot) === true
    const { value, stale, incoming } = slot.draft!
    const decision = decisions?.get(slot)
    // A write, or a delete, that crossed a write sent later, which stays: the server has one or the other.
    const isYielding = isWrite && stale && value !== INVALID
    const response: unknown = isYielding ? incoming && overlay(value as Record<string, unknown>, incoming) : value
    if (response !== value) {
      const own = { isBack: false, decision: undefined, params: undefined }
      ;(edits ??= []).push({ slot, old: value, now: response, isWrite, isDoubt: true, ...own })
    }
    const row = below(slot)
    let before = row.value
    const isUncertain = standIn === undefined && row.meta?.expiresAt === STALE
    // A read may already contain the effect of a write whose response is still pending.
    if (before === value && isWrite && sent !== undefined && standIn === undefined) {
      before = sent.get(slot)
    }
    if (before === value && decision === undefined && !isUncertain) {
      continue
    }
    const isNew = before === undefined || before === INVALID
    const now: unknown = value === INVALID ? undefined : (decision?.to ?? value)
    // Lists may still hold the key of a deleted record that comes back.
    if (!isWrite && (before === undefined || standIn !== undefined || now === undefined)) {
      continue
    }
    const old = isNew ? undefined : before
    const lists = tables.holders.get(slot.key)
    // A list that is on its way may have missed a write, and a pending operation has to know of lists that come later.
    const mayBeMissed = isWrite && (decision !== undefined || horizon <= meta.order || standIn !== undefined)
    if (mayBeMissed || isUncertain || lists?.some((table) => isConcerned(table, old, now, isWrite))) {
      const own = isWrite ? params : undefined
      ;(edits ??= []).push({ slot, old, now, isWrite, isBack: before === INVALID, isUncertain, decision, params: own })
    }
  }
  return edits
}

/** True where a field has changed that is an argument of a list; of a write, where lists have arguments at all. */
function isConcerned({ listArgs }: Table, old: any, now: any, isWrite: boolean): boolean {
  if (isWrite || old === undefined) {
    return listArgs.size > 0 || old === undefined
  }
  for (const name of listArgs) {
    if (name === true || old[name] !== now[name]) {
      return true
    }
  }
  return false
}

/** Every list that a record may have joined or left, or changed its place in. */
function eachList(
  tables: Tables,
  table: Table,
  edit: Edit,
  isQuiet: boolean,
  visit: (slot: Slot, list: ListState) => void,
): void {
  const { old, now, isBack, isUncertain, params } = edit
  const each = (slots: Iterable<Slot>): void => {
    for (const slot of slots) {
      const stored = slot.draft?.list ?? slot.list
      if (stored === undefined || isUntouched(tables, edit, slot, stored, isQuiet)) {
        continue
      }
      const list = withCollection(slot, stored)
      if (list.collection?.autoUpdate !== false) {
        visit(slot, list)
      }
    }
  }
  each(table.unfiltered)
  for (const [name, values] of table.filtered) {
    const before = valueOf(old, params, name)
    const after = valueOf(now, params, name)
    // Of a record that says nothing about it any of these lists may be meant.
    if (
      isBack ||
      isUncertain ||
      (old !== undefined && before === undefined) ||
      (now !== undefined && after === undefined)
    ) {
      values.forEach(each)
      continue
    }
    const texts = new Set([before, after].filter((value) => value !== undefined).map(filterText))
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

/**
 * True where an update cannot change a list: none of its arguments is a field that changed, and its order is known, or it
 * is marked stale already, and so are its results. Most lists end here, so it has to be cheap.
 *
 * @param isQuiet no request is open that a mark would have to outlive
 */
function isUntouched(
  { endpoints }: Tables,
  { old, now, isUncertain, decision }: Edit,
  slot: Slot,
  list: ListState,
  isQuiet: boolean,
): boolean {
  const { at, name: own, collection, loose } = list
  if (old === undefined || now === undefined || isUncertain || decision !== undefined || collection?.ownFilter) {
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
  for (const name in at) {
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

function follow(
  drafts: Drafts,
  edit: Edit,
  at: Slot,
  list: ListState,
  joins: Map<Slot, unknown[]>,
  leaves: Map<Slot, unknown[]>,
): void {
  const { slot, decision, isWrite } = edit
  const isDecided =
    decision?.table === at.table && decision.name === list.name && (decision.isExact || decision.lists.has(at))
  if (isDecided || drafts.answered?.has(at) || !isThere(at)) {
    return
  }
  const item = itemFor(list, slot)
  const items = (): unknown => at.draft?.value ?? drafts.below(at).value
  const isIn = (): boolean => contains(items(), item)
  const effect = effectOf(at.table, list, edit, items, isIn)
  if (!isWrite) {
    // That the server sees it in another way it has to say once.
    if (effect > 0 && !list.revealed?.has(slot.pk) && isIn() === (effect === LEAVE)) {
      outdate(drafts, at).set(slot.pk, effect === LEAVE)
    }
    return
  }
  if (edit.isDoubt) {
    if (effect > 0) {
      outdate(drafts, at)
    }
    return
  }
  // Under which name an entry joins a map nobody knows.
  if ((effect & DOUBT) > 0 || (effect > 0 && item === undefined) || (effect === JOIN && list.isMap)) {
    outdate(drafts, at)
  }
  if (item !== undefined && (effect & (JOIN | LEAVE)) > 0) {
    addItem(effect & JOIN ? joins : leaves, at, item)
  }
}

function outdate(drafts: Drafts, list: Slot): Map<string, boolean> {
  const outdated = (drafts.outdated ??= new Map())
  let revealed = outdated.get(list)
  if (revealed === undefined) {
    outdated.set(list, (revealed = new Map()))
  }
  return revealed
}

/** @param isIn tells whether the list holds the record */
function effectOf(
  table: Table,
  list: Fitting,
  { old, now, isWrite, isDoubt, isUncertain, decision, params }: Edit,
  items: () => unknown,
  isIn: () => boolean,
): number {
  if (isDoubt && now === undefined) {
    return isIn() ? DOUBT : 0
  }
  const was: Fit = fitOf(list, old, params)
  const is: Fit = now === undefined ? OUT : fitOf(list, now, params)
  // Its fields say that it was, or was not, a member all the time; the list says otherwise.
  const isDisputed = isUncertain === true && is === was && is !== UNSURE && isIn() !== (is === IN)
  if (!isWrite) {
    return is === OUT && (was !== OUT || isDisputed) ? LEAVE : is === IN && (was === OUT || isDisputed) ? JOIN : 0
  }
  if (isDisputed) {
    return DOUBT
  }
  if (is === OUT && now !== undefined && isVague(table, list, items(), now, params)) {
    return DOUBT
  }
  if (is === OUT) {
    if (old === undefined && now !== undefined) {
      return isIn() ? LEAVE : 0
    }
    if (was === OUT) {
      return 0
    }
    // An argument that the record says nothing about may cut a part out of the list as well.
    const isCut = hasWindow(list) || hasUnknownArgument(list, now ?? old, params)
    const isLeaving = now !== undefined && (was === IN || isIn())
    return (isLeaving ? LEAVE : 0) | (isCut ? DOUBT : 0)
  }
  const kind = decision?.kind
  if (kind === 'remove') {
    return is === UNSURE && isIn() ? DOUBT : 0
  }
  const isOrdered = hasPosition(list)
  if (old === undefined || kind === 'add') {
    return is === IN && !isOrdered && isIn() ? 0 : DOUBT
  }
  return is === UNSURE || was === UNSURE ? DOUBT : (was === OUT ? JOIN : 0) | (isOrdered ? DOUBT : 0)
}

/** A record as an item of a list; `undefined` where that is not known, as of a restored list. */
function itemFor({ collection }: Fitting, { key, pk }: Slot): unknown {
  const of = (collection as Collection | undefined)?.cacheWith?.choice
  if (of?.attribute === undefined) {
    return of && pk
  }
  const name = Object.keys(of.schema as object).find((one) => of.schema[one].key === key)
  return name && { id: pk, schema: name }
}
