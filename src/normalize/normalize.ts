import { DEV } from '../base/env.ts'
import { copyPlain, isObject, put } from '../base/equal.ts'
import { show } from '../base/show.ts'
import { validate } from '../base/standardSchema.ts'
import { isStandIn, standInPk } from '../base/standIn.ts'
import { warnOnce } from '../base/warn.ts'
import { normalizeItems } from '../schema/Array.ts'
import { type Collection, listPk } from '../schema/Collection.ts'
import type { Entity } from '../schema/Entity.ts'
import { usablePk } from '../schema/pk.ts'
import { normalizeMembers } from '../schema/Object.ts'
import { listChoice } from '../schema/polymorphic.ts'
import { scalarTable } from '../schema/Scalar.ts'
import { INVALID, type INormalizeDelegate, isEntity, isSchemaClass, type Visit } from '../schema/Schema.ts'
import type { RecentWrite } from './ListState.ts'
import { changeMembers } from './changeMembers.ts'
import { createDrafts, discard, type Intake, type Outdated } from './drafts.ts'
import { followRecords } from './followRecords.ts'
import { unique } from './listItems.ts'
import { originOf } from './origin.ts'
import { countDeleted, type ListAnswer } from './pages.ts'
import { checkKind, checkTwice, describeMissingPk, refuse, refuseArray } from './refuse.ts'
import { contribute, mergeWhole, overlay } from './records.ts'
import { replaceMembers } from './replaceMembers.ts'
import type { ClassInfo, Slot } from './tables.ts'
import { copyFields, dropUnchanged, raw } from './unchanged.ts'

/** The effect of a response: a result, and drafts in the slots it changes. The store itself is unchanged. */
export interface Change {
  readonly result: unknown
  readonly slots: readonly Slot[]
  /** Lists that may be wrong after it. */
  readonly outdated?: Outdated | undefined
  /** Writes that lists still on their way may lack. */
  readonly recentWrites?: readonly RecentWrite[] | undefined
  /** The outcome for the list at the top, if there is one. */
  readonly answer?: ListAnswer | undefined
}

type Fields = Record<string, unknown>

/** Beyond this many levels, nested entities are normalised one after the other, so that the stack does not overflow. */
const DEEP = 64

/** Takes a value apart: records go to drafts of their rows, and what is left is the result. */
export function normalize(root: unknown, given: unknown, intake: Intake): Change {
  const { tables, args, meta, standIn, key: answered } = intake
  const fromApp = intake.fromApp === true
  const drafts = createDrafts(intake)
  const { slots, below, draft: draftOf, info: infoOf, tombstone } = drafts
  const isWrite = intake.isWrite === true
  const later: (() => void)[] = []
  const lists: (() => void)[] = []
  // Where in the value the walk is, for messages: at each level of records the field, and the place in a list.
  const trail: (string | undefined)[] = []
  const places: number[] = [-1]
  /** The record whose fields are being visited. */
  let owner: Slot | undefined
  /** The interface for schemas; responses that contain only entities need none. */
  let delegate: INormalizeDelegate | undefined
  let depth = 0
  /** The value being visited stands in a list. */
  let item = false
  /** A list may contain a record twice: this response already contained one of them. */
  let repeated = false
  let creating = 0
  let standIns = 0
  let answer: ListAnswer | undefined

  const where = (): string => {
    let at = ''
    for (let i = 0; i <= depth; i++) {
      if (trail[i] !== undefined) {
        at += at ? `.${trail[i]}` : trail[i]
      }
      if (places[i]! >= 0) {
        at += `[${places[i]}]`
      }
    }
    return `${at && ` at ${at}`}${answered === undefined ? '' : ` of ${answered}`}`
  }

  const visit: Visit = (schema, value, parent, key, place = -1) => {
    places[depth] = place
    trail[depth] = key
    item = place >= 0
    if (value === null || value === undefined || schema === null) {
      return value
    }
    if (typeof schema === 'function') {
      return isEntity(schema) ? entity(schema, value, parent, key) : raw(value)
    }
    if (typeof schema !== 'object') {
      return value
    }
    if (Array.isArray(schema)) {
      return normalizeItems(listChoice(schema), value, parent, key, visit)
    }
    if (isSchemaClass(schema)) {
      return schema.normalize(value, parent, key, args, visit, (delegate ??= createDelegate()))
    }
    return normalizeMembers(schema, value, visit)
  }

  const entity = (schema: unknown, input: any, parent: any, key: string | undefined): unknown => {
    const inList = item
    if (typeof input !== 'object') {
      repeated = true
      return idOf(input)
    }
    const info = infoOf(schema)
    const { Entity: Class, table } = info
    const origin = originOf(input)
    if (origin !== undefined && origin.table === table && table.slots.get(origin.pk) === origin) {
      repeated = true
      return origin.pk
    }
    if (Array.isArray(input)) {
      refuseArray(Class, input, where(), parent, key === undefined ? undefined : parent?.[key])
    }
    let processed: any = info.ownProcess ? processInput(info, input, parent, key) : { ...input }
    const pk = pkOf(info, processed ?? input, parent, key)
    if (pk === undefined) {
      if (input instanceof Class && input !== parent) {
        return undefined
      }
      throw missingPk(info, processed)
    }
    const slot = table.slot(pk)
    if (isWrite && owner === undefined) {
      ;(drafts.written ??= new Set()).add(slot)
    }
    if (processed === undefined || processed === null) {
      tombstone(slot)
      return pk
    }
    const known = slot.draft
    if (known !== undefined) {
      if (inList) {
        repeated = true
      }
      if (known.input === input) {
        return pk
      }
      // Inside a record, several objects that stand for it may refer to each other.
      if (known.busy > 0) {
        known.met ??= new Set([known.input])
        if (known.met.has(input)) {
          return pk
        }
        known.met.add(input)
      }
    }
    if (Class.validate !== undefined) {
      check(Class, processed, pk)
    }
    if (info.ownProcess && (processed === input || Object.isFrozen(processed))) {
      processed = { ...processed }
    }
    // Links to a record that is being created need an id. The fields of a pk of the user's own are the user's business.
    if (creating > 0 && standIn !== undefined && !info.ownPk && isStandIn(pk)) {
      processed.id = hasNumericId(info) ? Number(pk) : pk
    }
    const draft = draftOf(slot)
    draft.info = info
    draft.input = input
    draft.busy++
    if (depth < DEEP) {
      fields(info, slot, processed)
    } else {
      later.push(() => fields(info, slot, processed))
    }
    return pk
  }

  /** Visits the nested fields of a record, then hands the record to its draft. */
  const fields = (info: ClassInfo, slot: Slot, processed: Fields): void => {
    const { schema } = info.Entity
    const outer = owner
    if (fromApp) {
      dropUnchanged(drafts, info, slot, processed)
    }
    depth++
    owner = slot
    for (const name in schema) {
      if (!Object.hasOwn(processed, name)) {
        continue
      }
      const value = processed[name]
      if (value === null || value === undefined) {
        continue
      }
      const next: unknown = visit(schema[name], value, processed, name)
      // A placeholder, such as the default of a relation that is not loaded, is no data.
      if (next === undefined) {
        Reflect.deleteProperty(processed, name)
      } else {
        put(processed, name, next)
      }
    }
    depth--
    owner = outer
    // Stored values are frozen in development, and those of the caller must not be.
    if (fromApp || DEV) {
      copyFields(processed)
    }
    slot.draft!.busy--
    gather(info, slot, processed)
  }

  const gather = (info: ClassInfo, slot: Slot, incoming: Fields): void => {
    const draft = draftOf(slot)
    draft.info = info
    if (draft.incoming === undefined) {
      draft.incoming = incoming
    } else {
      draft.incoming = info.whole
        ? (info.Entity.merge(draft.incoming, incoming) as Fields)
        : overlay(draft.incoming, incoming)
    }
  }

  const processInput = (info: ClassInfo, input: any, parent: any, key: string | undefined): unknown => {
    const processed: unknown = info.Entity.process(input, parent, key, args)
    if (DEV && !info.checked && typeof processed === 'object' && processed !== null) {
      info.checked = true
      checkTwice(info.Entity, processed, parent, key, args)
    }
    return processed
  }

  const pkOf = (info: ClassInfo, value: any, parent: any, key: string | undefined): string | undefined => {
    const pk = usablePk(info.ownPk ? info.Entity.pk(value, parent, key, args) : (value as { id: unknown }).id)
    if (DEV && (pk === 'null' || pk === 'NaN')) {
      warnOnce(
        `A record of "${info.table.key}" has the primary key "${pk}", which looks like a value that was missing.`,
      )
    }
    return pk === undefined && creating > 0 && standIn !== undefined
      ? standInPk(standIn, standIns++, hasNumericId(info))
      : pk
  }

  const check = (Class: typeof Entity, processed: unknown, pk: string): void => {
    const test = Class.validate!
    const subject = (): string => `${Class.key} ${pk}${where()}`
    if ('~standard' in test) {
      validate(test, processed, 'validate-entity', subject)
      return
    }
    const text = test.call(Class, processed)
    if (text) {
      throw refuse('entity-invalid', subject(), DEV && text, processed)
    }
  }

  const missingPk = ({ table, Entity: Class, ownPk }: ClassInfo, processed: any): Error =>
    refuse(
      'entity-missing-pk',
      `${table.key}${where()}`,
      DEV &&
        `Missing usable primary key when normalizing response: "${table.key}"${where()} was ${show(processed)}.${describeMissingPk(Class, ownPk, processed, args)}`,
      processed,
    )

  const createDelegate = (): INormalizeDelegate => ({
    args,
    meta,
    get owner() {
      return owner
    },
    mergeEntity: (schema, pk, incoming) => {
      const info = infoOf(schema)
      gather(info, info.table.slot(pk), { ...incoming })
    },
    invalidate: (schema, pk) => {
      const slot = (isEntity(schema) ? infoOf(schema).table : tables.table(schema.key)).slot(pk)
      if (isWrite && owner === undefined) {
        ;(drafts.written ??= new Set()).add(slot)
      }
      tombstone(slot)
    },
    getEntity: (key, pk) => {
      const slot = tables.tables.get(key)?.slots.get(pk)
      const value = slot && below(slot).value
      return value === INVALID ? undefined : value
    },
    create: (run) => {
      creating++
      try {
        return run()
      } finally {
        creating--
      }
    },
    writeScalar: (key, cell, values) => {
      const draft = draftOf(tables.table(scalarTable(key)).slot(cell))
      draft.incoming = { ...draft.incoming, ...values }
    },
    listReference: (collection, value) => {
      const slot = originOf(value)
      return slot && tables.tables.get(collection.key)?.slots.get(slot.pk) === slot ? slot.pk : undefined
    },
    writeList: (collection, at, items, nested) => {
      const slot = tables.table(collection.key).slot(listPk(collection, at))
      const { argsKey, nestKey } = (collection as Collection).options
      const path = nested || argsKey ? undefined : intake.path
      const stored = slot.list?.path
      if (path !== undefined && stored !== undefined && path !== stored) {
        throw refuse(
          'collection-shared',
          `${collection.key}: ${stored}, ${path}`,
          DEV &&
            `Two endpoints, "${stored}" and "${path}", would share one list of "${collection.key}", since their arguments are equal. Give one of them an identity of its own: new Collection(…, { name: '…' }) or { argsKey: … }.`,
        )
      }
      if (DEV && nested && !nestKey && slot.draft !== undefined) {
        warnOnce(
          `Several records hold one list of "${collection.key}"${where()}. Give its Collection a nestKey, so that each has its own.`,
        )
      }
      draftOf(slot)
      ;(drafts.answered ??= new Set()).add(slot)
      const list: unknown = Array.isArray(items) && repeated ? unique(items) : items
      lists.push(() => {
        const taken = replaceMembers(drafts, collection, slot, at, path, list)
        if (!nested) {
          answer ??= taken
        }
      })
      return slot.pk
    },
    invalidateList: (collection, at) => {
      const slot = tables.table(collection.key).slot(listPk(collection, at))
      tombstone(slot)
      return slot.pk
    },
    changeLists: (change) => lists.push(() => changeMembers(drafts, change)),
  })

  try {
    checkKind(root, given, answered)
    const result: unknown = visit(root, given, given, undefined)
    for (let i = 0; i < later.length; i++) {
      later[i]!()
    }
    // The draft of each record meets the stored row; lists look at the records afterwards.
    for (const slot of slots) {
      const { incoming, info } = slot.draft!
      if (incoming !== undefined) {
        const isWhole = info?.whole && isObject(below(slot).value)
        ;(isWhole ? mergeWhole : contribute)(drafts, slot, incoming)
      }
    }
    for (const change of lists) {
      change()
    }
    followRecords(drafts)
    countDeleted(drafts)
    return {
      result: (DEV || fromApp) && typeof result === 'object' ? copyPlain(result) : result,
      slots,
      outdated: drafts.outdated,
      recentWrites: drafts.recentWrites,
      answer,
    }
  } catch (error) {
    discard(slots)
    throw isOverflow(error) ? tooDeep(answered) : error
  }
}

function hasNumericId({ Entity: Class, ownPk }: ClassInfo): boolean {
  return !ownPk && typeof (Class.defaults as Fields)['id'] === 'number'
}

function idOf(input: unknown): unknown {
  if (input === 0 || input === 0n) {
    return '0'
  }
  if (!input || input !== input || typeof input === 'function') {
    return input
  }
  return String(input)
}

function isOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack|too much recursion/i.test(error.message)
}

function tooDeep(key = 'a value'): Error {
  return refuse(
    'input-too-deep',
    key,
    DEV && `The response of "${key}" is nested deeper than its schema can be followed.`,
  )
}
