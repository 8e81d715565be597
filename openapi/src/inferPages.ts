import type { Config, NextPage, PagesConfig } from './config.ts'
import type { Found } from './findRecord.ts'
import type { EntityInfo } from './Entities.ts'
import { operationConfig } from './paths.ts'
import type { Model, ObjectView } from './Model.ts'
import { flatName } from './names.ts'
import type { Operation } from './readOperations.ts'
import type { Report } from './Report.ts'

const CURSORS = [
  'cursor',
  'startingafter',
  'after',
  'pagetoken',
  'nexttoken',
  'continue',
  'marker',
  'pagecursor',
  'pageafter',
  'nextcursor',
  'continuationtoken',
  'startcursor',
  'scrollid',
]
const NUMBERS = ['page', 'pagenumber', 'pageno', 'pageindex', 'currentpage', 'p']
const OFFSETS = ['offset', 'skip', 'start', 'pageoffset', 'from', 'startat', 'startindex', 'first']
const NEXT = [
  'nextcursor',
  'next',
  'nextpagetoken',
  'nexttoken',
  'nextpage',
  'continue',
  'cursor',
  'marker',
  'endcursor',
  'after',
  'continuationtoken',
  'scrollid',
  'nextlink',
  'nextpageurl',
  'nexturl',
]
const MORE = ['hasmore', 'more', 'hasnextpage', 'hasnext']
const BESIDE = new Set([
  'meta',
  'metadata',
  'pagination',
  'paging',
  'pageinfo',
  'cursors',
  'responsemetadata',
  'links',
  'page',
  'resultinfo',
])

/** How a list is read page by page; `undefined` if it is not. */
export function inferPages(
  model: Model,
  operation: Operation,
  found: Found,
  entity: EntityInfo | undefined,
  config: Config,
  report: Report,
): PagesConfig | undefined {
  const configured = operationConfig(operation, config).pages ?? config.pages
  const names = operation.query.map(({ name }) => name)
  if (configured !== undefined) {
    return configured !== false && names.includes(configured.field) ? configured : undefined
  }
  const pick = (known: readonly string[]): string | undefined =>
    known.flatMap((wanted) => names.filter((name) => flatName(name) === wanted))[0]
  const [cursor, page, offset] = [pick(CURSORS), pick(NUMBERS), pick(OFFSETS)]
  const field = cursor ?? page ?? offset
  if (field === undefined) {
    return undefined
  }
  const add = (name: string, next: NextPage, why: string): PagesConfig => {
    report.add('inferred', 'pages', operation.id, `pages by "${name}"`, why)
    return { field: name, next }
  }
  if (operation.response.hasLink) {
    return add(page ?? field, 'link', 'the response has a Link header')
  }
  const view = operation.response.schema && found.envelope ? model.view(operation.response.schema) : undefined
  const next = view && findMember(model, view, NEXT)
  if (next !== undefined && next.isUrl) {
    return add(field, { url: next.path }, `"${next.path}" of the response is its URL`)
  }
  if (cursor !== undefined) {
    if (next !== undefined) {
      return add(cursor, { cursor: next.path }, `"${next.path}" of the response is the next`)
    }
    const more = view && findMember(model, view, MORE)
    if (more !== undefined && entity?.key.length === 1) {
      return add(
        cursor,
        { last: entity.key[0]!, while: more.path },
        `the key of the last item, while "${more.path}" is true`,
      )
    }
  }
  if (page !== undefined) {
    return add(page, 'count', 'the number of the page')
  }
  if (offset !== undefined) {
    return add(offset, 'offset', 'the number of items before the page')
  }
  report.add(
    'unsure',
    'pages',
    operation.id,
    'not paged',
    `it has "${field}", but nothing in the response is the next; set "pages"`,
  )
  return undefined
}

function findMember(
  model: Model,
  view: ObjectView,
  names: readonly string[],
): { path: string; isUrl: boolean } | undefined {
  for (const wanted of names) {
    for (const [name, node] of view.properties) {
      const { schema } = model.resolve(node)
      if (flatName(name) === wanted && (model.isScalar(node) || schema.type === 'boolean')) {
        const isUrl = schema.format === 'uri' || schema.format === 'url' || /url|link$/i.test(name)
        return { path: name, isUrl }
      }
    }
  }
  for (const [name, node] of view.properties) {
    const inner = BESIDE.has(flatName(name)) ? model.view(node) : undefined
    const found = inner && findMember(model, inner, names)
    if (found !== undefined) {
      const isLinks = flatName(name) === 'links'
      return { path: `${name}.${found.path}`, isUrl: found.isUrl || isLinks }
    }
  }
  return undefined
}
