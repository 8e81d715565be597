'use client'
import type { ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import { isSkip } from '../../controller/driver.ts'
import type { Fetched } from '../../controller/Controller.ts'
import { type Reader, type Seen, useReader } from '../reader.ts'
import type { HookArgs } from './args.ts'
import { all } from './select.ts'

/** A promise that can be looked into: `use()` does not suspend on a settled one. */
export type Usable<T> = Promise<T> & {
  /** True once it has settled. */
  readonly resolved: boolean
} & (
    | { readonly status: 'pending' }
    | { readonly status: 'fulfilled'; readonly value: T }
    | { readonly status: 'rejected'; readonly reason: unknown }
  )

/**
 * Fetches what is missing or stale, without waiting for it: the promise can be given to `use()`, or to nobody.
 *
 * @example
 * useFetch(getPosts, { userId: 5 })
 * const user = use(useFetch(getUser, { id: 5 }))
 * @see docs/api/useFetch.md
 */
export function useFetch<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): Usable<Fetched<E>> | (null extends A[0] ? undefined : never) {
  const [seen, reader] = useReader(endpoint, args, all)
  return (isSkip(args) ? undefined : usableOf(seen, reader)) as Usable<Fetched<E>>
}

const usables = /* @__PURE__ */ new WeakMap<Seen, Usable<any>>()

function usableOf(seen: Seen, reader: Reader<Seen>): Usable<any> {
  const { data, loading, error } = seen
  const known = usables.get(seen)
  // While data is missing, each render fetches it.
  const promise: Settling = loading ? reader.wait() : (known ?? waitedFor(seen, reader) ?? settled(data, error))
  if (!promise.status) {
    const end = (status: string, rest: object): void => {
      void Object.assign(promise, rest, { status, resolved: status !== 'pending' })
    }
    end('pending', {})
    promise.then(
      (value) => end('fulfilled', { value }),
      (reason: unknown) => end('rejected', { reason }),
    )
  }
  if (promise !== known) {
    usables.set(seen, promise as Usable<any>)
  }
  return promise as Usable<any>
}

type Settling = Promise<any> & { readonly status?: string; readonly value?: unknown; readonly reason?: unknown }

/** React takes up a render that was suspended, and expects the promise that it was suspended by. */
function waitedFor({ data, error }: Seen, reader: Reader<Seen>): Settling | undefined {
  const promise: Settling | undefined = reader.waited()
  const isSame =
    error === undefined
      ? promise?.status === 'fulfilled' && promise.value === data
      : promise?.status === 'rejected' && promise.reason === error
  return isSame ? promise : undefined
}

function settled(value: unknown, reason: unknown): Promise<unknown> {
  const isGood = reason === undefined
  const promise = isGood ? Promise.resolve(value) : Promise.reject(reason)
  promise.catch(() => {})
  return Object.assign(
    promise,
    { resolved: true },
    isGood ? { status: 'fulfilled', value } : { status: 'rejected', reason },
  )
}
