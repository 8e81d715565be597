// Arguments and bodies as a database can hold them: forms become lists of their fields.

import { DEV } from '../base/env.ts'
import { isObject, isPlain } from '../base/equal.ts'
import { fail } from '../base/errors.ts'

/** The only member of a packed form. */
const FORM = 'restitch$form'

/** Platform objects that a database stores as they are. */
const STORED = ['Date', 'Blob', 'File']

/** A value that can be stored. Throws a `TypeError` that names the place of anything else. */
export function pack(value: unknown, subject: string, path: string = ''): unknown {
  if (value === null || ['string', 'boolean', 'number', 'bigint', 'undefined'].includes(typeof value)) {
    return value
  }
  if (isForm(value)) {
    return { [FORM]: [...value] }
  }
  if (isPlain(value)) {
    return Array.isArray(value)
      ? value.map((part, i) => pack(part, subject, `${path}[${i}]`))
      : Object.fromEntries(
          Object.entries(value).map(([name, part]) => [name, pack(part, subject, path ? `${path}.${name}` : name)]),
        )
  }
  if (isOneOf(value, STORED)) {
    return value
  }
  throw fail(
    'outbox-argument',
    `${path} of ${subject}`,
    DEV &&
      `"${path}" of "${subject}" is ${isObject(value) ? `a ${value.constructor?.name ?? 'object'}` : `a ${typeof value}`}, which cannot be stored. The outbox takes plain data, Date, Blob, File and FormData.`,
    TypeError,
  )
}

/** The value that was packed. */
export function unpack(value: any): any {
  if (!isPlain(value)) {
    return value
  }
  if (Array.isArray(value)) {
    return value.map(unpack)
  }
  const fields = value[FORM]
  if (Array.isArray(fields) && fields.every(isPair) && Object.keys(value).length === 1) {
    const form = new FormData()
    fields.forEach(([name, field]: [string, string]) => form.append(name, field))
    return form
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unpack(part)]))
}

/** The body of a request, which may be a form, or anything else that `fetch` takes and a database stores. */
export function packBody(body: unknown): unknown {
  return isForm(body) ? { [FORM]: [...body] } : isOneOf(body, ['URLSearchParams']) ? String(body) : body
}

/** The fields of a record that can be stored; others are left out, since they are only there to be shown. */
export function packFields(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      try {
        return [[name, pack(value, '')]]
      } catch {
        return []
      }
    }),
  )
}

/** A field of a form: `append` takes text and files. */
function isPair(field: unknown): boolean {
  return Array.isArray(field) && (typeof field[1] === 'string' || isOneOf(field[1], ['Blob']))
}

function isForm(value: unknown): value is FormData {
  return isOneOf(value, ['FormData'])
}

function isOneOf(value: unknown, names: readonly string[]): boolean {
  return names.some((name) => {
    const Type = (globalThis as Record<string, any>)[name]
    return Type && value instanceof Type
  })
}
