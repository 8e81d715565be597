import type { JsonSchema } from './Description.ts'
import { type Model, typesOf } from './Model.ts'

/** The content of a response: one record or a list of them, perhaps in an envelope. */
export interface Found {
  readonly isList: boolean
  /** The schema of the record, or of an item of the list. */
  readonly schema: JsonSchema
  /** The member of the response that holds it. */
  readonly envelope: string | undefined
}

const RECORD_MEMBERS = new Set(['data', 'result', 'item', 'record', 'resource', 'response', 'payload'])

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
    return { isList: true, schema: item, envelope: undefined }
  }
  const view = model.view(response)
  if (view === undefined) {
    const [only, ...others] = model.options(response)
    return only !== undefined && (others.length > 0 || only !== response)
      ? { isList: false, schema: response, envelope: undefined }
      : undefined
  }
  const inside = (name: string): Found | undefined => {
    const member = view.properties.get(name)
    const listed = member && itemOf(model, member)
    return listed
      ? { isList: true, schema: listed, envelope: name }
      : member && (model.view(member) || model.options(member).length > 1)
        ? { isList: false, schema: member, envelope: name }
        : undefined
  }
  if (typeof envelope === 'string') {
    return inside(envelope)
  }
  // An object with an id is a record itself.
  if (envelope !== false && !model.isScalar(view.properties.get('id'))) {
    const lists = [...view.properties].filter(([, member]) => {
      const listed = itemOf(model, member)
      return listed !== undefined && (model.view(listed)?.properties.size ?? 0) > 0
    })
    if (lists.length === 1 && isEnvelope(view.properties, lists[0]![0])) {
      return inside(lists[0]![0])
    }
    const name = [...view.properties.keys()].find((member) => RECORD_MEMBERS.has(member) || member === subject)
    const found = name === undefined || view.properties.size > 6 ? undefined : inside(name)
    if (found !== undefined) {
      return found
    }
  }
  return { isList: false, schema: response, envelope: undefined }
}

const ENVELOPE_MEMBER =
  /^(?:object|url|kind|apiversion|api_version|jsonapi|included|ok|success|status|message|errors?|warnings?|links?|_links|meta.*|.*metadata|.*pag(?:e|ing|ination).*|.*(?:count|total|number|size|limit|offset|cursor|next|prev|previous|first|last|token|more|marker).*|incomplete_results|self|href)$/i

/** True if the other members of an object only describe the list. */
function isEnvelope(members: ReadonlyMap<string, JsonSchema>, list: string): boolean {
  const others = [...members.keys()].filter((name) => name !== list)
  return (
    others.every((name) => ENVELOPE_MEMBER.test(name)) || (others.length <= 2 && /^(?:data|items|results)$/.test(list))
  )
}

/** The schema of the items of an array. */
export function itemOf(model: Model, node: JsonSchema): JsonSchema | undefined {
  const { schema } = model.resolve(node)
  const isArray = typesOf(schema).includes('array') || schema.items !== undefined
  return isArray && typeof schema.items === 'object' ? schema.items : undefined
}
