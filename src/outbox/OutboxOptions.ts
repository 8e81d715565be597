import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { Manager } from '../managers/Manager.ts'
import type { EntryError, EntryState } from './Entry.ts'

/**
 * A mutation that can be queued: an endpoint with a side effect.
 *
 * @example
 * const endpoints: Record<string, QueuedEndpoint> = { 'todo.update': Todos.partialUpdate }
 * @see docs/api/outbox.md#queuedendpoint
 */
export type QueuedEndpoint = EndpointInterface & { readonly sideEffect?: boolean | undefined }

/**
 * The options of `outbox`.
 *
 * @example
 * const options: OutboxOptions = { endpoints: { 'todo.update': Todos.partialUpdate } }
 * @see docs/api/outbox.md#outboxoptions
 */
export interface OutboxOptions {
  /** The mutations that are queued, by ids that all versions of the app share. A function loads an endpoint when it is needed. */
  readonly endpoints: Readonly<Record<string, QueuedEndpoint | (() => Promise<QueuedEndpoint>)>>
  /** The records that an entry concerns, where neither its arguments nor its optimistic update say so; `undefined`: all. */
  readonly order?: ((entry: OutboxEntry) => readonly string[] | undefined) | undefined
  /** Returns the arguments that the endpoint takes today of an entry that an older version of the app has made. */
  readonly migrate?: ((entry: OutboxEntry) => readonly any[]) | undefined
  /** The header that tells the server two attempts of one change from two changes; by default `Idempotency-Key`. `false`: none. */
  readonly keyHeader?: string | false | undefined
  /** Milliseconds for which the server remembers a key; by default a day. */
  readonly keyLifetime?: number | undefined
  /** Milliseconds after which an attempt without a response has failed, for endpoints without a `timeout`; by default 60,000. */
  readonly timeout?: number | undefined
  /** Called with what keeps entries from being sent, such as `outbox-preflight`. By default it is logged in development. */
  readonly onError?: ((error: Error) => void) | undefined
}

/**
 * A mutation that waits for its server.
 *
 * @example
 * const textOf = ({ args, attempts }: OutboxEntry) => `${JSON.stringify(args)}, sent ${attempts} times`
 * @see docs/api/outbox.md#outboxentry
 */
export interface OutboxEntry {
  readonly id: string
  /** The id of its endpoint, as `endpoints` names it. */
  readonly endpoint: string
  readonly args: readonly any[]
  readonly state: EntryState
  readonly createdAt: number
  /** How often it was sent. */
  readonly attempts: number
  /** When it is sent next, at the earliest. */
  readonly dueAt: number
  /** A tab is sending it. */
  readonly isSending: boolean
  /** The version of the app that has made it. */
  readonly version: number
  /** The records that it concerns, such as `Todo 5`. Empty: all. */
  readonly records: readonly string[]
  /** Why it failed, or waits. */
  readonly error: EntryError | undefined
  /** Of a conflict: the body of the change. */
  readonly mine: unknown
  /** Of a conflict: the record on the server. */
  readonly theirs: unknown
  /** Of a conflict: the record when the change was made. */
  readonly base: unknown
}

/**
 * The entries of a user.
 *
 * @example
 * const count = ({ pending, failed }: OutboxState) => pending.length + failed.length
 * @see docs/api/outbox.md#outboxstate
 */
export interface OutboxState {
  /** The entries that wait to be sent, or whose outcome is not known, in their order. */
  readonly pending: readonly OutboxEntry[]
  /** The entries that the server has refused: nothing of them is shown. */
  readonly failed: readonly OutboxEntry[]
  /** The entries whose record was changed elsewhere. */
  readonly conflicts: readonly OutboxEntry[]
  /** Whether entries survive a reload: `false` in memory. The browser may still evict them unless it has granted `true`; `undefined`: it has not said. */
  readonly durable: boolean | undefined
}

/**
 * The queue of a store, as a manager: put it before the others.
 *
 * @example
 * const sending = outbox({ endpoints: { 'todo.update': Todos.partialUpdate } })
 * const store = createStore({ managers: [sending, ...getDefaultManagers()] })
 * const end = sending.subscribe(() => console.log(sending.pending.length))
 * @see docs/api/outbox.md#outbox
 */
export interface Outbox extends Manager, OutboxState {
  /** Queues a mutation. Resolves when it is saved, to its entry. */
  enqueue<E extends EndpointInterface>(endpoint: E, ...args: readonly [...Parameters<E>]): Promise<OutboxEntry>
  /** Sends an entry that failed, or is a conflict; with a body, that instead of its own. One that waits is sent now. */
  retry(id: string, body?: unknown): Promise<void>
  /** Removes an entry, and those that need a record that it creates. One that is being sent stays: then it resolves to `false`. */
  discard(id: string): Promise<boolean>
  /** Calls the listener when the entries change. Returns the function that ends it. */
  subscribe(listener: () => void): () => void
}
