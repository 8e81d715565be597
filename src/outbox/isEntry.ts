import { isObject } from '../base/equal.ts'
import { type Entry, keyOf } from './Entry.ts'

type Test = (value: any) => boolean

const isText: Test = (value) => typeof value === 'string'
const isNumber: Test = (value) => Number.isFinite(value)
// A change that waits for a decision of its user has no time.
const isTime: Test = (value) => typeof value === 'number' && !Number.isNaN(value)
const listOf =
  (isPart: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(isPart)
const maybe =
  (isValue: Test): Test =>
  (value) =>
    value === undefined || isValue(value)

const TESTS: Partial<Record<keyof Entry, Test>> = {
  order: isNumber,
  endpoint: isText,
  args: Array.isArray,
  records: listOf(isText),
  creates: listOf(isText),
  version: isNumber,
  createdAt: isNumber,
  dueAt: isTime,
  allowedAt: maybe(isTime),
  attempts: isNumber,
  unknownSince: maybe(isNumber),
  key: isText,
  request: maybe((value) => isText(value?.url) && isText(value.method)),
  ifMatch: maybe(isText),
  shown: listOf((part) => Array.isArray(part) && isText(part[0]) && isText(part[1]) && typeof part[2] === 'object'),
  state: (value) => ['pending', 'failed', 'conflict'].includes(value as string),
  claim: maybe((value) => isText(value?.by) && isNumber(value.until)),
  error: maybe((value) => isText(value?.message)),
}

/** True for what a database holds under the key of an entry, if it is one. Another program may have written it, or another version of this one. */
export function isEntry(key: string, value: unknown): value is Entry {
  return (
    isObject(value) &&
    keyOf(value as Entry) === key &&
    Object.entries(TESTS).every(([name, isValid]) => isValid(value[name]))
  )
}
