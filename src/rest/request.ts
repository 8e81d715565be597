import { joinInit, type Requester } from '../endpoint/transport.ts'

/** Bodies that the platform encodes, and whose type it names. */
const RAW = ['FormData', 'URLSearchParams', 'Blob', 'ArrayBuffer', 'ReadableStream']

/** The default of `getRequestInit`. */
export async function createInit(endpoint: Requester, body: any): Promise<RequestInit> {
  // A type without a body is refused by some servers, and needs a preflight request to another origin.
  const encoded = body == null || isRaw(body)
  return {
    // The platform requires it to send a stream.
    ...(body?.getReader && { duplex: 'half' }),
    ...(await joinInit(endpoint, encoded ? body : JSON.stringify(body), encoded ? {} : undefined)),
  }
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
