import type { Controller, ExplainArgs } from '../controller/Controller.ts'
import type { Explanation } from '../advice/Explanation.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { explainTarget } from './explainTarget.ts'
import { observeStore } from './pageConsole.ts'
import type { Queryable } from '../schema/Denormalize.ts'

/**
 * The same as `controller.explain`, in any build. Where nothing was recorded before, it records from its first call on.
 *
 * @example
 * console.log(String(explain(controller, getUser, { id: 5 })))
 * @see docs/api/explain.md
 */
export function explain<T extends EndpointInterface | Queryable>(
  controller: Controller,
  target: T,
  ...args: ExplainArgs<T>
): Explanation {
  observeStore(controller)
  return explainTarget(controller, target, args)
}
