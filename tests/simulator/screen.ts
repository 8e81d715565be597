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
  end: () => void
}

/** A reader of a list. The model knows the list by `name`. */
export interface ListReader {
  readonly name: string
  readonly endpoint: any
  readonly args: readonly any[]
  readonly path: string
  readonly group: string | null
  readonly search?: Search
  readonly read: Reader
}

/** A value that has passed the checks. */
interface Checked {
  readonly shown: unknown
  readonly operations: unknown
  readonly version: number
}

/** The values before an operation started while no other was pending: if it fails, they are shown again. */
export interface Before {
  readonly version: number
  readonly values: readonly unknown[]
}

/** All readers of a store. A new store gets a new screen. */
export interface Screen {
  readonly all: Reader
  readonly lists: readonly ListReader[]
  /** Lists with arguments that only the server understands. */
  readonly searches: readonly ListReader[]
  /** The records that contain a list of `lists`, by pk. */
  readonly groups: ReadonlyMap<string, Reader>
  /** Readers of records by table and pk, created on first use. */
  readonly readers: Map<string, Reader>
  /** The values that have passed the checks, by name. */
  readonly checked: Map<string, Checked>
  /** The state of the store and of the model when everything was last checked. */
  state: unknown
  operations: unknown
  version: number
}

/** The values of all readers of lists, and of the records that contain them. */
export function valuesOf({ all, lists, groups }: Screen): unknown[] {
  return [all().data ?? [], ...lists.map(({ read }) => read().data), ...[...groups.values()].map((read) => read().data)]
}

export function readingOf(read: Reader): Reading {
  const { data, error, expiryStatus, expiresAt, waiting } = read()
  return { data, error, status: `${expiryStatus} ${waiting?.join(' ')}`, expiresAt }
}
