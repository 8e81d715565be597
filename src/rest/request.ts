/** Bodies that the platform encodes, and whose type it names. */
const RAW = ['FormData', 'URLSearchParams', 'Blob', 'ArrayBuffer', 'ReadableStream']

/** What a request is made of. */
interface Requester {
  readonly method: string
  readonly requestInit?: RequestInit | undefined
  readonly signal?: AbortSignal | undefined
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit>
}

/** The default of `getRequestInit`. */
export async function createInit(endpoint: Requester, body: any): Promise<RequestInit> {
  const base = endpoint.requestInit
  const raw = isRaw(body)
  const headers = plainHeaders(base?.headers, raw ? {} : { 'Content-Type': 'application/json' })
  return {
    // The platform asks for it before it sends a stream.
    ...(body?.getReader && { duplex: 'half' }),
    ...base,
    method: endpoint.method,
    signal: endpoint.signal ?? base?.signal,
    body: raw || body == null ? body : JSON.stringify(body),
    headers: plainHeaders(await endpoint.getHeaders(headers)),
  } as RequestInit
}

/** Headers as a plain object, laid over `found`: of names that differ only in case the last one holds. */
export function plainHeaders(
  given: HeadersInit | undefined = {},
  found: Record<string, string> = {},
): Record<string, string> {
  // Only `Headers` knows what becomes of a name that is given twice.
  for (const [name, value] of Symbol.iterator in given ? new Headers(given) : Object.entries(given)) {
    for (const other in found) if (other.toLowerCase() === name.toLowerCase()) delete found[other]
    // A token that is not there yet is not sent as the word "undefined".
    if (value != null) found[name] = value
  }
  return found
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
