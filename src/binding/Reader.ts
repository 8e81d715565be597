import { soon } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import type { Controller } from '../controller/Controller.ts'
import { isSkip, type Reading, type Target, UNUSABLE, USABLE, USABLE_IF_FRESH } from '../requests/Reading.ts'
import type { SharedView } from '../views/SharedView.ts'
import type { View } from '../views/View.ts'
import { firedOf, reasonOf } from '../endpoint/signals.ts'
import { checkEndpoint, checkReadable } from './checkTarget.ts'
import { pageOf, waitForMore } from './onServer.ts'

/** The state that a hook shows; the same object until something in it changes. */
export interface Seen {
  readonly data: any
  /** Nothing can be shown yet. */
  readonly loading: boolean
  readonly error: any
}

/** Selects what a hook returns: it renders again when this changes. */
export type Take<T> = (seen: Seen, reading: Reading) => T

export const takeAll: Take<Seen> = (seen) => seen
export const takeData: Take<any> = (seen) => seen.data
/** The stored error. It stands until something else is known, however old it is. */
export const takeError: Take<any> = (_seen, reading) => reading.error

/**
 * The view of an endpoint or a schema with its arguments. Equal arguments have the same one.
 *
 * @param passive it may be a schema
 */
export function viewOf(controller: Controller, target: Target, args: readonly any[], passive?: boolean): View {
  ;(passive ? checkReadable : checkEndpoint)(target)
  return controller.core.view(target, args)
}

/** Calls the listener when a response has arrived that a component waits for. */
export function onArrival(controller: Controller, listener: () => void): () => void {
  const { arrivals } = controller.core
  arrivals.add(listener)
  return () => void arrivals.delete(listener)
}

/** One use of a hook. A page may have ten thousand, so it has few members and computes little twice. */
export class Reader<T> {
  readonly get: () => T
  /** Shown while a page from the server is hydrated. */
  readonly getFirst: () => T
  readonly subscribe: (notify: () => void) => () => void
  readonly controller: Controller
  readonly args: readonly any[]
  /** @internal */
  readonly view: SharedView
  target: Target
  /** As of when the age of data is judged: when it was first read, or when a reader began to wait for it. */
  since: number
  /** The name of the component, where the devtools need it. */
  declare name?: string | undefined
  #seen: Seen | undefined
  #first: Seen | undefined = undefined
  #shape: unknown
  /** The last reading and its selection, where time makes no difference. */
  #reading: Reading | undefined
  #taken: T | undefined = undefined
  #notify: (() => void) | undefined = undefined
  #isAway = false
  #waited: Promise<any> | undefined
  readonly #passive: boolean | undefined
  readonly #keeps: boolean | undefined

  /** @param of its view, from `viewOf` */
  constructor(
    controller: Controller,
    target: Target,
    args: readonly any[],
    of: View,
    take: Take<T>,
    passive?: boolean,
    keeps?: boolean,
    name?: string,
  ) {
    const { clock, core } = controller
    const view = of as SharedView
    this.controller = controller
    this.target = target
    this.args = args
    this.view = view
    this.#passive = passive
    this.#keeps = keeps
    this.since = view.since
    if (DEV) {
      this.name = name
    }
    const get = (this.get = () => {
      const reading = view.read(this.target)
      if (reading !== this.#reading) {
        const seen = (this.#seen = this.#see(reading, this.#seen ?? this.#first))
        this.#reading = seen.loading || seen.error !== undefined ? undefined : reading
        this.#taken = take(seen, reading)
      }
      return this.#taken!
    })
    this.getFirst = () => {
      const state = pageOf(controller)
      const reading = state && core.read(target, [...args, state])
      if (reading && !(this.#first = this.#see(reading, this.#first)).loading) {
        return take(this.#first, reading)
      }
      const value = get()
      const held = passive && !isSkip(args) && this.#seen!.data === undefined && waitForMore(controller)
      if (held) {
        // oxlint-disable-next-line typescript/only-throw-error -- React suspends on a thrown promise
        throw held
      }
      return value
    }
    this.subscribe = (notify) => {
      if (this.#isAway) {
        this.since = clock.now()
        this.#reading = undefined
      }
      this.#isAway = false
      this.#notify = notify
      const end = view.subscribe(notify, passive, this)
      return () => {
        end()
        this.#notify = undefined
        // Strict Mode subscribes again at once. A hidden part of the page does so later, which counts as a mount.
        soon(() => {
          this.#isAway = !this.#notify
        })
      }
    }
  }

  /** Reads by another endpoint of the same key from now on. With a new signal it fetches again. */
  use(target: Target): void {
    const last = this.target
    if (target === last) {
      return
    }
    this.target = target
    this.#reading = undefined
    this.view.follow(target)
    if (firedOf(last) && !firedOf(target)) {
      soon(() => {
        if (this.#notify) {
          this.view.check(this.since)
          this.#notify()
        }
      })
    }
  }

  /** Fetches missing data; returns the promise to suspend on. `isShown`: the component shows `loading` instead. */
  wait(isShown?: boolean): Promise<any> {
    // Readers share the view, and each has its own signal.
    const fired = firedOf(this.target)
    if (fired) {
      return Promise.reject(reasonOf(fired))
    }
    const promise = this.view.promise(!isShown && !this.#notify, this.since, this.target)
    if (promise !== this.#waited) {
      this.#waited = promise
      // The response may be equal to the stale data, and a failure may not be stored: then the store notifies nobody.
      const end = (): void => this.#notify?.()
      promise.then(end, end)
    }
    return promise
  }

  /** Judges the age of data as of the first read: data that becomes stale on the screen stays there. */
  #see(reading: Reading, last: Seen | undefined): Seen {
    const { target, args, view, controller } = this
    const { clock, core } = controller
    const { waiting, expiryStatus, isPartial } = reading
    let { data, error } = reading
    // Data that was removed is judged as of now: an old error does not explain it.
    if (data === undefined && last && !last.loading && last.data !== undefined) {
      this.since = clock.now()
    }
    const { since } = this
    // `expiresAt` may take a while to compute, so it is read only where it counts.
    const isKept = this.#keeps && this.#notify && data !== undefined && !isPartial
    let loading =
      !!waiting ||
      (expiryStatus === UNUSABLE && !isKept) ||
      (expiryStatus === USABLE_IF_FRESH && reading.expiresAt < since)
    // Passive readers show partial data that was not invalidated; the others wait for all of it.
    if (isPartial && expiryStatus > UNUSABLE ? !this.#passive : loading || isSkip(args)) {
      data = this.#shape ??= core.reads.read(target, [null]).data
    }
    if (loading) {
      const fired = firedOf(target)
      error = fired ? reasonOf(fired) : view.failure(since)
      loading = error === undefined
    } else if (error !== undefined && expiryStatus === USABLE && reading.expiresAt < since) {
      error = undefined
    }
    // The same object while nothing in it is different.
    const isSame = last && last.data === data && last.loading === loading && last.error === error
    return isSame ? last : { data, loading, error }
  }
}
