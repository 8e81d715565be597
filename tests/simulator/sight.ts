// What is looked at, and what was seen.
import type { Search } from './server.ts'
import type { Reader } from './subject.ts'

/** What a reader sees. */
export interface Seen {
  readonly data: unknown
  readonly error: unknown
  /** How far it can be trusted, and whom it waits for. */
  readonly status: string
  readonly expiresAt: number
}

/** Somebody who looks at something. */
export interface Mounted {
  /** The key of the endpoint, or the name of what is asked. */
  readonly what: string
  readonly read: Reader
  /** How often it was told in this step. */
  calls: number
  /** What it saw when it last looked. */
  seen: Seen
  end: () => void
}

/** A list that can be asked for, by the name the model knows it by. */
export interface Listed {
  readonly name: string
  readonly endpoint: any
  readonly args: readonly any[]
  readonly path: string
  readonly group: string | null
  readonly search?: Search
  readonly read: Reader
}

/** What was looked at last, and found right. */
interface Checked {
  readonly shown: unknown
  readonly operations: unknown
  readonly version: number
}

/** What was shown before an operation began that was alone: when it fails, the same is shown. */
export interface Before {
  readonly version: number
  readonly all: readonly unknown[]
  readonly lists: readonly (readonly unknown[] | undefined)[]
}

/** What reads one life of the store: it is made anew when the store is. */
export interface Sight {
  readonly all: Reader
  readonly lists: readonly Listed[]
  /** Lists with arguments that only the server understands. */
  readonly searches: readonly Listed[]
  /** Readers of records by table and pk, made when they are first looked at. */
  readonly readers: Map<string, Reader>
  readonly checked: Map<string, Checked>
  /** What there was when everything was last checked. */
  state: unknown
  operations: unknown
  version: number
}

export function seen(read: Reader): Seen {
  const { data, error, expiryStatus, expiresAt, waiting } = read()
  return { data, error, status: `${expiryStatus} ${waiting?.join(' ')}`, expiresAt }
}
