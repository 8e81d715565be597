import { DEV } from '../base/env.ts'
import { copyPlain, put, share } from '../base/equal.ts'
import { fail } from '../base/errors.ts'
import { show } from '../base/show.ts'
import { stableKey } from '../base/stableKey.ts'
import { validate } from '../base/standardSchema.ts'
import { warnOnce } from '../base/warn.ts'
import { normalizeItems } from '../schema/Array.ts'
import { type Collection, listPk } from '../schema/Collection.ts'
import type { EntityClass } from '../schema/Denormalize.ts'
import { type Entity, isOlder, usablePk } from '../schema/Entity.ts'
import { normalizeMembers, ObjectSchema } from '../schema/Object.ts'
import { type Choice, isTagged, listChoice } from '../schema/polymorphic.ts'
import { scalarTable } from '../schema/Scalar.ts'
import {
  INVALID,
  type INormalizeDelegate,
  isEntity,
  isSchemaClass,
  type ListChange,
  type ListSchema,
  type Meta,
  type Visit,
} from '../schema/Schema.ts'
import { Union } from '../schema/Union.ts'
import { changeList, itemOf, joining, listTest, matchingLists, recall, replaceList, unique } from './lists.ts'
import { isCrossing, mergeFields, overlay, raise, remember } from './merge.ts'
import { originOf, rawValues } from './origin.ts'
import {
  type ClassInfo,
  Draft,
  type Recent,
  type RecentMember,
  type Row,
  type Slot,
  type Tables,
  top,
} from './tables.ts'

/** Where a value comes from, and how it is to be taken in. */
export interface Intake {
  readonly tables: Tables
  readonly args: readonly any[]
  readonly meta: Meta
  /** The key of the endpoint that answered, for messages and for lists. */
  readonly key?: string | undefined
  /** Whose question the answer belongs to: lists of another path are not touched. */
  readonly path?: string | undefined
  /** Set for a pending operation: it stands on what lies below it, and may create records without a primary key. */
  readonly standIn?: string | undefined
  /** Given by the app, not by the network: containers are copied, and what it merely handed back does not count. */
  readonly fromApp?: boolean
  /** What was read to make the value, by slot: fields that are still the same do not count as written. */
  readonly read?: ReadonlyMap<Slot, object> | undefined
  /** The number of the oldest open request. */
  readonly horizon: number
}

/** What an answer comes to: a result, and drafts in the slots it touches. The store is as it was. */
export interface Change {
  readonly result: unknown
  readonly slots: readonly Slot[]
  /** Changes of membership that lists still on their way may have missed. */
  readonly recent?: readonly Recent[]
}

/** Beyond this many levels, nested entities are taken in one after the other: a stack has an end. */
const DEEP = 64

/** Takes a value apart: records go to drafts of their rows, and what is left is the result. */
export function normalize(schema: unknown, value: unknown, intake: Intake): Change {
  const walk = new Walk(intake)
  try {
    if (expectsObject(schema)) checkKind(schema, value, intake)
    const result: unknown = walk.visit(schema, value, value, undefined)
    walk.finish()
    // What is kept is frozen in development, and what the caller gave may not be.
    const own = DEV || intake.fromApp === true
    return { result: own ? copyPlain(result) : result, slots: walk.slots, recent: walk.recent }
  } catch (error) {
    discard(walk.slots)
    throw isOverflow(error) ? tooDeep(intake) : error
  }
}

/** Forgets drafts that are not to be committed. */
export function discard(slots: readonly Slot[]): void {
  for (const slot of slots) slot.draft = undefined
}

class Walk implements INormalizeDelegate {
  readonly args: readonly any[]
  readonly meta: Meta
  readonly slots: Slot[] = []
  readonly recent: Recent[] = []
  owner: Slot | undefined = undefined
  private readonly intake: Intake
  private readonly lists: (() => void)[] = []
  private readonly later: (() => void)[] = []
  private depth = 0
  /** The value being visited stands in a list. */
  private item = false
  /** A list may hold a record twice: one was met that this answer had already brought. */
  private repeated = false
  private creating = 0
  private standIns = 0
  private lastClass: unknown = undefined
  private lastInfo: ClassInfo | undefined = undefined
  /** Where in the value the walk is, for messages: at each level of records the field, and the place in a list. */
  private readonly trail: (string | undefined)[] = []
  private readonly places: number[] = [-1]

  constructor(intake: Intake) {
    this.intake = intake
    this.args = intake.args
    this.meta = intake.meta
  }

  visit: Visit = (schema, value, parent, key, place = -1) => {
    this.places[this.depth] = place
    this.trail[this.depth] = key
    this.item = place >= 0
    if (value === null || value === undefined || schema === null) return value
    if (typeof schema === 'function')
      return isEntity(schema) ? this.entity(schema as never, value, parent, key) : raw(value)
    if (typeof schema !== 'object') return value
    if (Array.isArray(schema)) return normalizeItems(listChoice(schema), value, parent, key, this.visit)
    if (isSchemaClass(schema)) return schema.normalize(value, parent, key, this.args, this.visit, this)
    return normalizeMembers(schema, value, this.visit)
  }

  finish(): void {
    for (let i = 0; i < this.later.length; i++) this.later[i]!()
    for (const slot of this.slots) this.settle(slot)
    for (const change of this.lists) change()
  }

  private info(Class: typeof Entity): ClassInfo {
    if (Class === this.lastClass) return this.lastInfo!
    this.lastClass = Class
    return (this.lastInfo = this.intake.tables.classInfo(Class, this.meta.sent))
  }

  private entity(Class: typeof Entity, input: any, parent: any, key: string | undefined): unknown {
    const { item } = this
    if (typeof input !== 'object') {
      this.repeated = true
      return idOf(input)
    }
    const info = this.info(Class)
    const origin = originOf(input)
    if (origin !== undefined && origin.table === info.table && info.table.slots.get(origin.pk) === origin) {
      this.repeated = true
      return origin.pk
    }
    if (Array.isArray(input)) this.refuseArray(Class, input)
    let processed: any = info.ownProcess ? this.process(info, input, parent, key) : { ...input }
    const pk = this.pkOf(info, processed ?? input, parent, key)
    if (pk === undefined) {
      if (input instanceof Class && input !== parent) return undefined
      throw this.missingPk(info, processed)
    }
    const slot = info.table.slot(pk)
    if (processed === undefined || processed === null) {
      this.tombstone(slot)
      return pk
    }
    const known = slot.draft
    if (known !== undefined) {
      if (item) this.repeated = true
      if (known.input === input) return pk
      // Inside a record, several objects that stand for it may refer to each other.
      if (known.busy > 0) {
        known.met ??= new Set([known.input])
        if (known.met.has(input)) return pk
        known.met.add(input)
      }
    }
    this.check(Class, processed, pk)
    if (info.ownProcess && (processed === input || Object.isFrozen(processed))) processed = { ...processed }
    const was = this.intake.read?.get(slot)
    if (was !== undefined && !info.whole) dropSame(processed, was as Record<string, unknown>)
    const draft = known ?? this.draft(slot)
    draft.info = info
    draft.input = input
    draft.busy++
    if (this.depth < DEEP) this.fields(info, slot, processed)
    else this.later.push(() => this.fields(info, slot, processed))
    return pk
  }

  /** Visits the nested fields of a record, then hands the record to its draft. */
  private fields(info: ClassInfo, slot: Slot, processed: Record<string, unknown>): void {
    const { schema } = info.Entity
    const { owner } = this
    const fromApp = this.intake.fromApp === true
    const spread = fromApp && this.isSpread(info, slot, processed)
    this.depth++
    this.owner = slot
    for (const name in schema) {
      if (!Object.hasOwn(processed, name)) continue
      const value = processed[name]
      if (value === null || value === undefined) continue
      const next: unknown = this.visit(schema[name], value, processed, name)
      // A placeholder, such as the default of a relation that is not loaded, is no data.
      if (next === undefined) Reflect.deleteProperty(processed, name)
      else put(processed, name, next)
    }
    this.depth--
    this.owner = owner
    if (fromApp) this.own(info, slot, processed, spread && !info.whole)
    else if (DEV) for (const name of Object.keys(processed)) put(processed, name, copyPlain(processed[name]))
    const draft = slot.draft!
    draft.busy--
    if (draft.incoming === undefined) draft.incoming = processed
    else if (!info.whole) draft.incoming = overlay(draft.incoming, processed)
    else draft.incoming = info.Entity.merge(draft.incoming, processed) as Record<string, unknown>
  }

  /**
   * A record that was read and spread has every field that can be read of it, or some that only we can have made. The
   * defaults of what was not loaded are taken out: an empty list among them would empty the list it stands for.
   */
  private isSpread({ Entity: Class, whole }: ClassInfo, slot: Slot, processed: Record<string, unknown>): boolean {
    const stored = this.below(slot).value
    if (typeof stored !== 'object' || stored === null) return false
    const has = (name: string): boolean => Object.hasOwn(processed, name)
    const { schema } = Class
    const defaults = Class.defaults as Record<string, unknown>
    const handedOut = (name: string): boolean => originOf(processed[name]) !== undefined || isConverted(processed[name])
    if (!(Object.keys(stored).every(has) && Object.keys(defaults).every(has)) && !Object.keys(schema).some(handedOut))
      return false
    for (const name of Object.keys(defaults))
      if (
        !Object.hasOwn(stored, name) &&
        (!whole || Object.hasOwn(schema, name)) &&
        isDefault(defaults[name], processed[name])
      )
        Reflect.deleteProperty(processed, name)
    return true
  }

  /** What the app gave is copied. Of a record it read and spread, only what differs counts as written. */
  private own(info: ClassInfo, slot: Slot, processed: Record<string, unknown>, spread: boolean): void {
    const stored = this.below(slot).value
    for (const name of Object.keys(processed)) {
      const value = copyPlain(processed[name])
      put(processed, name, value)
      if (!spread || !Object.hasOwn(stored as object, name)) continue
      const old = (stored as Record<string, unknown>)[name]
      if (Object.is(share(old, value), old) || this.isShownAs(info.Entity, name, old, value))
        Reflect.deleteProperty(processed, name)
    }
  }

  /** Reading converts, shows the default of a record that is not there, and leaves such records out of lists. */
  private isShownAs(Class: typeof Entity, name: string, stored: any, given: unknown): boolean {
    const member: unknown = Class.schema[name]
    if (isEntity(member) || member instanceof Union) {
      const of = member instanceof Union ? member : { schema: member, attribute: undefined }
      return !this.isThere(of, stored) && isDefault((Class.defaults as Record<string, unknown>)[name], given)
    }
    if (typeof member === 'function') return converts(member, stored, given)
    const of = Array.isArray(member) ? listChoice(member) : (member as { choice?: Choice } | undefined)?.choice
    if (of === undefined || typeof stored !== 'object' || stored === null) return false
    const shown = Object.entries(stored as object).filter(([, item]) => item === null || this.isThere(of, item))
    const list: unknown = Array.isArray(stored) ? shown.map(([, item]) => item as unknown) : Object.fromEntries(shown)
    return Object.is(share(list, given), list)
  }

  private isThere(of: Choice, item: unknown): boolean {
    const slot = this.itemSlot(of, item)
    return slot === undefined ? item !== undefined : typeof top(slot).value === 'object'
  }

  /** The draft of a record meets the stored row. */
  private settle(slot: Slot): void {
    const draft = slot.draft!
    const { incoming, info } = draft
    if (incoming === undefined) return
    const row = this.below(slot)
    if (info?.whole !== true) mergeFields(draft, row, incoming, this.meta, this.intake.horizon)
    else mergeWhole(info.Entity, draft, row, incoming, this.meta, this.intake.horizon)
  }

  private process(info: ClassInfo, input: any, parent: any, key: string | undefined): unknown {
    const processed: unknown = info.Entity.process(input, parent, key, this.args)
    if (DEV && !info.checked && typeof processed === 'object' && processed !== null) {
      info.checked = true
      checkTwice(info.Entity, processed, parent, key, this.args)
    }
    return processed
  }

  private pkOf(info: ClassInfo, value: any, parent: any, key: string | undefined): string | undefined {
    const pk = usablePk(info.ownPk ? info.Entity.pk(value, parent, key, this.args) : (value as { id: unknown }).id)
    if (DEV && (pk === 'null' || pk === 'NaN'))
      warnOnce(
        `A record of "${info.table.key}" has the primary key "${pk}", which looks like a value that was missing.`,
      )
    if (pk !== undefined || this.creating === 0 || this.intake.standIn === undefined) return pk
    return `${this.intake.standIn}-${this.standIns++}`
  }

  private check(Class: typeof Entity, processed: unknown, pk: string): void {
    const { validate: test } = Class
    if (test === undefined) return
    if ('~standard' in test) {
      validate(test, processed, 'validate-entity', () => `${Class.key} ${pk}${this.where()}`)
      return
    }
    const text = test.call(Class, processed)
    if (text) throw fail('entity-invalid', `${Class.key} ${pk}${this.where()}`, DEV && text, Error, refused(processed))
  }

  private refuseArray(Class: typeof Entity, input: unknown[]): void {
    const mode = Class.automaticValidation
    if (mode === 'silent') return
    const text =
      DEV &&
      `Attempted to initialize ${Class.key} with an array${this.where()}: ${show(input.slice(0, 3))}. Write [${Class.key}] where the answer is a list.`
    if (mode !== 'warn') throw fail('entity-array', `${Class.key}${this.where()}`, text, Error, refused(input))
    if (text) warnOnce(text)
  }

  private missingPk({ table, ownPk }: ClassInfo, processed: any): Error {
    const hint = DEV && !ownPk && processed?.id === undefined ? ' It has no field "id": define pk().' : ''
    return fail(
      'entity-missing-pk',
      `${table.key}${this.where()}`,
      DEV &&
        `Missing usable primary key when normalizing response: "${table.key}"${this.where()} was ${show(processed)}.${hint}`,
      Error,
      refused(processed),
    )
  }

  private where(): string {
    let at = ''
    for (let i = 0; i <= this.depth; i++) {
      if (this.trail[i] !== undefined) at += at ? `.${this.trail[i]}` : this.trail[i]
      if (this.places[i]! >= 0) at += `[${this.places[i]}]`
    }
    return `${at && ` at ${at}`}${this.intake.key === undefined ? '' : ` of ${this.intake.key}`}`
  }

  private below(slot: Slot): Row {
    return this.intake.standIn === undefined ? slot : top(slot)
  }

  private draft(slot: Slot): Draft {
    this.slots.push(slot)
    const { value, meta, except } = this.below(slot)
    return (slot.draft = new Draft(value, meta ?? this.meta, except, slot.list))
  }

  private tombstone(slot: Slot): void {
    const draft = slot.draft ?? this.draft(slot)
    const { value, meta } = this.below(slot)
    draft.incoming = undefined
    const late = meta !== undefined && isOlder(this.meta, meta)
    draft.value = late ? value : INVALID
    draft.meta = late ? raise(meta, this.meta) : this.meta
    draft.stale ||= late && isCrossing(meta, this.meta)
    draft.except = undefined
  }

  // What schemas ask for.

  mergeEntity(schema: EntityClass, pk: string, incoming: object): void {
    const info = this.info(schema as never)
    const slot = info.table.slot(pk)
    const draft = slot.draft ?? this.draft(slot)
    draft.info = info
    draft.incoming = (
      draft.incoming === undefined ? { ...incoming } : info.Entity.merge(draft.incoming, incoming)
    ) as Record<string, unknown>
  }

  invalidate(schema: { readonly key: string }, pk: string): void {
    this.tombstone(
      (isEntity(schema) ? this.info(schema as never).table : this.intake.tables.table(schema.key)).slot(pk),
    )
  }

  getEntity(key: string, pk: string): unknown {
    const slot = this.intake.tables.tables.get(key)?.slots.get(pk)
    const value = slot && this.below(slot).value
    return value === INVALID ? undefined : value
  }

  create<T>(run: () => T): T {
    this.creating++
    try {
      return run()
    } finally {
      this.creating--
    }
  }

  writeScalar(key: string, cell: string, fields: object): void {
    const slot = this.intake.tables.table(scalarTable(key)).slot(cell)
    const draft = slot.draft ?? this.draft(slot)
    draft.incoming = { ...draft.incoming, ...fields }
  }

  listReference(collection: ListSchema, value: unknown): string | undefined {
    const slot = originOf(value)
    const own = slot !== undefined && this.intake.tables.tables.get(collection.key)?.slots.get(slot.pk) === slot
    return own ? slot.pk : undefined
  }

  writeList(collection: ListSchema, at: Record<string, any>, items: any, nested: boolean): string {
    const slot = this.intake.tables.table(collection.key).slot(listPk(collection, at))
    const { shares, nests } = collection as Collection
    const path = nested || shares ? undefined : this.intake.path
    const stored = slot.list?.path
    if (path !== undefined && stored !== undefined && path !== stored) throw shared(collection, stored, path)
    if (DEV && nested && !nests && slot.draft !== undefined)
      warnOnce(
        `Several records hold one list of "${collection.key}"${this.where()}. Give its Collection a nestKey, so that each has its own.`,
      )
    const draft = slot.draft ?? this.draft(slot)
    const list: unknown = Array.isArray(items) && this.repeated ? unique(items) : items
    this.lists.push(() => this.replace(collection, slot, draft, at, path, list))
    return slot.pk
  }

  private replace(
    collection: ListSchema,
    slot: Slot,
    draft: Draft,
    at: Record<string, any>,
    path: string | undefined,
    items: unknown,
  ): void {
    const { meta } = this
    const row = this.below(slot)
    const existing = row.value === INVALID ? undefined : row.value
    const merged: unknown =
      existing === undefined ? items : share(existing, unshared(collection.merge(existing, items)))
    if (this.intake.standIn !== undefined) {
      draft.value = merged
      draft.meta = meta
      return
    }
    const state = existing === undefined ? undefined : slot.list
    const base = row.meta !== undefined && (state === undefined ? row.meta : state.baseMeta)
    const overtaken = state !== undefined && meta.order < state.folded
    if (base && (isOlder(meta, base) || overtaken)) {
      draft.stale ||= overtaken || isCrossing(row.meta, meta)
      return
    }
    const keys = slot.list?.keys ?? []
    const key = this.intake.key
    const next = replaceList(
      state?.log ?? recall(slot.table, collection.name, at),
      {
        at,
        name: collection.name,
        isMap: collection.isMap,
        path: path ?? slot.list?.path,
        base: merged,
        keys: key === undefined || keys.includes(key) ? keys : [...keys, key],
      },
      meta,
      this.intake.horizon,
    )
    draft.list = next.list
    draft.value = share(existing, next.value)
    draft.meta = next.stale ? { ...meta, expiresAt: 1 } : meta
    draft.stale ||= next.stale
  }

  invalidateList(collection: ListSchema, at: Record<string, any>): string {
    const slot = this.intake.tables.table(collection.key).slot(listPk(collection, at))
    this.tombstone(slot)
    return slot.pk
  }

  changeLists(change: ListChange): void {
    this.lists.push(() => this.change(change))
  }

  /** Each item joins or leaves the lists it matches, by the arguments and by its own fields. */
  private change(change: ListChange): void {
    const { collection, merge } = change
    const table = this.intake.tables.table(collection.key)
    const joins = new Map<Slot, unknown[]>()
    const leaves = new Map<Slot, unknown[]>()
    const members: RecentMember[] = []
    const listed: [string | undefined, unknown][] = Array.isArray(change.items)
      ? change.items.map((item) => [undefined, item])
      : Object.entries(change.items as object)
    for (const [name, item] of listed) {
      if (item === null || item === undefined) continue
      const entry = name === undefined ? item : [name, item]
      const { to, from } = this.ends(change, this.itemSlot(change.item as Choice, item))
      const into = to && listTest(change, ...to)
      const outOf = from && listTest(change, ...from)
      const joined = to === undefined ? NOWHERE : matchingLists(table, change, into!, ...to)
      const left = from === undefined ? NOWHERE : matchingLists(table, change, outOf!, ...from)
      for (const slot of joined) if (!left.has(slot)) gather(joins, slot, entry)
      for (const slot of left) if (!joined.has(slot)) gather(leaves, slot, entry)
      members.push({ entry, into, outOf })
    }
    for (const [slot, items] of leaves)
      this.apply(slot, { meta: this.meta, items: items.map(itemOf), merge: undefined })
    for (const [slot, items] of joins)
      this.apply(slot, { meta: this.meta, items: joining(items, collection.isMap), merge })
    if (this.intake.standIn === undefined && this.intake.horizon <= this.meta.order)
      this.recent.push({ table, meta: this.meta, name: collection.name, isMap: collection.isMap, merge, members })
  }

  /** By which arguments and fields an item is looked for in the lists it joins, and in those it leaves. */
  private ends({ kind, args, items }: ListChange, slot: Slot | undefined): { to?: End; from?: End } {
    const row = slot && this.below(slot)
    const old: any = row?.value === INVALID ? undefined : row?.value
    const draft = slot?.draft
    if (kind === 'add') return { to: [args, draft?.value ?? old] }
    if (kind === 'remove') return { from: [args, old ?? draft?.value] }
    const single = !Array.isArray(items) || items.length === 1
    const params: object = single && args.length > 1 ? args[0] : {}
    const body: object = single && typeof args[args.length - 1] === 'object' ? args[args.length - 1] : {}
    // Where a write sent later has the last word on the record, it has it on its lists too.
    const late = row?.meta !== undefined && isOlder(this.meta, row.meta)
    const now: any = draft?.value
    const next = late ? given(params, body, now) : given(params, old, body, picked(now, draft?.incoming))
    const to: End = [[next, next], undefined]
    return old === undefined ? { to } : { to, from: [[given(params, old), old], undefined] }
  }

  private apply(slot: Slot, entry: { meta: Meta; items: any; merge: ListChange['merge'] }): void {
    const draft = slot.draft ?? this.draft(slot)
    if (draft.value === INVALID || draft.value === undefined || draft.list === undefined) return
    if (this.intake.standIn !== undefined) {
      // Nothing is remembered of it, but what was sent later has the last word here too.
      draft.value = changeList(draft.list, draft.value, entry, 0).value
      return
    }
    const next = changeList(draft.list, draft.value, entry, this.intake.horizon)
    draft.list = next.list
    draft.value = next.value
    draft.stale ||= next.stale
    // The list keeps its age: a change of membership is no answer to its question.
  }

  private itemSlot({ schema, attribute }: Choice, item: any): Slot | undefined {
    const tagged = attribute !== undefined && isTagged(item, schema)
    const Class: unknown = attribute === undefined ? schema : tagged ? schema[item.schema] : undefined
    const pk: unknown = tagged ? item.id : item
    return isEntity(Class) && typeof pk === 'string' ? this.info(Class as never).table.slot(pk) : undefined
  }
}

function mergeWhole(
  Class: typeof Entity,
  draft: Draft,
  row: Row,
  incoming: Record<string, unknown>,
  meta: Meta,
  horizon: number,
): void {
  const { value: existing, meta: rowMeta } = row
  if (existing === undefined || rowMeta === undefined || existing === INVALID) {
    mergeFields(draft, row, incoming, meta, horizon)
    return
  }
  const merged: unknown = Class.mergeWithStore(rowMeta, meta, existing, incoming)
  draft.value = share(existing, merged)
  if (!Class.shouldUpdate(rowMeta, meta, existing, incoming)) return
  const kept = remember(Class.mergeMetaWithStore(rowMeta, meta, existing, incoming), rowMeta, horizon)
  // A hook may make a meta of its own; the numbers are the store's.
  const sent = (kept as Partial<Meta>).sent ?? meta.sent
  draft.meta = { ...kept, sent, order: Math.max(rowMeta.order, meta.order) }
  draft.stale ||= isCrossing(rowMeta, meta)
}

/** The arguments and the fields by which lists are matched. */
type End = [args: readonly any[], fields: any]

const NOWHERE: ReadonlySet<Slot> = new Set()

function gather(into: Map<Slot, unknown[]>, slot: Slot, item: unknown): void {
  const items = into.get(slot)
  if (items === undefined) into.set(slot, [item])
  else items.push(item)
}

/** The members of all, the later ones first; what is undefined was not given. */
function given(...of: (object | undefined)[]): object {
  const out = {}
  for (const members of of)
    for (const [name, value] of Object.entries(members ?? {})) if (value !== undefined) put(out, name, value)
  return out
}

/** The fields that came in, as they are after they met the row. */
function picked(value: any, incoming: object | undefined): object {
  const out = {}
  for (const name of Object.keys(incoming ?? {})) put(out, name, value?.[name])
  return out
}

/** A list that a Collection's own `merge` made may hold an item twice. */
function unshared(list: unknown): unknown {
  return Array.isArray(list) ? unique(list) : list
}

function idOf(input: unknown): unknown {
  if (input === 0 || input === 0n) return '0'
  if (!input || input !== input || typeof input === 'function') return input
  return String(input)
}

function raw(value: unknown): unknown {
  return typeof value === 'object' && value !== null && rawValues.has(value) ? rawValues.get(value) : value
}

function isConverted(value: unknown): boolean {
  return typeof value === 'object' && value !== null && rawValues.has(value)
}

/** Each instance makes its own defaults, so they are compared by what they show. */
function isDefault(value: any, given: any): boolean {
  if (share(value, given) === value) return true
  return (
    typeof value?.toJSON === 'function' &&
    value.constructor === given?.constructor &&
    stableKey(value) === stableKey(given)
  )
}

/** True for a value that a function, called with the stored one, has made: numbers and texts bear no mark. */
function converts(member: unknown, stored: unknown, value: unknown): boolean {
  if (typeof member !== 'function' || isEntity(member) || typeof value === 'object') return false
  try {
    return Object.is((member as (raw: unknown) => unknown)(stored), value)
  } catch {
    return false
  }
}

function dropSame(processed: Record<string, unknown>, was: Record<string, unknown>): void {
  for (const name of Object.keys(processed))
    if (Object.hasOwn(was, name) && Object.is(processed[name], was[name])) Reflect.deleteProperty(processed, name)
}

function isOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack|too much recursion/i.test(error.message)
}

function tooDeep({ key }: Intake): Error {
  return fail(
    'input-too-deep',
    key ?? 'a value',
    DEV && `The answer of "${key ?? 'a value'}" is nested deeper than its schema can be followed.`,
    Error,
    { status: 400, refused: true },
  )
}

function refused(response: unknown): object {
  return { status: 400, refused: true, response }
}

function checkTwice(
  Class: typeof Entity,
  processed: object,
  parent: unknown,
  key: string | undefined,
  args: readonly any[],
): void {
  let again: unknown
  try {
    // A copy: production does not call it twice, and has to store the same.
    again = Class.process({ ...processed }, parent, key, args)
  } catch {
    // Told below, like a difference.
  }
  try {
    // Dates and their kin are made anew each time; what they show is compared.
    if (share(processed, again) === processed || stableKey(processed) === stableKey(again)) return
  } catch {
    // What cannot be shown is not judged.
    return
  }
  if (DEV)
    warnOnce(
      `${Class.key}.process changes its own output when it is given that again, as \`set\` and optimistic updates do. Let it leave alone what is already processed.`,
    )
}

function shared(collection: ListSchema, stored: string, path: string): Error {
  return fail(
    'collection-shared',
    `${collection.key}: ${stored}, ${path}`,
    DEV &&
      `Two endpoints, "${stored}" and "${path}", would share one list of "${collection.key}", since their arguments are equal. Give one of them an identity of its own: new Collection(…, { name: '…' }) or { argsKey: … }.`,
    Error,
    { status: 400, refused: true },
  )
}

/** True where a schema cannot take in just anything. */
function expectsObject(schema: unknown): boolean {
  return typeof schema === 'function' ? isEntity(schema) : typeof schema === 'object' && schema !== null
}

function checkKind(schema: any, value: unknown, { key }: Intake): void {
  if (typeof value === 'object' && value !== null && !isListForObject(schema, value)) return
  if (isSchemaClass(schema) && schema.acceptsKey && value !== null && value !== undefined) return
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const hint =
    DEV && typeof value === 'string' && looksLikeJson(value) ? ' It is JSON as text: parse the body before.' : ''
  throw fail(
    'input-wrong-kind',
    `${found} for ${String(schema?.key ?? 'the schema')} of ${key ?? 'a value'}`,
    DEV &&
      `Unexpected input given to normalize. Expected type to be "object", found "${found}"${key === undefined ? '' : ` in the answer of "${key}"`}.${hint}`,
    Error,
    refused(value),
  )
}

/** A list where an object with named members is expected, and none of the members is in it. */
function isListForObject(schema: any, value: object): boolean {
  if (!Array.isArray(value) || Array.isArray(schema) || typeof schema === 'function') return false
  const members: object | undefined =
    schema instanceof ObjectSchema ? schema.schema : isSchemaClass(schema) ? undefined : schema
  return members !== undefined && !Object.keys(members).some((name) => Object.hasOwn(value, name))
}

function looksLikeJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
