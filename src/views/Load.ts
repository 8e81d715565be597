import { notUsable, warnMissing } from '../advice/fetched.ts'
import { pause } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { missingField } from '../reading/query.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { firedOf, onAbort, reasonOf } from '../endpoint/signals.ts'
import { originOf } from '../rows/origin.ts'
import { callOf } from '../requests/Call.ts'
import { pagesInDoubt, pagesOf } from '../requests/listPages.ts'
import { isDue, type Reading, UNUSABLE, USABLE } from '../requests/Reading.ts'
import { refetchPages } from '../requests/refreshPages.ts'
import { isAborted, ResetError } from '../requests/ResetError.ts'
import { type Cause, causesOf, type Due, dueAt, isLater, NEVER, type Next, plan, WANTED } from './plan.ts'
import type { SharedView } from './SharedView.ts'
import type { ViewHost } from './ViewHost.ts'
import { viewsAround } from './viewsAround.ts'

/** Requests that may be sent for one load without a usable response. */
const TRIES = 3

/** Milliseconds of the longest wait. */
const A_DAY = 86_400_000

/** Milliseconds for which a refetch waits for mutations in flight, at most. */
const PATIENCE = 3_000

/** The next step of a load, and what it knows about that. */
interface Step {
  readonly next: Next
  readonly reading: Reading
  readonly dues: readonly Due[]
  /** Of a list in doubt: the pages to fetch, if these are not all. */
  readonly pages: ReadonlySet<string> | undefined
  /** The views that may bring what this one lacks. */
  readonly others: readonly SharedView[]
}

/** The fetch of a view, shared by all that wait for its data: it carries out what `plan` says, until there is data to show. */
export class Load {
  readonly promise: Promise<any>
  /** A reader requested the data again: it is checked afterwards. */
  isCheckDue = false
  /** Its data was looked for on a disk: what is found may be old. */
  isRecalled = false
  /** Why its last request was aborted: the signals of all that waited for it have fired. */
  abortedBy: unknown
  readonly #view: SharedView
  readonly #host: ViewHost
  /** When it began, or when its moment came. */
  #began: number
  /** Requests that were sent without a usable response. */
  #tries = 0
  /** Fetching again would return the same. */
  #isFutile = false
  #hasResponded = false
  #isNew = true
  /** Ends its waiting. */
  #wake: (() => void) | undefined
  /** The signals that are followed, with the functions that stop that. */
  readonly #signals = new Map<AbortSignal, () => void>()

  constructor(view: SharedView, host: ViewHost) {
    this.#view = view
    this.#host = host
    this.#began = host.store.clock.now()
    this.promise = this.#run()
  }

  /** Looks again, if it waits. */
  wake(): void {
    this.#wake?.()
  }

  /** Readers leave when a signal of theirs fires. */
  follow(signals: readonly AbortSignal[]): void {
    for (const signal of signals) {
      if (!this.#signals.has(signal)) {
        const leave = (): void => this.#leave(reasonOf(signal))
        this.#signals.set(signal, onAbort([signal], leave))
      }
    }
  }

  #leave(reason: unknown): void {
    const view = this.#view
    if (!view.isWanted) {
      this.abortedBy = reason
      this.wake()
    }
    this.#host.requests.dropUnused(view.result, reason)
    for (const reader of Array.from(view.readers)) {
      if (firedOf(reader.by?.target)) {
        reader.notify('freshness')
      }
    }
  }

  /** It has ended: follows no signal any more. */
  end(): void {
    this.#signals.forEach((end) => end())
    this.#signals.clear()
  }

  async #run(): Promise<any> {
    for (let step = this.#look(); ; step = this.#look()) {
      const { next, reading } = step
      if (next === 'show') {
        return reading.data
      }
      if (next === 'fail') {
        throw this.#failure(reading)
      }
      this.isCheckDue = this.#isNew = this.#hasResponded = false
      const recalled = next === 'wait' ? undefined : this.#recall(reading)
      if (next === 'wait') {
        await this.#waitFor(step)
      } else if (recalled) {
        await this.#takeFrom(recalled)
      } else if (await this.#fetch(step)) {
        return undefined
      }
    }
  }

  /** Sends a request and stores its response. True if its reader leaves the screen. */
  async #fetch(step: Step): Promise<boolean> {
    const { store, requests } = this.#host
    const view = this.#view
    let value: unknown
    try {
      value = await this.#send(step)
    } catch (thrown) {
      if (thrown instanceof ResetError && !requests.isStopped) {
        // It may be a sign-out, after which readers leave the screen. A suspended one that stays renders again, and fetches then.
        await pause(store.clock, 0)
        if (view.wait?.suspends && view.active === 0) {
          return true
        }
      }
      await this.#takeFrom(this.#recallLate())
      if (!this.#hasResponded) {
        this.#tryAgain(thrown)
      }
      return false
    }
    this.#receive(step.reading, value)
    return false
  }

  /** Waits for data of a disk, which is shown first, as that of a response is. */
  async #takeFrom(recalled: Promise<unknown> | undefined): Promise<void> {
    if (recalled) {
      await recalled
      this.#hasResponded = isWhole(this.#view.read())
    }
  }

  async #waitFor(step: Step): Promise<void> {
    const { clock } = this.#host.store
    const view = this.#view
    const isSpread = isLater(view.dueAt)
    await this.#wait(step)
    // The others that it waits for have had the same moment.
    this.#began = isSpread ? clock.now() : this.#began
    // The reader may leave the screen because the pending operation has ended.
    if (step.reading.waiting && isMissing(view.read(), clock.now())) {
      await pause(clock, 0)
    }
  }

  /** Looks for missing data on a disk, once. */
  #recall(reading: Reading): Promise<unknown> | undefined {
    const recalled = this.isRecalled || isWhole(reading) ? undefined : this.#host.recall?.(this.#view)
    this.isRecalled ||= recalled !== undefined
    return recalled
  }

  /** Waits for a disk that takes longer than a request which has failed: it may have the data. */
  #recallLate(): Promise<unknown> | undefined {
    return isWhole(this.#view.read()) ? undefined : this.#host.recall?.(this.#view, true)
  }

  /** Decides what to do next. It changes nothing. */
  #look(): Step {
    const view = this.#view
    const { requests, store, observer } = this.#host
    const now = store.clock.now()
    const reading = view.read()
    const causes = causesOf(reading, now)
    const isInDoubt = causes.includes('doubt')
    const endpoint = view.target as EndpointInterface
    const pages = isInDoubt && !reading.error ? pagesInDoubt(store.tables, endpoint, view.args, view.node) : undefined
    // Without a result of its own the view may get what it needs from others that are fetched again.
    const others = isInDoubt && !view.result.meta ? viewsAround(view.node) : []
    const isPast = DEV && observer?.past !== undefined
    const momentOf = (cause: Cause): number => {
      const hasData = reading.data !== undefined
      const isOwn = hasData && view.dueAt !== WANTED
      const allowedAt = Math.max(view.result.pace.allowedAt(hasData), isOwn ? requests.budget.allowedAt(view.key) : 0)
      // Data that is missing while the devtools show an earlier state may be there now.
      const isHidden = cause === 'hidden' || isPast
      return isHidden
        ? NEVER
        : cause === 'doubt'
          ? Math.max(allowedAt, this.#quietAt(pages, others), this.#spreadTo(reading))
          : allowedAt
    }
    const dues = causes.map((cause) => ({ cause, at: momentOf(cause) }))
    const next = plan(
      {
        reading,
        dues,
        hasResponded: this.#hasResponded,
        isWanted: this.#isNew || view.isWanted,
        isStopped: requests.isStopped,
        hasTries: () => this.#hasTries || requests.running(callOf(endpoint, view.args)) !== undefined,
      },
      now,
    )
    return { next, reading, dues, pages, others }
  }

  get #hasTries(): boolean {
    return !this.#isFutile && this.#tries < TRIES
  }

  /**
   * Until when data that is in doubt is not fetched: while a mutation is in flight, whose response may put it in doubt
   * again, and at growing intervals if it is in doubt again and again, as under a stream of events.
   */
  #quietAt(pages: ReadonlySet<string> | undefined, others: readonly SharedView[]): number {
    const { result, target, args } = this.#view
    const { store, requests } = this.#host
    const cost = pages?.size ?? 1 + pagesOf(store.tables, target as EndpointInterface, args).length
    const isBusy = requests.isWriting() || others.length > 0
    return Math.max(result.pace.calmUntil(cost), isBusy ? this.#began + PATIENCE : 0)
  }

  /** Until when data is not fetched that all clients fetch because of one event. A view with nothing to show does not wait. */
  #spreadTo({ expiryStatus }: Reading): number {
    const view = this.#view
    return !isLater(view.dueAt) ? 0 : this.#host.isHidden ? NEVER : expiryStatus === USABLE ? view.dueAt : 0
  }

  /** Waits until the moment of a cause has come, or something has changed. */
  #wait({ dues, others }: Step): Promise<void> {
    const { clock } = this.#host.store
    const wake = (): void => this.wake()
    for (const other of others) {
      other.check()
      void other.load?.promise.then(wake, wake)
    }
    const delay = Math.min(dueAt(dues) - clock.now(), A_DAY)
    return pause(clock, delay, (end) => (this.#wake = end))
  }

  /** Sends a request, or joins one. */
  #send({ reading, dues, pages }: Step): Promise<unknown> {
    const { requests, observer, store } = this.#host
    const { target, args, result } = this.#view
    const endpoint = target as EndpointInterface
    const call = callOf(endpoint, args)
    if (!requests.running(call)) {
      this.#tries++
    }
    if (DEV) {
      observer?.because(call.key, { ...reading })
    }
    if (dues.some(({ cause }) => cause === 'doubt')) {
      result.pace.refetch(store.clock.now())
    }
    // A doubt from now on has another cause.
    this.#view.dueAt = NEVER
    return pages ? refetchPages(requests, call, pages) : requests.fetch(endpoint, args, true)
  }

  /** A response has arrived, and is stored. */
  #receive(before: Reading, value: unknown): void {
    const view = this.#view
    this.#hasResponded = true
    this.#isFutile = value === undefined && !(view.target as EndpointInterface).schema
    if (DEV && before.isPartial) {
      const { data } = view.read()
      const lacking = missingField(data)
      if (lacking !== undefined) {
        warnMissing(originOf(data)!.key, lacking)
      }
    }
  }

  /** A request has failed. Throws its error, unless it was aborted and there are still readers. */
  #tryAgain(thrown: unknown): void {
    const isReset = thrown instanceof ResetError
    if (!(isAborted(thrown) || thrown === this.abortedBy) || !this.#view.isWanted) {
      throw thrown
    }
    // Tries before a reset were for the data before it.
    if (isReset) {
      this.#tries = 0
      this.#isFutile = false
    }
  }

  /** The error that all who wait receive. */
  #failure({ error }: Reading): unknown {
    const view = this.#view
    const { requests } = this.#host
    const isWanted = this.#isNew || view.isWanted
    if (!isWanted || requests.isStopped) {
      return (isWanted ? undefined : this.abortedBy) ?? new ResetError()
    }
    if (error !== undefined) {
      return error
    }
    const endpoint = view.target as EndpointInterface
    const call = callOf(endpoint, view.args)
    this.#host.respond(call, notUsable(endpoint, call.key), true)
    return view.read().error
  }
}

/** True where nothing is missing: an envelope without a response may have defaults. */
function isWhole({ data, expiryStatus, isPartial }: Reading): boolean {
  return data !== undefined && expiryStatus !== UNUSABLE && !isPartial
}

/** True once a pending operation hides the data no longer, and it is missing. */
function isMissing(reading: Reading, now: number): boolean {
  return !reading.waiting && isDue(reading, now)
}
