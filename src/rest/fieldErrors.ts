import { isObject } from '../base/equal.ts'

/**
 * The messages of each field of a form. The name of a field inside another has dots, and messages about the whole form
 * have the name `''`.
 *
 * @example
 * const first = (errors: FieldErrors, field: string) => errors[field]?.[0]
 * @see docs/api/fieldErrors.md
 */
export interface FieldErrors {
  readonly [field: string]: readonly string[] | undefined
}

type Entry = readonly [field: string, message: string]

/** How the fields of an error body are called in the app, where the server calls them otherwise. */
export const fieldNames: WeakMap<object, (name: string) => string> = /* @__PURE__ */ new WeakMap()

/** Statuses whose body is about the fields that were sent. */
const STATUSES: ReadonlySet<unknown> = /* @__PURE__ */ new Set([400, 409, 422])
/** The members that contain the errors, of a body or of one of these members. */
const CONTAINERS = [
  'errors',
  'issues',
  'violations',
  'invalid_params',
  'invalid-params',
  'invalidParams',
  'error',
  'detail',
]
/** Names for the form as a whole. */
const FORM = /^(non_?field_?errors|__all__|base|_errors|_?root|_|\$)$/i
const MESSAGES = ['message', 'detail', 'msg', 'reason', 'description', 'title']
const FIELDS = [
  'field',
  'path',
  'loc',
  'pointer',
  'name',
  'property',
  'propertyPath',
  'param',
  'parameter',
  'source',
  'instancePath',
]
/** Deeper than this, nothing is read. */
const DEEPEST = 10

/**
 * The messages for the fields of a form, from a 400, 409 or 422 of the server, or from `validateBody`.
 *
 * @example
 * const { error } = useMutation(UserResource.create)
 * const { name, '': form } = fieldErrors(error)
 * @see docs/api/fieldErrors.md
 */
export function fieldErrors(
  error: unknown,
  read?: (body: any) => Iterable<readonly [field: string, message: string]> | undefined,
): FieldErrors {
  const { status, body, issues, refused } = Object(error) as {
    status?: number
    body?: unknown
    issues?: unknown
    refused?: boolean
  }
  // A response that the library refused says nothing about the form; a body that a validator refused has issues.
  const isAboutFields = !refused && STATUSES.has(status) && isObject(body)
  const entries = Array.isArray(issues)
    ? readItems(issues)
    : isAboutFields
      ? [...(read?.(body) ?? readBody(body, 0))]
      : []
  const rename = fieldNames.get(Object(error) as object)
  // Without a prototype: a field may be called `constructor`.
  const found = Object.create(null) as Record<string, string[]>
  for (const [field, message] of entries) {
    const parts = FORM.test(field) ? [] : field.split('.').filter((part) => part !== '$' && !FORM.test(part))
    const name = parts.map((part) => rename?.(part) ?? part).join('.')
    const messages = (found[name] ??= [])
    if (!messages.includes(message)) {
      messages.push(message)
    }
  }
  return found
}

function readBody(body: { [name: string]: any }, depth: number): Entry[] {
  if (Array.isArray(body)) {
    return readItems(body)
  }
  const { formErrors, fieldErrors: fields } = body
  if (Array.isArray(formErrors) && isObject(fields)) {
    return [...readValue('', formErrors, depth), ...readMap(fields, '', depth)]
  }
  const inData = depth > 0 ? [] : readData(body)
  if (inData.length > 0) {
    return inData
  }
  for (const name of CONTAINERS) {
    const part: unknown = Object.hasOwn(body, name) ? body[name] : undefined
    const entries = readContainer(part, name, depth)
    if (entries.length > 0) {
      return entries
    }
  }
  // zod writes its issues as the text of its message.
  if (body.name === 'ZodError' && typeof body.message === 'string') {
    return readItems(parse(body.message))
  }
  if (typeof body.statusCode === 'number' && Array.isArray(body.message)) {
    return readItems(body.message)
  }
  // The body itself is the map. A plain text in it, such as `code`, is no message of a field.
  return depth > 0 ? [] : readMap(body, '', depth).filter(([field]) => typeof body[field] !== 'string')
}

/** The member `data` of an error: WordPress has an object there that repeats the status, Feathers a list of Ajv. A form may have a field of that name. */
function readData({ code, message, data }: { [name: string]: any }): Entry[] {
  if (Array.isArray(data)) {
    return data.some((item) => Object.hasOwn(Object(item) as object, 'instancePath')) ? readItems(data) : []
  }
  if (!isObject(data) || typeof code !== 'string' || typeof data['status'] !== 'number') {
    return []
  }
  const { params, details } = data
  if (Array.isArray(params)) {
    return params.map((name) => [fieldOf(name), String(message)])
  }
  return (
    [params, details].map((map) => (isObject(map) ? readMap(map, '', 0) : [])).find(({ length }) => length > 0) ?? []
  )
}

function readContainer(part: unknown, name: string, depth: number): Entry[] {
  if (Array.isArray(part)) {
    return readItems(part)
  }
  if (!isObject(part) || depth > 3) {
    return []
  }
  const inner = readBody(part, depth + 1)
  return inner.length > 0 || name === 'error' ? inner : readMap(part, '', depth)
}

/** Errors in a list, each of which names its field. */
function readItems(items: unknown): Entry[] {
  return (Array.isArray(items) ? items : []).flatMap((item: unknown): Entry[] => {
    if (!isObject(item)) {
      return typeof item === 'string' ? [['', item]] : []
    }
    const { constraints, extensions, params, instancePath } = item
    const named = FIELDS.map((name) => item[name] as unknown).find((value) => value !== undefined)
    // Ajv reports what is missing, or too much, of the object that contains it. Directus names the field beside the code.
    const inside: unknown = params?.missingProperty ?? params?.additionalProperty
    const field =
      instancePath !== undefined && inside !== undefined
        ? `${instancePath}/${String(inside)}`
        : (named ?? (isObject(extensions) ? (extensions['field'] as unknown) : undefined))
    const message = messageOf(item)
    if (isObject(constraints)) {
      return readValue(fieldOf(field), Object.values(constraints), 0)
    }
    // A list of maps has no names of its own for the fields.
    return message === undefined ? readMap(item, '', 0) : [[fieldOf(field), message]]
  })
}

function readMap(map: { [name: string]: unknown }, lead: string, depth: number): Entry[] {
  return Object.entries(map).flatMap(([name, value]) => readValue(`${lead}${fieldOf(name)}`, value, depth + 1))
}

/** The messages of one field: a text, a list, or an object with those of the fields inside. */
function readValue(field: string, value: unknown, depth: number): Entry[] {
  if (typeof value === 'string') {
    return [[field, value]]
  }
  if (!isObject(value) || depth > DEEPEST) {
    return []
  }
  const lead = field && `${field}.`
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) =>
      typeof item === 'string' || (isObject(item) && messageOf(item) !== undefined)
        ? readValue(field, item, depth + 1)
        : readValue(`${lead}${index}`, item, depth + 1),
    )
  }
  const message = messageOf(value)
  return message === undefined ? readMap(value, lead, depth) : [[field, message]]
}

function messageOf(item: { [name: string]: any }): string | undefined {
  return MESSAGES.map((name) => item[name] as unknown).find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
}

/** The name of a field with dots, however it is written: a path, a JSON pointer, brackets. */
function fieldOf(value: unknown): string {
  if (Array.isArray(value)) {
    const parts = value.map((part: unknown) => String(isObject(part) ? part['key'] : part))
    return (parts.length > 1 && /^(body|query|path)$/.test(parts[0]!) ? parts.slice(1) : parts).join('.')
  }
  if (isObject(value)) {
    return fieldOf(value['pointer'] ?? value['parameter'] ?? '')
  }
  const name = String(value ?? '')
  if (/^#?\//.test(name) || name === '#') {
    const parts = name.replace(/^#?\/?/, '').split('/')
    const own = parts[0] === 'data' ? parts.slice(/^(attributes|relationships)$/.test(parts[1] ?? '') ? 2 : 1) : parts
    return own.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
  }
  return name
    .replace(/^\$\.?/, '')
    .replace(/\[["']?([^\]"']*)["']?\]/g, '.$1')
    .replace(/^\./, '')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
