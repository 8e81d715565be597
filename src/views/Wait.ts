import { firedOf } from '../endpoint/signals.ts'
import type { Target } from '../requests/Reading.ts'

/** Milliseconds for which data is kept for a reader that waited for it and is not mounted yet. */
export const SUSPENDED_READER_KEPT = 30_000

/** Milliseconds in which a reader that failed renders again: React tries twice in a row. */
const AGAIN = 300

/** Readers that wait for a view and are not mounted yet. A reader that waited for data does not call it old, however short that is fresh. */
export class Wait {
  /** As of when they judge the age of the data. */
  readonly since: number
  /** One of them has suspended: it cannot be mounted before the data arrives. */
  suspends: boolean | undefined
  /** The promise that the last of them received, until it settles. */
  promise: Promise<any> | undefined
  /** From then on they are not expected any more. */
  #until = Infinity
  /** The endpoints that they wait by. */
  readonly #targets = new Set<Target>()

  constructor(since: number) {
    this.since = since
  }

  /** One more waits, for this promise. */
  add(by: Target, suspends: boolean | undefined, promise: Promise<any>): void {
    this.#targets.add(by)
    this.suspends ||= suspends
    this.promise = promise
    // The data that those before it waited for may have arrived long ago.
    this.#until = Infinity
  }

  /** The data has arrived, or its fetch has failed. */
  settle(now: number, hasFailed: boolean): void {
    this.#until = now + (hasFailed ? AGAIN : SUSPENDED_READER_KEPT)
    // It would keep the data.
    this.promise = undefined
  }

  /** One of them cannot be mounted before this fetch has ended. */
  isSuspended(loading: Promise<any> | undefined): boolean {
    return this.suspends === true && loading !== undefined && this.promise === loading
  }

  isExpected(now: number): boolean {
    return now < this.#until
  }

  /** One of them has no signal that has fired. */
  get isWanted(): boolean {
    return [...this.#targets].some((target) => !firedOf(target))
  }
}
