import { nodesOf } from '../normalize/Node.ts'
import { Slot } from '../normalize/tables.ts'
import type { Deletes } from '../normalize/lostDeletes.ts'
import type { Operation } from '../store/operations.ts'
import type { ResultMeta } from '../store/Store.ts'
import type { Call, FetchAction } from './actions.ts'
import type { SharedView } from './View.ts'

/** Everything about one key: its stored result, which is the row itself, its open requests and its views. */
export class Result extends Slot {
  declare meta: ResultMeta | undefined
  /** Its open requests, in the order they were sent. The pages of a list have the key of the list. */
  readonly requests: Set<Request> = new Set()
  /** The server allows no automatic request before then (`Retry-After`). */
  retryAt = 0
  /** The same for readers that have nothing to show: they wait less long. */
  firstRetryAt = 0
  /** The last doubt that was about the result itself, as of `expireAll`, and not about a row in it. */
  markedAt = 0
  /** How often in a row data in doubt was fetched, and when it was fetched last. */
  asked = 0
  askedAt = 0

  /** Endpoints of one key may have several schemas, each with its view. */
  get views(): readonly SharedView[] {
    return this.node ? nodesOf(this.node).flatMap(({ aside }) => (aside?.view as SharedView | undefined) ?? []) : []
  }

  /** It has a reader, or is about to have one. */
  get isRead(): boolean {
    return this.views.some(({ isRead }) => isRead)
  }

  /** One of those has no signal that has fired. */
  get isWanted(): boolean {
    return this.views.some(({ isWanted }) => isWanted)
  }
}

/**
 * A request, from `fetch` until its response is stored or it is dropped.
 *
 * | state | set by | members |
 * | --- | --- | --- |
 * | open, not sent yet | `begin` | new callers join it |
 * | sent | `take` | `started`; `aborter` aborts it on the network |
 * | failed, to be sent again | `NetworkManager` | `wake` sends it at once |
 * | a list that has responded, while its pages are fetched again, or one of these | `refreshPages` | `arrive` takes its response |
 * | closed | `settle`, `drop` | |
 */
export interface Request extends Call {
  readonly id: string
  /** The result of its key. */
  readonly result: Result
  /** The action that sends it; its `meta` has the number and the promise of the request. */
  readonly action: FetchAction
  /** How many callers wait for its promise; readers do not count. */
  callers: number
  /** A manager has taken it. */
  started?: boolean
  aborter?: AbortController | undefined
  /** Each try has failed before it was sent: the server knows nothing of it. */
  isUnsent?: boolean | undefined
  /** It failed and waits to be sent again: ends the waiting. */
  wake?: (() => void) | undefined
  /** It is a page that is fetched again with this list. */
  readonly list?: Request | undefined
  /** It is a list whose pages are being fetched again, or one of these pages: takes its response. */
  arrive?: (response: unknown, isError?: boolean) => void
  /** It is a list of which only these pages are in doubt, by their ids: no others are fetched again. */
  readonly pages?: ReadonlySet<string> | undefined
  /** All pages of the list were fetched again, and are stored with it: older ones are gone. */
  hasAllPages?: boolean
  /** The records that it is to delete. */
  readonly deletes?: Deletes | undefined
  /** Its optimistic operation, while that is shown. */
  operation?: Operation | undefined
}

/** True where the key was invalidated since the request was sent. */
export function isInvalidated({ action, result }: Request): boolean {
  return action.meta.sent < (result.meta?.invalidatedAt ?? 0)
}
