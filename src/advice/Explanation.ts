import type { Reason } from '../rows/doubt.ts'

/** The data that a store shows for a target, and why. Printed, it is text. */
export interface Explanation {
  /** The key of an endpoint, or the name of a schema with its arguments. */
  readonly target: string
  /** The store time of the explanation. */
  readonly at: number
  readonly shows: 'data' | 'part' | 'error' | 'nothing'
  readonly data: unknown
  /** The error that readers see. */
  readonly error: unknown
  /** An error that readers do not see, because `errorPolicy` is soft and there is data. */
  readonly hiddenError: unknown
  /** Records that are not complete, and the fields that no response has set. */
  readonly missing: readonly { readonly record: string; readonly fields: readonly string[] }[]
  readonly sources: readonly SourceFact[]
  readonly freshness: FreshnessFact
  readonly pending: readonly PendingFact[]
  readonly readers: ReadersFact
  readonly request: {
    /** Requests in flight for this key. */
    readonly inFlight: readonly RequestFact[]
    /** The last request: why it was sent, and the outcome of its response. */
    readonly last: FetchFact | undefined
    /** Whether a request will be sent next, or why not. */
    readonly next: string
    /** Readers and callers that shared a request in flight lately. */
    readonly shared: readonly { readonly at: number; readonly why: string }[]
  }
  readonly polling: Polling | undefined
  /** The live connections that keep it up to date. */
  readonly live: readonly LiveFact[]
  /** Why the garbage collector keeps it. */
  readonly kept: { readonly why: readonly string[]; readonly until: number }
  /** Of a list: its members, and the records that are not in it. */
  readonly list: ListFact | undefined
  /** Of a record: the lists that contain it, and those that do not. */
  readonly lists: readonly MembershipFact[] | undefined
  /** Of a record: who wrote which field, the last writer first. */
  readonly fields: readonly FieldsFact[] | undefined
}

/** Responses and writes that data comes from, newest first. */
export interface SourceFact {
  /** `GET /todo/5`, or the call that wrote it: `controller.set(Todo)`. */
  readonly by: string
  /** When the request was sent, in store time. */
  readonly sentAt: number
  /** When its response was stored. */
  readonly storedAt: number
  /** How many of the rows shown it wrote last, and the names of the first ones. */
  readonly rows: number
  readonly names: readonly string[]
}

/** The fields of a record that one request or call wrote. */
export interface FieldsFact {
  /** `GET /todo/5`, or the call that wrote them: `controller.set(Todo)`. */
  readonly by: string
  /** When they were stored, or when the request of a pending operation was sent. */
  readonly at: number
  /** Their names; none if the record is deleted. */
  readonly fields: readonly string[]
  /** An optimistic update is pending until its response is stored. */
  readonly status: 'stored' | 'pending'
}

/** How far data can be trusted, and until when. */
export interface FreshnessFact {
  readonly status: 'fresh' | 'stale' | 'invalid' | 'missing' | 'failed'
  /** When fresh data becomes stale; 0 where that has happened. */
  readonly until: number
  readonly why: string
  /** Why data is stale before its time. */
  readonly doubt?: DoubtFact | undefined
}

/**
 * Why data is stale before its time: what only the server knows, and the request or call that brought it about.
 *
 * @example
 * const { doubt } = controller.explain(getUser, { id: '5' }).freshness
 * console.log(doubt?.reason, doubt?.by) // 'crossed', 'PATCH /users/5'
 * @see docs/api/explain.md
 */
export interface DoubtFact {
  readonly reason: Reason
  /** `PATCH /todo/5`, or the call: `controller.expireAll()`. Where nothing was recorded, calls are not known. */
  readonly by: string | undefined
  /** The names of the first records and lists in doubt. */
  readonly rows: readonly string[]
  /** Of a list: the loaded pages that are fetched again, from 1; `undefined`: all. */
  readonly pages: readonly number[] | undefined
  /** When it began, if that was recorded. */
  readonly at: number | undefined
  /** All of it in a sentence. */
  readonly text: string
}

/** A pending optimistic operation. */
export interface PendingFact {
  readonly requestId: string
  readonly key: string
  readonly args: readonly unknown[]
  /** When its request was sent. */
  readonly since: number
  /** The records and lists that it changes. */
  readonly changes: readonly string[]
}

/** The readers of some data. */
export interface ReadersFact {
  readonly count: number
  /** How many of them fetch missing and stale data. */
  readonly fetching: number
  /** The names of their components, where they are known. */
  readonly components: readonly string[]
  /** The view they read. */
  readonly views: readonly string[]
}

/** A request in flight. */
export interface RequestFact {
  readonly requestId: string
  readonly key: string
  /** Differs from the key for pages of a list. */
  readonly name: string
  readonly args: readonly unknown[]
  readonly since: number
  readonly sent: number
  readonly isMutation: boolean
  /** The library sent it for a reader. */
  readonly auto: boolean
  /** How many callers of `fetch` wait for it. */
  readonly callers: number
  /** When it is sent again after a failure. */
  readonly retryAt: number | undefined
  readonly retryError: string | undefined
}

/** A request that was sent. */
export interface FetchFact {
  readonly at: number
  readonly why: string
  /** The outcome of its response. */
  readonly outcome: string
}

/** A record, and why it is or is not in a list. */
export interface MemberFact {
  readonly record: string
  readonly pk: string
  readonly why: string
}

/** A list, and why a record is or is not in it. */
export interface MembershipFact {
  readonly list: string
  readonly isMember: boolean
  readonly why: string
}

/** A list with its members. */
export interface ListFact {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly members: readonly MemberFact[]
  /** Records of its kind that the store has and the list does not contain. */
  readonly absent: readonly MemberFact[]
  /** The last changes of its members, newest first. */
  readonly changes: readonly ListChange[]
}

/** A change of the members of a list. */
export interface ListChange {
  readonly at: number
  readonly by: string
  readonly isRead: boolean
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** A connection of a `LiveManager`. */
export interface LiveFact {
  readonly status: 'closed' | 'connecting' | 'open' | 'waiting' | 'paused' | 'refused'
  /** Since when. */
  readonly since: number
  /** The error that ended the last connection. */
  readonly error: string | undefined
  /** How many messages have arrived, and when the last one did. */
  readonly messages: number
  readonly lastAt: number | undefined
  /** The topics that readers need. */
  readonly topics: readonly string[]
}

/** How the polling of a key is going. */
export interface Polling {
  readonly frequency: number
  /** When the next request is due; `undefined` while polling is paused or a request is in flight. */
  readonly nextAt: number | undefined
  /** Why no request is scheduled. */
  readonly paused: 'hidden' | 'offline' | undefined
  /** Failures in a row; each doubles the interval, up to eight times. */
  readonly failures: number
}
