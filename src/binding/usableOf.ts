import type { Reader, Seen } from './Reader.ts'

/** A promise that can be looked into: `use()` does not suspend on a settled one. */
export type Usable<T> = Promise<T> & {
  /** True once it has settled. */
  readonly resolved: boolean
} & (
    | { readonly status: 'pending' }
    | { readonly status: 'fulfilled'; readonly value: T }
    | { readonly status: 'rejected'; readonly reason: unknown }
  )

const usables = /* @__PURE__ */ new WeakMap<Seen, Usable<any>>()

/** The promise of the data that a reader shows, the same while it shows the same. */
export function usableOf(seen: Seen, reader: Reader<Seen>): Usable<any> {
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
