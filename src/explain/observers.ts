import type { Polling } from '../advice/Explanation.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Request } from '../requests/Request.ts'
import type { ViewObserver } from '../views/ViewHost.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { Meta } from '../rows/Meta.ts'

/** Notified about decisions that the store itself does not keep. Most calls are part of development builds only. */
export interface Observer extends ViewObserver {
  /** A failed request waits to be sent again. */
  retrying(request: Request, at: number, error: unknown): void
  /** Sends a request, unless the devtools delay it or let it fail. */
  send(request: Request, run: (endpoint?: EndpointInterface) => unknown): unknown
  /** Key by key, how polling is going. */
  readonly polls: Map<string, () => Polling>
  /** When the garbage collector may remove a row. */
  limit?: (meta: Meta, isResult: boolean, key: string) => number
}

/** Whether the devtools are on the page: then requests keep their arguments and responses, and actions the values they changed. */
export const recording: { isOn: boolean } = { isOn: false }

/** Whether readers note the name of their component: finding it costs a stack trace. */
export const naming: { isOn: boolean } = { isOn: false }

/** The observer of a store: each has one in development, else those that the devtools show. */
export function observerOf(controller: Controller): Observer | undefined {
  return controller.core.observer as Observer | undefined
}
