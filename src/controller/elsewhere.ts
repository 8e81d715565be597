import { callOf, type SetResponseAction } from './actions.ts'
import type { Driver } from './driver.ts'
import type { Request } from './Request.ts'

/**
 * Stores a response that no open request of this store is waiting for: `setResponse`, `setError`, or `resolve` with the data of a
 * socket. It resolves the open reads of its name, too. They go on while a reader wants them, since their own responses
 * may contain more.
 *
 * @param onResolved the callers of a read have their value
 */
export function respondFromElsewhere(
  driver: Driver,
  { endpoint, args, response, error, meta: { sent, fetchedAt } }: SetResponseAction,
  onResolved: (request: Request) => void,
): void {
  if (sent === undefined) {
    driver[error ? 'setError' : 'setResponse'](endpoint, args, response)
  } else {
    driver.resolve(endpoint, { args, response, fetchedAt, sent, error })
  }
  const { name } = callOf(endpoint, args)
  for (const request of driver.openRequests.values()) {
    const { meta } = request.action
    // The response to an earlier request is no response to this one.
    if (request.name !== name || request.endpoint.sideEffect || sent! < meta.sent) {
      continue
    }
    const { data } = driver.read(request.endpoint, request.args)
    driver.store.subscriptions.after(() => (error ? meta.reject(response) : meta.resolve(data)))
    onResolved(request)
  }
}
