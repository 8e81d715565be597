import type { Collection } from '../schema/Collection.ts'
import { type Extensible, findList, once, replaceList } from './extenders.ts'

type Args = readonly any[]

/** What a page endpoint is told: the parameter that names the page, or which arguments are those of the list itself. */
export type Cursor = string | ((...args: any) => Args)

/** The endpoint of further pages: its answers belong to the list of the arguments without the cursor. */
export function paginate<E extends Extensible & { key(...args: Args): string }>(endpoint: E, cursor: Cursor): E {
  return once(endpoint, typeof cursor === 'string' ? `?${cursor}` : cursor, () => {
    const listArgs = typeof cursor === 'string' ? without(cursor) : cursor
    const { key } = endpoint
    findList(endpoint, 'move', 'paginated')
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

/** A Collection that takes an answer for one page of its list. */
function pageOf(list: Collection, listArgs: (...args: any) => Args): object {
  return Object.assign(Object.create(list) as object, {
    isPage: true,
    writeKey: (parent: unknown, key: string | undefined, args: Args, nested: boolean) =>
      list.writeKey(parent, key, listArgs(...args), nested),
  })
}

/** True for an endpoint of further pages: it answers for a part of what its key names. */
export function isPage(endpoint: object): boolean {
  return 'isPage' in endpoint
}

/** Says the arguments of the page after an answer, or `undefined` at the end; not there for an endpoint without pages. */
export function nextPage(
  endpoint: object,
  value: unknown,
  args: Args,
): ((isEmpty: boolean) => Args | undefined) | undefined {
  const { getNextPage, paginationField: field } = endpoint as {
    getNextPage?(value: unknown, ...args: Args): unknown
    paginationField?: string
  }
  if (!getNextPage && !field) {
    return undefined
  }
  return (isEmpty) => {
    const [params, ...rest] = args
    let next: unknown
    if (getNextPage) {
      next = getNextPage.call(endpoint, value, ...args)
    }
    // The list itself is the first page.
    else if (!isEmpty) {
      next = Number(params?.[field!] ?? 1) + 1
    }
    if (Array.isArray(next)) {
      return next
    }
    const isEnd = next === undefined || next === null || next === '' || next !== next
    return isEnd || !field ? undefined : [{ ...params, [field]: next }, ...rest]
  }
}
