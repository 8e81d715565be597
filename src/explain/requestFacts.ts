import type { Controller } from '../controller/Controller.ts'
import type { PendingFact, RequestFact } from '../advice/Explanation.ts'
import type { Row } from '../rows/Row.ts'
import type { History } from './history.ts'
import { nameOf } from './rowNames.ts'

/** The requests in flight, oldest first. */
export function requestsOf(controller: Controller, history: History, key?: string): RequestFact[] {
  const { core } = controller
  return [...core.requests.open.values()]
    .filter(({ action }) => key === undefined || action.key === key)
    .map(({ id, name, action, callers }) => {
      const retry = history.retryOf(id)
      const isWaiting = retry !== undefined && retry.at > core.store.clock.now()
      return {
        requestId: id,
        key: action.key,
        name,
        args: action.args,
        since: action.meta.fetchedAt,
        sent: action.meta.sent,
        isMutation: action.endpoint.sideEffect === true,
        auto: action.meta.auto === true,
        callers,
        retryAt: isWaiting ? retry.at : undefined,
        retryError: isWaiting ? retry.error : undefined,
      }
    })
}

/** The pending operations, oldest first; with rows only those that change one of them. */
export function pendingOf(controller: Controller, rows?: readonly Row[]): PendingFact[] {
  const { core } = controller
  const shown = rows && new Set(rows)
  return core.store.pending
    .filter(({ rows: changed }) => !shown || changed.some((row) => shown.has(row)))
    .map(({ id, action, rows: changed }) => {
      const { key, args, meta } = action as { key: string; args: readonly unknown[]; meta: { fetchedAt: number } }
      const changes = changed.filter(({ table }) => table.key !== '').map(nameOf)
      return { requestId: id, key, args, since: meta.fetchedAt, changes }
    })
}
