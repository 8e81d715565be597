import type { ActionTypes, Dispatch } from './actions.ts'
import type { Controller } from './Controller.ts'

/** What a manager is given: the controller, which is also what Redux gives to its middleware. */
export type MiddlewareAPI = Controller

/** Gets each action, and hands it on with `next`, or does not. */
export type Middleware<A = ActionTypes> = (controller: MiddlewareAPI) => (next: Dispatch<A>) => Dispatch<A>

/** The way of an action: through all managers in their order, at last to the store. */
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
