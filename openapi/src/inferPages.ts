import type { Config, PagesConfig, PagesEnd } from './config.ts'
import type { JsonSchema, Parameter } from './Description.ts'
import type { Found } from './findRecord.ts'
import type { EntityInfo } from './Entities.ts'
import { operationConfig } from './paths.ts'
import { viewsOf } from './memberPath.ts'
import { type Model, typesOf } from './Model.ts'
import { flatName } from './names.ts'
import type { Operation } from './readOperations.ts'
import type { Report } from './Report.ts'

import { type Fact, factsIn, isBoolean, isCount, isUrl, isValue } from './pageFacts.ts'
import {
  CURSORS,
  ECHOES,
  KEYS,
  LAST,
  MORE,
  NEXT,
  NUMBERS,
  OFFSETS,
  PAGES,
  SIZES,
  SIZE_ECHOES,
  TOTALS,
  VAGUE,
} from './pageNames.ts'

/** How a list is read page by page; `undefined` if it is not. */
export function inferPages(
  model: Model,
  operation: Operation,
  found: Found,
  entity: EntityInfo | undefined,
  config: Config,
  report: Report,
): PagesConfig | undefined {
  const names = operation.query.map(({ name }) => name)
  const own = operationConfig(operation, config).pages
  const configured = own ?? config.pages
  if (configured !== undefined) {
    return configured !== false && (configured.field === undefined || names.includes(configured.field))
      ? configured
      : undefined
  }
  const pages = new Pages(model, operation, found, entity)
  const { pages: result, why, isSure } = pages.infer()
  if (result !== undefined) {
    const decision = result.field === undefined ? 'pages by the URL of the next' : `pages by "${result.field}"`
    report.add(isSure ? 'inferred' : 'unsure', 'pages', operation.id, decision, why)
  } else if (why !== '') {
    report.add('unsure', 'pages', operation.id, 'not paged', why)
  }
  return result
}

const isKnown = (name: string): boolean => NUMBERS.includes(name) || OFFSETS.includes(name)

/** Names the operations that have a parameter for pages, or a next page, and are read as no list. */
export function reportUnpaged(model: Model, operations: readonly Operation[], report: Report): void {
  const known = new Set(report.findings.filter(({ kind }) => kind === 'pages').map(({ subject }) => subject))
  for (const operation of operations) {
    const { id, method, operationId, response } = operation
    const why =
      method === 'get' && !known.has(id) ? new Pages(model, operation, undefined, undefined).trace() : undefined
    if (why !== undefined && response.content === 'json') {
      const line = `operations: { '${operationId ?? id}': { envelope: '…' } }`
      const text = `it has ${why}, but its response is read as no list. If there is one, name its member: ${line}`
      report.add('unsure', 'pages', id, 'not paged', text)
    }
  }
}

interface Inferred {
  readonly pages?: PagesConfig
  readonly why: string
  readonly isSure: boolean
}

/** Finds the pages of one list in its parameters and in what is beside it. */
class Pages {
  readonly #model: Model
  readonly #operation: Operation
  readonly #entity: EntityInfo | undefined
  readonly #facts: readonly Fact[]

  constructor(model: Model, operation: Operation, found: Found | undefined, entity: EntityInfo | undefined) {
    this.#model = model
    this.#operation = operation
    this.#entity = entity
    const { schema } = operation.response
    const views = schema && (found === undefined || found.envelope !== undefined) ? viewsOf(model, schema) : []
    const path = found?.envelope?.split('.') ?? []
    this.#facts = views.flatMap((view) => factsIn(model, view, path))
  }

  /** A sign of pages, whether or not there is a list. */
  trace(): string | undefined {
    const param = [...CURSORS, ...NUMBERS, ...OFFSETS]
      .filter((name) => !VAGUE.has(name))
      .flatMap((wanted) => this.#operation.query.filter(({ name }) => flatName(name) === wanted))[0]
    const next = this.#fact(NEXT, ({ name, schema }) => isValue(schema) && /next/i.test(name))
    return param
      ? `"${param.name}"`
      : next
        ? `"${next.path}" in the response`
        : this.#operation.response.hasLink
          ? 'a Link header'
          : undefined
  }

  infer(): Inferred {
    const [cursor, page, offset] = [
      this.#param(CURSORS) ?? this.#namedParam(),
      this.#param(NUMBERS),
      this.#param(OFFSETS),
    ]
    const params = [cursor, page, offset].filter((param) => param !== undefined)
    if (this.#operation.response.hasLink) {
      const field = this.#only(params)?.name
      return sure({ ...(field && { field }), next: 'link' }, 'the response has a Link header')
    }
    return (
      this.#byNext(params, cursor, page, offset) ??
      (cursor && this.#byLastKey(cursor)) ??
      (page && this.#isNumber(page) ? this.#byNumber(page) : undefined) ??
      (offset && this.#isNumber(offset) ? this.#byOffset(offset) : undefined) ??
      this.#unknown(params)
    )
  }

  /** A parameter `stream_position`, where the response has `next_stream_position`. */
  #namedParam(): Parameter | undefined {
    const names = new Set(this.#facts.map(({ name }) => flatName(name)))
    return this.#operation.query.find(
      // A token to wait for changes leads to no page.
      ({ name }) =>
        names.has(`next${flatName(name)}`) && !isKnown(flatName(name)) && !/^(?:wait|sync|delta|change)/i.test(name),
    )
  }

  /** The first query parameter that has one of the names. */
  #param(known: readonly string[]): Parameter | undefined {
    const { query } = this.#operation
    return known
      .flatMap((wanted) => query.filter(({ name }) => flatName(name) === wanted))
      .find((param) => !VAGUE.has(flatName(param.name)) || this.#isPosition(param))
  }

  /** True for a parameter such as `start` that can only be a position: the first of some items, and no date. */
  #isPosition(param: Parameter): boolean {
    const { query } = this.#operation
    const schema = this.#schemaOf(param)
    const isTime =
      /date|time/i.test(schema.format ?? '') || /\b(?:date|time|timestamp|unix|epoch)\b/i.test(textOf(param, schema))
    const isRange = query.some(({ name }) => ['to', 'end', 'until', 'before', 'till'].includes(flatName(name)))
    const hasSize = query.some(({ name }) => SIZES.includes(flatName(name)))
    const isCursor = CURSORS.includes(flatName(param.name))
    return (
      !isTime &&
      (isCursor || (!isRange && hasSize)) &&
      (isCursor || flatName(param.name) === 'p' || this.#isNumber(param))
    )
  }

  /** The one parameter that the URL of the next page can have. A URL with any other is followed as a whole. */
  #only(params: readonly Parameter[]): Parameter | undefined {
    const [only, ...others] = params
    const isKey = only !== undefined && KEYS.has(flatName(only.name))
    const twins = this.#operation.query.filter(({ name }) => CURSORS.includes(flatName(name)) && name !== only?.name)
    return others.length > 0 || isKey || twins.some((twin) => this.#isPosition(twin)) ? undefined : only
  }

  #schemaOf({ schema }: Parameter): JsonSchema {
    const [only] = schema ? this.#model.options(schema) : []
    return only ? this.#model.resolve(only).schema : {}
  }

  /** True for a parameter that counts. A text counts if the description says so. */
  #isNumber(param: Parameter): boolean {
    const schema = this.#schemaOf(param)
    const types = typesOf(schema)
    if (types.includes('integer') || types.includes('number')) {
      return true
    }
    const sample = schema.default ?? schema.example ?? param.example
    const text = textOf(param, schema)
    const hasNumber = this.#facts.some(
      ({ name, schema: own }) => flatName(name) === flatName(param.name) && isCount(own),
    )
    return (
      (types.length === 0 || types.includes('string')) &&
      !/\b(?:token|cursor|opaque)\b/i.test(text) &&
      (hasNumber ||
        /^\d+$/.test(String(sample)) ||
        /(?:number|index|no|num)$/.test(flatName(param.name)) ||
        /\bnumber\b|\b[01]-based|\bindex\b/i.test(text))
    )
  }

  #fact(names: readonly string[], accepts: (fact: Fact) => boolean): Fact | undefined {
    return names.flatMap((wanted) => this.#facts.filter((fact) => flatName(fact.name) === wanted && accepts(fact)))[0]
  }

  /** The response names the next page. */
  #byNext(
    params: readonly Parameter[],
    cursor: Parameter | undefined,
    page: Parameter | undefined,
    offset: Parameter | undefined,
  ): Inferred | undefined {
    const inNext = this.#facts.find(({ parents, name, schema }) => {
      const isIn = ['next', 'nextpage'].includes(flatName(parents.at(-1) ?? ''))
      return isIn && isValue(schema) && /^(?:href|url|uri|cursor|offset|token|page|after|number|id|link)$/i.test(name)
    })
    const exact = params
      .map((param) => this.#fact([`next${flatName(param.name)}`], ({ schema }) => isValue(schema)))
      .find((fact) => fact !== undefined)
    const next = exact ?? inNext ?? this.#fact(NEXT, (fact) => isValue(fact.schema) && !this.#isEcho(fact))
    if (next === undefined) {
      return undefined
    }
    const why = `"${next.path}" of the response is`
    const flat = flatName([...next.parents.filter((name) => /next/i.test(name)), next.name].join('_'))
    if (isUrl(next)) {
      const field = this.#only(params)?.name
      return sure({ ...(field && { field }), next: { url: next.path } }, `${why} its URL`)
    }
    const isText = typesOf(next.schema).includes('string')
    const named = params.find((param) => flat.endsWith(flatName(param.name)))
    const fits = (param: Parameter): boolean => isText !== this.#isNumber(param) || !isText
    const field =
      (named && fits(named) ? named : undefined) ?? [cursor, offset, page].find((param) => param && fits(param))
    if (field === undefined) {
      // A text for a number may be the URL of the next page.
      const only = params.length === 1 && flatName(next.name) === 'next' ? params[0] : undefined
      return only && sure({ field: only.name, next: { url: next.path } }, `${why} its URL, or its number`)
    }
    const more = field === cursor ? this.#fact(MORE, ({ schema }) => isBoolean(schema)) : undefined
    const isCertain = more === undefined || flat.includes('next')
    return flatName(next.name) === 'next' && isText
      ? sure({ field: field.name, next: { url: next.path } }, `${why} the next, or its URL`)
      : sure(
          { field: field.name, next: { cursor: next.path, ...(!isCertain && { while: more.path }) } },
          `${why} the next`,
        )
  }

  /** True for a cursor that may be the one that was sent: the parameter has its name, and something else tells whether there is more. */
  #isEcho({ name, parents, schema }: Fact): boolean {
    const description = schema.description ?? ''
    return (
      parents.length === 0 &&
      /^(?:marker|cursor|after|continue|scroll_?id|bookmark|page_?token)$/i.test(name) &&
      /\b(?:current|this|given|requested|previous)\b/i.test(description) &&
      !/\b(?:next|subsequent|following|final|truncated)\b/i.test(description)
    )
  }

  /** The key of the last item is the cursor. */
  #byLastKey(cursor: Parameter): Inferred | undefined {
    const more = this.#fact(MORE, ({ schema }) => isBoolean(schema))
    const last = this.#fact(['lastid', 'endid', 'lastcursor'], ({ schema }) => isValue(schema))
    if (last !== undefined && more !== undefined) {
      return sure(
        { field: cursor.name, next: { cursor: last.path, while: more.path } },
        `"${last.path}" of the response, while "${more.path}" is true`,
      )
    }
    const text = textOf(cursor, this.#schemaOf(cursor))
    const isKey = KEYS.has(flatName(cursor.name)) || (flatName(cursor.name) === 'after' && /\bids?\b/i.test(text))
    const key = this.#entity?.key.length === 1 && this.#entity.scope.length === 0 ? this.#entity.key[0]! : undefined
    return more !== undefined && key !== undefined && isKey && !key.includes('.')
      ? sure(
          { field: cursor.name, next: { last: key, while: more.path } },
          `the key of the last item, while "${more.path}" is true`,
        )
      : undefined
  }

  #byNumber(page: Parameter): Inferred {
    const first = this.#firstOf(page)
    const echo = this.#fact(ECHOES, ({ schema }) => isCount(schema))
    const end = this.#endOf(page)
    const base = first === undefined && echo !== undefined ? { after: echo.path } : first === 0 ? { first } : {}
    const pages: PagesConfig = { field: page.name, next: 'count', ...base, ...(end && { end }) }
    if (first !== undefined || echo !== undefined) {
      return sure(pages, `the number of the page${endText(end)}`)
    }
    const line = lineOf(this.#operation, `{ field: '${page.name}', next: 'count', first: 0 }`)
    const why = `the number of the page, from 1${endText(end)}: the description does not say so. If it counts from 0: ${line}`
    return { pages, why, isSure: false }
  }

  /** The number of the first page, as the description says it. */
  #firstOf(page: Parameter): 0 | 1 | undefined {
    const schema = this.#schemaOf(page)
    const text = textOf(page, schema).toLowerCase()
    const start =
      /\b(?:start(?:s|ing)?|begin(?:s|ning)?|count(?:s|ing|ed)?|index(?:ed)?|first page)\b[^.]{0,25}?\b([01]|zero|one)\b/i.exec(
        text,
      )?.[1]
    const based =
      /\b([01]|zero|one)[- ]?(?:based|indexed)\b/i.exec(text)?.[1] ??
      /\(([01])\s*(?:\.\.|…|-)\s*n\)/i.exec(text)?.[1] ??
      start
    // Spring counts from zero.
    const isSpring = this.#facts.some(({ name }) => flatName(name) === 'totalelements')
    // A text says it best: a minimum of 0 may be a slip.
    const said = [based, schema.default, schema.minimum].map(numberOf).find((value) => value === 0 || value === 1)
    // An example may be any page.
    const isZero = [schema.example, page.example].map(numberOf).includes(0)
    if (said !== undefined || isZero) {
      return said ?? 0
    }
    return isSpring ? 0 : undefined
  }

  #byOffset(offset: Parameter): Inferred | undefined {
    const schema = this.#schemaOf(offset)
    const isOne =
      schema.minimum === 1 ||
      String(schema.default) === '1' ||
      (flatName(offset.name) === 'startindex' &&
        schema.minimum !== 0 &&
        String(schema.default) !== '0' &&
        /\b1\b|one/.test(textOf(offset, schema)))
    const end = this.#endOf(undefined)
    return sure(
      { field: offset.name, next: 'offset', ...(isOne && { first: 1 }), ...(end && { end }) },
      `the number of items before the page${endText(end)}`,
    )
  }

  /** The members that say that a page is the last one. */
  #endOf(page: Parameter | undefined): PagesEnd | undefined {
    const more = this.#fact(MORE, ({ schema }) => isBoolean(schema))
    if (more !== undefined) {
      return { more: more.path }
    }
    const last = this.#fact(LAST, ({ schema }) => isBoolean(schema))
    if (last !== undefined) {
      return { last: last.path }
    }
    const pages = page && this.#fact(PAGES, ({ schema, path }) => isCount(schema) && flatName(path) !== 'page')
    if (pages !== undefined) {
      return { pages: pages.path }
    }
    const total = this.#fact(TOTALS, ({ schema }) => isCount(schema))
    // A number of that name may be that of the page alone.
    const count = total ?? this.#fact(['count'], ({ schema }) => isCount(schema))
    if (count === undefined) {
      return undefined
    }
    const size = page && this.#fact(SIZE_ECHOES, ({ schema }) => isCount(schema))
    const sizeField = page && size === undefined ? this.#sizeField() : undefined
    return {
      [total ? 'total' : 'count']: count.path,
      ...(size && { size: size.path }),
      ...(sizeField && { sizeField }),
    }
  }

  /** The parameter that says how many items a page has, if the description says how many without it. */
  #sizeField(): PagesEnd['sizeField'] {
    const params = this.#operation.query.filter(({ name }) => SIZES.includes(flatName(name)))
    const schema = params.length === 1 ? this.#schemaOf(params[0]!) : {}
    const { default: own, maximum } = schema
    return typeof own === 'number' && own > 0
      ? { field: params[0]!.name, default: own, ...(maximum !== undefined && { most: maximum }) }
      : undefined
  }

  /** Nothing tells what comes next. */
  #unknown(params: readonly Parameter[]): Inferred {
    const [param] = params
    if (param !== undefined) {
      const line = lineOf(this.#operation, `{ field: '${param.name}', next: … }`)
      return {
        why: `it has "${param.name}", but nothing in the response is the next. If there is something: ${line}`,
        isSure: false,
      }
    }
    const size = this.#operation.query.find(({ name }) => SIZES.includes(flatName(name)))
    const next = this.#facts.find(({ path, schema }) => /(?:^|\.)next/i.test(path) && isValue(schema))
    const isLong = this.#fact([...MORE, ...TOTALS, ...PAGES], ({ schema }) => isBoolean(schema) || isCount(schema))
    const long = next ?? (size && isLong)
    if (long === undefined) {
      return { why: '', isSure: false }
    }
    const line = lineOf(this.#operation, `{ field: '…', next: … }`)
    return {
      why: `it has "${long.path}" in the response, but no parameter that names a page. If there is one that the description leaves out: ${line}`,
      isSure: false,
    }
  }
}

function numberOf(value: unknown): number | undefined {
  const words: Readonly<Record<string, number>> = { zero: 0, one: 1 }
  return value === undefined || value === '' ? undefined : (words[String(value)] ?? Number(value))
}

/** The line of the configuration that decides about the pages of an operation. */
function lineOf({ id, operationId }: Operation, pages: string): string {
  return `operations: { '${operationId ?? id}': { pages: ${pages} } }`
}

function sure(pages: PagesConfig, why: string): Inferred {
  return { pages, why, isSure: true }
}

function endText(end: PagesEnd | undefined): string {
  const [path] = Object.values(end ?? {}) as (string | undefined)[]
  return path === undefined ? ', until a page is empty' : `, until "${path}" says that it is the last`
}

function textOf(parameter: Parameter, schema: JsonSchema): string {
  return `${parameter.description ?? ''} ${schema.description ?? ''}`
}
