import {
  METHODS,
  type JsonSchema,
  type MediaType,
  type Method,
  type Parameter,
  type RawOperation,
} from './Description.ts'
import type { Model } from './Model.ts'
import { isVersion } from './names.ts'
import { nameOf, type OperationName } from './operationName.ts'

/** How a body is sent. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary'

/** An operation, with its references resolved. */
export interface Operation {
  /** `GET /pets/{petId}`: it names the operation in messages and in the configuration, where it has no `operationId`. */
  readonly id: string
  readonly operationId: string | undefined
  readonly method: Method
  readonly path: string
  /** The path without a slash or a format, such as `.json`, at its end. */
  readonly place: string
  readonly segments: readonly string[]
  /** The first tag, or the first segment of the path that is not a version. */
  readonly tag: string
  /** The name of its endpoint, before others are considered. */
  readonly name: string
  readonly origin: OperationName['origin']
  readonly pathParams: readonly Parameter[]
  readonly query: readonly Parameter[]
  readonly otherParams: readonly Parameter[]
  readonly body: { readonly schema: JsonSchema; readonly kind: BodyKind; readonly required: boolean } | undefined
  /** `content` is undefined for an empty response. */
  readonly response: {
    readonly schema: JsonSchema | undefined
    readonly content: 'json' | 'text' | 'blob' | undefined
    readonly hasLink: boolean
  }
  readonly raw: RawOperation
}

/** All operations, in the order of the description. */
export function readOperations(model: Model): Operation[] {
  return Object.entries(model.description.paths ?? {}).flatMap(([path, item]) => {
    const resolved = item && model.follow(item)
    return METHODS.flatMap((method) => {
      const raw = resolved?.[method]
      return raw === undefined ? [] : [readOperation(model, path, method, raw, resolved?.parameters ?? [])]
    })
  })
}

function readOperation(
  model: Model,
  path: string,
  method: Method,
  raw: RawOperation,
  shared: readonly Parameter[],
): Operation {
  const params = new Map<string, Parameter>()
  for (const parameter of [...shared, ...(raw.parameters ?? [])]) {
    const resolved = model.follow(parameter)
    params.set(`${resolved.in} ${resolved.name}`, resolved)
  }
  const all = [...params.values()]
  const place = path.replace(PATH_END, '')
  const segments = place.split('/').filter((segment) => segment !== '')
  const tag = raw.tags?.[0] ?? segments.find((segment) => !segment.startsWith('{') && !isVersion(segment)) ?? 'other'
  return {
    id: `${method.toUpperCase()} ${path}`,
    operationId: raw.operationId,
    method,
    // Some tools tell two operations of one path apart by a fragment, which no request has.
    path: path.replace(/#.*$/, ''),
    place,
    segments,
    tag,
    ...nameOf(raw.operationId, tag, method, segments),
    pathParams: all.filter((parameter) => parameter.in === 'path'),
    query: all.filter((parameter) => parameter.in === 'query').flatMap((parameter) => spread(model, parameter, all)),
    otherParams: all.filter((parameter) => parameter.in === 'header' || parameter.in === 'cookie'),
    body: readBody(model, raw),
    response: readResponse(model, raw),
    raw,
  }
}

/** The part at the end of a path that names nothing: a slash, or a format. */
const PATH_END = /(?:\/+|\.(?:json|xml|\{(?:_?format|ext(?:ension)?)\})\/?)$/i

/** An object that a query contains member by member, such as `Pageable` of Spring, as these members: `page` and `size`. */
function spread(model: Model, parameter: Parameter, all: readonly Parameter[]): readonly Parameter[] {
  const { schema, style = 'form', explode = style === 'form', required = false } = parameter
  const view = schema && style === 'form' && explode && !parameter.content ? model.view(schema) : undefined
  const names = [...(view?.properties.keys() ?? [])]
  if (view === undefined || names.length === 0 || view.additional || all.some(({ name }) => names.includes(name))) {
    return [parameter]
  }
  return [...view.properties].map(([name, node]) => {
    const { description } = model.resolve(node).schema
    const own = { name, in: 'query' as const, schema: node, required: required && view.required.has(name) }
    return description === undefined ? own : Object.assign(own, { description })
  })
}

const BODY_KINDS: readonly (readonly [RegExp, BodyKind])[] = [
  [/\bjson\b/, 'json'],
  [/x-www-form-urlencoded/, 'form'],
  [/^multipart\//, 'multipart'],
  [/^\*\/\*$/, 'json'],
  [/^text\/|xml/, 'text'],
  [/./, 'binary'],
]

function readBody(model: Model, raw: RawOperation): Operation['body'] {
  const body = raw.requestBody && model.follow(raw.requestBody)
  const found = body && pick(body.content, BODY_KINDS)
  return found && { schema: found.schema ?? {}, kind: found.kind, required: body.required ?? false }
}

const RESPONSE_KINDS = [
  [/\bjson\b(?!-seq)/, 'json'],
  [/^\*\/\*$/, 'json'],
  [/^text\/|\b(?:xml|html|csv|yaml|javascript)\b/, 'text'],
  [/./, 'blob'],
] as const

function readResponse(model: Model, raw: RawOperation): Operation['response'] {
  const all = Object.entries(raw.responses ?? {})
  const [, chosen] =
    all.find(([status]) => status === '200') ??
    all.find(([status]) => status === '201') ??
    all.find(([status, response]) => status.startsWith('2') && response && model.follow(response).content) ??
    all.find(([status]) => status.startsWith('2')) ??
    all.find(([status]) => status === 'default') ??
    []
  const response = chosen && model.follow(chosen)
  const found = pick(response?.content, RESPONSE_KINDS)
  const hasLink = Object.keys(response?.headers ?? {}).some((name) => name.toLowerCase() === 'link')
  // A redirect leads to a file.
  const isFile = found === undefined && chosen === undefined && all.some(([status]) => /^30[12378]/.test(status))
  return { schema: found?.schema, content: found?.kind ?? (isFile ? 'blob' : undefined), hasLink }
}

function pick<K>(
  content: { readonly [type: string]: MediaType } | undefined,
  kinds: readonly (readonly [RegExp, K])[],
): { kind: K; schema: JsonSchema | undefined } | undefined {
  for (const [pattern, kind] of kinds) {
    const found = Object.entries(content ?? {}).find(([type]) => pattern.test(type.toLowerCase()))
    if (found !== undefined) {
      return { kind, schema: found[1]?.schema }
    }
  }
  return undefined
}
