import type { ActionTypes } from '../requests/actions.ts'
import type { Middleware } from '../controller/Middleware.ts'
import type { State } from '../store/stateShape.ts'

/**
 * Middleware: sees every action before the store does, and may dispatch its own.
 *
 * @example
 * class LogManager implements Manager {
 *   middleware: Middleware = () => (next) => (action) => (console.log(action.type), next(action))
 *   cleanup() {}
 * }
 * @see docs/api/Manager.md
 */
export interface Manager<A = ActionTypes> {
  /** Called once for each store. */
  readonly middleware?: Middleware<A>
  /** The same, for managers written as a method. */
  getMiddleware?(): Middleware<A>
  /** Runs when the store starts, and again when it starts again. */
  init?(state: State): void
  /** Runs when the store stops; undoes what `init` did. */
  cleanup(): void
}
