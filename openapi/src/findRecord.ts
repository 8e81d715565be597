import type { JsonSchema } from './Description.ts'
import { type Model, type ObjectView, typesOf } from './Model.ts'
import { flatName, singularName } from './names.ts'

/** The content of a response: one record or a list of them, perhaps in an envelope. */
export interface Found {
  readonly isList: boolean
  /** The schema of the record, or of an item of the list. */
  readonly schema: JsonSchema
  /** The member of the response that holds it, with dots for a member inside a member: `data.items`. */
  readonly envelope: string | undefined
  /** True if the description does not say that the list is an array: a single record may come in its place. */
  readonly isLoose?: boolean
}

/** Members that hold a record, or the object with the list. */
const WRAPPERS = new Set(
  'data result results response payload embedded item record resource body content d page list value output'.split(' '),
)
/** Members that hold a list in most APIs. */
const LISTS = new Set(
  `data items results content values records entries rows list elements hits objects docs documents nodes value resources collection
  members resultset`.split(/\s+/),
)
/** Lists that describe another one, or the request. */
const ASIDE =
  /^(?:errors?|error_?messages|warnings?|warning_?messages|messages|_?links|included|includes|meta|sort|sorts|orders?by|facets?|aggregations|filters|fields|columns|headers|notices|notifications|alerts|hints|breadcrumbs|logs|_?schemas?|scopes|expand)$/i
const DEEPEST = 2

/** Finds the record or the list in a response. `subject` is what the path names: `user` of `/users/{id}`. */
export function findRecord(
  model: Model,
  response: JsonSchema | undefined,
  subject: string,
  envelope?: string | false,
): Found | undefined {
  if (response === undefined) {
    return undefined
  }
  const item = itemOf(model, response)
  if (item !== undefined) {
    return { isList: true, schema: item, envelope: undefined, isLoose: isLoose(model, response) }
  }
  const view = model.view(response)
  if (view === undefined) {
    const [only, ...others] = model.options(response)
    if (only === undefined || (others.length === 0 && only === response)) {
      return undefined
    }
    // A nullable list is a list.
    const inner = others.length === 0 ? findRecord(model, only, subject, envelope) : undefined
    if (inner?.isList) {
      return inner
    }
    // Several kinds of lists are a list of several kinds.
    const items = [only, ...others].map((option) => itemOf(model, option))
    return items.includes(undefined)
      ? { isList: false, schema: response, envelope: undefined }
      : { isList: true, schema: { oneOf: items as JsonSchema[] }, envelope: undefined }
  }
  // An envelope for all operations says nothing of a response that does not have it.
  const named = typeof envelope === 'string' ? findAt(model, view, subject, envelope) : undefined
  if (named !== undefined) {
    return named
  }
  // An object with an id is a record itself.
  if (envelope !== false && !model.isScalar(view.properties.get('id'))) {
    const found = findIn(model, view, subject, 0)
    if (found !== undefined) {
      return found
    }
  }
  return { isList: false, schema: response, envelope: undefined }
}

/** The record or the list in a member that the configuration names. */
function findAt(model: Model, view: ObjectView, subject: string, envelope: string): Found | undefined {
  const [first, ...rest] = envelope.split('.')
  const member = view.properties.get(first!)
  if (member !== undefined && rest.length > 0) {
    const inner = model.view(member)
    const found = inner && findAt(model, inner, subject, rest.join('.'))
    return found && inside(first!, found)
  }
  const found = member && foundIn(model, first!, member)
  const inner = found?.isList === false ? model.view(member!) : undefined
  // The object that is named may hold the list.
  const list =
    inner && !model.isScalar(inner.properties.get('id')) ? findIn(model, inner, subject, DEEPEST - 1) : undefined
  return list?.isList ? inside(first!, list) : found
}

function foundIn(model: Model, name: string, member: JsonSchema): Found | undefined {
  const listed = itemOf(model, member)
  if (listed !== undefined) {
    return { isList: true, schema: listed, envelope: name, isLoose: isLoose(model, member) }
  }
  return model.view(member) || model.options(member).length > 1
    ? { isList: false, schema: member, envelope: name }
    : undefined
}

function inside(name: string, found: Found): Found {
  return { ...found, envelope: found.envelope === undefined ? name : `${name}.${found.envelope}` }
}

/** Finds the record or the list in the members of an object, by their shape: what is beside it only describes it. */
function findIn(model: Model, view: ObjectView, subject: string, depth: number): Found | undefined {
  // A name with a dot looks like a member inside a member.
  const members = [...view.properties].filter(([name]) => !name.includes('.'))
  // `/messages` returns `messages`.
  const isBeside = (name: string): boolean => isAside(name) && !isSubject(name, subject)
  const others = (own: string): (readonly [string, JsonSchema])[] =>
    [...view.properties].filter(([name]) => name !== own && !isBeside(name))
  const lists = members.filter(([name, node]) => !isBeside(name) && holdsRecords(model, node))
  const own = lists.length === 1 ? lists[0]! : lists.find(([name]) => isSubject(name, subject))
  if (own !== undefined && isList(model, view, own, others(own[0]), lists.length, subject)) {
    return foundIn(model, own[0], own[1])
  }
  if (lists.length > 0) {
    return undefined
  }
  for (const [name, node] of members) {
    const flat = flatName(name)
    const inner = WRAPPERS.has(flat) ? model.view(node) : undefined
    if (
      inner === undefined ||
      depth >= DEEPEST ||
      !others(name).every(([other, own]) => isHarmless(model, other, own))
    ) {
      continue
    }
    // `_embedded` of HAL holds one list, whatever it is called.
    const [only, ...more] = [...inner.properties].filter(
      ([own, member]) => !isAside(own) && holdsRecords(model, member),
    )
    const isEmbedded = flat === 'embedded' && only !== undefined && more.length === 0
    const isRecord = model.isScalar(inner.properties.get('id'))
    const found = isEmbedded
      ? foundIn(model, only[0], only[1])
      : isRecord
        ? undefined
        : findIn(model, inner, subject, depth + 1)
    if (found?.isList) {
      return inside(name, found)
    }
  }
  const main = members.filter(([name]) => !isBeside(name))
  const name =
    members.map(([own]) => own).find((own) => RECORD_MEMBERS.has(own) || flatName(own) === flatName(subject)) ??
    // `{ break_type, errors }`: nothing else is there.
    (main.length === 1 && model.isScalar(model.view(main[0]![1])?.properties.get('id')) ? main[0]![0] : undefined)
  return name === undefined || others(name).length > 5 ? undefined : foundIn(model, name, view.properties.get(name)!)
}

const RECORD_MEMBERS = new Set(['data', 'result', 'item', 'record', 'resource', 'response', 'payload'])

/** True if the list is what the object is for. */
function isList(
  model: Model,
  view: ObjectView,
  [name]: readonly [string, JsonSchema],
  others: readonly (readonly [string, JsonSchema])[],
  count: number,
  subject: string,
): boolean {
  const rest = others.filter(([other]) => !ENVELOPE_MEMBER.test(other))
  if (rest.length === 0) {
    return true
  }
  const isPaged = [...view.properties.keys()].some((other) => PAGED.test(other))
  if (count > 1) {
    return isPaged && rest.every(([other, node]) => isHarmless(model, other, node) || holdsRecords(model, node))
  }
  const isNamed = LISTS.has(flatName(name)) || isSubject(name, subject)
  return (
    (rest.length <= 2 && /^(?:data|items|results)$/.test(name)) ||
    ((isNamed || isPaged) && rest.every(([other, node]) => isHarmless(model, other, node)))
  )
}

/** True for a member that is no record: text, a number, a choice, or an object that describes the list. */
function isHarmless(model: Model, name: string, node: JsonSchema): boolean {
  const view = model.view(node)
  return ENVELOPE_MEMBER.test(name) || view === undefined || view.properties.size === 0
}

function isAside(name: string): boolean {
  return ASIDE.test(name)
}

/** True for a list of objects. */
function holdsRecords(model: Model, node: JsonSchema): boolean {
  const item = itemOf(model, node)
  return item !== undefined && model.options(item).some((option) => (model.view(option)?.properties.size ?? 0) > 0)
}

/** True if a member has the name that the path has: `users` of `/users`. */
function isSubject(name: string, subject: string): boolean {
  return flatName(singularName(name)) === flatName(subject)
}

const ENVELOPE_MEMBER =
  /^(?:object|url|uri|kind|type|apiversion|api_version|version|jsonapi|ok|success|successful|status|status_?(?:code|text)|code|message|description|took|took_?ms|duration|timed_?out|time|timestamp|date|request_?id|trace_?id|self|href|context|etag|query|q|jsonrpc|expand|pageable|sort|sorted|empty|startat|start|end|from|to|has_?(?:more|next|prev).*|is_?last.*|.*_uri|@.*|\$.*|incomplete_results|result_?info|info|extra|.*meta.*|.*pag(?:e|es|ing|ination).*|.*(?:count|total|number|size|limit|max_?results|offset|cursor|next|prev|previous|first|last|token|more|marker|skip|take).*)$/i
/** A member that only a list with pages has. */
const PAGED =
  /^(?:(?:.*[_.]|@.*)?next.*|has_?(?:more|next).*|is_?last.*|.*(?:total|cursor|offset|marker).*|.*pag(?:e|es|ing|ination|eable).*|startat|max_?results|_?links|(?:.*_)?count|last_id|continue)$/i

/** The schema of the items of an array. */
export function itemOf(model: Model, node: JsonSchema): JsonSchema | undefined {
  const { schema } = model.resolve(node)
  const isArray = typesOf(schema).includes('array') || (schema.items !== undefined && typesOf(schema).length === 0)
  return isArray && typeof schema.items === 'object' ? schema.items : undefined
}

/** True for a schema that says of what items are, but not that it is an array. */
export function isLoose(model: Model, node: JsonSchema): boolean {
  const { schema } = model.resolve(node)
  return schema.items !== undefined && !typesOf(schema).includes('array')
}

/** True for a list that can be no single record. */
export function isSurelyList(found: Found | undefined): boolean {
  return found?.isList === true && found.isLoose !== true
}
