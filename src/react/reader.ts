'use client'
import { useMemo, useRef, useSyncExternalStore } from 'react'
import { type Clock, soon } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { warnOnce } from '../base/warn.ts'
import type { Controller } from '../controller/Controller.ts'
import { isEndpoint, isSkip, type Target } from '../controller/read.ts'
import { naming } from '../controller/observers.ts'
import { isAborted } from '../controller/ResetError.ts'
import type { BoundView } from '../controller/SharedView.ts'
import { SUSPENDED_READER_KEPT } from '../controller/views.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { firedOf, reasonOf } from '../endpoint/signals.ts'
import { isSchemaClass } from '../schema/Schema.ts'
import type { State } from '../store/State.ts'
import { announceArrival } from './arrivals.ts'
import { componentName } from './componentName.ts'
import { useController } from './hooks/useController.ts'

/** The state that a hook shows; the same object until something in it changes. */
export interface Seen {
  readonly data: any
  /** Nothing can be shown yet. */
  readonly loading: boolean
  readonly error: any
}

type Reading = ReturnType<BoundView['read']>

/** Selects what a hook returns: it renders again when this changes. */
export type Take<T> = (seen: Seen, reading: Reading) => T

interface Waiting {
  readonly view: BoundView
  readonly clock: Clock
  readonly promise: Promise<any>
  /** The promise the last reader received: the same one, or one that follows its signal. */
  given: Promise<any>
  readonly since: number
  /** When it ended; `Infinity` before. */
  settled: number
  /** Until when its readers may render again. */
  until: number
  /** A boundary shows its error, and renders its children again. */
  isRepeated?: boolean
  /** A component may have suspended for it. */
  suspends?: boolean
  /** The error it ended with, and the expiry of the stored data then. */
  failed?: undefined | { readonly error: unknown; readonly expiresAt: number }
}

/** Milliseconds in which a reader that failed renders again: React tries twice in a row. */
const AGAIN = 100

/** React forgets a reader that suspends before it is mounted, so its wait is kept with its view. */
const waits = /* @__PURE__ */ new WeakMap<BoundView, Waiting>()

/** The failed waits, by their errors: an error is all that a boundary knows of them. */
const ended = /* @__PURE__ */ new WeakMap<object, Waiting>()

/** Forgets an error that was shown: the next reader fetches. */
export function forgive(error: any): void {
  const waiting = ended.get(error as object)
  if (waiting) {
    waiting.failed = undefined
  }
}

/** A reader of the same data that mounts now gets the error again, and sends no request. */
export function repeat(error: any): void {
  const waiting = ended.get(error as object)
  if (waiting?.failed) {
    const now = waiting.clock.now()
    waits.set(waiting.view, waiting)
    waiting.isRepeated = true
    waiting.until = now + AGAIN
  }
}

/** The state that a page from the server showed, by the store that hydrates it. */
export const serverStates: WeakMap<Controller, State> = /* @__PURE__ */ new WeakMap()

/** On a server, by store: suspends a passive reader without data while more may arrive, since a page is rendered once. */
export const serverHolds: WeakMap<Controller, () => void> = /* @__PURE__ */ new WeakMap()

/** Returns the part of the state that `take` selects, and renders again when it changes. */
export function useReader<T>(...of: Parameters<typeof useReaderOf<T>>): [T, Reader<T>] {
  const reader = useReaderOf(...of)
  return [useSyncExternalStore(reader.subscribe, reader.get, reader.getFirst), reader]
}

/**
 * The reader of a hook, the same while its arguments are equal. It does not render by itself.
 *
 * @param keeps data that was invalidated stays on the screen until it is fetched again
 */
export function useReaderOf<T>(
  target: Target,
  args: readonly any[],
  take: Take<T>,
  passive?: boolean,
  keeps?: boolean,
): Reader<T> {
  const controller = useController()
  const view = controller.core.views.view(target, args)
  if (DEV) {
    useSteadySchema(target)
  }
  const reader = useMemo(
    () => new Reader(controller, target, args, view, take, passive, keeps),
    // Equal arguments have the same view.
    [controller, isSkip(args) ? target : view],
  )
  // Equal arguments may come with other options.
  reader.target = target
  return reader
}

/** One use of a hook. A page may have ten thousand, so it has few members and computes little twice. */
export class Reader<T> {
  readonly get: () => T
  /** Shown while a page from the server is hydrated. */
  readonly getFirst: () => T
  readonly subscribe: (notify: () => void) => () => void
  target: Target
  /** It has waited for the data it shows. */
  isAwaited: boolean
  readonly controller: Controller
  readonly args: readonly any[]
  /** The name of the component, where the devtools need it. */
  declare name?: string | undefined
  readonly view: BoundView
  /** As of when the age of data is judged. */
  private since: number
  private seen: Seen | undefined = undefined
  private first: Seen | undefined = undefined
  private shape: unknown = undefined
  /** The last reading and its selection, where time makes no difference. */
  private reading: Reading | undefined = undefined
  private taken: T | undefined = undefined
  private notified: (() => void) | undefined = undefined
  private isAway = false
  private readonly passive: boolean | undefined
  private readonly keeps: boolean | undefined

  constructor(
    controller: Controller,
    target: Target,
    args: readonly any[],
    view: BoundView,
    take: Take<T>,
    passive: boolean | undefined,
    keeps: boolean | undefined,
  ) {
    const { clock, core } = controller
    const before = waits.get(view)
    this.controller = controller
    this.target = target
    this.args = args
    this.view = view
    this.passive = passive
    this.keeps = keeps
    if (DEV && naming.isOn) {
      this.name = componentName()
    }
    // A reader that has waited does not call its data old, however short that is fresh.
    this.isAwaited =
      before !== undefined &&
      clock.now() <= before.until &&
      !hasExpired(before, target, controller) &&
      (before.isRepeated === true || core.views.hasWaitedSince(before.settled))
    this.since = this.isAwaited ? before!.since : clock.now()
    if (!this.isAwaited) {
      waits.delete(view)
    } else if (before!.failed) {
      // A failure is shown once: a later reader fetches.
      before!.until = Math.min(before!.until, clock.now() + AGAIN)
    }
    const get = (this.get = () => {
      const reading = view.read(this.target)
      if (reading === this.reading) {
        return this.taken!
      }
      const seen = (this.seen = keep(this.seen ?? this.first, this.judge(reading)))
      this.reading = seen.loading || seen.error !== undefined ? undefined : reading
      return (this.taken = take(seen, reading))
    })
    this.getFirst =
      serverStates.has(controller) || serverHolds.has(controller)
        ? () => {
            const state = serverStates.get(controller)
            if (state) {
              const reading = controller.core.past.read(target, [...args, state])
              this.first = keep(this.first, this.judge(reading))
              if (!this.first.loading) {
                return take(this.first, reading)
              }
            }
            const value = get()
            if (passive && !isSkip(args) && this.seen!.data === undefined) {
              serverHolds.get(controller)?.()
            }
            return value
          }
        : get
    this.subscribe = (notify) => {
      if (this.isAway) {
        this.since = clock.now()
        this.isAwaited = false
        this.reading = undefined
      }
      this.isAway = false
      this.notified = notify
      const end = view.subscribe(notify, passive, this)
      if (!passive) {
        waits.delete(view)
      }
      return () => {
        end()
        this.notified = undefined
        // Strict Mode subscribes again at once. A hidden part of the page does so later, which counts as a mount.
        soon(() => {
          this.isAway = !this.notified
        })
      }
    }
  }

  /** Fetches missing data; returns the promise to suspend on. `isShown`: the hook shows `loading`, but on a server it suspends. */
  wait(isShown?: boolean): Promise<any> {
    const { view, since } = this
    const { clock } = this.controller
    const promise = view.load(!isShown && !this.notified)
    if (waits.get(view)?.promise !== promise) {
      const mine: Waiting = { view, clock, promise, given: promise, since, settled: Infinity, until: Infinity }
      const end = (): void => {
        mine.settled = clock.now()
        mine.until = mine.settled + SUSPENDED_READER_KEPT
        // The response may be equal to the stale data: then the store notifies nobody.
        this.notified?.()
        if (mine.suspends) {
          announceArrival(this.controller)
        }
      }
      waits.set(view, mine)
      promise.then(end, (error: unknown) => {
        mine.failed = { error, expiresAt: view.read().expiresAt }
        if (Object(error) === error) {
          ended.set(error as object, mine)
        }
        end()
      })
    }
    const mine = view.promise()
    const waiting = waits.get(view)!
    waiting.given = mine
    waiting.suspends ||= !isShown
    if (mine !== promise) {
      mine.catch(() => this.notified?.())
    }
    if (isShown && serverHolds.has(this.controller)) {
      // oxlint-disable-next-line typescript/only-throw-error -- React suspends on a thrown promise
      throw mine
    }
    return mine
  }

  /** The data that a reader has waited for and has not mounted since. */
  waited(): Promise<any> | undefined {
    return waits.get(this.view)?.given
  }

  /** Judges the age of data as of the first read: data that becomes stale on the screen stays there. */
  private judge(reading: Reading): Seen {
    const { target, args, controller, seen } = this
    const { clock, core } = controller
    const { waiting, expiryStatus, isPartial } = reading
    let { data, error } = reading
    // Data that was removed is judged as of now: an old error does not explain it.
    if (data === undefined && seen && !seen.loading && seen.data !== undefined) {
      this.since = clock.now()
    }
    const { since } = this
    // `expiresAt` may take a while to compute, so it is read only where it counts.
    const isKept = this.keeps && this.notified && data !== undefined && !isPartial
    let loading = !!waiting || (expiryStatus === 1 && !isKept) || (expiryStatus === 2 && reading.expiresAt < since)
    // Passive readers show partial data that was not invalidated; the others wait for all of it.
    if (isPartial && expiryStatus > 1 ? !this.passive : loading || isSkip(args)) {
      data = this.shape ??= core.driver.read(target, [null]).data
    }
    if (loading) {
      const { failed, until } = waits.get(this.view) ?? ({} as Partial<Waiting>)
      const fired = firedOf(target)
      // A request that was aborted since nobody was there is sent again for a reader that comes back.
      const isOver = failed && (!isAborted(failed.error) || core.requests.isStopped)
      // The store has not kept that failure: fetching again would fail again, for ever.
      loading = !fired && !(isOver && clock.now() <= until! && failed.expiresAt === reading.expiresAt)
      error = loading ? undefined : fired ? reasonOf(fired) : failed!.error
    } else if (error !== undefined && expiryStatus === 3 && reading.expiresAt < since) {
      error = undefined
    }
    return { data, loading, error }
  }
}

/** True for a failure that the store would not show any more: a reader that mounts now fetches. */
function hasExpired({ failed, isRepeated, settled }: Waiting, target: Target, { clock, core }: Controller): boolean {
  const { errorExpiryLength = core.driver.store.defaults.errorExpiryLength } = target as Partial<EndpointInterface>
  return failed !== undefined && !isRepeated && clock.now() > settled + Math.max(errorExpiryLength, AGAIN)
}

/** The same object while nothing in it is different. */
function keep(old: Seen | undefined, seen: Seen): Seen {
  return old && old.data === seen.data && old.loading === seen.loading && old.error === seen.error ? old : seen
}

const met = /* @__PURE__ */ new WeakSet<object>()

/** Warns about a schema that is created at each render: the values read through the last one are lost. */
function useSteadySchema(target: Target): void {
  const schema: unknown = isEndpoint(target) ? target.schema : target
  const memory = useRef<{ last: object; times: number } | undefined>(undefined)
  const { last, times } = memory.current ?? {}
  if (!isSchemaClass(schema) || schema === last) {
    return
  }
  const isAnother = !last || met.has(schema) || describe(last) !== describe(schema)
  met.add(schema)
  memory.current = { last: schema, times: isAnother ? 0 : times! + 1 }
  if (DEV && memory.current.times === 2) {
    warnOnce(
      `A ${schema.constructor.name} is created at each render, so its values cannot be kept. Create it once, outside of the component, or in useMemo().`,
    )
  }
}

function describe(schema: object): string {
  return `${schema.constructor.name} ${(schema as { process?: unknown }).process}`
}
