'use client'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { readPages } from '../../controller/listPages.ts'
import type { EndpointInterface, ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import { type ListOf, replaceList } from '../../rest/extenders.ts'
import { pageEndpoint } from '../../rest/paginate.ts'
import type { Denormalize } from '../../schema/Denormalize.ts'
import { isSchemaClass } from '../../schema/Schema.ts'
import { type HookArgs, keyOf } from './args.ts'
import { useController } from './useController.ts'
import { useData } from './useSuspense.ts'

/** A list with further pages. */
export interface Infinite<T> {
  /** The items of all pages that are loaded. They stay while the pages are fetched again. */
  readonly items: T
  readonly hasNext: boolean
  /** Loads the next page. It never rejects; while one is loading it gives the same promise. */
  fetchNext(): Promise<void>
  readonly isFetchingNext: boolean
  /** Why the last `fetchNext` failed. */
  readonly error: Error | undefined
}

/** The list in what an endpoint gives. */
export type ItemsOf<E extends EndpointInterface> = Denormalize<ListOf<E['schema']>>

/**
 * The items of all loaded pages of a list, and the means to load the next. It suspends until the first is there.
 *
 * @example
 * const { items, hasNext, fetchNext } = useInfinite(PostResource.getList, { userId: 5 })
 * @see docs/api/useInfinite.md
 */
export function useInfinite<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): Infinite<ItemsOf<E> | (null extends A[0] ? undefined : never)> {
  const controller = useController()
  const [state, setState] = useState<Fetching>({})
  const key = keyOf(endpoint, args)
  const data: unknown = useData(endpoint, args, true)
  const { fetchNext, subscribe, hasNext } = useMemo(() => {
    const { tables, pagers } = controller.core.driver.store
    let running: Promise<void> | undefined
    const page: EndpointInterface = key === undefined ? endpoint : pageEndpoint(endpoint, args)
    const run = async (following: readonly any[]): Promise<void> => {
      setState({ key, isFetching: true })
      let error: Error | undefined
      try {
        await controller.fetch(page, ...following)
      } catch (thrown) {
        error = thrown as Error
      }
      running = undefined
      setState((now) => (now.key === key ? { key, error } : now))
    }
    const next = (): readonly any[] | undefined =>
      key === undefined ? undefined : readPages(tables, endpoint, args).next
    const fetchNext = (): Promise<void> => {
      const following = next()
      return running ?? (following ? (running = run(following)) : Promise.resolve())
    }
    // A page that came back empty, or was asked for by somebody else, leaves the items as they are.
    const subscribe = (tell: () => void): (() => boolean) => {
      const pager = { tell }
      pagers.add(pager)
      return () => pagers.delete(pager)
    }
    return { fetchNext, subscribe, hasNext: () => next() !== undefined }
  }, [controller, endpoint, key])
  const mine = state.key === key ? state : {}
  return {
    items: itemsIn(endpoint.schema, data) as never,
    hasNext: useSyncExternalStore(subscribe, hasNext, hasNext),
    fetchNext,
    isFetchingNext: mine.isFetching === true,
    error: mine.error,
  }
}

interface Fetching {
  readonly key?: string | undefined
  readonly isFetching?: boolean
  readonly error?: Error | undefined
}

/** The list, wherever it is in the data. */
function itemsIn(schema: any, data: any): unknown {
  if (data === undefined || Array.isArray(data)) {
    return data
  }
  const members = isSchemaClass(schema) ? (schema as { schema?: any }).schema : schema
  const name = Object.keys((members ?? {}) as object).find((name) => replaceList(members[name], () => true))
  return name === undefined ? undefined : itemsIn(members[name], data[name])
}
