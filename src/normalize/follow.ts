// How lists follow a write of the app
//
// A list is known by its arguments: `[Todo] {"done":false}`. When a record was written, each list that can hold it is judged (`effectOf`):
// does the record belong to it now, by the arguments that are fields of the record (`fit.ts`), did it before, and is it in the list?
//
// | now            | in the list | the list                                                                                     |
// | -------------- | ----------- | -------------------------------------------------------------------------------------------- |
// | IN             | yes         | stays; is in doubt if it is sorted by a field that has changed                                |
// | IN             | no          | the record joins if it was OUT before; the list is in doubt if it is sorted, or if the record |
// |                |             | was not known before. If the record was IN before, the server leaves it out, and so do we     |
// | OUT, deleted   | yes         | the record leaves; the list is in doubt if it is cut out of a longer one                      |
// | OUT, deleted   | no          | stays; is in doubt if it is cut and the record was IN, and where nobody knew                  |
// | UNSURE         |             | is in doubt                                                                                   |
//
// In doubt are also the lists that a record may belong to whose writes crossed, and lists that disagree with the record and were requested
// before a read changed it: a read may have brought the change first, and a read moves nothing.
//
// `push`, `unshift`, `assign`, `remove` and `move` name the change: what is added joins the lists that match the arguments of the request,
// what is removed leaves them, and what is moved joins where it is IN. For all other lists the table holds.

import { isObject, put } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import { append, type Collection, keyObject } from '../schema/Collection.ts'
import type { Entity } from '../schema/Entity.ts'
import { argsPk } from '../schema/pk.ts'
import type { Choice } from '../schema/polymorphic.ts'
import { INVALID, isEntity, type ListChange, type ListSchema } from '../schema/Schema.ts'
import {
  type Fit,
  filterText,
  fitOf,
  hasPosition,
  isCut,
  isVague,
  IN,
  KnownFields,
  mayMove,
  member,
  OUT,
  UNSURE,
} from './fit.ts'
import { contains, itemOf, place, size } from './listItems.ts'
import { type Edit, editList, itemsOf, type List, nextOf } from './lists.ts'
import { addCounts } from './overlay.ts'
import { coverFields, overlay } from './stamps.ts'
import { isInDoubt, MANY, type Slot, type Table } from './tables.ts'
import type { Walk } from './Walk.ts'

/** A record before and after a write. */
interface Written {
  /** `undefined` for an item of an adder that is no record. */
  readonly slot: Slot | undefined
  /** `undefined` where it was not known, and OUT of every list where it was deleted. */
  readonly before: KnownFields | typeof INVALID | undefined
  /** `undefined` where it is deleted. */
  readonly now: KnownFields | undefined
  readonly isSame: boolean
  /** It crossed another write: only the server knows which was last. */
  readonly isCrossed: boolean
  /** A write that was sent later has the last word where both have a field. */
  readonly isLate: boolean
  /** The record if this one had been last, where it is late. */
  readonly claim?: KnownFields | undefined
  /** It was in doubt before: its fields may not have been those of the server. */
  readonly wasDoubted: boolean
  readonly named?: NamedChange | undefined
}

/** One item of an adder, a remover or a mover. */
interface NamedChange {
  readonly change: ListChange
  /** The item; in a map `[name, item]`. */
  readonly entry: unknown
  /** It decides on every list of its Collection: the filter is the app's own, or the lists follow nothing else. */
  readonly isExact: boolean
  /** Whether an adder or a remover concerns a list. A moved record is judged by its fields. */
  readonly matches: ((keyArgs: Record<string, any>) => boolean) | undefined
}

/** The effect of a write on one list. */
interface Effect {
  joins?: boolean
  leaves?: boolean
  doubt?: boolean
}

/** The items that join and leave one list. */
interface Moves {
  readonly joins: unknown[]
  readonly leaves: unknown[]
  readonly merge: Edit['merge']
}

/** Changes the lists that contain the written records of a response, or should. */
export function followWrites(walk: Walk): void {
  const { written, listChanges = [], intake } = walk
  // Of several records each speaks for itself.
  const params: unknown = written?.size === 1 ? intake.args[0] : undefined
  const named = new Set<Slot | undefined>()
  for (const change of listChanges) {
    const entries = Object.entries(change.items).filter(([, item]) => item !== null && item !== undefined)
    follow(
      walk,
      entries.map(([label, item]) => {
        const entry: unknown = Array.isArray(change.items) ? item : [label, item]
        const slot = walk.itemSlot(change.item as Choice, itemOf(entry))
        named.add(slot)
        // A single argument of a mover is the body.
        const known = change.kind === 'move' && change.args.length < 2 ? undefined : params
        return writtenOf(walk, slot, known, nameChange(walk, change, entry, slot))
      }),
    )
  }
  follow(
    walk,
    [...(written ?? [])].filter((slot) => !named.has(slot)).map((slot) => writtenOf(walk, slot, params)),
  )
}

function writtenOf(walk: Walk, slot: Slot | undefined, params: unknown, named?: NamedChange): Written {
  const { isPending, intake } = walk
  const { dependsOn, args, meta } = intake
  const known = (fields: unknown): KnownFields | undefined =>
    isObject(fields) ? new KnownFields(fields, params) : undefined
  const plain = { isSame: false, isCrossed: false, isLate: false, wasDoubted: false, named }
  if (!slot) {
    return { ...plain, slot, before: undefined, now: known({}) }
  }
  dependsOn?.add(slot)
  const { patch } = slot
  if (patch) {
    patch.isFollowed = true
  }
  const old = walk.below(slot)
  const fields = patch?.fields
  const stored = isPending ? (fields ? coverFields(slot, old, fields, meta.sent) : old) : patch ? patch.value : old
  const isLate = isPending ? (slot.wrote?.sent ?? 0) > meta.sent : patch?.isLate === true
  // The body of a mover says where to, also where the response does not.
  const isMove = !isLate && named?.change.kind === 'move' && Object.keys(named.change.items).length === 1
  const body: unknown = isMove && args.at(-1)
  const incoming = isObject(fields) ? fields : {}
  const now = isObject(stored) && isObject(body) ? overlay(overlay(stored, body), incoming) : stored
  return {
    slot,
    before: old === INVALID ? old : known(old),
    now: known(now),
    claim: isLate ? known(isObject(old) ? overlay(old, incoming) : incoming) : undefined,
    // A read may have brought the change while this write was in flight.
    isSame: stored === old && !(slot.unfollowed && slot.unfollowed.at > meta.sent),
    isCrossed: patch?.isDoubted === true,
    isLate,
    wasDoubted: isInDoubt(slot),
    named,
  }
}

function follow(walk: Walk, all: readonly Written[]): void {
  const { tables, dependsOn } = walk.intake
  const moves = new Map<Slot, Moves>()
  for (const written of all) {
    const { slot: record, named } = written
    const ownTable = named && tables.table(named.change.collection.key)
    for (const table of record ? (tables.holders.get(record.key) ?? []) : [ownTable!]) {
      dependsOn?.add(table)
      for (const slot of table.lists.find((name) => textsOf(written, table, name))) {
        const list = withCollection(slot, slot.patch?.list ?? slot.list!)
        const own = table === ownTable && named!.change.collection.name === list.name ? named : undefined
        const isThere = isObject(walk.below(slot))
        if (!own && (!followsWrites(list) || walk.replacedLists?.has(slot) || !isThere)) {
          continue
        }
        const entry = own ? own.entry : itemFor(list, record!)
        const effect: Effect =
          entry === undefined ? { doubt: true } : effectOf(walk, written, { slot, list, own, entry })
        if (effect.doubt) {
          walk.doubted.add(slot)
        }
        if (!effect.joins && !effect.leaves) {
          continue
        }
        const merge = own ? own.change.merge : ((list.collection as Collection | undefined)?.move.merge ?? append)
        const { joins, leaves } = recall(moves, slot, (): Moves => ({ joins: [], leaves: [], merge }))
        if (effect.joins) {
          keepWith(record, slot)
          joins.push(entry)
        } else {
          leaves.push(itemOf(entry))
        }
      }
    }
  }
  for (const [slot, { joins, leaves, merge }] of moves) {
    const edits: Edit[] = leaves.length > 0 ? [{ items: leaves, merge: undefined }] : []
    changeList(walk, slot, joins.length > 0 ? [...edits, { items: namedItems(joins), merge }] : edits)
  }
}

/** A record is not collected before a list that it has joined. */
function keepWith(record: Slot | undefined, { kept }: Slot): void {
  if (record && kept && kept.expiresAt > (record.kept?.expiresAt ?? 0)) {
    record.kept = kept
  }
}

/** The values of an argument whose lists a write may concern; `undefined` where that may be any. */
function textsOf(
  { slot, before, now, isLate, wasDoubted, named }: Written,
  table: Table,
  name: string,
): string[] | undefined {
  const { change } = named ?? {}
  const { filter, collection, args = [] } = change ?? {}
  // A number beside any of the lists may count a record of which nobody knows what it was.
  const mayCount = table.isCounted && before === undefined && change?.kind !== 'add'
  if (isLate || wasDoubted || mayCount || filter || collection?.ownFilter || !table.provenArgs.has(name)) {
    return undefined
  }
  const { fields } = slot?.unfollowed ?? {}
  const old = isObject(fields) ? new KnownFields(fields) : undefined
  const known = [old, before, now].filter((one): one is KnownFields => one instanceof KnownFields)
  if (fields === MANY || known.length === 0 || known.some((one) => one.value(name) === undefined)) {
    return undefined
  }
  const given = args.slice(0, 2).map((one): unknown => member(one, name))
  return [...known.map((one) => one.text(name)), ...given.map(filterText)]
}

/** A list that a write may concern. */
interface Target {
  readonly slot: Slot
  readonly list: List
  /** The change of the schema, where it names the Collection of the list. */
  readonly own: NamedChange | undefined
  /** The record as an item of the list. */
  readonly entry: unknown
}

function effectOf(walk: Walk, written: Written, target: Target): Effect {
  const { own, list } = target
  if (own?.matches?.(list.keyArgs)) {
    return namedEffect(walk, written, target, own)
  }
  // A person who is invited to a meeting joins the list of that meeting only.
  const isDecided = (own?.isExact && own.matches) || !written.slot || (written.named && !own && written.isSame)
  return isDecided ? {} : fieldEffect(walk, written, target, written.slot)
}

/** The effect of an adder or a remover on a list that it names. */
function namedEffect(walk: Walk, written: Written, target: Target, own: NamedChange): Effect {
  const { isCrossed, isLate, slot } = written
  const { list } = target
  if (own.change.kind === 'add') {
    // A write that was sent later has the last word on the record; an event may be the echo of this one.
    const isEcho = !walk.isPending && slot?.wrote?.kind === 'set'
    const isOver = isLate && !(isEcho && isObject(slot.value) && fitOf(list, new KnownFields(slot.value), true) !== OUT)
    // A response that has it already knows its place.
    const isPlaced = own.change.merge === append && isHeld(walk, target)
    return {
      joins: !isOver && !isPlaced,
      doubt: !own.isExact && (isCrossed || ((hasPosition(list) || isAhead(walk, written, target)) && !isPlaced)),
    }
  }
  if (isLate) {
    return { doubt: isCrossed && !own.isExact }
  }
  // A person who leaves the list of one meeting still belongs to the list of all people.
  const isCertain = ownArgsOf(own.change).every((name) => Object.hasOwn(list.keyArgs, name))
  return isCertain
    ? { leaves: true, doubt: !own.isExact && (isCrossed || isWindow(written, list) || isAhead(walk, written, target)) }
    : { doubt: !own.isExact && isHeld(walk, target) }
}

/** The table above. */
function fieldEffect(walk: Walk, written: Written, target: Target, record: Slot): Effect {
  const { before, now, isSame, isCrossed, claim, wasDoubted, named } = written
  const { slot, list, own } = target
  const { meta, dependsOn } = walk.intake
  const fit = (known: Written['before']): Fit =>
    known instanceof KnownFields ? fitOf(list, known, own !== undefined) : OUT
  const is = fit(now)
  const was = before === undefined ? undefined : fit(before)
  /** The list was requested before the record changed in a way that lists did not follow. */
  const { at: changedAt = 0, fields } = record.unfollowed ?? {}
  const { sent: listSent, at: listAt } = slot.meta ?? meta
  const isBehind = listSent < changedAt && (listAt !== changedAt || fields === MANY)
  const changes = !isSame || isBehind
  const known = isBehind || !(before instanceof KnownFields) ? undefined : before
  const isMoving = is !== OUT && mayMove(list, known, now!)
  // The usual case, without a look through the list: it says what it said before.
  const mayHide = is === OUT && now !== undefined && isVague(slot.table, list, itemsNow(walk, slot), before, now)
  // A list in doubt is fetched again in any case.
  const mayDisagree = isBehind || (wasDoubted && !isInDoubt(slot))
  const isNews = isCrossed || mayDisagree || mayHide || (changes && isMoving)
  if (is === was && is !== UNSURE && !isNews) {
    return {}
  }
  const isIn = isHeld(walk, target)
  const isMutation = meta.kind === 'mutation'
  const hasMore = nextOf(list) !== undefined
  /** A read brought the change while this write was in flight. */
  const isForeseen = isBehind && isMutation && meta.sent < changedAt
  const effect: Effect = {}
  if (is === UNSURE) {
    // A remover has decided on all other lists.
    effect.doubt = (changes || isMutation) && (named?.change.kind !== 'remove' || isIn)
  } else if (is === OUT) {
    // A list that was requested since, and has it all the same, knows better than the fields.
    effect.leaves = isIn && (was !== OUT || isBehind || wasDoubted)
    // A number beside the list may count it, on a page that is not loaded.
    const mayMatter = was === undefined ? hasMore && isCounted(target) : was !== OUT && isWindow(written, list)
    effect.doubt = isIn ? effect.leaves && isWindow(written, list) : mayMatter || mayHide
  } else if (named?.change.kind === 'remove') {
    return {}
  } else if (isIn) {
    effect.doubt = changes && isMoving
  } else if (was === OUT || isForeseen || (own && was !== IN && named?.change.kind === 'move')) {
    effect.joins = true
    // The name under which it joins a map is not known.
    effect.doubt = isForeseen || hasPosition(list) || hasMore || (list.isMap && !own)
  } else {
    if (was === undefined) {
      dependsOn?.add(slot)
    }
    effect.doubt = was === undefined || (changes && isMoving)
  }
  const isMoved = effect.joins || effect.leaves
  if (isCrossed) {
    // Whether a write or the delete that it crossed was last, only the server knows.
    effect.joins &&= before !== INVALID
    effect.doubt ||= isMoved || isIn || [is, was ?? OUT, claim ? fit(claim) : OUT].some((one) => one !== OUT)
  } else {
    effect.doubt ||= isMoved ? isAhead(walk, written, target) : (isBehind || wasDoubted) && isIn !== (is === IN)
  }
  if (own?.isExact) {
    // The app has decided on every list. A number beside one that did not hold the record is not known.
    effect.doubt &&= isCounted(target) && !isMoved && is !== was
  }
  return effect
}

/** The items of a list, with the changes of this write so far. */
function itemsNow(walk: Walk, slot: Slot): unknown {
  return slot.patch?.edits ? slot.patch.value : walk.below(slot)
}

function isHeld(walk: Walk, { slot, entry }: Target): boolean {
  return contains(itemsNow(walk, slot), itemOf(entry))
}

/** True for a part of a longer list: when an item leaves, another one may take its place. */
function isWindow({ before, now }: Written, list: List): boolean {
  return isCut(list, now ?? (before instanceof KnownFields ? before : undefined)) || nextOf(list) !== undefined
}

function isCounted({ own, list }: Target): boolean {
  return (own?.change.collection ?? list.collection)?.counts !== undefined
}

/** True where a part of the list arrived while the write was on its way, perhaps with it. A restored list does not know its numbers. */
function isAhead({ intake }: Walk, written: Written, target: Target): boolean {
  const { list, slot } = target
  const { meta } = intake
  const isOld = meta.sent < Math.max((slot.meta ?? meta).at, ...list.pages.map((page) => page.at ?? 0))
  return isCounted(target) ? isOld || !list.counted : isOld && (list.pages.length > 1 || isWindow(written, list))
}

/** Changes the membership of one list, and the numbers beside it. */
function changeList(walk: Walk, slot: Slot, edits: readonly Edit[]): void {
  const { patch: given } = slot
  if (walk.isPending && given && !given.edits) {
    // The operation brings the whole list.
    given.value = edits.reduce(place, given.value)
    return
  }
  const patch = walk.patch(slot)
  const { list } = patch
  const before = patch.edits || !walk.isPending ? patch.value : walk.below(slot)
  if (!isObject(before) || !list) {
    return
  }
  if (walk.isPending) {
    patch.value = edits.reduce(place, before)
  } else {
    patch.list = edits.reduce(editList, list)
    patch.value = itemsOf(patch.list)
  }
  patch.edits = [...(patch.edits ?? []), ...edits]
  patch.meta = slot.meta ?? patch.meta
  const by = size(patch.value) - size(before)
  const { counted, collection } = list
  if (counted && by !== 0) {
    const numbers = Object.fromEntries((collection?.counts ?? []).map((name) => [name, by]))
    const other = walk.patch(counted)
    other.value = addCounts(other.value, numbers)
    other.meta = counted.meta ?? other.meta
    const sum = (name: string): number => (other.counts?.[name] ?? 0) + by
    other.counts = { ...other.counts, ...Object.fromEntries(Object.keys(numbers).map((name) => [name, sum(name)])) }
  }
}

/**
 * A write of which nobody knows what it has done: the record that the arguments name, and the lists that can hold it, are in doubt.
 *
 * @param written the tables that it writes to, by key, with the schemas of their rows
 * @param own the Collection that it names: its lists follow it whether they follow other writes or not
 */
export function doubtAll(
  { intake, doubted, wroteTo }: Walk,
  written: ReadonlyMap<string, object>,
  own: ListSchema | undefined,
): void {
  const { tables, args } = intake
  for (const [key, schema] of written) {
    const table = tables.table(key)
    const pk = isEntity(schema) ? argsPk(schema as unknown as typeof Entity, args) : undefined
    wroteTo.add(table)
    if (pk !== undefined) {
      doubted.add(table.slot(pk))
    }
    for (const lists of tables.holders.get(key) ?? []) {
      lists.rows
        .filter(({ list }) => list && (followsWrites(list) || (lists.key === own?.key && list.name === own.name)))
        .forEach((slot) => doubted.add(slot))
    }
  }
}

/** False where only its own responses, adders, removers and movers change a list (`autoUpdate: false`). */
function followsWrites({ collection }: List): boolean {
  return collection?.autoUpdate !== false
}

/** The Collection of a restored list is that of its reader. */
function withCollection(slot: Slot, list: List): List {
  const schema = list.collection ? undefined : (slot.node?.schema as ListSchema | undefined)
  return schema?.createCollectionFilter ? { ...list, collection: schema, filters: undefined } : list
}

/** A record as an item of a list; `undefined` where that is not known, as of a restored list. */
function itemFor({ collection }: List, { key, pk }: Slot): unknown {
  const of = (collection as Collection | undefined)?.cacheWith?.choice
  if (of?.attribute === undefined) {
    return of && pk
  }
  const name = Object.keys(of.schema as object).find((one) => of.schema[one].key === key)
  return name && { id: pk, schema: name }
}

/** The items to place in a list, or in a map the named entries. */
function namedItems(entries: readonly any[]): unknown {
  if (!Array.isArray(entries[0])) {
    return entries
  }
  const out = {}
  for (const [name, item] of entries as [string, unknown][]) {
    put(out, name, item)
  }
  return out
}

/** The change that the schema of a response names for one of its items. */
function nameChange(walk: Walk, change: ListChange, entry: unknown, slot: Slot | undefined): NamedChange {
  const { kind, collection, filter } = change
  const row: unknown = slot && walk.below(slot)
  const old = row === INVALID ? undefined : row
  const { patch } = slot ?? {}
  const value: unknown = walk.isPending
    ? isObject(patch?.fields)
      ? { ...(old as object), ...patch.fields }
      : undefined
    : patch?.value
  // A removed record may be known only from before.
  const fields = kind === 'add' ? (value ?? old) : (old ?? value)
  return {
    change,
    entry,
    isExact: filter !== undefined || collection.ownFilter || !collection.autoUpdate,
    matches: kind === 'move' ? undefined : listTest(change, fields),
  }
}

/** Whether an item belongs to a list: by the two arguments of the request, else by its own fields. */
function listTest({ collection, filter, args }: ListChange, fields: unknown): NamedChange['matches'] {
  const known = fields === undefined ? args : [...args, fields]
  if (filter || collection.ownFilter) {
    return (filter ?? collection.createCollectionFilter).apply(collection, known as any[])
  }
  const isEqual = (name: string, wanted: unknown): boolean => {
    const given = args
      .slice(0, 2)
      .map((one): unknown => member(one, name))
      .filter((value) => value !== undefined)
    return (given.length > 0 ? given : [member(fields, name)]).some((value) => filterText(value) === filterText(wanted))
  }
  return (keyArgs) =>
    Object.keys(keyArgs).every((name) => collection.nonFilterArgumentKeys(name) || isEqual(name, keyArgs[name]))
}

/** The arguments that name the list of a remover, where the Collection says which (`argsKey`). */
function ownArgsOf({ collection, args }: ListChange): readonly string[] {
  const { argsKey } = (collection as Collection).options
  try {
    return argsKey ? Object.keys(keyObject(argsKey(...args))) : []
  } catch {
    // It was written for the arguments of the list, not for those of a remover.
    return []
  }
}
