import { DEV } from '../base/env.ts'
import { warnOnce } from '../base/warn.ts'
import { joinInit, type Requester } from '../endpoint/transport.ts'
import type { RestInstance } from './RestInstance.ts'

type Sender = Requester & Pick<RestInstance, 'sendContentType'>

/** Bodies that the platform encodes, and whose type it names. */
const RAW = ['FormData', 'URLSearchParams', 'Blob', 'ArrayBuffer', 'ReadableStream']

/** The default of `getRequestInit`. */
export async function createInit(endpoint: Sender, body: any): Promise<RequestInit> {
  const isEmpty = body == null
  const isEncoded = isEmpty || isRaw(body)
  const isTyped = isEmpty ? endpoint.sendContentType !== 'withBody' : !isEncoded
  return {
    // The platform requires it to send a stream.
    ...(body?.getReader && { duplex: 'half' }),
    ...(await joinInit(endpoint, isEncoded ? body : JSON.stringify(body), isTyped ? undefined : {})),
  }
}

/** Warns where a server may have refused the content type of a request without a body. */
export function checkRefusal({ sendContentType, urlPrefix }: RestInstance, init: RequestInit, error: any): void {
  const { status } = Object(error) as { status?: number }
  const isRefusal = (status === 400 && !error.refused) || status === 415
  if (DEV && isRefusal && init.body == null && sendContentType !== 'withBody' && namesJson(init.headers)) {
    warnOnce(
      `"${urlPrefix || '/'}" refused a request without a body with ${status}. It was sent with "Content-Type: application/json", which some servers refuse, such as Fastify. If that is why, set sendContentType: 'withBody' in your endpoint class, see docs/guide/adapt-your-api.md.`,
    )
  }
}

function namesJson(headers: HeadersInit | undefined): boolean {
  return new Headers(headers).get('content-type') === 'application/json'
}

function isRaw(body: unknown): boolean {
  return (
    typeof body === 'string' ||
    ArrayBuffer.isView(body) ||
    RAW.some((name) => {
      const Type = (globalThis as Record<string, any>)[name]
      return Type && body instanceof Type
    })
  )
}
