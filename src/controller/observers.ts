import type { Meta } from '../schema/Schema.ts'
import type { Store } from '../store/Store.ts'
import type { Request } from './Request.ts'
import type { SharedView, ViewChange } from './SharedView.ts'

/** How the polling of a key is going. */
export interface Polling {
  readonly frequency: number
  /** When the next request is due; `undefined` while polling is paused or a request is in flight. */
  readonly nextAt: number | undefined
  /** Why no request is scheduled. */
  readonly paused: 'hidden' | 'offline' | undefined
  /** Failures in a row; each doubles the interval, up to eight times. */
  readonly failures: number
}

/** Notified about decisions that the store itself does not keep. Most calls are part of development builds only. */
export interface Observer {
  /** The next request for a key is sent for this reason. */
  because(key: string, why: string): void
  /** A failed request waits to be sent again. */
  retrying(request: Request, at: number, error: unknown): void
  /** Listeners of a view are about to be called. */
  notifying(view: SharedView, change: ViewChange): void
  /** Sends a request, unless the devtools delay it or let it fail. */
  send(request: Request, run: () => unknown): unknown
  /** Key by key, how polling is going. */
  readonly polls: Map<string, () => Polling>
  /** When the garbage collector may remove a row. */
  limit?: (meta: Meta, isResult: boolean, key: string) => number
}

/** Whether readers note the name of their component: finding it costs a stack trace. */
export const naming: { isOn: boolean } = { isOn: false }

/** The observers of stores: of all in development, else of those that the devtools show. */
export const observers: WeakMap<Store, Observer> = /* @__PURE__ */ new WeakMap()
