// The server says that the record was changed elsewhere, or by an attempt whose response was lost: the record itself tells.

import { isObject, share } from '../base/equal.ts'
import { START } from '../endpoint/start.ts'
import type { Entry } from './Entry.ts'
import type { QueuedEndpoint } from './OutboxOptions.ts'
import { unpack } from './pack.ts'

/** The record as the server has it now. */
export interface Theirs {
  /** `undefined`: it is gone. */
  readonly value: unknown
  readonly etag: string | undefined
  /** It has all fields of the change: the change was made. */
  readonly hasMine: boolean
}

/** The ETag of a response, by which the next change of the record can be made conditional: a weak one never matches. */
export function etagOf({ headers }: Response): string | undefined {
  const etag = headers?.get('etag') ?? 'W/'
  return etag.startsWith('W/') ? undefined : etag
}

/** The read of the record that a mutation changes; `undefined` where none is known. */
export function readerOf(endpoint: QueuedEndpoint): any {
  const { method = '' } = endpoint as { method?: string }
  return ['PUT', 'PATCH', 'DELETE'].includes(method.toUpperCase())
    ? (endpoint as any).extend({
        method: 'GET',
        body: undefined,
        sideEffect: undefined,
        getOptimisticResponse: undefined,
        ...(method.toUpperCase() === 'DELETE' && { schema: undefined }),
      })
    : undefined
}

/** Reads the record of an entry. Resolves to `undefined` if that cannot be done; rejects if it cannot be done now. */
export async function readTheirs(endpoint: QueuedEndpoint, { args }: Entry): Promise<Theirs | undefined> {
  const reader = readerOf(endpoint)
  if (!reader) {
    return undefined
  }
  const { fetchResponse } = endpoint as any
  let etag: string | undefined
  const own = reader.extend({
    async fetchResponse(this: unknown, url: string, init: RequestInit): Promise<Response> {
      const response: Response = await fetchResponse.call(this, url, init)
      etag = etagOf(response)
      return response
    },
  })
  const isDelete = (endpoint as unknown as { method: string }).method.toUpperCase() === 'DELETE'
  try {
    const value: unknown = await own[START]([unpack(args[0])])
    return { value, etag, hasMine: !isDelete && hasFields(value, unpack(args.at(-1))) }
  } catch (error) {
    const { status } = Object(error) as { status?: number }
    if (status === 404 || status === 410) {
      return { value: undefined, etag: undefined, hasMine: isDelete }
    }
    throw error
  }
}

/** True where a record has all fields of a body, as JSON has them. */
function hasFields(record: unknown, body: unknown): boolean {
  if (!isObject(record) || !isObject(body) || body instanceof FormData) {
    return false
  }
  const sent = JSON.parse(JSON.stringify(body)) as Record<string, unknown>
  return Object.entries(sent).every(([name, value]) => share(record[name], value) === record[name])
}
