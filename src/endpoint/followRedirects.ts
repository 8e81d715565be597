import { DEV } from '../base/env.ts'
import { checkOrigin } from './failure.ts'
import { sendRequest } from './transport.ts'

/**
 * Follows redirects by hand, where they can be seen.
 * Bundles for browsers and React Native take followNever.ts in its place: `imports` in package.json.
 */
export const follow:
  | ((input: string, init: RequestInit, allowed: readonly string[]) => Promise<Response> | undefined)
  | undefined = (input, init, allowed) => (seesRedirects() ? followWithin(input, init, allowed) : undefined)

async function followWithin(input: string, init: RequestInit, allowed: readonly string[]): Promise<Response> {
  const check = (to: string): string => checkOrigin(to, input, allowed, init.method)
  const request: RequestInit = { ...init, redirect: 'manual' }
  let url = input
  for (let hops = 0; hops < 21; hops++) {
    const response = await sendRequest(url, request)
    const next = /^30[12378]$/.test(`${response.status}`) && response.headers.get('location')
    if (!next) {
      return response
    }
    const from = check(url)
    const to = check((url = new URL(next, url).href))
    // Not read, so that the connection is free for the next request.
    response.body?.cancel().catch(() => {})
    // From here on the rules of the platform for what goes to the next address.
    const turns = /^(303 (?!(get|head)$)|30[12] post$)/i.test(`${response.status} ${request.method ?? 'GET'}`)
    if (turns) {
      Object.assign(request, { method: 'GET', body: null })
    }
    request.headers = Object.fromEntries(
      Object.entries(request.headers as Record<string, string>).filter(
        ([name]) => !((turns && /^content-/i.test(name)) || (from !== to && /^(authorization|cookie)$/i.test(name))),
      ),
    )
  }
  const subject = `${init.method ?? 'GET'} ${input}`
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
