// The states of a request
//
// | state      | event   | next       | when                                                                            |
// | ---------- | ------- | ---------- | ------------------------------------------------------------------------------- |
// | open       | take    | sent       | a manager takes the request and sends it                                         |
// | open       | collect | collecting | of a list, only other pages are fetched; or a manager responds without taking it |
// | open       | close   | closed     | it is dropped; or a manager responds without taking it                           |
// | sent       | retry   | retrying   | it has failed, and waits to be sent again                                        |
// | sent       | collect | collecting | a list has responded, and its pages follow; or one of these pages has responded  |
// | sent       | close   | closed     | it has responded or failed, or is dropped                                        |
// | retrying   | resume  | sent       | the wait is over, or was woken                                                   |
// | retrying   | collect | collecting | it has responded elsewhere: as `sent`                                            |
// | retrying   | close   | closed     | likewise; or it is dropped                                                       |
// | collecting | close   | closed     | all pages are stored together; or one has failed, and all of them have           |
//
// An event without a row here changes nothing: the same response twice is one.

import type { Operation } from '../store/operations.ts'
import type { Deletes } from '../lists/ListRow.ts'
import type { Deferred } from '../base/clock.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { FetchAction } from './actions.ts'
import type { Call } from './Call.ts'
import type { Result } from './Result.ts'

export type RequestState = 'open' | 'sent' | 'retrying' | 'collecting' | 'closed'
export type RequestEvent = 'take' | 'retry' | 'resume' | 'collect' | 'close'

const NEXT: { readonly [S in RequestState]: { readonly [E in RequestEvent]?: RequestState } } = {
  open: { take: 'sent', collect: 'collecting', close: 'closed' },
  sent: { retry: 'retrying', collect: 'collecting', close: 'closed' },
  retrying: { resume: 'sent', collect: 'collecting', close: 'closed' },
  collecting: { close: 'closed' },
  closed: {},
}

/** The members with which a request begins. */
type Begun = Pick<Request, 'endpoint' | 'id' | 'action' | 'result' | 'aborter' | 'list' | 'page' | 'pages' | 'deletes'>

/** A request, from `fetch` until its response is stored or it is dropped. */
export class Request implements Call {
  declare readonly endpoint: EndpointInterface
  declare readonly args: readonly any[]
  declare readonly plain: readonly any[]
  declare readonly key: string
  declare readonly name: string
  declare readonly isPage: boolean
  declare readonly id: string
  /** The result of its key. */
  declare readonly result: Result
  /** The action that sends it; its `meta` has the number and the promise of the request. */
  declare readonly action: FetchAction
  declare readonly aborter: AbortController | undefined
  /** It is a page that is fetched again with this list. */
  declare readonly list: Request | undefined
  /** The response of such a page, for the list. */
  declare readonly page: Deferred | undefined
  /** It is a list of which only these pages are in doubt, by their ids: no others are fetched again. */
  declare readonly pages: ReadonlySet<string> | undefined
  /** The records that it is to delete. */
  declare readonly deletes: Deletes | undefined
  /** Others may join it. Pages that are fetched again with their list go with that. */
  declare readonly isShared: boolean
  /** It is a mutation that writes records. */
  declare readonly isWrite: boolean
  /** Written by `move` alone. */
  declare state: RequestState
  /** How many callers wait for its promise; readers do not count. */
  declare callers: number
  /** How often it was sent again. */
  declare tries: number
  /** When the last try began. */
  declare triedAt: number
  /** Each try has failed before it was sent: the server knows nothing of it. */
  declare isUnsent: boolean | undefined
  /** While it waits to be sent again: ends the waiting. */
  declare wake: (() => void) | undefined
  /** All pages of the list were fetched again, and are stored with it: older ones are gone. */
  declare hasAllPages: boolean
  /** Its optimistic operation, while that is shown. */
  declare operation: Operation | undefined

  constructor(call: Call, begun: Begun) {
    const { sideEffect, schema } = begun.endpoint
    this.endpoint = begun.endpoint
    this.args = call.args
    this.plain = call.plain
    this.key = call.key
    this.name = call.name
    this.isPage = call.isPage
    this.id = begun.id
    this.action = begun.action
    this.result = begun.result
    this.aborter = begun.aborter
    this.list = begun.list
    this.page = begun.page
    this.pages = begun.pages
    this.deletes = begun.deletes
    this.isShared = !sideEffect && !begun.list
    this.isWrite = sideEffect === true && !!schema
    this.state = 'open'
    this.callers = 0
    this.tries = 0
    this.triedAt = 0
    this.isUnsent = undefined
    this.wake = undefined
    this.hasAllPages = false
    this.operation = undefined
  }

  /** Returns false for an event that has no row in the table. */
  move(event: RequestEvent): boolean {
    const next = NEXT[this.state][event]
    this.state = next ?? this.state
    return next !== undefined
  }

  /** A try begins. Returns what says that it has failed before anything of it was sent. */
  attempt(now: number): () => void {
    this.triedAt = now
    const wasUnsent = this.isUnsent ?? true
    this.isUnsent = false
    return () => (this.isUnsent = wasUnsent)
  }

  /** A try has failed, and another one follows later. */
  retry(wake: () => void): void {
    this.move('retry')
    this.tries++
    this.wake = wake
  }

  /** Its key was invalidated since it was sent. */
  get isInvalidated(): boolean {
    return this.action.meta.sent < (this.result.meta?.invalidatedAt ?? 0)
  }
}
