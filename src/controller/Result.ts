import { type Node, nodesOf } from '../denormalize/memo.ts'
import { Slot } from '../normalize/tables.ts'
import type { ResultMeta } from '../store/Store.ts'
import type { Request } from './requests.ts'
import type { SharedView } from './View.ts'

/** Everything about one key: its stored result, which is the row itself, its open requests and its views. */
export class Result extends Slot {
  declare meta: ResultMeta | undefined
  /** Its open requests, in the order they were sent. The pages of a list have the key of the list. */
  readonly requests: Set<Request> = new Set()
  /** The server allows no automatic request before then (`Retry-After`). */
  retryAt = 0
  /** How often in a row data in doubt was fetched, and when it was fetched last. */
  asked = 0
  askedAt = 0

  /** Endpoints of one key may have several schemas, each with its view. */
  get views(): readonly SharedView[] {
    return this.node
      ? nodesOf(this.node as Node).flatMap(({ extra }) => (extra?.view as SharedView | undefined) ?? [])
      : []
  }

  /** It has a reader, or is about to have one. */
  get isRead(): boolean {
    return this.views.some(({ isRead }) => isRead)
  }
}
