'use client'
import type { HookArgs, IfNull } from '../../binding/args.ts'
import { takeAll } from '../../binding/Reader.ts'
import { type Usable, usableOf } from '../../binding/usableOf.ts'
import type { Fetched } from '../../controller/Controller.ts'
import { isSkip } from '../../requests/Reading.ts'
import type { ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import { useReader } from '../reader.ts'

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
): Usable<Fetched<E>> | IfNull<A, undefined, never> {
  const [seen, reader] = useReader(endpoint, args, takeAll)
  return (isSkip(args) ? undefined : usableOf(seen, reader)) as Usable<Fetched<E>>
}
