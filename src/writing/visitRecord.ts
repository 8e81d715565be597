import { DEV } from '../base/env.ts'
import { copyFields, isObject, put } from '../base/equal.ts'
import { isStandIn, standInPk } from '../base/standIn.ts'
import { overlay } from '../records/fields.ts'
import { checkReplaced } from '../records/hotReload.ts'
import { classInfo } from '../records/classInfo.ts'
import type { ClassInfo, RecordRow } from '../records/RecordRow.ts'
import type { Fields } from '../rows/Fields.ts'
import { checkTypes } from '../schema/fieldTypes.ts'
import { argsPk, usablePk } from '../schema/pk.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { checkRecord, checkTwice, missingPk, refuseArray, warnOddPk } from '../schema/refuse.ts'
import { INVALID } from '../schema/Schema.ts'
import { originOf } from '../rows/origin.ts'
import { dropUnchanged } from './unchanged.ts'
import type { RecordWriter, Walk } from './Walk.ts'

/** Beyond this many levels, nested entities are normalised one after the other, so that the stack does not overflow. */
const DEEP = 64

/** Leaves a record in the patch of its row, and returns its primary key. */
function visitEntity(walk: Walk, schema: unknown, input: any, parent: any, key: string | undefined): unknown {
  const { isItem } = walk
  if (typeof input !== 'object') {
    walk.isRepeated = true
    return idOf(input)
  }
  const info = infoOf(walk, schema)
  const { Entity: Class, table } = info
  const origin = originOf(input)
  if (origin !== undefined && origin.table === table && table.byPk.get(origin.pk) === origin) {
    walk.isRepeated = true
    return origin.pk
  }
  if (Array.isArray(input)) {
    refuseArray(Class, input, walk.where, parent, key)
  }
  const taken: any = info.ownProcess ? Class.process(input, parent, key, walk.intake.args) : { ...input }
  if (DEV && info.ownProcess) {
    checkTwice(info, taken, parent, key, walk.intake.args)
  }
  const processed: any = withKey(walk, info, taken)
  const pk = pkOf(walk, info, processed ?? input, parent, key)
  if (pk === undefined) {
    if (input instanceof Class && input !== parent) {
      return undefined
    }
    throw withoutPk(walk, info, processed)
  }
  const row = table.row(pk)
  walk.noteWritten(row)
  if (processed === undefined || processed === null) {
    walk.patch(row).fields = INVALID
    return pk
  }
  walk.isRepeated ||= isItem && row.patch !== undefined
  if (!isMet(row, input)) {
    visitRecord(walk, info, row, input, processed)
  }
  return pk
}

function withoutPk(walk: Walk, { Entity: Class, ownPk }: ClassInfo, processed: unknown): Error {
  const { intake, owner, where } = walk
  const isResponse = DEV && intake.isWrite === true && !intake.fromApp && owner === undefined
  return missingPk(Class, ownPk, processed, intake.args, isResponse, where)
}

/** Throws for fields that the class refuses. */
function check(walk: Walk, { Entity: Class, table }: ClassInfo, pk: string, processed: any): void {
  if (Class.validate !== undefined) {
    checkRecord(Class, processed, () => `${table.key} ${pk}${walk.where}`)
  }
  if (DEV && !walk.isPending) {
    checkTypes(Class, processed, () => walk.where)
  }
}

/** True for an object that was visited for this record before. Several objects that stand for it may refer to each other. */
function isMet({ patch }: RecordRow, input: unknown): boolean {
  if (patch === undefined || patch.input === input) {
    return patch !== undefined
  }
  if (patch.busy === 0) {
    return false
  }
  patch.met ??= new Set([patch.input])
  const isKnown = patch.met.has(input)
  patch.met.add(input)
  return isKnown
}

function visitRecord(walk: Walk, info: ClassInfo, row: RecordRow, input: unknown, processed: any): void {
  const { creating, intake } = walk
  check(walk, info, row.pk, processed)
  const fields = info.ownProcess && (processed === input || Object.isFrozen(processed)) ? { ...processed } : processed
  // Links to a record that is being created need an id. The fields of a pk of the user's own are the user's business.
  if (creating > 0 && intake.standIn !== undefined && !info.ownPk && isStandIn(row.pk)) {
    fields.id = hasNumericId(info) ? Number(row.pk) : row.pk
  }
  const patch = walk.patch(row)
  patch.info = info
  patch.input = input
  patch.busy++
  if (walk.depth < DEEP) {
    visitFields(walk, info, row, fields as Fields)
  } else {
    walk.later.push(() => visitFields(walk, info, row, fields as Fields))
  }
}

/** Visits the nested fields of a record, then hands the record to its patch. */
function visitFields(walk: Walk, info: ClassInfo, row: RecordRow, processed: Fields): void {
  const { intake, owner } = walk
  const { schema } = info.Entity
  if (intake.fromApp) {
    dropUnchanged(walk, info, row, processed)
  }
  walk.depth++
  walk.owner = row
  for (const name in schema) {
    const value = Object.hasOwn(processed, name) ? processed[name] : undefined
    if (value === undefined) {
      continue
    }
    const next: unknown = walk.visit(schema[name], value, processed, name)
    // A placeholder, such as the default of a relation that is not loaded, is no data.
    if (next === undefined) {
      Reflect.deleteProperty(processed, name)
    } else {
      put(processed, name, next)
    }
  }
  walk.depth--
  walk.owner = owner
  // The app may change its own objects later. In development stored values are frozen.
  if (intake.fromApp || DEV) {
    copyFields(processed)
  }
  row.patch!.busy--
  gather(walk, info, row, processed)
}

function pkOf(walk: Walk, info: ClassInfo, value: any, parent: any, key: string | undefined): string | undefined {
  const { args, standIn } = walk.intake
  const pk = usablePk(info.ownPk ? info.Entity.pk(value, parent, key, args) : (value as { id: unknown }).id)
  if (DEV) {
    warnOddPk(info.table.key, pk)
  }
  return pk === undefined && walk.creating > 0 && standIn !== undefined
    ? standInPk(standIn, walk.standIns++, hasNumericId(info))
    : pk
}

/** A value without a primary key, with the fields of the arguments, which name the record. */
function withKey(walk: Walk, { Entity: Class, table }: ClassInfo, value: unknown): unknown {
  const { args, isNamed } = walk.intake
  const pk = isNamed && walk.owner === undefined ? argsPk(Class, args) : undefined
  if (pk === undefined || !isObject(value) || argsPk(Class, [value]) !== undefined) {
    return value
  }
  const named: Fields = isObject(args[0]) ? args[0] : { id: args[0] }
  const defaults = Class.defaults as Fields
  const stored = table.byPk.get(pk)?.value
  const known: Fields = isObject(stored) ? stored : {}
  const filled = { ...value }
  for (const name in named) {
    if (filled[name] === undefined && Object.hasOwn(defaults, name)) {
      // A key from a URL is text, also where the field is a number.
      const isNumber = typeof defaults[name] === 'number' && String(Number(named[name])) === named[name]
      filled[name] = known[name] ?? (isNumber ? Number(named[name]) : named[name])
    }
  }
  return filled
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

/** Facts about a class. Most values hold many records of one. */
function infoOf(walk: Walk, Class: unknown): ClassInfo {
  if (Class !== walk.lastClass) {
    const { tables, meta } = walk.intake
    walk.lastInfo = classInfo(tables, Class as RecordClass)
    if (DEV) {
      checkReplaced(walk.lastInfo, Class as RecordClass, meta.sent)
    }
    walk.lastClass = Class
  }
  return walk.lastInfo!
}

/** Adds incoming fields to a record, which the response may contain more than once. */
function gather(walk: Walk, info: ClassInfo, row: RecordRow, incoming: Fields): void {
  const patch = walk.patch(row)
  const { fields } = patch
  patch.info = info
  patch.fields =
    typeof fields !== 'object'
      ? incoming
      : info.hasMergeHooks
        ? (info.Entity.merge(fields, incoming) as Fields)
        : overlay(fields, incoming)
}

export const recordWriter: RecordWriter = {
  visit: visitEntity,
  info: infoOf,
  merge(walk, Class, pk, fields) {
    const info = infoOf(walk, Class)
    gather(walk, info, info.table.row(pk), { ...fields })
  },
}
