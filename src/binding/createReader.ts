import type { ViewArgs, ViewData } from '../client/createStore.ts'
import type { Controller } from '../controller/Controller.ts'
import { isEndpoint } from '../requests/Reading.ts'
import type { EndpointInterface, UnknownError } from '../endpoint/EndpointOptions.ts'
import type { Queryable } from '../schema/Denormalize.ts'
import { Reader, takeAll, viewOf } from './Reader.ts'

/** The state that a component shows; the same object until something in it changes. */
export interface ReaderState<T> {
  readonly data: T
  /** There is nothing to show yet. */
  readonly loading: boolean
  /** Why there is no data. */
  readonly error: UnknownError | undefined
}

/** One use of an endpoint or a schema in a component. */
export interface DataReader<T> {
  /** The state now. It never fetches. */
  get(): ReaderState<T>
  /** Calls the listener when the state may have changed. Until it ends, missing and stale data is fetched, unless `fetch` is `false`. */
  subscribe(listener: () => void): () => void
  /** Fetches missing data: the promise to suspend on. It resolves to the data, or rejects. */
  load(): Promise<unknown>
}

/**
 * Reads an endpoint or a schema for a component: the way to write a binding to a framework.
 *
 * @example
 * const reader = createReader(controller, getUser, [{ id: 5 }])
 * const end = reader.subscribe(() => console.log(reader.get().data?.name))
 * @see docs/api/createReader.md
 */
export function createReader<T extends EndpointInterface | Queryable>(
  controller: Controller,
  target: T,
  args: ViewArgs<T>,
  { fetch = true }: { readonly fetch?: boolean | undefined } = {},
): DataReader<ViewData<T>> {
  const isPassive = !fetch || !isEndpoint(target)
  const view = viewOf(controller, target, args, isPassive)
  const reader = new Reader(controller, target, args, view, takeAll, isPassive)
  return {
    get: reader.get,
    subscribe(listener) {
      let isOn = true
      const load = (): void => {
        // The promise tells of a failure that the store does not keep.
        if (isOn && !isPassive && reader.get().loading) {
          reader.wait(true).catch(() => {})
        }
      }
      const end = reader.subscribe(() => {
        listener()
        load()
      })
      load()
      return () => {
        isOn = false
        end()
      }
    },
    load: () => reader.wait(true),
  }
}
