import type { Doubt } from '../rows/doubt.ts'
import { type Node, nodesOf, NONE } from '../rows/Node.ts'
import { Row } from '../rows/Row.ts'
import type { ResultMeta } from '../store/Store.ts'
import type { Request } from './Request.ts'

/** Data that is in doubt again and again is fetched at once, then after 250 ms, 750 ms and so on; lists with pages more rarely. */
const CALM = 125
const MOST_CALM = 4_000

/** The readers of a result that share a view, as its requests see them (`views/SharedView.ts`). */
export interface Readers {
  /** There is one, or is about to be one. */
  readonly isRead: boolean
  /** One of them has no signal that has fired. */
  readonly isWanted: boolean
  /** Their fetch goes on, if it waits. */
  wake(): void
}

/** Everything about one key: its stored result, which is the row itself, its open requests and its readers. */
export class Result extends Row {
  declare meta: ResultMeta | undefined
  /** Its open requests, in the order they were sent. The pages of a list have the key of the list. */
  readonly requests: Set<Request> = new Set()
  /** When it may be fetched again. */
  readonly pace: Pace = new Pace()
  /** The schema with which the rows it references are found. */
  schema: unknown = undefined

  /** The last doubt of the result itself, or of a row in it. */
  override get doubt(): Doubt {
    return this.nodes.reduce((last, { doubt }) => (doubt.at > last.at ? doubt : last), this.marked)
  }

  /** Endpoints of one key may have several schemas, each with its view. */
  get readers(): readonly Readers[] {
    return this.nodes.flatMap(({ aside }) => (aside?.view as Readers | undefined) ?? [])
  }

  override clear(): void {
    super.clear()
    this.schema = undefined
  }

  private get nodes(): readonly Node[] {
    return this.node ? nodesOf(this.node) : NONE
  }

  get isRead(): boolean {
    return this.readers.some(({ isRead }) => isRead)
  }

  get isWanted(): boolean {
    return this.readers.some(({ isWanted }) => isWanted)
  }
}

/** When the library may fetch the data of a key again. Nobody else writes its numbers. */
class Pace {
  /** The server allows no automatic request before then (`Retry-After`). */
  retryAt = 0
  #retryWithoutDataAt = 0
  /** How often in a row data in doubt was fetched, and when it was fetched last. */
  #refetches = 0
  #refetchedAt = 0

  /** The server allows the next request then, or at once. */
  allow(at = 0, withoutData: number = at): void {
    this.retryAt = at
    this.#retryWithoutDataAt = withoutData
  }

  /** From when on the library may send a request. Readers that have nothing to show wait less long. */
  allowedAt(hasData: boolean): number {
    return hasData ? this.retryAt : Math.min(this.retryAt, this.#retryWithoutDataAt)
  }

  /** Data in doubt is fetched. */
  refetch(now: number): void {
    this.#refetches = now - this.#refetchedAt < MOST_CALM * 2 ? this.#refetches + 1 : 1
    this.#refetchedAt = now
  }

  /** A user did something: the next refetch need not wait. Only refetches that events cause come at growing intervals. */
  hurry(): void {
    this.#refetches = 0
  }

  /** Until when data in doubt is not fetched again. A list with pages takes more requests, its `cost`, and comes more rarely. */
  calmUntil(cost: number): number {
    const refetches = this.#refetches
    return refetches && this.#refetchedAt + Math.min(CALM * (2 ** refetches * cost - 2), MOST_CALM)
  }
}
