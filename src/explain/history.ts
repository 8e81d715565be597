import type { ListChange } from '../advice/Explanation.ts'
import type { Moment } from './moments.ts'
import type { Observer } from './observers.ts'
import type { RequestRecord } from './requestLog.ts'
import type { RowChange } from './rowChanges.ts'
import type { Request } from '../requests/Request.ts'
import type { ViewChange } from '../views/View.ts'

/** The outcome of a response. */
export type Outcome = 'stored' | 'older' | 'refused' | 'failed' | 'waiting for pages'

/** A listener that an event notified. */
export interface Notified {
  /** The component, where its name is known, else what it reads. */
  readonly reader: string
  readonly view: string
  readonly change: ViewChange
}

/** One action, and what it did to the store. It holds names only, so that it keeps nothing alive. */
export interface HistoryEvent {
  readonly id: number
  readonly at: number
  /** The type of the action without its prefix. */
  readonly type: string
  /** The key of the endpoint, or what else the action is about. */
  readonly about: string
  /** The action as a cause: `PATCH /todo/5`, `controller.set(Todo)`. */
  readonly label: string
  readonly key?: string | undefined
  readonly args?: string | undefined
  readonly requestId?: string | undefined
  readonly isMutation?: boolean | undefined
  /** The library sent it, not a call of `controller.fetch`. */
  readonly auto?: boolean | undefined
  /** The request was in flight already. */
  readonly isJoined?: boolean | undefined
  /** Milliseconds from the request to the response. */
  readonly took?: number | undefined
  readonly error?: string | undefined
  outcome?: Outcome | undefined
  /** The first of the rows it wrote, and how many there are. */
  touched: readonly string[]
  touchedCount: number
  /** How many of them have another value since; the others came again as they were. */
  changedCount: number
  /** The first of these changes, while the devtools are on the page. */
  readonly changes: RowChange[]
  readonly notified: Notified[]
}

/** A fact about one key. */
export interface Note {
  readonly at: number
  readonly kind: 'fetch' | 'join' | 'response' | 'stale' | 'invalidated'
  readonly text: string
  readonly outcome?: Outcome | undefined
  readonly event?: HistoryEvent | undefined
  readonly requestId?: string | undefined
}

/** The last events of a store. */
export interface History extends Observer {
  readonly events: readonly HistoryEvent[]
  /** The request or write with this number. */
  origin(sent: number): { readonly label: string; readonly at: number } | undefined
  notes(key: string): readonly Note[]
  changes(list: string): readonly ListChange[]
  /** The endpoint and arguments that a key was last fetched with. */
  target(key: string): readonly [target: object, args: readonly any[]] | undefined
  retryOf(requestId: string): { readonly at: number; readonly error: string } | undefined
  /** Notified after each event. */
  subscribe(listener: () => void): () => void
  clear(): void
  /** The last requests, oldest first. */
  readonly requests: readonly RequestRecord[]
  /** The last states of the store, oldest first, while the devtools are on the page. */
  readonly moments: readonly Moment[]
  /** Delays requests, or lets them fail. */
  gate: ((request: Request, run: () => unknown) => unknown) | undefined
}

/** The last note of a kind. */
export function lastNote(notes: readonly Note[], kind: Note['kind']): Note | undefined {
  return notes.findLast((note) => note.kind === kind)
}
