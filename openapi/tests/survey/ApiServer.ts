// A server made from a description. It reads the description in its own way, and shares no code with the generator: what it serves is what
// the generated code has to understand.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = any

export interface Route {
  readonly path: string
  readonly method: string
  readonly operation: Json
  readonly parameters: readonly Json[]
}

/** A list of the description. */
export interface ListRoute extends Route {
  /** Where the array is in the response. */
  readonly at: readonly string[]
  readonly response: Json
  readonly item: Json
  readonly paging: Paging
}

export interface Paging {
  readonly token?: string
  readonly page?: string
  readonly offset?: string
  readonly size?: string
  readonly base: number
  /** False if nothing says from which number pages count. */
  readonly isBaseKnown: boolean
  readonly offsetBase: number
  /** The response has the URL of the next page, or its Link header. */
  readonly hasNext: boolean
  readonly defaultSize: number | undefined
}

const flat = (name: string): string => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()
const TOKEN =
  /^(?:.*cursor.*|.*(?:page|next|continuation|pagination)token|marker|startingafter|after|continue|scrollid|bookmark|pageafter)$/
const PAGE = /^(?:page|p|page(?:number|no|num|index)|currentpage)$/
const OFFSET = /^(?:offset|skip|start|startat|startindex|from|first|pageoffset)$/
const SIZE =
  /^(?:limit|size|perpage|pagesize|pagelimit|maxresults|max|count|top|take|maxitems|pagelength|itemsperpage|rows|maxpagesize|pagecount)$/
const ASIDE =
  /^(?:errors?|warnings?|messages|links|included|sort|facets|aggregations|filters|columns|headers|expand|warningmessages|errormessages|meta)$/
const WRAPPER = /^(?:data|result|results|response|payload|embedded|body|content|page|value|output|d)$/

export class Reader {
  readonly #document: Json
  constructor(document: Json) {
    this.#document = document
  }

  resolve(node: Json): Json {
    let at = node
    for (let hops = 0; at?.$ref !== undefined && hops < 30; hops++) {
      at = at.$ref
        .slice(2)
        .split('/')
        .reduce((value: Json, part: string) => value?.[decode(part)], this.#document)
    }
    return at ?? {}
  }

  /** A schema without references, `allOf` and `null`. */
  flat(node: Json, depth = 0, isPart = false): Json {
    const schema = this.resolve(node)
    if (depth > 12) {
      return {}
    }
    // A schema with a discriminator stands for those that extend it.
    const [kind] = isPart || schema.oneOf ? [] : Object.entries<string>(schema.discriminator?.mapping ?? {})
    if (kind !== undefined && this.resolve({ $ref: kind[1] }) !== schema) {
      const { discriminator } = schema
      const child = this.flat({ $ref: kind[1] }, depth + 1)
      const by = { ...this.resolve(child.properties?.[discriminator.propertyName]), enum: [kind[0]] }
      return { ...child, properties: { ...child.properties, [discriminator.propertyName]: by } }
    }
    const options = (schema.oneOf ?? schema.anyOf)?.filter((option: Json) => {
      const own = this.resolve(option)
      return own.type !== 'null' && !(own.enum?.length === 1 && own.enum[0] === null)
    })
    if (options?.length > 0 && !schema.properties) {
      return this.flat(options[0], depth + 1)
    }
    if (!schema.allOf) {
      return schema
    }
    const parts = schema.allOf.map((part: Json) => this.flat(part, depth + 1, true))
    return {
      ...Object.assign({}, ...parts),
      ...schema,
      allOf: undefined,
      type: schema.type ?? parts.find((part: Json) => part.type)?.type,
      properties: Object.assign({}, ...parts.map((part: Json) => part.properties ?? {}), schema.properties ?? {}),
    }
  }

  type(node: Json): string | undefined {
    const { type } = this.flat(node)
    return Array.isArray(type) ? type.find((one: string) => one !== 'null') : type
  }

  responseOf(operation: Json): { schema: Json; status: number; headers: Json } | undefined {
    const responses = Object.entries(operation.responses ?? {}) as [string, Json][]
    const found =
      ['200', '201'].flatMap((status) => responses.filter(([own]) => own === status))[0] ??
      responses.find(([status]) => status.startsWith('2')) ??
      responses.find(([status]) => status === 'default')
    if (!found) {
      return undefined
    }
    const response = this.resolve(found[1])
    const media = Object.entries(response.content ?? {}).find(([type]) => /json|\*\/\*/.test(type)) as
      | [string, Json]
      | undefined
    return { schema: media?.[1].schema, status: Number(found[0]) || 200, headers: response.headers ?? {} }
  }

  /** Where the list of a response is. */
  findList(schema: Json, noun: string): readonly string[] | undefined {
    if (schema === undefined) {
      return undefined
    }
    if (this.#isRecords(schema)) {
      return []
    }
    return this.#findIn(schema, noun, 0)
  }

  #isRecords(node: Json): boolean {
    const schema = this.flat(node)
    return this.type(node) === 'array' && Object.keys(this.flat(schema.items ?? {}).properties ?? {}).length > 0
  }

  #findIn(node: Json, noun: string, depth: number): readonly string[] | undefined {
    const { properties = {} } = this.flat(node)
    if (properties.id && ['string', 'integer', 'number'].includes(this.type(properties.id)!)) {
      return undefined
    }
    const names = Object.keys(properties)
    const isAbout = (name: string): boolean => singular(flat(name)) === singular(flat(noun))
    const lists = names.filter(
      (name) => (isAbout(name) || !ASIDE.test(flat(name))) && this.#isRecords(properties[name]),
    )
    const hasPages = names.some((name) =>
      /next|total|hasmore|cursor|islast|^count$|offset|pagination|paging|nextpage/i.test(flat(name)),
    )
    if (lists.length === 1) {
      const others = names.filter((name) => name !== lists[0])
      const records = others.filter((name) => {
        const own = this.flat(properties[name])
        return (
          Object.keys(own.properties ?? {}).length > 0 &&
          !/meta|link|pag|cursor|info|sort|status|error|query|version/i.test(name)
        )
      })
      const isKnown = /^(?:data|items|results|content|values|records|entries|value|list|elements|hits|rows)$/.test(
        flat(lists[0]),
      )
      if (records.length === 0 && (isKnown || isAbout(lists[0]) || hasPages || others.length === 0)) {
        return [lists[0]]
      }
    }
    const about = lists.filter(isAbout)
    if (lists.length > 1 && about.length === 1 && hasPages) {
      return [about[0]]
    }
    for (const name of depth < 2 && lists.length === 0 ? names : []) {
      if (WRAPPER.test(flat(name)) && this.type(properties[name]) !== 'array') {
        const inner = this.#findIn(properties[name], noun, depth + 1)
        if (inner) {
          return [name, ...inner]
        }
      }
    }
    return undefined
  }

  routes(): Route[] {
    return Object.entries(this.#document.paths ?? {}).flatMap(([path, raw]) => {
      const item = this.resolve(raw)
      return ['get', 'post', 'put', 'patch', 'delete'].flatMap((method) => {
        const operation = item[method]
        if (!operation) {
          return []
        }
        const all = new Map<string, Json>()
        for (const parameter of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
          const own = this.resolve(parameter)
          const schema = own.schema && this.flat(own.schema)
          // An object in a query is its members.
          if (own.in === 'query' && schema?.properties && (own.style ?? 'form') === 'form' && own.explode !== false) {
            for (const [name, member] of Object.entries(schema.properties)) {
              all.set(`query ${name}`, { name, in: 'query', schema: member })
            }
          } else {
            all.set(`${own.in} ${own.name}`, own)
          }
        }
        return [{ path, method, operation, parameters: [...all.values()] }]
      })
    })
  }

  listOf(route: Route): ListRoute | undefined {
    const response = this.responseOf(route.operation)
    const noun =
      route.path
        .replace(/\.json$/, '')
        .split('/')
        .findLast((part) => part !== '' && !part.includes('{')) ?? ''
    const at = route.method === 'get' ? this.findList(response?.schema, noun) : undefined
    if (at === undefined || response === undefined) {
      return undefined
    }
    const array = at.reduce((node, name) => this.flat(node).properties[name], response.schema)
    return { ...route, at, response, item: this.flat(array).items, paging: this.#pagingOf(route, response) }
  }

  #pagingOf(route: Route, response: { schema: Json; headers: Json }): Paging {
    const query = route.parameters.filter((parameter) => parameter.in === 'query')
    const textOf = (parameter: Json): string =>
      `${parameter.description ?? ''} ${this.flat(parameter.schema ?? {}).description ?? ''}`
    const isNumber = (parameter: Json): boolean =>
      ['integer', 'number'].includes(this.type(parameter.schema ?? {})!) ||
      /^\d+$/.test(String(this.flat(parameter.schema ?? {}).default))
    const pick = (pattern: RegExp, accepts: (parameter: Json) => boolean): Json =>
      query.find((own) => pattern.test(flat(own.name)) && accepts(own))
    const isDigits = (own: Json): boolean =>
      isNumber(own) ||
      (/number|based|index|starts? (?:at|from|with) [01]\b/i.test(textOf(own)) &&
        !/token|cursor|opaque/i.test(textOf(own)))
    const size = pick(SIZE, isDigits)
    const isRange = query.some(({ name }) => /^(?:to|end|until)$/.test(flat(name)))
    const isTime = (own: Json): boolean => /date|time/i.test(`${this.flat(own.schema ?? {}).format} ${textOf(own)}`)
    const token = pick(TOKEN, (own) => !isTime(own) && this.type(own.schema ?? {}) !== 'boolean')
    const opaque = query.find(
      (own) =>
        (OFFSET.test(flat(own.name)) || PAGE.test(flat(own.name))) &&
        !isDigits(own) &&
        /token|cursor|returned by|opaque/i.test(textOf(own)),
    )
    const page = pick(PAGE, isDigits)
    const offset = pick(
      OFFSET,
      (own) =>
        isNumber(own) &&
        !isTime(own) &&
        (/offset|skip|startat|startindex/.test(flat(own.name)) || (size !== undefined && !isRange)),
    )
    const facts = this.facts(response.schema)
    const schema = page ? this.flat(page.schema ?? {}) : {}
    const text = page ? textOf(page) : ''
    const says = (number: string): boolean =>
      new RegExp(
        `${number === '0' ? 'zero' : 'one'}-based|${number}-based|start(?:s|ing)? (?:at|from|with) (?:page )?.?${number}\\b|\\(${number}\\.\\.`,
        'i',
      ).test(text)
    const isOne = says('1') || (!says('0') && (Number(schema.default ?? NaN) === 1 || schema.minimum === 1))
    const isZero = !isOne && (says('0') || Number(schema.default ?? NaN) === 0 || schema.minimum === 0)
    const isSpring = facts.some(([path]) => flat(path.at(-1)!) === 'totalelements')
    const sizeSchema = size ? this.flat(size.schema ?? {}) : {}
    const first = offset ? this.flat(offset.schema ?? {}) : {}
    return {
      ...((token ?? opaque) && { token: (token ?? opaque).name }),
      ...(page && { page: page.name }),
      ...(offset && { offset: offset.name }),
      ...(size && { size: size.name }),
      base: isZero || (!isOne && isSpring) ? 0 : 1,
      isBaseKnown: isZero || isOne || isSpring,
      offsetBase: first.minimum === 1 || first.default === 1 ? 1 : 0,
      hasNext:
        Object.keys(response.headers).some((name) => name.toLowerCase() === 'link') ||
        facts.some(([path, own]) => /next/i.test(path.join('')) && this.type(own) !== 'boolean'),
      defaultSize: typeof sizeSchema.default === 'number' ? sizeSchema.default : undefined,
    }
  }

  /** The values of a response that are in no list. */
  facts(schema: Json, path: readonly string[] = []): [readonly string[], Json][] {
    const { properties = {} } = this.flat(schema)
    return Object.entries(properties).flatMap(([name, node]) => {
      const type = this.type(node as Json)
      const own = [...path, name]
      return type === 'array' || own.length > 4
        ? []
        : Object.keys(this.flat(node as Json).properties ?? {}).length > 0
          ? this.facts(node as Json, own)
          : [[own, node as Json] as [readonly string[], Json]]
    })
  }

  /** A value of a schema; texts and numbers are those of the number `index`. */
  sample(node: Json, index: number, name = 'value', depth = 0, isDeep = false): Json {
    const schema = this.flat(node)
    if (schema.const !== undefined) {
      return schema.const
    }
    if (schema.enum && !/^(?:id|key|slug|name|code)$/i.test(name)) {
      return schema.enum.find((value: Json) => value !== null)
    }
    switch (this.type(node)) {
      case 'string':
        return /date-time/.test(schema.format ?? '')
          ? '2026-01-02T03:04:05Z'
          : schema.format === 'date'
            ? '2026-01-02'
            : /uri|url/.test(schema.format ?? '')
              ? `https://x.test/${name}/${index}`
              : `${name}-${index}`
      case 'integer':
      case 'number':
        return index
      case 'boolean':
        return false
      case 'array':
        return []
    }
    if (!schema.properties) {
      return this.type(node) === 'object' || schema.additionalProperties ? {} : null
    }
    const members = Object.entries(schema.properties).filter(
      ([, member]) => depth < 3 || this.type(member as Json) !== 'object',
    )
    // Records inside records are the same ones everywhere, and none of the list.
    return depth > 4
      ? {}
      : Object.fromEntries(
          members.map(([own, member]) => {
            const inner =
              isDeep ||
              /^(?:meta(?:data)?|attributes)$/i.test(own) ||
              Object.keys(this.flat(member as Json).properties ?? {}).length === 0
            return [own, this.sample(member as Json, inner ? index : 900_000, own, depth + 1, isDeep)]
          }),
        )
  }
}

function singular(word: string): string {
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=[^su])s$/, '')
    .replace(/(?<=[sxz]|[cs]h)e$/, '')
}

function decode(part: string): string {
  const text = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The list that is served, and the operations on its items. */
export interface Scene {
  readonly list: ListRoute
  readonly size: number
  readonly items: Json[]
  readonly base: number
  readonly create: Route | undefined
  /** The field that identifies an item. */
  readonly key: readonly string[]
}

export class ApiServer {
  readonly reader: Reader
  readonly #server: Server
  scene: Scene | undefined
  /** The requests of the list, with their queries. */
  requests: string[] = []
  faults: string[] = []

  constructor(document: Json) {
    this.reader = new Reader(document)
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url, 'http://x')
    const chunks: Buffer[] = []
    for await (const chunk of request) {
      chunks.push(chunk as Buffer)
    }
    const send = (status: number, value?: Json, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { ...(value !== undefined && { 'Content-Type': 'application/json' }), ...headers })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    }
    const { scene } = this
    if (scene === undefined) {
      return send(500)
    }
    const method = request.method!.toLowerCase()
    if (method === 'get' && matches(scene.list.path, url.pathname)) {
      const { body, headers } = this.page(scene, url)
      return send(200, body, headers)
    }
    if (method === 'post' && scene.create && matches(scene.create.path, url.pathname)) {
      const made = this.reader.sample(scene.list.item, 700)
      scene.items.push(made)
      return this.#answer(scene.create.operation, made, send)
    }
    const found = (this.#routes ??= this.reader.routes()).find(
      (route) => route.method === method && matches(route.path, url.pathname),
    )
    const last = decodeURIComponent(
      url.pathname
        .replace(/\/$|\.json$/g, '')
        .split('/')
        .at(-1)!,
    )
    const index = scene.items.findIndex((item) => String(at(item, scene.key)) === last)
    if (!found || index < 0) {
      return send(404, { message: `no ${last} for ${request.method} ${request.url}` })
    }
    if (method === 'delete') {
      const [gone] = scene.items.splice(index, 1)
      return this.#answer(found.operation, gone, send)
    }
    if (method !== 'get') {
      scene.items[index] = { ...scene.items[index], ...this.#changed }
    }
    return this.#answer(found.operation, scene.items[index], send)
  }

  #routes: Route[] | undefined
  #changed: Json = {}
  set changed(fields: Json) {
    this.#changed = fields
  }

  /** The response of an operation on one record: the record, where the description has it. */
  #answer(operation: Json, record: Json, send: (status: number, value?: Json) => void): void {
    const response = this.reader.responseOf(operation)
    if (!response || response.schema === undefined) {
      return send(response?.status === 200 ? 204 : (response?.status ?? 204))
    }
    const { properties = {} } = this.reader.flat(response.schema)
    const isRecord =
      Object.keys(record).filter((name) => name in properties).length >= Math.min(2, Object.keys(record).length)
    if (isRecord) {
      return send(response.status, pick(record, properties))
    }
    const sample = this.reader.sample(response.schema, 1)
    const holder = Object.keys(properties).find((name) => {
      const own = this.reader.flat(properties[name]).properties ?? {}
      return Object.keys(record).filter((field) => field in own).length >= Math.min(2, Object.keys(record).length)
    })
    if (holder !== undefined) {
      return send(response.status, {
        ...sample,
        [holder]: pick(record, this.reader.flat(properties[holder]).properties),
      })
    }
    send(response.status, sample ?? {})
  }

  /** One page of the list. */
  page({ list, size: usual, items, base }: Scene, url: URL): { body: Json; headers: Record<string, string> } {
    const { paging } = list
    const query = url.searchParams
    this.requests.push(url.search)
    const asked = paging.size === undefined ? null : query.get(paging.size)
    const size = asked === null ? usual : Number(asked)
    let start = 0
    const [token, page, offset] = [paging.token, paging.page, paging.offset].map((name) =>
      name === undefined ? null : query.get(name),
    )
    if (token !== null && token !== undefined) {
      // A token is one that the server gave, or the key of an item.
      const given = /^t(\d+)$/.exec(Number(token) >= 1_000_000 ? `t${Number(token) - 1_000_000}` : token)
      const key = items.findIndex((item) => String(at(item, this.scene!.key)) === token)
      start = given ? Number(given[1]) : key >= 0 ? key + 1 : -1
      if (start < 0) {
        this.faults.push(`the token "${token}" is not one of the server`)
        start = items.length
      }
    } else if (page !== null && page !== undefined) {
      start = (Number(page) - base) * size
    } else if (offset !== null && offset !== undefined) {
      start = Number(offset) - paging.offsetBase
    }
    // A parameter that the description does not have is in the URL of the next page alone.
    if (query.has('at_item')) {
      start = Number(query.get('at_item'))
    }
    if (!Number.isInteger(start) || start < 0) {
      this.faults.push(`the query "${url.search}" names no page`)
      start = items.length
    }
    const own = items.slice(start, start + size)
    const next = start + size < items.length ? start + size : undefined
    const link = (to: number): string => {
      const target = new URL(url)
      target.protocol = 'http'
      target.host = 'restitch.test'
      const { searchParams } = target
      if (paging.page) {
        searchParams.set(paging.page, String(to / size + base))
      }
      if (paging.offset && !paging.page) {
        searchParams.set(paging.offset, String(to + paging.offsetBase))
      }
      if (paging.token && !paging.offset) {
        searchParams.set(paging.token, `t${to}`)
      }
      if (!paging.page && !paging.offset && !paging.token) {
        searchParams.set('at_item', String(to))
      }
      return target.href
    }
    const headers: Record<string, string> = {}
    if (next !== undefined && Object.keys(list.response.headers).some((name) => name.toLowerCase() === 'link')) {
      headers['Link'] = `<${link(next)}>; rel="next"`
    }
    // A server without that field would start with the first page again.
    const body = this.#envelope(list, list.response.schema, [], {
      own,
      start,
      size,
      next,
      total: items.length,
      base,
      link,
    })
    return { body, headers }
  }

  #envelope(list: ListRoute, node: Json, path: readonly string[], state: PageState): Json {
    if (path.length === list.at.length && path.every((name, index) => name === list.at[index])) {
      return state.own
    }
    const { properties = {} } = this.reader.flat(node)
    const body: Json = {}
    for (const [name, member] of Object.entries(properties)) {
      const at = [...path, name]
      const isOnWay = at.every((own, index) => own === list.at[index])
      const inner = this.reader.flat(member as Json)
      const isObject = Object.keys(inner.properties ?? {}).length > 0
      const isNext =
        /^next|next(?:link|url|uri|href)$|cursor$|^after$|^marker$|^continue$|^scrollid$|^bookmark$|token$/i.test(
          flat(name),
        )
      if (isOnWay) {
        body[name] = this.#envelope(list, member, at, state)
      } else if (isObject && /next|prev/i.test(name) && state.next === undefined) {
        // There is none.
        body[name] = isNullable(this.reader, member) ? null : undefined
      } else if (isObject && path.length < 4) {
        body[name] = this.#envelope(list, member, at, state)
      } else {
        const value = this.#fact(list, name, path, member, state)
        body[name] = value === undefined && !isNext ? this.reader.sample(member, 1, name) : value
      }
    }
    return body
  }

  #fact(list: ListRoute, name: string, parents: readonly string[], node: Json, state: PageState): Json {
    const { start, size, next, total, base, own } = state
    const type = this.reader.type(node)
    const schema = this.reader.flat(node)
    const around = flat(parents.join(''))
    const word = flat(name)
    const isUrl =
      type === 'string' &&
      (/uri|url/.test(schema.format ?? '') ||
        /(?:url|uri|href|link)$/.test(word) ||
        around.includes('links') ||
        /^(?:https?:|\/)/.test(String(schema.example ?? '')) ||
        /\bur[li]\b/i.test(schema.description ?? ''))
    const isNext = /^next|next$|next(?:link|url|uri|href)$/.test(word) || /next(?:page)?$/.test(around)
    if (/prev|^first$/.test(word) && type === 'string') {
      return null
    }
    if (type === 'boolean') {
      if (/more|hasnext|nextpage|truncated|^next$/.test(word)) {
        return next !== undefined
      }
      if (/^(?:is)?last(?:page)?$/.test(word)) {
        return next === undefined
      }
      return /^(?:is)?first/.test(word) ? start === 0 : /^empty$/.test(word) ? own.length === 0 : undefined
    }
    if (
      isNext ||
      (/^(?:end)?cursor$|^after$|^marker$|^continue$|^scrollid$|^bookmark$|continuationtoken/.test(word) &&
        (type === 'string' || (type === 'integer' && list.paging.token !== undefined)))
    ) {
      if (next === undefined) {
        return isNullable(this.reader, node) ? null : type === 'string' && /token|cursor/.test(word) ? '' : undefined
      }
      if (isUrl) {
        return state.link(next)
      }
      if ((type === 'integer' || type === 'number') && list.paging.token !== undefined) {
        return 1_000_000 + next
      }
      if (type === 'integer' || type === 'number') {
        return /offset|start|skip/.test(word) || (list.paging.page === undefined && list.paging.offset !== undefined)
          ? next + list.paging.offsetBase
          : next / size + base
      }
      return list.paging.token === undefined && list.paging.page !== undefined
        ? String(next / size + base)
        : list.paging.token === undefined && list.paging.offset !== undefined
          ? state.link(next)
          : `t${next}`
    }
    if (/^lastid$|^lastcursor$/.test(word)) {
      return own.length > 0 ? at(own.at(-1), this.scene!.key) : null
    }
    if (type !== 'integer' && type !== 'number') {
      return undefined
    }
    if (/totalpages?$|pagecount|pagestotal|numpages|lastpage|^pages$|^last$/.test(word)) {
      return Math.max(1, Math.ceil(total / size))
    }
    if (/^numberofelements$|^length$|^returned$/.test(word)) {
      return own.length
    }
    if (/total|^count$|numfound|recordcount|itemcount|resultcount|hits/.test(word)) {
      const isOfPage =
        word === 'count' &&
        /on this page|in this (?:page|response)|returned|current page|of the page/i.test(schema.description ?? '')
      return isOfPage ? own.length : total
    }
    if (/perpage|pagesize|^size$|limit|maxresults|itemsperpage|pagelength/.test(word)) {
      return size
    }
    if (/^(?:page|number|currentpage|pagenumber|pageno|pageindex|current)$/.test(word)) {
      return start / size + base
    }
    return /offset|^start|skip|^from$/.test(word) ? start + list.paging.offsetBase : undefined
  }
}

interface PageState {
  readonly own: readonly Json[]
  readonly start: number
  readonly size: number
  readonly next: number | undefined
  readonly total: number
  readonly base: number
  readonly link: (to: number) => string
}

function isNullable(reader: Reader, node: Json): boolean {
  const schema = reader.resolve(node)
  return (
    node.nullable ||
    schema.nullable ||
    [schema.type].flat().includes('null') ||
    (schema.anyOf ?? schema.oneOf ?? []).some((own: Json) => reader.resolve(own).type === 'null')
  )
}

export function at(value: Json, path: readonly string[]): Json {
  return path.reduce((own, name) => own?.[name], value)
}

function pick(record: Json, properties: Json): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name in properties))
}

export function matches(template: string, path: string): boolean {
  const source = template
    .replace(/#.*$/, '')
    .split(/\{[^}]+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${source.join('[^/]+')}$`).test(decodeURI(path))
}
