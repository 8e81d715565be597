import type { Controller } from '../../controller/Controller.ts'
import { readPages } from '../../controller/listPages.ts'
import type { EndpointInterface } from '../../endpoint/EndpointOptions.ts'
import { replaceList } from '../../rest/extenders.ts'
import { pageEndpoint, previousPageEndpoint } from '../../rest/paginate.ts'
import { isSchemaClass } from '../../schema/Schema.ts'

export interface PagesState {
  readonly key?: string | undefined
  /** Pages that are loading. */
  readonly next: boolean
  readonly previous: boolean
  readonly error?: Error | undefined
}

export const IDLE: PagesState = { next: false, previous: false }

type Direction = 'next' | 'previous'

/** The pages around a list. No framework is needed here. */
export interface Pages {
  readonly fetchNextPage: () => Promise<void>
  readonly fetchPreviousPage: () => Promise<void>
  /** Calls the listener when there may be other pages. */
  readonly subscribe: (notify: () => void) => () => void
  /** 1: there is a next page, 2: there is a previous one, 3: both. */
  readonly available: () => number
}

/**
 * @param key of the list; none for `null`
 * @param setState receives how the state follows from the last one
 */
export function createPages(
  controller: Controller,
  endpoint: EndpointInterface,
  args: readonly any[],
  key: string | undefined,
  setState: (update: (now: PagesState) => PagesState) => void,
): Pages {
  const { store, requests } = controller.core
  const { tables, pagers } = store
  const running: { [D in Direction]?: Promise<void> | undefined } = {}
  const find = (direction: Direction): readonly any[] | undefined =>
    key === undefined ? undefined : readPages(tables, endpoint, args)[direction]
  const run = async (direction: Direction): Promise<void> => {
    const change = (fetching: boolean, error?: Error): void =>
      setState((now) => ({ ...(now.key === key ? now : IDLE), key, error, [direction]: fetching }))
    change(true)
    let error: Error | undefined
    try {
      // A list that is being fetched again may name another page.
      const refresh = [...requests.open.values()].find((open) => open.key === key && open.name === key)
      await refresh?.action.meta.promise.catch(() => {})
      const page = direction === 'next' ? pageEndpoint(endpoint, args) : previousPageEndpoint(endpoint, args)
      const pageArgs = find(direction)
      if (pageArgs) {
        await controller.fetch(page as EndpointInterface, ...pageArgs)
      }
    } catch (thrown) {
      error = thrown as Error
    }
    running[direction] = undefined
    setState((now) => (now.key === key ? { ...now, error, [direction]: false } : now))
  }
  const fetchPage = (direction: Direction) => (): Promise<void> => {
    const isThere = find(direction) !== undefined
    return running[direction] ?? (isThere ? (running[direction] = run(direction)) : Promise.resolve())
  }
  return {
    fetchNextPage: fetchPage('next'),
    fetchPreviousPage: fetchPage('previous'),
    // An empty page, or one that another component fetched, leaves the items as they are.
    subscribe: (notify) => {
      const pager = { tell: notify }
      pagers.add(pager)
      return () => void pagers.delete(pager)
    },
    available: () => (find('next') ? 1 : 0) + (find('previous') ? 2 : 0),
  }
}

/** The list, wherever it is in the data. */
export function itemsIn(schema: any, data: any): unknown {
  if (data === undefined || Array.isArray(data)) {
    return data
  }
  const members = isSchemaClass(schema) ? (schema as { schema?: any }).schema : schema
  const name = Object.keys((members ?? {}) as object).find((name) => replaceList(members[name], () => true))
  return name === undefined ? undefined : itemsIn(members[name], data[name])
}
