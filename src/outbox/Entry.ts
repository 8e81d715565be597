/**
 * The state of an entry.
 *
 * | state      | meaning                                                                                    |
 * | ---------- | ------------------------------------------------------------------------------------------ |
 * | `pending`  | it waits to be sent, or its last attempt has no known outcome                              |
 * | `failed`   | the server has refused it: nothing of it is shown                                          |
 * | `conflict` | the record was changed elsewhere, or nobody can know whether the change was made           |
 *
 * @example
 * const isOpen = (state: EntryState) => state === 'pending'
 * @see docs/api/outbox.md#entrystate
 */
export type EntryState = 'pending' | 'failed' | 'conflict'

/** A mutation that waits for its server: plain data, which survives a reload. */
export interface Entry {
  /** Digits. The temporary ids of the records that it creates contain them. */
  readonly id: string
  /** Its place among all entries of the user. */
  readonly order: number
  /** The id of its endpoint, as the app has named it. */
  readonly endpoint: string
  /** The arguments of the call, with the ids that the server has given since then. */
  readonly args: readonly any[]
  /** The records that it concerns, such as `Todo 5`; a temporary id stands alone. Empty: it concerns all. */
  readonly records: readonly string[]
  /** The temporary ids of the records that it creates. */
  readonly creates: readonly string[]
  /** The version of the app that has made it. */
  readonly version: number
  readonly createdAt: number
  /** When it may be sent next. */
  readonly dueAt: number
  /** When the server allows the next attempt. */
  readonly allowedAt?: number | undefined
  /** How often it was sent. */
  readonly attempts: number
  /** When it was sent first without a known outcome since. */
  readonly unknownSince?: number | undefined
  /** The `Idempotency-Key` of its request. */
  readonly key: string
  /** Its request, as the first attempt has sent it. */
  readonly request?: EntryRequest | undefined
  /** The version of the record that the user has changed. */
  readonly ifMatch?: string | undefined
  /** The fields that it shows of records before its endpoint is loaded. */
  readonly shown: readonly ShownRecord[]
  readonly state: EntryState
  /** The tab that sends it now, and until when nobody else may. */
  readonly claim?: { readonly by: string; readonly until: number } | undefined
  /** Why it failed, or waits. */
  readonly error?: EntryError | undefined
  /** Of a conflict: the record on the server. */
  readonly theirs?: unknown
  /** The record that the change was made on, for a conflict. */
  readonly base?: unknown
  /** A later entry of its record has been sent since it failed. */
  readonly isOvertaken?: boolean | undefined
}

/** A request as it is stored: a form is a list of its fields. */
export interface EntryRequest {
  readonly url: string
  readonly method: string
  readonly body?: unknown
}

/** The fields that an optimistic update shows of a record; `null` for a deleted one. */
export type ShownRecord = readonly [key: string, pk: string, fields: object | null]

/**
 * Why an entry failed, or waits.
 *
 * @example
 * const textOf = ({ status, message }: EntryError) => (status === 422 ? 'Please check your input' : message)
 * @see docs/api/outbox.md#entryerror
 */
export interface EntryError {
  readonly message: string
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly body?: unknown
}

/** The beginning of the keys of entries. */
export const ENTRY = 'entry/'

/** The key of an entry on the disk. */
export function keyOf({ id }: Pick<Entry, 'id'>): string {
  return ENTRY + id
}
