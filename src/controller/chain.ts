import type { ActionTypes, Dispatch } from './actions.ts'
import type { Controller } from './Controller.ts'

/** The argument of a middleware: the controller. */
export type MiddlewareAPI = Controller

/** Receives each action and may pass it on with `next`. */
export type Middleware<A = ActionTypes> = (controller: MiddlewareAPI) => (next: Dispatch<A>) => Dispatch<A>

/** Sends an action through all managers in their order, then to the store. */
export function createChain(
  controller: Controller,
  managers: readonly { readonly middleware?: Middleware; getMiddleware?(): Middleware }[],
  last: Dispatch,
): Dispatch {
  return managers.reduceRight<Dispatch>(
    (next, manager) => (manager.middleware ?? manager.getMiddleware!())(controller)(next),
    last,
  )
}
