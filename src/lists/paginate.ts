import { DEV } from '../base/env.ts'
import type { ListClass } from '../schema/ListClass.ts'
import { type Extensible, findList, once } from './extensible.ts'
import { replaceList } from '../schema/listIn.ts'

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
function pageOf(list: ListClass, listArgs: (...args: any) => Args): object {
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
