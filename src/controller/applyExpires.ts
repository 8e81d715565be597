import { checkExpires } from '../advice/fetched.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { Slot } from '../normalize/tables.ts'
import type { Store } from '../store/Store.ts'
import { pathOf } from './read.ts'

/** Marks as stale what the server computes from the data that a mutation has changed: results, or the rows of an Entity. */
export function applyExpires(store: Store, endpoint: EndpointInterface): void {
  const { expires, sideEffect } = endpoint
  if (!expires || !sideEffect) {
    return
  }
  checkExpires(expires, pathOf(endpoint))
  const isExpired = ({ pk, table: { key, holds } }: Slot): boolean =>
    expires.some((one?: { readonly key?: any; testKey?(key: string): boolean }) =>
      one?.testKey ? !key && one.testKey(pk) : key === one?.key || holds.includes(one?.key),
    )
  // All slots and not only rows: a result that is being fetched for the first time may be old, too.
  const { tables } = store
  store.doubt(
    [tables.endpoints, ...tables.tables.values()].flatMap(({ slots }) => [...slots.values()].filter(isExpired)),
  )
}
