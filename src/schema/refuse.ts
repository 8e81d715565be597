import { DEV } from '../base/env.ts'
import { refusal } from '../base/errors.ts'
import { isObject, share } from '../base/equal.ts'
import { show } from '../base/show.ts'
import { stableKey } from '../base/stableKey.ts'
import { validate } from '../base/standardSchema.ts'
import { warnOnce } from '../base/warn.ts'
import type { RecordClass } from './RecordClass.ts'
import { usablePk } from './pk.ts'
import { isEntity, isSchemaClass, membersOf } from './Schema.ts'

/** The error of a response that is not stored. */
export function refuse(code: string, subject: string, text: string | false, response?: unknown): Error {
  return refusal(code, subject, text, { response })
}

/** Rejects a response of another kind than its schema describes, such as `null` for a record. */
export function checkKind(schema: any, value: unknown, key: string | undefined): void {
  if (!isEntity(schema) && !isObject(schema)) {
    return
  }
  if (isObject(value) && !(Array.isArray(value) && isListForObject(schema, value))) {
    return
  }
  if (isSchemaClass(schema) && schema.acceptsKey && value !== null && value !== undefined) {
    return
  }
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const { key: name } = schema as { key?: string }
  throw refuse(
    'input-wrong-kind',
    `${found} for ${name ?? 'the schema'} of ${key ?? 'a value'}`,
    DEV &&
      `Expected an object${isEntity(schema) || membersOf(schema) ? '' : ' or a list'}${name ? ` for ${name}` : ''}, but the ${key === undefined ? 'value' : 'response'} is ${found}. ${describeKind(value)}`,
    value,
  )
}

/** The advice for a value of another kind than its schema describes. */
function describeKind(value: unknown): string | false {
  if (!DEV) {
    return false
  }
  if (value === null || value === undefined) {
    return 'If the server sends no body, make the value from the arguments: process: (value, ...args) => value ?? …. Without a value to store, set schema: undefined.'
  }
  if (Array.isArray(value)) {
    return 'Describe the list: schema: new Collection([…]).'
  }
  return typeof value === 'string' && looksLikeJson(value)
    ? 'It is JSON as text: parse it in parseResponse().'
    : 'Check the URL. If the response is right, set schema: undefined.'
}

/** A list where an object with named members is expected, and none of the members is in it. */
function isListForObject(schema: any, value: unknown[]): boolean {
  const members = membersOf(schema)
  return members !== undefined && !Object.keys(members).some((name) => Object.hasOwn(value, name))
}

function looksLikeJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/** An array where one record is expected. `parent`, or its member, may be the object around the list. */
export function refuseArray(
  Class: RecordClass,
  input: unknown[],
  where: string,
  parent: any,
  key: string | undefined,
): void {
  const mode = Class.automaticValidation
  if (mode === 'silent') {
    return
  }
  const text =
    DEV &&
    `Attempted to initialize ${Class.key} with an array${where}: ${show(input.slice(0, 3))}. ${describeEnvelope(Class.key, input, [parent, key === undefined ? undefined : parent?.[key]])}`
  if (mode !== 'warn') {
    throw refuse('entity-array', `${Class.key}${where}`, text, input)
  }
  if (text) {
    warnOnce(text)
  }
}

/** How to declare a list, by the object that it was found in. */
function describeEnvelope(key: string, input: unknown[], around: readonly unknown[]): string | false {
  if (!DEV) {
    return false
  }
  for (const value of around) {
    const member = isObject(value) && Object.keys(value).find((name) => value[name] === input)
    if (member) {
      return `The list is in the member "${member}" of an object. Declare that member: schema: { ${member}: [${key}] }, or in a resource .extend({ getList: { schema: { ${member}: new Collection([${key}]) } } }).`
    }
  }
  return `Write [${key}] where the response is a list.`
}

/** A record without a usable primary key. */
export function missingPk(
  Class: RecordClass,
  ownPk: boolean,
  value: unknown,
  args: readonly any[],
  isResponse: boolean,
  where: string,
): Error {
  const subject = `${Class.key}${where}`
  // Metro drops a function that nothing calls, but not the end of one that returns early.
  const text =
    DEV &&
    `Missing usable primary key when normalizing response: "${Class.key}"${where} was ${show(value)}.${adviseOnPk(Class, ownPk, value, args, isResponse)}`
  return refuse('entity-missing-pk', subject, text, value)
}

/** Warns of a primary key that was made from nothing. */
export function warnOddPk(key: string, pk: string | undefined): void {
  if (DEV && (pk === 'null' || pk === 'NaN')) {
    warnOnce(`A record of "${key}" has the primary key "${pk}", which looks like a value that was missing.`)
  }
}

/** Refuses a record that its class does not accept. */
export function checkRecord(Class: RecordClass, record: unknown, subject: () => string): void {
  const test = Class.validate!
  if ('~standard' in test) {
    validate(test, record, 'validate-entity', subject)
    return
  }
  const text = test.call(Class, record)
  if (text) {
    throw refuse('entity-invalid', subject(), DEV && text, record)
  }
}

/** A value whose schema cannot be followed on the stack. */
export function tooDeep(key = 'a value'): Error {
  const text = DEV && `The response of "${key}" is nested deeper than its schema can be followed.`
  return refuse('input-too-deep', key, text)
}

/** Two endpoints of different paths whose lists have one name. */
export function sharedList(key: string, stored: string, path: string): Error {
  return refuse(
    'collection-shared',
    `${key}: ${stored}, ${path}`,
    DEV &&
      `Two endpoints, "${stored}" and "${path}", would share one list of "${key}", since their arguments are equal. Give one of them an identity of its own: new Collection(…, { name: '…' }) or { argsKey: … }.`,
  )
}

/** Several records hold one list. */
export function warnSharedList(key: string, where: string): void {
  if (DEV) {
    warnOnce(
      `Several records hold one list of "${key}"${where}. Give its Collection a nestKey, so that each has its own.`,
    )
  }
}

/** @param isResponse it stands at the top level of the response of a mutation */
function adviseOnPk(
  Class: RecordClass,
  ownPk: boolean,
  value: unknown,
  args: readonly any[],
  isResponse: boolean,
): string {
  const member = findRecord(Class, value, args)
  if (member) {
    return ` The record is in the member "${member}" of an object. Return that member from process() or parseResponse(), or declare it: schema: { ${member}: ${Class.key} }. See docs/guide/adapt-your-api.md.`
  }
  const definePk = !ownPk && (value as any)?.id === undefined ? ' It has no field "id": define pk().' : ''
  return `${definePk}${isResponse ? ' If the server sends no record, say so: process: () => null.' : ''}`
}

/** The member of an envelope that holds a record. An object with fields of the record is no envelope. */
function findRecord(Class: RecordClass, value: unknown, args: readonly any[]): string | undefined {
  try {
    if (!isObject(value) || Object.keys(Class.fromJS()).some((name) => name in value)) {
      return undefined
    }
    return Object.keys(value).find((name) => {
      const member = value[name]
      return isObject(member) && usablePk(Class.pk(member, value, name, args)) !== undefined
    })
  } catch {
    // The constructor, or pk(), cannot be used on it.
    return undefined
  }
}

/** Warns, once for each class, of a `process` that changes its own output when it is given that again. */
export function checkTwice(
  info: { readonly Entity: RecordClass; checked: boolean },
  processed: unknown,
  ...rest: ProcessRest
): void {
  // Metro drops no unused export, so a function that only development calls is empty in production.
  if (!DEV || info.checked || !isObject(processed)) {
    return
  }
  info.checked = true
  if (!isStable(info.Entity, processed, rest)) {
    warnOnce(
      `${info.Entity.key}.process changes its own output when it is given that again, as \`set\` and optimistic updates do. Let it leave alone what is already processed.`,
    )
  }
}

type ProcessRest = [parent: unknown, key: string | undefined, args: readonly any[]]

function isStable(Class: RecordClass, processed: object, rest: ProcessRest): boolean {
  let again: unknown
  try {
    // A copy: production does not call it twice, and has to store the same.
    again = Class.process({ ...processed }, ...rest)
  } catch {
    return false
  }
  try {
    // Dates and the like are made again each time; their text is compared.
    return share(processed, again) === processed || stableKey(processed) === stableKey(again)
  } catch {
    // A value without a text is not judged.
    return true
  }
}

/** The error of a converter that throws. `record` is the key and the primary key of its record; `undefined` in a response. */
export function convertFailed(
  record: string | undefined,
  field: string | undefined,
  raw: unknown,
  cause: unknown,
): Error {
  const where = DEV && (record ? `of "${field}" threw for ${record}` : 'threw in the response')
  return refusal(
    'convert-failed',
    record ? `${record} at ${field}` : 'response',
    DEV && `The converter ${where}: ${String(cause)}. The stored value is ${show(raw)}.`,
    { cause },
  )
}
