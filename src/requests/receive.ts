import { isEntity } from '../schema/Schema.ts'
import { olderPages, refreshPages } from './refreshPages.ts'
import type { Request } from './Request.ts'
import type { Requests } from './Requests.ts'

/** A response, or a failure, has arrived for a request. Returns true if it is to be stored now. */
export function receive(requests: Requests, request: Request, response: unknown, isError = false): boolean {
  const { page, result, name, key } = request
  // The response of a page does not say that its list may be fetched again.
  if (!isError && name === key && result.pace.retryAt > 0) {
    result.pace.allow()
  }
  switch (request.state) {
    case 'collecting':
    case 'closed':
      return false
    default:
  }
  if (page) {
    // It is stored with its list.
    request.move('collect')
    const deliver = isError ? page.reject : page.resolve
    deliver(response)
    return false
  }
  const { sideEffect, schema } = request.endpoint
  const hasPages = !isError && !sideEffect && !isEntity(schema) && olderPages(requests, request).length > 0
  if (hasPages && !request.isInvalidated) {
    // A response that is refused has rejected the promise of its request.
    refreshPages(requests, request, { response }).catch(() => {})
    return false
  }
  return true
}
