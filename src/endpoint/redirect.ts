import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { plainHeaders } from './transport.ts'

/** What a browser sends to any origin without asking it first. */
const SAFE =
  /^(((accept|content)-language|accept|range),|content-type,(text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)\b)/i

/**
 * `fetch`, except that headers of the app do not follow a redirect to an origin that nobody named.
 * Where redirects can be seen they are followed here; elsewhere the answer of another origin is refused.
 */
export async function fetchWithin(allowed: readonly string[], input: string, init: RequestInit): Promise<Response> {
  let headers = Object.entries(plainHeaders(init.headers))
  if (init.redirect || headers.every((header) => SAFE.test(`${header}`))) return globalThis.fetch(input, init)
  const sees = seesRedirects()
  const request: RequestInit = { ...init, ...(sees && { redirect: 'manual' }) }
  const subject = `${init.method ?? 'GET'} ${input}`
  let url = input
  for (let hops = 0; hops < 21; hops++) {
    const response = await globalThis.fetch(url, request)
    const { status } = response
    const next = sees
      ? /^30[12378]$/.test(`${status}`) && response.headers.get('location')
      : // React Native does not say whether there was a redirect.
        (response as { redirected?: boolean }).redirected !== false && response.url
    if (!next) return response
    const from = originOf(url)
    const to = originOf(sees ? (url = new URL(next, url).href) : next)
    if (![input, ...allowed].some((other) => originOf(other) === to))
      throw fail(
        'redirect-origin',
        `${subject} to ${to}`,
        DEV &&
          `"${subject}" was redirected to another origin, ${to}. If that is meant, name it: allowRedirectTo: ['${to}'].`,
        Error,
        { status: 400, refused: true },
      )
    if (!sees) return response
    // Not read, so that the connection is free for the next request.
    response.body?.cancel().catch(() => {})
    // From here on the rules of the platform for what goes to the next address.
    const turns = /^(303 (?!(get|head)$)|30[12] post$)/i.test(`${status} ${request.method ?? 'GET'}`)
    if (turns) Object.assign(request, { method: 'GET', body: null })
    headers = headers.filter(
      ([name]) => !((turns && /^content-/i.test(name)) || (from !== to && /^(authorization|cookie)$/i.test(name))),
    )
    request.headers = Object.fromEntries(headers)
  }
  throw new TypeError(DEV ? `"${subject}" was redirected more than 20 times.` : subject)
}

/**
 * Browsers hide where a redirect leads, and trying it would cost a request, so the platform itself is looked at. Where
 * there are pages, and in React Native, redirects are hidden. Of workers, those of browsers drop the headers that only
 * a browser may set; those that run on servers keep them, and show redirects.
 */
function seesRedirects(): boolean | undefined {
  const { document, navigator, Request } = globalThis as Partial<typeof globalThis>
  return (
    !document &&
    navigator?.product !== 'ReactNative' &&
    Request &&
    new Request('a:b', { headers: { 'Sec-A': 'b' } }).headers.has('Sec-A')
  )
}

/** Scheme, host and port of an address. Not every `URL` of React Native can tell the origin itself. */
export function originOf(url: string): string {
  const { document, location } = globalThis as Partial<typeof globalThis>
  return new URL(url, document?.baseURI ?? location?.href).href.split('/', 3).join('/')
}
