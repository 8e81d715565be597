import { OpenApiError } from './errors.ts'
import { RESERVED_VALUES } from './names.ts'
import { suggest } from './suggest.ts'

/** Says what a value of the configuration may be. */
interface Kind {
  /** Its description in a message. */
  readonly is: string
  readonly accepts: (value: unknown) => boolean
  /** Members of an object, of which each is optional unless it is listed in `needs`. */
  readonly members?: { readonly [name: string]: Kind }
  readonly needs?: readonly string[]
  /** Values by names of the description. */
  readonly values?: Kind
  readonly choices?: readonly Kind[]
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const kind = (is: string, accepts: Kind['accepts']): Kind => ({ is, accepts })
const text = kind('a text', (value) => typeof value === 'string' && value !== '')
const flag = kind('true or false', (value) => typeof value === 'boolean')
const off = kind('false', (value) => value === false)
const count = kind('a whole number from 0 on', (value) => Number.isSafeInteger(value) && (value as number) >= 0)
const member = kind('a name in code, such as "Order"', (value) => typeof value === 'string' && isName(value))
const name = {
  ...member,
  accepts: (value: unknown) => member.accepts(value) && !RESERVED_VALUES.includes(String(value)),
}
const texts = kind('a list of texts', (value) => Array.isArray(value) && value.length > 0 && value.every(text.accepts))
const code = kind('a function', (value) => typeof value === 'function')
const isName = (value: string): boolean => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(value)
const oneOf = (...values: readonly string[]): Kind =>
  kind(values.map((value) => (value === '' ? `''` : `'${value}'`)).join(' or '), (value) =>
    values.includes(value as string),
  )
const object = (is: string, members: Kind['members'] & object, ...needs: readonly string[]): Kind => ({
  is,
  accepts: isObject,
  members,
  needs,
})
const by = (is: string, values: Kind): Kind => ({ is, accepts: isObject, values })
const either = (...choices: readonly Kind[]): Kind => ({
  is: choices.map((choice) => choice.is).join(', or '),
  accepts: (value) => choices.some((choice) => choice.accepts(value)),
  choices,
})

const NEXT: Kind = {
  is: `'count', 'offset', 'link', { cursor: '…' }, { url: '…' } or { last: '…' }`,
  accepts: (value) =>
    value === 'count' ||
    value === 'offset' ||
    value === 'link' ||
    (isObject(value) && ['cursor', 'url', 'last'].filter((member) => member in (value as object)).length === 1),
  members: { cursor: text, url: text, last: text, while: text },
}
const END = object('an object', {
  total: text,
  count: text,
  size: text,
  sizeField: object('{ field, default, most }', { field: text, default: count, most: count }, 'field', 'default'),
  pages: text,
  more: text,
  last: text,
})
const PAGES = either(
  object('{ field, next }', { field: text, next: NEXT, first: count, after: text, end: END }, 'next'),
  off,
)
const OPERATION = either(
  object('an object', { name: member, resource: off, pages: PAGES, envelope: either(text, off) }),
  off,
)
const ENTITY = either(object('an object', { key: either(text, texts), scope: texts, table: name }), off)
const TYPES = ['bearer', 'basic', 'cookie', 'header', 'query']
const AUTH: Kind = {
  is: `{ type: 'bearer' }, 'basic' or 'cookie', or { type: 'header', name: '…' } or 'query'`,
  accepts: (value) => {
    const { type, name: own } = Object(value)
    return isObject(value) && TYPES.includes(type) && (type === 'header' || type === 'query') === text.accepts(own)
  },
  members: { type: oneOf(...TYPES), name: text },
}

const CONFIG = object('an object', {
  input: text,
  output: text,
  headers: by('an object of texts', text),
  lenient: flag,
  external: flag,
  baseUrl: either(
    kind('a text', (value) => typeof value === 'string'),
    off,
  ),
  baseClass: object('{ name, from }', { name, from: text }, 'name', 'from'),
  entities: by('an object by schema', ENTITY),
  operations: by('an object by operation', OPERATION),
  names: by('an object by schema', name),
  resources: by('an object by path', either(name, off)),
  skipTags: kind('a list of texts', (value) => Array.isArray(value) && value.every(text.accepts)),
  pages: PAGES,
  envelope: either(text, off),
  auth: either(AUTH, off),
  casing: oneOf('keep', 'camel'),
  dates: flag,
  validation: oneOf('zod'),
  mocks: flag,
  types: text,
  map: text,
  force: flag,
  importExtension: oneOf('', '.js', '.ts'),
  format: code,
})

/** Refuses a configuration with members that nothing reads, or with values that they cannot have. */
export function checkValues(config: unknown): void {
  check(config, CONFIG, '')
}

function check(value: unknown, whole: Kind, place: string): void {
  if (value === undefined) {
    return
  }
  const own = whole.choices?.find(({ accepts }) => accepts(value)) ?? whole
  // A misspelt member says more than the object that lacks the right one.
  const unknown = own.members && isObject(value) ? findUnknown(value as object, own.members) : undefined
  const inner = whole.choices && isObject(value) ? whole.choices.find(({ members }) => members) : undefined
  const misspelt = unknown ?? (inner?.members && findUnknown(value as object, inner.members))
  const where = place === '' ? 'The configuration' : `"${place}" of the configuration`
  if (misspelt !== undefined) {
    const known = Object.keys((own.members ?? inner?.members)!)
    throw new OpenApiError(`${where} has a member "${misspelt}", which nothing reads.${suggest(misspelt, known)}`)
  }
  if (!own.accepts(value)) {
    throw new OpenApiError(`${where} is ${JSON.stringify(value)}, and has to be ${whole.is}.`)
  }
  const missing = own.needs?.find((member) => (value as { [name: string]: unknown })[member] === undefined)
  if (missing !== undefined) {
    throw new OpenApiError(`${where} has no "${missing}". Add ${missing}: ${own.members![missing]!.is}.`)
  }
  for (const [member, one] of isObject(value) && (own.members || own.values) ? Object.entries(Object(value)) : []) {
    const step = /^[\w$]+$/.test(member) ? (place === '' ? member : `.${member}`) : `["${member}"]`
    check(one, own.members?.[member] ?? own.values!, place + step)
  }
}

function findUnknown(value: object, members: object): string | undefined {
  return Object.keys(value).find((member) => !(member in members))
}
