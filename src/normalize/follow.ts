// How lists follow a write of the app
//
// A list is known by its arguments: `[Todo] {"done":false}`. When a record was written, each list that can hold it is judged (`effectOf`):
// does the record belong to it now, by the arguments that are fields of the record (`fit.ts`), did it before, and is it in the list?
//
// | now          | before          | in the list | the list                                                                      |
// | ------------ | --------------- | ----------- | ----------------------------------------------------------------------------- |
// | IN           |                 | yes         | stays; in doubt if the record may stand elsewhere in it now                   |
// | IN           | OUT, deleted    | no          | the record joins; in doubt if the list is sorted or cut, or has further pages |
// | IN           | IN              | no          | the server leaves the record out, and so do we; in doubt as in the first row  |
// | IN           | UNSURE, unknown | no          | in doubt                                                                      |
// | OUT          | OUT             | yes         | the server keeps it against its fields, and so do we                          |
// | OUT, deleted | any other       | yes         | the record leaves; in doubt if the list is cut, or has further pages          |
// | OUT, deleted | IN, UNSURE      | no          | in doubt if it is cut, or has further pages                                   |
// | OUT, deleted | unknown         | no          | in doubt if it has further pages, and a number beside it may count the record |
// | UNSURE       |                 |             | in doubt                                                                      |
//
// `push`, `unshift`, `assign` and `remove` name the lists that match the arguments of the request: what is added was OUT and is IN, what is
// removed was IN and is OUT. Further pages put such a list in no doubt: what is added stands behind the loaded ones. A move, and every
// other list, goes by the fields; a move also joins lists of its own Collection where it is not known what the record was before.
//
// A list is in doubt besides, if
// 1. it changes, and arrived while the write was in flight;
// 2. the record crossed another write;
// 3. it was requested before a read changed the record, and disagrees with it, since a read moves nothing.

import { isObject, member } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import { envelopeOf } from '../rest/sent.ts'
import { mayFilter } from '../schema/argumentKinds.ts'
import { append, type Collection, keyObject } from '../schema/Collection.ts'
import type { Entity } from '../schema/Entity.ts'
import { argsPk } from '../schema/pk.ts'
import type { Choice } from '../schema/polymorphic.ts'
import { INVALID, isEntity, type ListChange, type ListSchema } from '../schema/Schema.ts'
import { topTablesOf } from '../schema/topTables.ts'
import { type Fit, filterText, fitOf, hasPosition, isCut, IN, mayMove, OUT, UNSURE, withParams } from './fit.ts'
import { contains, itemOf, size } from './listItems.ts'
import { type Edit, isCutShort, type List, nextOf } from './lists.ts'
import { changeList, numbersBeside } from './receiveList.ts'
import { coverFields, MANY, overlay } from './stamps.ts'
import { type Fields, isInDoubt, type Slot, type Table } from './tables.ts'
import { type Intake, Walk } from './Walk.ts'

/** A record before and after a write. */
interface Written {
  /** `undefined` for an item of an adder that is no record. */
  readonly slot: Slot | undefined
  /** `undefined` where it was not known, and OUT of every list where it was deleted. */
  readonly before: Fields | typeof INVALID | undefined
  /** `undefined` where it is deleted. */
  readonly now: Fields | undefined
  /** As it was when the operation was issued, where reads have changed it since: what is pending is shown, whatever they say. */
  readonly issuedOver: Fields | undefined
  /** Not known when the write was sent, even if a read has brought it since. */
  readonly isNew: boolean
  readonly isSame: boolean
  /** It crossed another write: only the server knows which was last. */
  readonly isCrossed: boolean
  /** It was in doubt before: its fields may not have been those of the server. */
  readonly wasDoubted: boolean
  /** A write that was sent later is already here. */
  readonly isLate: boolean
  /** The change that the schema names for it, and the item; in a map `[name, item]`. */
  readonly change: ListChange | undefined
  readonly entry: unknown
  /** Whether an adder or a remover concerns a list. */
  readonly matches: ((keyArgs: Record<string, any>) => boolean) | undefined
}

/** Changes the lists that contain the written records of a response, or should. */
export function followWrites(walk: Walk): void {
  const { written, listChanges = [], intake } = walk
  // Of several records each speaks for itself.
  const params: unknown = written?.size === 1 ? intake.args[0] : undefined
  for (const change of listChanges) {
    const { items, item: choice, kind, args } = change
    // A single argument of a mover is the body.
    const known = kind === 'move' && args.length < 2 ? undefined : params
    const all: Written[] = []
    for (const label of Object.keys(items)) {
      const item: unknown = (items as Record<string, unknown>)[label]
      if (item !== null && item !== undefined) {
        const slot = walk.itemSlot(choice as Choice, item)
        written?.delete(slot!)
        all.push(writtenOf(walk, slot, known, change, Array.isArray(items) ? item : [label, item]))
      }
    }
    follow(walk, all)
  }
  if (written) {
    follow(
      walk,
      [...written].map((slot) => writtenOf(walk, slot, params)),
    )
  }
}

function writtenOf(walk: Walk, slot: Slot | undefined, params: unknown, change?: ListChange, entry?: unknown): Written {
  const { isPending, intake } = walk
  const { dependsOn, args, meta, issuedOver } = intake
  if (!slot) {
    const none = { issuedOver: undefined, isSame: false, isCrossed: false, wasDoubted: false, isLate: false }
    return {
      slot,
      before: undefined,
      now: {},
      isNew: true,
      ...none,
      change,
      entry,
      matches: listTest(intake, change!, [], undefined),
    }
  }
  dependsOn?.add(slot)
  const { patch, unfollowed, wrote } = slot
  if (patch) {
    patch.isFollowed = true
  }
  const known = (fields: unknown): Fields | undefined => (isObject(fields) ? withParams(fields, params) : undefined)
  const old = walk.below(slot)
  const hasChanged = unfollowed !== undefined && unfollowed.at > meta.sent
  // Lists follow writes: what others write below the operation they know.
  if (isPending && !hasChanged) {
    issuedOver?.set(slot, old)
  }
  const fields = patch?.fields
  const stored = isPending ? (fields ? coverFields(slot, old, fields, meta.sent) : old) : (patch ?? slot).value
  const isLate = (wrote?.sent ?? 0) > meta.sent
  // The body of a mover says where to, also where the response does not.
  const isMove = !isLate && change?.kind === 'move' && Object.keys(change.items).length === 1
  const body: unknown = isMove && args.at(-1)
  const now =
    isObject(stored) && isObject(body) ? overlay(overlay(stored, body), isObject(fields) ? fields : {}) : stored
  return {
    slot,
    before: old === INVALID ? old : known(old),
    now: known(now),
    issuedOver: hasChanged ? known(issuedOver?.get(slot)) : undefined,
    isNew: old === undefined || (hasChanged && !unfollowed.fields),
    // A read may have brought the change while this write was in flight.
    isSame: stored === old && !hasChanged,
    // A later write says nothing about the lists that a remover names.
    isCrossed: patch?.isDoubted === true || (isLate && change?.kind === 'remove'),
    isLate,
    wasDoubted: isInDoubt(slot),
    change,
    entry,
    // A removed record may be known from before only, or not as the server has it.
    matches: change && listTest(intake, change, [old, stored].filter(isObject), fields),
  }
}

function follow(walk: Walk, all: readonly Written[]): void {
  const { tables, dependsOn } = walk.intake
  let moves:
    | Map<Slot, { readonly joins: unknown[]; readonly leaves: unknown[]; readonly merge: Edit['merge'] }>
    | undefined
  for (const written of all) {
    const { slot: record, change } = written
    const ownTable = change && tables.table(change.collection.key)
    for (const table of record ? (tables.holders.get(record.key) ?? []) : [ownTable!]) {
      dependsOn?.add(table)
      for (const slot of table.lists.find((name) => textsOf(written, table, name))) {
        const list = withCollection(slot, slot.patch?.list ?? slot.list!)
        const isSameCollection = table === ownTable && change!.collection.name === list.name
        const isThere = isObject(walk.below(slot))
        if (!isSameCollection && (!record || !followsWrites(list) || walk.replacedLists?.has(slot) || !isThere)) {
          continue
        }
        const entry = isSameCollection ? written.entry : itemFor(list, record!)
        if (entry === undefined) {
          walk.doubted.add(slot)
          continue
        }
        const effect = effectOf(walk, written, slot, list, isSameCollection, entry)
        if (effect === undefined) {
          continue
        }
        const merge = isSameCollection ? change!.merge : (list.collection as Collection).move.merge
        const { joins, leaves } = recall((moves ??= new Map()), slot, () => ({ joins: [], leaves: [], merge }))
        if (effect === 'joins') {
          joins.push(entry)
          keepFor(slot, record)
        } else {
          leaves.push(itemOf(entry))
        }
      }
    }
  }
  for (const [slot, { joins, leaves, merge }] of moves ?? []) {
    // Rows that came with a record that joins, such as its author, are kept with it.
    walk.slots.forEach((one) => joins.length > 0 && keepFor(slot, one))
    const edits: Edit[] = leaves.length > 0 ? [{ items: leaves, merge: undefined }] : []
    // In a map they have names.
    const items: unknown = Array.isArray(joins[0]) ? Object.fromEntries(joins as [string, unknown][]) : joins
    changeList(walk, slot, joins.length > 0 ? [...edits, { items, merge }] : edits)
  }
}

/** A row is not collected before a list that it has joined. */
function keepFor({ kept }: Slot, row: Slot | undefined): void {
  if (row && kept && kept.expiresAt > (row.kept?.expiresAt ?? 0)) {
    row.kept = kept
  }
}

/** The values of an argument whose lists a write may concern; `undefined` where that may be any. For every other list `effectOf` must have no effect. */
function textsOf(
  { slot, before, now, issuedOver, isNew, isLate, wasDoubted, change }: Written,
  table: Table,
  name: string,
): string[] | undefined {
  const { filter, collection, args = [] } = change ?? {}
  // A number beside any of the lists may count a record of which nobody knows what it was.
  const mayCount = table.isCounted && isNew && change?.kind !== 'add'
  if (isLate || wasDoubted || mayCount || filter || collection?.ownFilter || !table.provenArgs.has(name)) {
    return undefined
  }
  const { fields } = slot?.unfollowed ?? {}
  const known = [fields, issuedOver, before, now].filter(isObject)
  if (fields === MANY || known.length === 0 || known.some((one) => member(one, name) === undefined)) {
    return undefined
  }
  return [...known, ...args.slice(0, 2)].map((one) => filterText(member(one, name)))
}

/** The table above: whether the record joins a list or leaves it. Notes the list where it is in doubt. */
function effectOf(
  walk: Walk,
  written: Written,
  slot: Slot,
  list: List,
  isSameCollection: boolean,
  entry: unknown,
): 'joins' | 'leaves' | undefined {
  const {
    slot: record,
    before,
    now,
    issuedOver,
    isNew,
    isSame,
    isLate,
    isCrossed,
    wasDoubted,
    change,
    matches,
  } = written
  const { meta, path } = walk.intake
  const kind = change?.kind
  /** The write names the list. */
  const isNamed = isSameCollection && matches?.(list.keyArgs) === true
  // `createCollectionFilter` has decided against it; or the write names other lists, and changes nothing of the record.
  if (!isNamed && (!record || (isSameCollection ? matches && isExact(change!) : change && isSame))) {
    return undefined
  }
  const items: any = slot.patch?.edits ? slot.patch.value : walk.below(slot)
  const proven = list.path !== undefined && size(items ?? []) === 0 ? slot.table.provenArgs : undefined
  const fit = (known: unknown, by?: ReadonlySet<string>): Fit =>
    isObject(known) ? fitOf(list, known, isSameCollection, by) : OUT
  const { at = 0, fields, seenAt } = record?.unfollowed ?? {}
  const { sent: listSent, at: listAt } = slot.meta!
  /** Reads have changed the record since the list was requested, and its own response did not have it as it is now. */
  const isBehind = listSent < at && (listAt !== at || fields === MANY) && !seenAt?.includes(listAt)
  const mayDisagree = isBehind || wasDoubted
  let fitNow: Fit
  let fitBefore: Fit | undefined
  if (isNamed && !isLate) {
    fitBefore = kind === 'add' ? OUT : IN
    fitNow = kind === 'add' ? IN : isCertain(change!, list) ? OUT : UNSURE
  } else {
    // As the list may know it: before the write, and before the read.
    const isOut = (known: unknown): boolean => isObject(known) && fit(known) === OUT
    const wasOut = (isBehind && isOut(fields)) || ((isBehind || walk.isPending) && isOut(issuedOver))
    fitBefore = before === undefined ? undefined : wasOut ? OUT : fit(before)
    fitNow = fit(now, proven)
  }
  const changes = !isSame || isBehind
  const mayHaveMoved =
    changes && fitNow === IN && !!now && mayMove(list, !isBehind && isObject(before) ? before : undefined, now)
  // Nothing changed for this list. A pending operation must leave no edit here.
  if (fitNow === fitBefore && fitNow !== UNSURE && !isCrossed && !mayDisagree && !mayHaveMoved) {
    return undefined
  }
  /** It belonged to the list before, or may have. */
  const mayHaveBeen = fitBefore !== undefined && fitBefore !== OUT
  const isIn = contains(items, itemOf(entry))
  const hasMore = nextOf(list) !== undefined
  const isCounted = (isSameCollection ? change!.collection : list.collection)?.counts !== undefined
  const isShort = !walk.isPending && isCounted && isCutShort(list, countsOf(walk, list), items)
  /** When an item leaves, another one may take its place. */
  const isPart = hasMore || isShort || isCut(list, now ?? (isObject(before) ? before : undefined))
  let [joins, leaves, doubt] = [false, false, false]
  if (fitNow === UNSURE) {
    // A remover concerns only lists that it names, or that hold the item.
    doubt = (changes || meta.kind === 'mutation') && (kind !== 'remove' || isIn)
  } else if (fitNow === OUT) {
    // A list that was requested since, and has it all the same, knows better than the fields.
    leaves = isNamed || (isIn && (fitBefore !== OUT || mayDisagree))
    // A number beside the list may count it, on a page that is not loaded.
    const mayHaveJoined = isBehind && (fields === MANY || fit(fields) !== OUT || fit(before) !== OUT)
    const mayCount = (isNew || wasDoubted || mayHaveJoined) && kind !== 'add' && (hasMore || isShort) && isCounted
    doubt = isIn ? isPart : mayCount || (mayHaveBeen && isPart)
  } else if (kind === 'remove') {
    // A remover concerns only the lists that it names.
  } else if (isNamed) {
    // A list that has it keeps its place. A pending item stays, even if the next response lacks it again.
    joins = !isIn || change!.merge !== append || walk.isPending
    doubt =
      joins &&
      (hasPosition(list) || isShort || ((list.path ?? path) !== path && list.collection !== change!.collection))
  } else if (!isIn && (fitBefore === OUT || (isSameCollection && fitBefore !== IN && kind === 'move'))) {
    // It was deleted while this write was in flight. Only the server knows which came last.
    joins = !(isCrossed && record!.gone > meta.sent)
    // The name under which it joins a map is not known.
    doubt = hasPosition(list) || hasMore || isShort || (list.isMap && !isSameCollection)
  } else {
    doubt = mayHaveMoved || (!isIn && fitBefore !== IN)
  }
  const isMoved = joins || leaves
  if (isSameCollection && isExact(change!)) {
    // Its filter has decided on every list. A number beside one that did not hold the record is not known.
    doubt &&= isShort || (isCounted && !isMoved && fitNow !== fitBefore)
  }
  // A list that was restored from JSON alone does not know its numbers.
  doubt ||= isMoved && (arrivedMeanwhile(walk, slot, list) || (isCounted && !list.counted))
  doubt ||= mayDisagree && !isMoved && isIn !== (fitNow === IN)
  doubt ||= isCrossed && (isLate || isIn || fitNow !== OUT || mayHaveBeen)
  if (doubt && followsWrites(list)) {
    walk.doubted.add(slot)
  }
  return joins ? 'joins' : leaves ? 'leaves' : undefined
}

/** The value with the numbers beside a list. */
function countsOf(walk: Walk, list: List): unknown {
  const beside = numbersBeside(walk.intake.tables, list)
  return beside && (beside.patch?.value ?? walk.below(beside))
}

/** True where the app decides on every list of a Collection. */
function isExact({ collection, filter }: ListChange): boolean {
  return filter !== undefined || collection.ownFilter || !collection.autoUpdate
}

/** True where a part of the list arrived while the write was on its way, perhaps with it. */
function arrivedMeanwhile({ intake: { meta } }: Walk, slot: Slot, { pages }: List): boolean {
  return meta.sent < Math.max(slot.meta!.at, ...pages.map((page) => page.at ?? 0))
}

/** A write of which nobody knows what it has done: the record that the arguments name, and the lists that can hold it, are in doubt. */
export function unknownWrite(intake: Intake, schema: unknown): Walk {
  const walk = new Walk(intake)
  const { doubted, wroteTo } = walk
  const { tables, args } = intake
  // The lists of the Collection that it names follow it whether they follow other writes or not.
  const own: ListSchema | undefined = envelopeOf(schema).schema?.collection
  for (const [key, one] of topTablesOf(schema)) {
    const table = tables.table(key)
    // The path may name the record, or the body.
    const pks = [args, args.slice(-1)].map((of) => isEntity(one) && argsPk(one as unknown as typeof Entity, of))
    wroteTo.push(table)
    pks.forEach((pk) => pk && doubted.add(table.slot(pk)))
    for (const lists of tables.holders.get(key) ?? []) {
      lists.rows
        .filter(({ list }) => list && (followsWrites(list) || (lists.key === own?.key && list.name === own.name)))
        .forEach((slot) => doubted.add(slot))
    }
  }
  return walk
}

/** False where only its own responses, adders, removers and movers change a list (`autoUpdate: false`). */
function followsWrites({ collection }: List): boolean {
  return collection?.autoUpdate !== false
}

/** The Collection of a restored list is that of its reader. */
function withCollection(slot: Slot, list: List): List {
  const schema = list.collection ? undefined : (slot.node?.schema as ListSchema | undefined)
  return schema?.createCollectionFilter ? { ...list, collection: schema, meaning: undefined } : list
}

/** A record as an item of a list; `undefined` where that is not known, as of a restored list. */
export function itemFor({ collection }: List, { key, pk }: Slot): unknown {
  const of = (collection as Collection | undefined)?.cacheWith?.choice
  if (of?.attribute === undefined) {
    return of && pk
  }
  const name = Object.keys(of.schema as object).find((one) => of.schema[one].key === key)
  return name && { id: pk, schema: name }
}

/**
 * Whether an adder or a remover concerns a list. The parameters of the request name it. The body alone is only a wish: the response
 * decides, and of a pending operation what it shows.
 *
 * @param known the item, for a remover also as it was before
 * @param fields what the response says of it
 */
function listTest(
  { endpoint }: Intake,
  { kind, collection, filter, args }: ListChange,
  known: readonly Fields[],
  fields?: unknown,
): Written['matches'] {
  if (kind === 'move') {
    return undefined
  }
  const isAdded = kind === 'add'
  const items = isAdded ? known.slice(-1) : known
  if (filter || collection.ownFilter) {
    return (filter ?? collection.createCollectionFilter).apply(collection, [...args, ...items.slice(0, 1)] as any[])
  }
  const hasBody = isAdded && sendsBody(endpoint)
  const params = hasBody ? args.slice(0, -1) : args.slice(0, 2)
  const body: unknown = hasBody ? args.at(-1) : undefined
  const isEqual = (name: string, wanted: unknown): boolean => {
    const valuesOf = (all: readonly unknown[]): unknown[] =>
      all.map((one) => member(one, name)).filter((value) => value !== undefined)
    const named = valuesOf(params)
    const isWish = named.length === 0 || valuesOf([body]).length > 0
    const told = isAdded ? valuesOf([fields, body, ...items]).slice(0, 1) : valuesOf(items)
    return [...named, ...(isWish ? told : [])].some((one) => filterText(one) === filterText(wanted))
  }
  return (keyArgs) =>
    Object.keys(keyArgs).every((name) => !mayFilter(collection.argumentKind(name)) || isEqual(name, keyArgs[name]))
}

/** False where all arguments are parameters: of `controller.set`, and of an endpoint without a body. */
function sendsBody(endpoint: Intake['endpoint']): boolean {
  return endpoint !== undefined && !('body' in endpoint && endpoint.body === undefined)
}

/**
 * False for a list without one of the arguments that name the list of a remover (`argsKey`): a person who leaves the list of one meeting
 * still belongs to the list of all people.
 */
function isCertain({ collection, args }: ListChange, { keyArgs }: List): boolean {
  const { argsKey } = (collection as Collection).options
  try {
    return !argsKey || Object.keys(keyObject(argsKey(...args))).every((name) => Object.hasOwn(keyArgs, name))
  } catch {
    // It was written for the arguments of the list, not for those of a remover.
    return true
  }
}
