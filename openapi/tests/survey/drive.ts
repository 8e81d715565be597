// Drives the generated code of one description against a server that is made from it: three pages, a create, an update and a delete.
import { Collection, createStore, type RestEndpoint } from 'restitch'
import { createPages, itemsIn } from '../../../src/binding/createPages.ts'
import { ApiServer, at, type ListRoute, type Route } from './ApiServer.ts'

type Json = any

export interface Input {
  readonly document: Json
  /** The endpoint of each operation: `orders.Orders.getList`. */
  readonly endpoints: Record<string, string>
  /** The operations that the report names. */
  readonly reported: readonly string[]
  /** The key of the records of each schema, by the fields of a class. */
  readonly modules: Record<string, Json>
}

export interface Outcome {
  readonly lists: number
  readonly listsFound: number
  readonly pages: number
  readonly pagesFound: number
  readonly right: number
  readonly mutations: number
  readonly extra: number
  readonly wrong: readonly string[]
  readonly silent: readonly string[]
}

const TURNS = 15

export async function drive({ document, endpoints, reported, modules }: Input): Promise<Outcome> {
  const server = new ApiServer(document)
  const origin = await server.listen()
  const { fetch } = globalThis
  globalThis.fetch = ((url: string, init: RequestInit) =>
    fetch(url.replace('http://restitch.test', origin), init)) as never
  const routes = server.reader.routes()
  const outcome = {
    lists: 0,
    listsFound: 0,
    pages: 0,
    pagesFound: 0,
    right: 0,
    mutations: 0,
    extra: 0,
    wrong: [] as string[],
    silent: [] as string[],
  }
  const endpointOf = (route: Route | undefined): RestEndpoint | undefined => {
    const path = route && endpoints[`${route.method.toUpperCase()} ${route.path}`]
    return path?.split('.').reduce((value: Json, name) => value?.[name], modules)
  }
  const isCreate = (route: Route): boolean => {
    const id = `POST ${route.path}`
    return endpoints[id]?.endsWith('.create') && !reported.includes(id)
  }
  for (const route of routes) {
    const list = server.reader.listOf(route)
    if (list === undefined) {
      continue
    }
    const id = `GET ${route.path}`
    const endpoint = endpointOf(route)
    const hasCollection = endpoint !== undefined && findCollection((endpoint as Json).schema) !== undefined
    const isPaged =
      [list.paging.token, list.paging.page, list.paging.offset].some((name) => name !== undefined) ||
      list.paging.hasNext
    const { paginationField: field, getNextPage } = (endpoint ?? {}) as Json
    const isFound = field !== undefined || getNextPage !== undefined
    outcome.lists++
    // A list of plain data without pages needs no place in the store.
    const isPlain =
      Array.isArray((endpoint as Json)?.schema) || (endpoint as Json)?.schema === undefined || !hasCollection
    outcome.listsFound += hasCollection || (isPlain && !isPaged) ? 1 : 0
    if (!isPaged) {
      continue
    }
    outcome.pages++
    if (!isFound) {
      if (!reported.includes(id)) {
        outcome.silent.push(id)
      }
      continue
    }
    outcome.pagesFound++
    const fault = await Promise.race([
      drivePages(server, list, endpoint, routes, endpointOf, isCreate, outcome).catch(
        (error: unknown) => `throws ${String((error as Error).stack).slice(0, 300)}`,
      ),
      new Promise<string>((resolve) => setTimeout(() => resolve('takes too long'), 20_000).unref()),
    ])
    if (fault === undefined) {
      outcome.right++
    } else {
      outcome.wrong.push(`${id}: ${fault}`)
    }
  }
  server.close()
  return outcome
}

function findCollection(schema: Json): Json {
  if (schema instanceof Collection) {
    return schema
  }
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return undefined
  }
  for (const inner of Object.values(schema)) {
    const found = findCollection(inner)
    if (found) {
      return found
    }
  }
  return undefined
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))
const quiet = async (server: ApiServer): Promise<void> => {
  // Requests that a write makes start within a few turns.
  for (let turn = 0, last = -1; turn < TURNS || last !== server.requests.length; turn++) {
    last = server.requests.length
    await pause()
    if (turn > 200) {
      return
    }
  }
}

/** The field that identifies an item: that of the class, as the generated code has it. */
function keyOf(list: ListRoute, server: ApiServer, collection: Json): readonly string[] | undefined {
  const Class = classOf(collection?.cacheWith?.choice)
  const sample = server.reader.sample(list.item, 5)
  const deep = (index: number): Json => server.reader.sample(list.item, index, 'value', 0, true)
  if (typeof Class?.pk !== 'function') {
    // Plain data: the first value that differs.
    return findDifference(deep(5), deep(6)) ?? ['row']
  }
  const paths = Object.keys(sample).flatMap((name) =>
    [[name]].concat(
      Object.keys(typeof sample[name] === 'object' ? Object(sample[name]) : {}).map((inner) => [name, inner]),
    ),
  )
  const scoped = String(Class.pk(sample, undefined, undefined, [{}]))
  return paths.find((path) => {
    const value = at(sample, path)
    return (
      (typeof value === 'string' || typeof value === 'number') &&
      (scoped === String(value) || scoped.split('/').at(-1) === String(value)) &&
      !/^5$/.test(String(path))
    )
  })
}

function findDifference(a: Json, b: Json): readonly string[] | undefined {
  for (const name of Object.keys(Object(a))) {
    const isScalar = typeof a[name] === 'string' || typeof a[name] === 'number'
    if (isScalar && a[name] !== b[name]) {
      return [name]
    }
    const inner = isScalar || Array.isArray(a[name]) ? undefined : findDifference(a[name], b[name])
    if (inner) {
      return [name, ...inner]
    }
  }
  return undefined
}

async function drivePages(
  server: ApiServer,
  list: ListRoute,
  endpoint: Json,
  routes: readonly Route[],
  endpointOf: (route: Route | undefined) => RestEndpoint | undefined,
  /** True for an endpoint that adds to its list. One that the report names does not. */
  isCreate: (route: Route) => boolean,
  outcome: { mutations: number; extra: number },
): Promise<string | undefined> {
  const collection = findCollection(endpoint.schema)
  const key = keyOf(list, server, collection)
  if (key === undefined) {
    return 'its items have no key'
  }
  const { paging } = list
  const usual =
    paging.defaultSize !== undefined && paging.defaultSize > 0 && paging.defaultSize <= 50 ? paging.defaultSize : 3
  const isSent = paging.size !== undefined && paging.defaultSize !== undefined && usual !== paging.defaultSize
  const count = usual * 2 + 1
  const isPlain = typeof collection?.cacheWith?.choice?.schema !== 'function'
  const items = Array.from({ length: count }, (_, index) => {
    const item = server.reader.sample(list.item, index + 1, 'value', 0, isPlain)
    // Plain data that nothing tells apart has a number.
    return key[0] === 'row' ? { ...item, row: index } : item
  })
  const create = routes.find(({ path, method }) => method === 'post' && path === list.path)
  server.scene = { list, size: usual, items, base: paging.base, create, key }
  server.requests = []
  server.faults = []
  const params: Json = {}
  for (const parameter of list.parameters) {
    if (parameter.in === 'path') {
      params[parameter.name] = 'p1'
    } else if (
      parameter.in === 'query' &&
      parameter.required &&
      ![paging.token, paging.page, paging.offset].includes(parameter.name)
    ) {
      params[parameter.name] = server.reader.sample(parameter.schema ?? {}, 1, parameter.name)
    }
  }
  for (const [, sign, name] of String(endpoint.path).matchAll(/([:*])"?([\w$-]+)/g)) {
    params[name] = sign === '*' ? ['p1'] : (params[name] ?? 'p1')
  }
  if (isSent) {
    params[paging.size] = 3
  }
  const args = Object.keys(params).length > 0 ? [params] : []
  const store = createStore()
  const { controller } = store
  const end = store.subscribe(endpoint, args as never, () => {})
  try {
    await controller.fetch(endpoint, ...args)
    const pages = createPages(controller as never, endpoint, args, () => {})
    for (let turn = 0; turn < 6 && (pages.available() & 1) > 0; turn++) {
      await pages.fetchNextPage()
    }
    const read = (): Json => (controller.getResponse(endpoint, ...args) as Json).data
    const idsIn = (rows: Json): string => (rows ?? []).map((row: Json) => String(at(row, key))).join()
    const compare = (what: string): string | undefined => {
      const data = read()
      const [own, theirs] = [idsIn(itemsIn(endpoint.schema, data)), idsIn(server.scene!.items)]
      if (own !== theirs) {
        return `${what}: the list has ${own}, and the server ${theirs}; requests ${server.requests.join(' ')}`
      }
      for (const name of collection.counts ?? []) {
        const total = totalIn(data, name)
        if (typeof total === 'number' && !/on this page/i.test('') && total !== server.scene!.items.length) {
          return `${what}: "${name}" is ${total}, and the server has ${server.scene!.items.length}`
        }
      }
      return undefined
    }
    /** A list in doubt is fetched again: it has to be right in the end, however busy the machine is. */
    const settle = async (what: string): Promise<string | undefined> => {
      let wrong = compare(what)
      for (let turn = 0; turn < 400 && wrong !== undefined; turn++) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        wrong = compare(what)
      }
      return wrong
    }
    const fault = compare('pages') ?? server.faults[0]
    if (fault !== undefined) {
      return fault
    }
    outcome.extra += Math.max(0, server.requests.length - 3)
    // Records of another table cannot be compared.
    if (typeof classOf(collection.cacheWith?.choice)?.pk !== 'function') {
      return undefined
    }
    const listPath = list.path.replace(/\/$|\.json$/, '')
    const onItem = (method: string): Route | undefined =>
      routes.find(
        ({ path, method: own }) =>
          own === method &&
          path.replace(/\/$|\.json$/, '').replace(/\/\{[^{}/]+\}$/, '') === listPath &&
          /\}(?:\/|\.json)?$/.test(path),
      )
    const argsOf = (target: Json, item: Json): Json => {
      const names = [...String(target.path).matchAll(/[:*]"?([\w$-]+)/g)].map(([, name]) => name)
      return Object.fromEntries(
        names.map((name, index) => [name, index === names.length - 1 ? at(item, key) : (params[name] ?? 'p1')]),
      )
    }
    const listParams = Object.fromEntries(
      Object.entries(params).filter(([name]) => String(endpoint.path).includes(`:${name}`)),
    )
    const add = endpointOf(create) as Json
    if (create !== undefined && isCreate(create)) {
      const given = Object.keys(listParams).length > 0 ? [listParams] : []
      await controller.fetch(add, ...(given as []), {})
      await quiet(server)
      outcome.mutations++
      const wrong = await settle('create')
      if (wrong !== undefined) {
        return wrong
      }
    }
    const change = onItem('patch') ?? onItem('put')
    const edit = endpointOf(change) as Json
    const target = server.scene.items[1]
    const field = Object.keys(target).find(
      (name) =>
        name !== key[0] &&
        typeof target[name] === 'string' &&
        !/id$|url|uri|href|date|_at$/i.test(name) &&
        target[name].endsWith(`-2`),
    )
    if (edit && field && isAbout(edit, collection)) {
      server.changed = { [field]: 'changed' }
      await controller.fetch(edit, argsOf(edit, target), { [field]: 'changed' })
      await quiet(server)
      outcome.mutations++
      const row = (itemsIn(endpoint.schema, read()) as Json)?.[1]
      const own =
        row?.[field] ?? row?.[field.replaceAll(/_([a-z])/g, (_: string, letter: string) => letter.toUpperCase())]
      if (own !== undefined && own !== 'changed') {
        return `update: "${field}" is ${String(own)}`
      }
    }
    const remove = endpointOf(onItem('delete')) as Json
    if (remove && isAbout(remove, collection)) {
      await controller.fetch(remove, argsOf(remove, target), ...(remove.body === undefined ? [] : [{}]))
      await quiet(server)
      outcome.mutations++
      return await settle('delete')
    }
    return undefined
  } finally {
    end()
    store.stop()
  }
}

/** True for an endpoint that changes the records of a list. */
function isAbout({ schema }: Json, collection: Json): boolean {
  const inner = schema?.cacheWith?.choice ?? schema?.choice ?? schema?.collection?.cacheWith?.choice ?? schema
  const Class = typeof schema === 'function' ? schema : classOf(inner)
  const own = classOf(collection.cacheWith.choice)
  return Class !== undefined && (Class === own || (Class.key !== undefined && Class.key === own?.key))
}

/** The class of a record; of several kinds, the first one that is described. */
function classOf(choice: Json): Json {
  const kinds = choice?.attribute === undefined ? [choice?.schema] : Object.values(Object(choice.schema))
  return kinds.find((one) => typeof one === 'function')
}

function totalIn(data: Json, name: string): Json {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    return undefined
  }
  if (name in data && typeof data[name] === 'number') {
    return data[name]
  }
  for (const inner of Object.values(data)) {
    const found = Object.getPrototypeOf(Object(inner)) === Object.prototype ? totalIn(inner, name) : undefined
    if (found !== undefined) {
      return found
    }
  }
  return undefined
}
