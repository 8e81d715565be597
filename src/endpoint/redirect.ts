import { follow } from '#follow'
import { checkOrigin } from './failure.ts'
import { plainHeaders, sendRequest } from './transport.ts'

/** Headers that a browser sends to any origin without a preflight request, and that hold nothing of the app. */
const SAFE = /^((accept|content)-language|accept|range)$/i

/**
 * `fetch`, except that headers of the app do not follow a redirect to an origin that is not allowed.
 * Where redirects are visible, this function follows them; elsewhere it rejects the response of another origin.
 */
export async function fetchWithin(allowed: readonly string[], input: string, init: RequestInit): Promise<Response> {
  const headers = plainHeaders(init.headers)
  // The default header of a request without a body holds nothing of the app either.
  const isDefault = (name: string): boolean =>
    init.body == null && /^content-type$/i.test(name) && headers[name] === 'application/json'
  const isSafe = (name: string): boolean => SAFE.test(name) || isDefault(name)
  if (init.redirect || Object.keys(headers).every(isSafe)) {
    return sendRequest(input, init)
  }
  const followed = follow?.(input, { ...init, headers }, allowed)
  if (followed) {
    return followed
  }
  const response = await sendRequest(input, init)
  // React Native does not say whether there was a redirect.
  if ((response as { redirected?: boolean }).redirected !== false && response.url) {
    checkOrigin(response.url, input, allowed, init.method)
  }
  return response
}
