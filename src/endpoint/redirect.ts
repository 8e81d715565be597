import { follow } from '#follow'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { plainHeaders, sendRequest } from './transport.ts'

/** Headers that a browser sends to any origin without a preflight request, and that hold nothing of the app. */
const SAFE = /^((accept|content)-language|accept|range)$/i

/**
 * `fetch`, except that headers of the app do not follow a redirect to an origin that is not allowed.
 * Where redirects are visible, this function follows them; elsewhere it rejects the response of another origin.
 */
export async function fetchWithin(allowed: readonly string[], input: string, init: RequestInit): Promise<Response> {
  const headers = plainHeaders(init.headers)
  if (init.redirect || Object.keys(headers).every((name) => SAFE.test(name))) {
    return sendRequest(input, init)
  }
  /** Throws where nobody named the origin of an address; else it gives that origin. */
  const check = (url: string): string => {
    const to = originOf(url)
    if ([input, ...allowed].some((other) => originOf(other) === to)) {
      return to
    }
    throw fail(
      'redirect-origin',
      `${input} to ${to}`,
      DEV &&
        `"${init.method ?? 'GET'} ${input}" was redirected to another origin, ${to}. If that is meant, name it: allowRedirectTo: ['${to}'].`,
      Error,
      { status: 400, refused: true },
    )
  }
  const followed = follow?.(input, { ...init, headers }, check)
  if (followed) {
    return followed
  }
  const response = await sendRequest(input, init)
  // React Native does not say whether there was a redirect.
  if ((response as { redirected?: boolean }).redirected !== false && response.url) {
    check(response.url)
  }
  return response
}

/** Scheme, host and port of an address. Not every `URL` of React Native can tell the origin itself. */
export function originOf(url: string): string {
  const { document, location } = globalThis as Partial<typeof globalThis>
  return new URL(url, document?.baseURI ?? location?.href).href.split('/', 3).join('/')
}
