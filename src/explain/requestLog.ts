import type { FetchAction, SetResponseAction } from '../requests/actions.ts'
import type { Request } from '../requests/Request.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { HistoryEvent } from './history.ts'
import { recording } from './observers.ts'

/** A request that was sent, and its response. */
export interface RequestRecord {
  readonly id: string
  readonly key: string
  /** Differs from the key for pages of a list. */
  readonly name: string
  readonly isMutation: boolean
  /** The reason for which it was sent. */
  readonly why: string
  sentAt: number
  /** Later fetches that share it. */
  joined: number
  /** How often it was sent: more than once after failures, never if it was undone or aborted before. */
  attempts: number
  method?: string | undefined
  status?: number | undefined
  /** The length of the body, where the server says so. */
  bytes?: number | undefined
  /** The action that stored the response. */
  response?: HistoryEvent | undefined
  /** The endpoint, the arguments and the response. Only the newest requests keep them, and only while the devtools are on the page. */
  endpoint?: EndpointInterface | undefined
  args?: readonly unknown[] | undefined
  value?: unknown
}

const MOST_REQUESTS = 200
const MOST_VALUES = 50

/** The last requests of a store. */
export interface RequestLog {
  /** Oldest first. */
  readonly records: readonly RequestRecord[]
  begin(action: FetchAction, request: Request | undefined, why: string): void
  join(requestId: string): void
  /** The endpoint of a request that is about to be sent, made to note the HTTP response. */
  watch(request: Request): EndpointInterface
  /** The last attempt failed before anything was sent. */
  withdraw(requestId: string): void
  end(action: SetResponseAction, event: HistoryEvent): void
  clear(isOpen: (requestId: string) => boolean): void
}

export function createRequestLog(): RequestLog {
  let records: RequestRecord[] = []
  const find = (id: string | undefined): RequestRecord | undefined => {
    for (let i = records.length - 1; i >= 0; i--) {
      if (records[i]!.id === id) {
        return records[i]
      }
    }
    return undefined
  }
  return {
    get records() {
      return records
    },
    begin({ key, args, endpoint, meta }, request, why) {
      const { requestId: id, fetchedAt } = meta
      const isMutation = endpoint.sideEffect === true
      const { method } = endpoint as { method?: string }
      records.push({
        id,
        key,
        name: request?.name ?? key,
        isMutation,
        why,
        sentAt: fetchedAt,
        joined: 0,
        attempts: 0,
        method,
        ...(recording.isOn && { endpoint, args }),
      })
      const old = records[records.length - 1 - MOST_VALUES]
      if (old) {
        old.endpoint = old.args = old.value = undefined
      }
      if (records.length > MOST_REQUESTS * 2) {
        records = records.slice(-MOST_REQUESTS)
      }
    },
    join(id) {
      const record = find(id)
      if (record) {
        record.joined++
      }
    },
    watch({ id, action: { endpoint, meta } }) {
      const record = find(id)
      if (!record) {
        return endpoint
      }
      record.attempts++
      record.sentAt = meta.fetchedAt
      const { fetchResponse } = endpoint as { fetchResponse?: (url: string, init: RequestInit) => Promise<Response> }
      return recording.isOn && typeof fetchResponse === 'function'
        ? (Object.create(endpoint, {
            fetchResponse: { value: noteResponse(record, fetchResponse) },
          }) as EndpointInterface)
        : endpoint
    },
    withdraw(id) {
      const record = find(id)
      if (record) {
        record.attempts--
      }
    },
    end({ response, error, meta }, event) {
      const record = find(meta.requestId)
      if (record) {
        record.response = event
        record.value = recording.isOn && !error ? (response as unknown) : undefined
      }
    },
    clear(isOpen) {
      records = records.filter(({ id }) => isOpen(id))
    },
  }
}

/** The method of an endpoint that fetches, and notes the status and length of the response. */
function noteResponse(
  record: RequestRecord,
  fetchResponse: (url: string, init: RequestInit) => Promise<Response>,
): (this: unknown, url: string, init: RequestInit) => Promise<Response> {
  return async function (this: unknown, url, init) {
    record.method = init?.method ?? record.method
    try {
      const response = await fetchResponse.call(this, url, init)
      record.status = response.status
      record.bytes = lengthOf(response)
      return response
    } catch (error) {
      const { response, status } = Object(error) as { response?: Response; status?: number }
      record.status = response?.status ?? (response === undefined ? undefined : status)
      throw error
    }
  }
}

function lengthOf({ headers }: Response): number | undefined {
  const length = (headers as Headers | undefined)?.get('content-length')
  return length ? Number(length) : undefined
}
