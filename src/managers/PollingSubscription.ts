import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { SubscribeAction } from '../requests/actions.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Polling } from '../advice/Explanation.ts'
import { observerOf } from '../explain/observers.ts'
import { isAborted } from '../requests/ResetError.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { firedOf, follow, signalsOf } from '../endpoint/signals.ts'
import { BrowserConnection } from './BrowserConnection.ts'
import type { ConnectionListener } from './ConnectionListener.ts'
import type { Page, Globals } from './globals.ts'

/** Keeps one key up to date for all its subscribers. */
export interface Subscription {
  /** Adds a subscriber, whose endpoint may be newer. */
  add(frequency?: number, action?: SubscribeAction): void
  /** Removes a subscriber; true when none is left. */
  remove(frequency?: number): boolean
  /** The store starts again. */
  init?(): void
  /** The store stops. */
  cleanup(): void
}

/** When polls rest. */
export interface PollingOptions {
  /** Milliseconds between two polls, for endpoints that do not say. */
  readonly pollFrequency?: number | undefined
  /** Goes on while the page cannot be seen. */
  readonly pollWhenHidden?: boolean | undefined
  readonly connectionListener?: ConnectionListener | undefined
  /** Reports whether the page is visible; without one it always is. */
  readonly page?: Page | undefined
}

/** Shorter intervals are kept exactly, in milliseconds. */
const EXACT = 2_000

/** Timers count in 32 bits: a longer wait would end at once. */
const LONGEST = 2 ** 31 - 1

/**
 * Polls one key at the highest rate that its subscribers request.
 *
 * @example
 * new SubscriptionManager(PollingSubscription)
 * @see docs/api/SubscriptionManager.md#pollingsubscription
 */
export class PollingSubscription implements Subscription {
  declare readonly add: (frequency?: number, action?: SubscribeAction) => void
  declare readonly remove: (frequency?: number) => boolean
  declare readonly init: () => void
  declare readonly cleanup: () => void

  constructor(
    first: SubscribeAction,
    controller: Controller,
    {
      pollFrequency: defaultFrequency,
      pollWhenHidden,
      connectionListener = new BrowserConnection(),
      page = (globalThis as Globals).document,
    }: PollingOptions = {},
  ) {
    // Not in the parameter: it would name an internal member in the declarations.
    const { clock, core, random } = controller
    const { store, requests } = core
    const { key } = first
    const { pollFrequency = defaultFrequency } = first.endpoint
    if (!(pollFrequency! > 0)) {
      throw fail(
        'poll-frequency',
        key,
        DEV && `frequency needed for polling subscription: give the endpoint of "${key}" a "pollFrequency" above 0.`,
      )
    }
    /** How many want each frequency. */
    const counts = new Map<number, number>()
    let action = first
    let polled: EndpointInterface
    let frequency: number
    let failures = 0
    let isOn = false
    /** No interval has passed yet. */
    let isFirst = true
    let isPolling = false
    let timer: unknown
    /** When the next poll is due, for the devtools. */
    let nextAt: number | undefined

    const { budget } = requests
    const resume = (): void => schedule(0)
    const pauseOf = (): Polling['paused'] => {
      const isHidden = !pollWhenHidden && page?.visibilityState === 'hidden'
      return !connectionListener.isOnline() ? 'offline' : isHidden ? 'hidden' : undefined
    }
    const schedule = (wait: number): void => {
      clock.clearTimeout(timer)
      // The manager may serve another store by now, so that nobody else cleans up.
      if (requests.isStopped) {
        return this.cleanup()
      }
      if (DEV) {
        nextAt = clock.now() + Math.max(wait, 0)
      }
      if (isOn && !pauseOf()) {
        timer = clock.setTimeout(poll, Math.min(Math.max(wait, 0), LONGEST))
      }
    }
    /** When the data was stored; 0 if there is none. */
    const dateOf = (): number => store.tables.endpoints.byPk.get(key)?.meta?.date ?? 0
    /** Pages that were loaded at the same time, or have failed at the same time, do not poll at the same time. */
    const drift = (): number => (frequency < EXACT ? 1 : 0.5 + random())
    /** Rests or goes on, as the world is now; what was missed is made up for once. */
    const look = (): void => {
      const age = clock.now() - dateOf()
      schedule(age < frequency ? frequency * (isFirst ? drift() : 1) - age : 0)
    }
    /** The connection is back. */
    const lookAgain = (): void => {
      budget.clear()
      look()
    }
    const poll = (): void => {
      const started = clock.now()
      budget.waiting.delete(resume)
      // The end of the running one sets the next.
      if (isPolling) {
        return
      }
      if (firedOf(polled)) {
        return schedule(frequency)
      }
      const wait = Math.max(core.result(key).pace.retryAt, budget.allowedAt(key)) - started
      if (wait > 0) {
        budget.waiting.add(resume)
        return schedule(wait)
      }
      const end = (failed: number): void => {
        isPolling = false
        failures = failed
        const interval = frequency * 2 ** Math.min(failures, 3) * (isFirst || failures > 0 ? drift() : 1)
        isFirst = false
        // After a response that took longer than the interval, missed polls are skipped.
        schedule(interval - ((clock.now() - started) % interval))
      }
      isPolling = true
      isFirst &&= dateOf() === 0
      core.result(key).pace.hurry()
      if (DEV) {
        observerOf(controller)?.because(key, `Polling every ${frequency} ms.`)
      }
      const mine = polled
      const leave = (): void => requests.dropUnused(core.result(key))
      new Promise((done) => done(follow(requests.fetch(mine, action.args, true), signalsOf(mine), leave))).then(
        () => end(0),
        (error: unknown) => end(failures + (isAborted(error) || firedOf(mine) ? 0 : 1)),
      )
    }
    const adapt = (): void => {
      const { endpoint } = action
      const old = frequency
      frequency = Math.min(...counts.keys())
      const { dataExpiryLength = frequency / 2, errorExpiryLength = frequency / 10 } = endpoint
      // An error in between is no reason to take the data away, unless it says that there is none any more.
      const errorPolicy: EndpointInterface['errorPolicy'] = (error) =>
        [404, 410].includes(error?.status as number) ? endpoint.errorPolicy?.(error) : 'soft'
      const more = { dataExpiryLength, errorExpiryLength, errorPolicy }
      const { extend } = endpoint as { extend?: (options: object) => EndpointInterface }
      polled = extend
        ? extend.call(endpoint, more)
        : Object.assign((...args: unknown[]) => endpoint(...args), endpoint, more)
      if (frequency !== old) {
        look()
      }
    }

    this.add = (wanted, newer = action) => {
      action = newer
      if (wanted! > 0) {
        counts.set(wanted!, (counts.get(wanted!) ?? 0) + 1)
      }
      adapt()
    }
    this.remove = (wanted) => {
      const count = counts.get(wanted!)
      if (count === undefined) {
        return false
      }
      if (count > 1) {
        counts.set(wanted!, count - 1)
      } else {
        counts.delete(wanted!)
      }
      if (counts.size > 0) {
        adapt()
        return false
      }
      this.cleanup()
      requests.release(core.result(action.key))
      return true
    }
    this.init = () => {
      if (isOn) {
        return
      }
      isOn = true
      if (DEV) {
        observerOf(controller)?.polls.set(key, (): Polling => {
          const paused = pauseOf()
          return { frequency, failures, paused, nextAt: paused || isPolling ? undefined : nextAt }
        })
      }
      connectionListener.addOnlineListener(lookAgain)
      connectionListener.addOfflineListener(look)
      page?.addEventListener('visibilitychange', look)
      look()
    }
    this.cleanup = () => {
      isOn = false
      if (DEV) {
        observerOf(controller)?.polls.delete(key)
      }
      clock.clearTimeout(timer)
      budget.waiting.delete(resume)
      connectionListener.removeOnlineListener(lookAgain)
      connectionListener.removeOfflineListener(look)
      page?.removeEventListener('visibilitychange', look)
    }
    this.add(pollFrequency)
    this.init()
  }
}
