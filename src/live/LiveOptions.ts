import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { ConnectionListener } from '../managers/ConnectionListener.ts'
import type { Page } from '../managers/globals.ts'
import type { KeyTest } from '../requests/actions.ts'
import type { Spread } from '../requests/spread.ts'
import type { LiveWriter, Version } from './createWriter.ts'
import type { LiveConnect, LiveMessage } from './LiveLink.ts'

/**
 * The state of a connection. `waiting`: for the next attempt; `paused`: the page is hidden; `refused`: the server wants no
 * connection. After a 401 or 403 the next successful request, token or sign-in ends it.
 *
 * @example
 * const isLive = (status: LiveStatus) => status === 'open'
 * @see docs/api/LiveManager.md#livestatus
 */
export type LiveStatus = 'closed' | 'connecting' | 'open' | 'waiting' | 'paused' | 'refused'

/** The options of a LiveManager. */
export interface LiveOptions {
  /** How to connect: `eventStream(url)`, `webSocket(url)`, or your own function. */
  readonly connect: LiveConnect
  /** Writes what a message says. */
  readonly receive: (message: LiveMessage, writer: LiveWriter) => void
  /** The endpoints that the messages keep up to date; after a gap they are refetched. By default all. */
  readonly covers?: readonly KeyTest[] | undefined
  /** The server sends the messages that were missed (`Last-Event-ID`): no gap, nothing is refetched. */
  readonly resumes?: boolean | undefined
  /** Also refetches what was fetched in the seconds before the first connection. */
  readonly strict?: boolean | undefined
  /** The version of a record, such as `updatedAt`: an older message does not overwrite a newer record. */
  readonly version?: ((record: any) => Version) | undefined
  /** The topic of a subscription (`useLive`, `useSubscription`), or `undefined` if it is polled. */
  readonly topicOf?: ((endpoint: EndpointInterface, ...args: readonly any[]) => string | undefined) | undefined
  /** Milliseconds after which a hidden page closes its connection; by default 5 minutes. */
  readonly pauseAfter?: number | undefined
  /** Called when the state of the connection changes. */
  readonly onStatus?: ((status: LiveStatus, error?: unknown) => void) | undefined
  /** Milliseconds within which it connects again, and refetches what events put in doubt, at random; by default 2,000. */
  readonly spread?: Spread | undefined
  readonly connectionListener?: ConnectionListener | undefined
  readonly page?: Page | undefined
}
