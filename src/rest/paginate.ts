import { DEV } from '../base/env.ts'
import type { Collection } from '../kinds/Collection.ts'
import { type Extensible, findList, once, replaceList } from './extenders.ts'

type Args = readonly any[]

/** The parameter that names the page, or a function that returns the arguments of the list itself. */
export type Cursor = string | ((...args: any) => Args)

/** The endpoint of further pages: its responses belong to the list of the arguments without the cursor. */
export function paginate<E extends Extensible & { key(...args: Args): string }>(endpoint: E, cursor: Cursor): E {
  return once(endpoint, typeof cursor === 'string' ? `?${cursor}` : cursor, () => {
    const listArgs = typeof cursor === 'string' ? without(cursor) : cursor
    const { key } = endpoint
    if (DEV) {
      findList(endpoint, 'move', 'paginated')
    }
    return endpoint.extend({
      name: `${endpoint.name}.getPage`,
      isPage: true,
      schema: replaceList(endpoint.schema, (list) => pageOf(list, listArgs)),
      key(this: unknown, ...args: Args) {
        return key.apply(this, listArgs(...args) as any[])
      },
    })
  })
}

function without(name: string): (...args: Args) => Args {
  return (params, ...rest) => {
    const { [name]: _page, ...others } = (params ?? {}) as Record<string, unknown>
    return [others, ...rest]
  }
}

/** A Collection that treats a response as one page of its list. */
function pageOf(list: Collection, listArgs: (...args: any) => Args): object {
  return Object.assign(Object.create(list) as object, {
    isPage: true,
    writeKey: (parent: unknown, key: string | undefined, args: Args, nested: boolean) =>
      list.writeKey(parent, key, listArgs(...args), nested),
  })
}

/** The endpoint of the pages of one list. Without a name for the page its arguments are all that is known of it. */
export function pageEndpoint(endpoint: any, args: Args): any {
  return endpoint.getPage ?? paginate(endpoint, () => args)
}

/** The same for the pages before a list: `getPreviousPage` names them, and they stand in front of it. */
export function previousPageEndpoint(endpoint: any, args: Args): any {
  const page = pageEndpoint(endpoint, args)
  return once(page, '<', () =>
    page.extend({
      schema: replaceList(page.schema, (list) => Object.assign(Object.create(list) as object, { isBefore: true })),
    }),
  )
}

/** True for an endpoint of further pages: its responses are only a part of the list under its key. */
export function isPage(endpoint: object): boolean {
  return 'isPage' in endpoint
}

/** The page that follows, according to a response. */
export interface NextPageInfo {
  /** The arguments of that page, where the response names them. */
  readonly args: Args | undefined
  /** Without `getNextPage`: the arguments with the next number, since the page may be one of a numbered series. */
  readonly guess?: Args | undefined
  /** The response says that nothing comes after it. */
  readonly isEnd: boolean
  /** The arguments of the page before it, where `getPreviousPage` names one. */
  readonly previous?: Args | undefined
}

/** Tells what comes after a response, and before it; `undefined` for an endpoint without pages. */
export function nextPage(
  endpoint: object,
  value: unknown,
  args: Args,
): ((isEmpty: boolean) => NextPageInfo) | undefined {
  const {
    getNextPage,
    getPreviousPage,
    paginationField: field,
  } = endpoint as {
    getNextPage?(value: unknown, ...args: Args): unknown
    getPreviousPage?(value: unknown, ...args: Args): unknown
    paginationField?: string
  }
  if (!getNextPage && !getPreviousPage && !field) {
    return undefined
  }
  return (isEmpty) => {
    const [params, ...rest] = args
    const at = (next: unknown): Args | undefined => (field ? [{ ...params, [field]: next }, ...rest] : undefined)
    const argsOf = (named: unknown): Args | undefined =>
      isNone(named) ? undefined : Array.isArray(named) ? named : at(named)
    const previous = argsOf(getPreviousPage?.call(endpoint, value, ...args))
    if (!getNextPage) {
      if (!field) {
        return { args: undefined, isEnd: true, previous }
      }
      // The list itself is the first page. A cursor that is no whole number says nothing of what comes next.
      const number = Number(params?.[field] ?? 1)
      const guess = Number.isSafeInteger(number) ? at(number + 1) : undefined
      return { args: undefined, guess, isEnd: isEmpty, previous }
    }
    const next: unknown = getNextPage.call(endpoint, value, ...args)
    return { args: argsOf(next), isEnd: isNone(next), previous }
  }
}

/** True for a value that names no page. */
function isNone(named: unknown): boolean {
  return named === undefined || named === null || named === '' || named !== named
}
