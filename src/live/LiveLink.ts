import type { Clock } from '../base/clock.ts'

/** A message of the server. */
export interface LiveMessage {
  /** The `event` of a server-sent event, or the `type` of a JSON message; else `'message'`. */
  readonly type: string
  /** The parsed JSON. */
  readonly data: any
  /** The id of a server-sent event. */
  readonly id?: string | undefined
}

/** One connection, as a function that connects sees it. */
export interface LiveLink {
  /** Fires when the connection has to end. */
  readonly signal: AbortSignal
  /** The id of the last message; `''` if there is none. */
  readonly lastId: string
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  /** The topics that mounted readers need. */
  readonly topics: ReadonlySet<string>
  /** Call it when the connection is there. */
  open(): void
  /** Call it for each message, with its text. */
  receive(text: string, type?: string, id?: string): void
  /** Milliseconds before the next attempt, if the server says so. */
  setDelay(delay: number): void
  /** Set it to be notified when a topic is needed, or is not needed any more. */
  onTopic?: ((topic: string, isNeeded: boolean) => void) | undefined
}

/**
 * Opens a connection. The promise settles when the connection has ended; `false` says that the server wants no other.
 *
 * @example
 * const connect: LiveConnect = async (link) => { link.open(); link.receive('{"id":"5"}') }
 * @see docs/api/LiveManager.md#liveconnect
 */
export type LiveConnect = (link: LiveLink) => Promise<unknown>
