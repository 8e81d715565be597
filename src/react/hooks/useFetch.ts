'use client'
import type { ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import { isSkip } from '../../controller/read.ts'
import type { Fetched } from '../../controller/Controller.ts'
import { all, type Reader, type Seen, useReader } from '../reader.ts'
import type { HookArgs, IfNull } from './args.ts'

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
): Usable<Fetched<E>> | IfNull<A, undefined, never> {
  const [seen, reader] = useReader(endpoint, args, all)
  return (isSkip(args) ? undefined : usableOf(seen, reader)) as Usable<Fetched<E>>
}

const usables = /* @__PURE__ */ new WeakMap<Seen, Usable<any>>()

function usableOf(seen: Seen, reader: Reader<Seen>): Usable<any> {
  const known = usables.get(seen)
  // While data is missing, each render fetches it.
  const promise: Tracked = seen.loading ? reader.wait() : (known ?? settled(seen, reader))
  if (!promise.status) {
    void mark(promise, { status: 'pending' })
    promise.then(
      (value: unknown) => void mark(promise, { status: 'fulfilled', value }),
      (reason: unknown) => void mark(promise, { status: 'rejected', reason }),
    )
  }
  if (promise !== known) {
    usables.set(seen, promise as Usable<any>)
  }
  return promise as Usable<any>
}

interface Outcome {
  readonly status?: string
  readonly value?: unknown
  readonly reason?: unknown
}

type Tracked = Promise<unknown> & Outcome

function mark(promise: Tracked, outcome: Outcome): Tracked {
  return Object.assign(promise, outcome, { resolved: outcome.status !== 'pending' })
}

/** A promise for data that is there. React resumes a suspended render, and expects the promise that suspended it. */
function settled({ data: value, error: reason }: Seen, reader: Reader<Seen>): Tracked {
  const outcome: Outcome = reason === undefined ? { status: 'fulfilled', value } : { status: 'rejected', reason }
  const waited: Tracked | undefined = reader.view.wait?.promise
  if (waited?.status === outcome.status && waited?.value === outcome.value && waited?.reason === outcome.reason) {
    return waited!
  }
  const promise = reason === undefined ? Promise.resolve(value) : Promise.reject(reason)
  promise.catch(() => {})
  return mark(promise, outcome)
}
