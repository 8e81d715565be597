// The formula is that of adaptive throttling: a request is not sent with the probability (requests - 2 * accepts) / (requests + 1), for the last
// requests to an origin. One success ends it, so the failures in a row say it all: before them all have succeeded.

import type { UnknownError } from '../endpoint/EndpointOptions.ts'

/** How many of the last requests to an origin count, at least and at most. */
const FEWEST = 7
const MOST = 10
/** Milliseconds after which a request is sent in any case, and after which failures are forgotten. */
const PROBE = 30_000
const MEMORY = 120_000

/** An origin whose last requests have failed. */
export interface Outage {
  /** Empty where the key of an endpoint names none. */
  readonly origin: string
  /** The status of the last response, or 500 where none came. */
  readonly status: number
  /** How many requests in a row have failed, and when the last one did. */
  readonly failures: number
  readonly at: number
  /** From when on the library may send another request on its own. */
  readonly allowedAt: number
}

/** Limits what the library sends on its own, by origin: fewer requests while most of them fail. Requests of users are sent anyway, and count. */
export class Budget {
  /** By origin. Written here alone. */
  readonly outages: Map<string, Outage> = new Map()
  /** Polls and retries that wait: each is called once when they need not any more, and looks again. */
  readonly waiting: Set<() => void> = new Set()

  readonly #recover: () => void

  /** @param recover readers that wait, or have nothing to show, fetch */
  constructor(recover: () => void) {
    this.#recover = recover
  }

  /** From when on a retry, a poll or a refetch of this key may be sent. */
  allowedAt(key: string): number {
    return this.outage(key)?.allowedAt ?? 0
  }

  outage(key: string): Outage | undefined {
    return this.outages.get(originOf(key))
  }

  /** A request has succeeded. */
  succeed(key: string): void {
    if (this.outages.size === 0) {
      return
    }
    const { allowedAt = 0 } = this.outage(key) ?? {}
    this.outages.delete(originOf(key))
    this.#end(allowedAt)
  }

  /**
   * A request has failed. Only a server that is busy or down fails for all. Requests that were in flight together count once: one bad
   * second is no outage.
   */
  fail(key: string, { status = 0 }: UnknownError, now: number, random: () => number, sentAt: number = now): void {
    if (status === 429 || status >= 500) {
      const { failures = 0, at = 0 } = this.outage(key) ?? {}
      if (sentAt < at) {
        return
      }
      this.#set(key, status, now < at + MEMORY ? Math.min(failures + 1, MOST) : 1, now, random)
    } else if (status > 0) {
      this.succeed(key)
    }
  }

  /** The library sends a request on its own: others wait for its outcome. */
  send(key: string, now: number, random: () => number): void {
    const { status, failures } = this.outage(key) ?? {}
    if (failures !== undefined) {
      this.#set(key, status!, failures, now, random)
    }
  }

  /** The connection is back. */
  clear(): void {
    const moments = [...this.outages.values()].map(({ allowedAt }) => allowedAt)
    this.outages.clear()
    this.#end(Math.max(0, ...moments))
  }

  /** Nothing waits any more, if anything did. */
  #end(allowedAt: number): void {
    if (allowedAt === 0) {
      return
    }
    const all = [...this.waiting]
    this.waiting.clear()
    all.forEach((look) => look())
    this.#recover()
  }

  #set(key: string, status: number, failures: number, at: number, random: () => number): void {
    const requests = Math.max(failures, FEWEST)
    const share = (2 * failures - requests) / (requests + 1)
    const allowedAt = share > 0 && random() < share ? at + (PROBE / 2) * (1 + random()) : 0
    const origin = originOf(key)
    this.outages.set(origin, { origin, status, failures, at, allowedAt })
  }
}

function originOf(key: string): string {
  return /^\S+ (\w+:\/\/[^/?#\s]+)/.exec(key)?.[1] ?? ''
}
