// The readers of one store, and the values that they show.
import type { Search } from './server.ts'
import type { Reader } from './subject.ts'

/** The value that a reader shows. */
export interface Reading {
  readonly data: unknown
  readonly error: unknown
  /** Its expiry status, and the operations that it waits for. */
  readonly status: string
  readonly expiresAt: number
}

/** A mounted reader. */
export interface MountedReader {
  /** The key of the endpoint, or the name of the schema. */
  readonly what: string
  readonly read: Reader
  /** How often it was notified in this step. */
  calls: number
  /** The value that it read last. */
  shown: Reading
  /** The user fetches it on purpose. */
  refetch: () => void
  end: () => void
}

/** A reader of a list. */
export interface ListReader {
  /** The key of its endpoint. */
  readonly key: string
  readonly endpoint: any
  readonly args: readonly any[]
  readonly path: string
  readonly group: string | null
  readonly search?: Search
  readonly read: Reader
}

/** All readers of a store. A new store gets a new screen. */
export interface Screen {
  readonly all: Reader
  /** Lists whose arguments are fields of their records, and lists of other paths. */
  readonly lists: readonly ListReader[]
  /** Lists with arguments that only the server understands. */
  readonly searches: readonly ListReader[]
  /** The records that contain a list of `lists`, by pk. */
  readonly groups: ReadonlyMap<string, Reader>
  /** Readers of records by table and pk, created on first use. */
  readonly readers: Map<string, Reader>
}

/** The values of all readers of lists, and of the records that contain them. */
export function valuesOf({ all, lists, groups }: Screen): unknown[] {
  return [all().data ?? [], ...lists.map(({ read }) => read().data), ...[...groups.values()].map((read) => read().data)]
}

/** The records of a list; `undefined` where it shows nothing. A list may have a number beside it. */
export function itemsIn(data: any): readonly any[] | undefined {
  return data === undefined || Array.isArray(data) ? data : data?.items
}

export function readingOf(read: Reader): Reading {
  const { data, error, expiryStatus, expiresAt, waiting } = read()
  return { data, error, status: `${expiryStatus} ${waiting}`, expiresAt }
}
