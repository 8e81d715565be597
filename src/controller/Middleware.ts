import type { ActionTypes, Dispatch } from '../requests/actions.ts'
import type { Controller } from './Controller.ts'

/** The argument of a middleware: the controller. */
export type MiddlewareAPI = Controller

/** Receives each action and may pass it on with `next`. */
export type Middleware<A = ActionTypes> = (controller: MiddlewareAPI) => (next: Dispatch<A>) => Dispatch<A>
