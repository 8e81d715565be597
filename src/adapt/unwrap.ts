import { isObject, isPlain } from '../base/equal.ts'

/**
 * How the server wraps records and lists: `{ data, meta }`, `{ task }` and `{ tasks, meta }`, as JSON:API does, or your own
 * function.
 *
 * @example
 * const envelope: Envelope = (body) => body.response ?? body
 * @see docs/api/adaptEndpoint.md#envelope
 */
export type Envelope = 'data' | 'root' | 'jsonapi' | ((body: any) => unknown)

/** Members beside the record or the list that are about it. */
const ASIDE: ReadonlySet<string> = /* @__PURE__ */ new Set(['meta', 'links', 'pagination', 'included', 'jsonapi'])
/** Relations in relations are followed so far. */
const DEEPEST = 5

/** The content of a response. A schema that is an object itself keeps the envelope, with the members of `meta` beside the list. */
export function unwrap(body: unknown, envelope: Envelope, schema: unknown): unknown {
  if (typeof envelope === 'function') {
    return body == null ? body : envelope(body)
  }
  if (!isPlain(body) || Array.isArray(body)) {
    return body
  }
  const name = envelope === 'root' ? rootOf(body) : 'data'
  if (name === undefined || !Object.hasOwn(body, name)) {
    return body
  }
  const content = envelope === 'jsonapi' ? flatten(body) : body[name]
  if (!keepsEnvelope(schema, name)) {
    return content
  }
  const { meta } = body
  return { ...(isPlain(meta) && !Array.isArray(meta) ? meta : {}), ...body, [name]: content }
}

/** The one member that is neither about the others nor a plain value. */
function rootOf(body: Record<string, unknown>): string | undefined {
  const names = Object.keys(body).filter((name) => !ASIDE.has(name))
  return names.length === 1 && isObject(body[names[0]!]) ? names[0] : undefined
}

/** True if the schema describes the envelope itself. An Entity is a function, and its `schema` has the fields of a record. */
function keepsEnvelope(schema: unknown, name: string): boolean {
  const shape: unknown = isPlain(schema) ? schema : isObject(schema) ? schema['schema'] : undefined
  return isPlain(shape) && !Array.isArray(shape) && Object.hasOwn(shape, name)
}

interface JsonResource {
  readonly type?: string
  readonly id?: string
  readonly attributes?: object
  readonly relationships?: { readonly [name: string]: { readonly data?: unknown } | undefined }
}

/** Resources of JSON:API as plain records: fields and relations in one object, relations as included records or ids. */
function flatten(body: Record<string, unknown>): unknown {
  const included = new Map<string, JsonResource>()
  for (const one of Array.isArray(body['included']) ? (body['included'] as unknown[]) : []) {
    if (isObject(one)) {
      included.set(keyOf(one), one)
    }
  }
  const record = (one: unknown, above: readonly string[]): unknown => {
    if (!isObject(one)) {
      return one
    }
    const { type, id, attributes, relationships } = one as JsonResource
    const path = [...above, keyOf(one)]
    const relate = (link: unknown): unknown => {
      if (Array.isArray(link)) {
        return link.map(relate)
      }
      const found = isObject(link) && !path.includes(keyOf(link)) && path.length < DEEPEST && included.get(keyOf(link))
      return found ? record(found, path) : isObject(link) ? link['id'] : link
    }
    const relations = Object.entries(relationships ?? {})
      .filter(([, relation]) => relation?.data !== undefined)
      .map(([name, relation]) => [name, relate(relation!.data)])
    return { ...attributes, ...Object.fromEntries(relations), type, id }
  }
  const { data } = body
  return Array.isArray(data) ? data.map((one) => record(one, [])) : record(data, [])
}

function keyOf({ type, id }: { readonly type?: unknown; readonly id?: unknown }): string {
  return `${String(type)} ${String(id)}`
}
