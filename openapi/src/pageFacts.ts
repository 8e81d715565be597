import type { JsonSchema } from './Description.ts'
import { viewsOf } from './memberPath.ts'
import { type Model, type ObjectView, typesOf } from './Model.ts'
import { flatName } from './names.ts'

/** A value beside a list. */
export interface Fact {
  /** Where it is in the response, with dots. */
  readonly path: string
  readonly name: string
  /** The names on the way to it. */
  readonly parents: readonly string[]
  readonly schema: JsonSchema
}

/** Members of a response that describe its list. */
const BESIDE = new Set(
  `meta metadata pagination paging pageinfo cursors responsemetadata links page resultinfo next nextpage pager paginationinfo
    pagemetadata listmeta responsemeta pagingmetadata searchinfo pages`.split(/\s+/),
)
const DEEPEST = 3

/** The values beside a list: at the top of the response, around the list, and in objects that describe it. */
export function factsIn(
  model: Model,
  view: ObjectView,
  [wrapper, ...inner]: readonly string[],
  parents: readonly string[] = [],
): Fact[] {
  const facts = [...view.properties].flatMap(([name, node]): Fact[] => {
    const [only = node] = model.options(node)
    const { schema } = model.resolve(only)
    if (isValue(schema) || isBoolean(schema)) {
      return [{ path: [...parents, name].join('.'), name, parents, schema }]
    }
    const isBeside = BESIDE.has(flatName(name)) || (name === wrapper && inner.length > 0)
    // The links of a first page and of a last one may be described apart.
    const own = isBeside && parents.length < DEEPEST ? viewsOf(model, node) : []
    return own.flatMap((part) => factsIn(model, part, name === wrapper ? inner : [], [...parents, name]))
  })
  // The nearest come first.
  return facts.sort((a, b) => a.parents.length - b.parents.length)
}

export function isValue(schema: JsonSchema): boolean {
  const types = typesOf(schema).filter((type) => type !== 'null')
  return types.length > 0 && types.every((type) => type === 'string' || type === 'integer' || type === 'number')
}

export function isBoolean(schema: JsonSchema): boolean {
  return typesOf(schema).includes('boolean')
}

export function isCount(schema: JsonSchema): boolean {
  const types = typesOf(schema)
  return types.includes('integer') || types.includes('number')
}

export function isUrl({ name, parents, schema }: Fact): boolean {
  if (!typesOf(schema).includes('string')) {
    return false
  }
  const sample = String(schema.example ?? schema.default ?? '')
  return (
    /^(?:uri|url|uri-reference)$/.test(schema.format ?? '') ||
    /(?:url|uri|href|link)$/i.test(name) ||
    parents.some((parent) => flatName(parent) === 'links') ||
    /^https?:\/\/|^\//.test(sample) ||
    /\bur[li]\b/i.test(schema.description ?? '')
  )
}
