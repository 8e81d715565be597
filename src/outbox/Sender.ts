// Sends the entries of a queue: those that wait for no other one, each once at a time among all tabs.

import type { Clock } from '../base/clock.ts'
import { report } from '../base/report.ts'
import { SessionEnded } from '../disk/SessionEnded.ts'
import type { Entry, EntryError, EntryRequest } from './Entry.ts'
import { delayOf } from './judge.ts'
import { isBlocked } from './order.ts'
import { CLAIM, isClaimed, type Queue, type Settled } from './Queue.ts'

/** The outcome of an attempt. */
export type Outcome =
  | { readonly verdict: 'done'; readonly etag?: string | undefined }
  | { readonly verdict: 'unknown'; readonly error: EntryError; readonly after?: number | undefined }
  | { readonly verdict: 'unsent' | 'unsigned' | 'refused'; readonly error: EntryError }
  | {
      readonly verdict: 'conflict'
      readonly error: EntryError
      readonly theirs?: unknown
      readonly ifMatch?: string | undefined
    }

/** The other tabs: which are there, and the app's version in each. */
export interface Tabs {
  /** The versions of the tabs that run, by tab; `undefined` where the platform cannot tell. */
  living(): Promise<ReadonlyMap<string, number> | undefined>
  /** Runs it while no other tab does. `isSilent`: the tab that runs it has not done anything for long. */
  alone(run: () => Promise<void>, isSilent: () => Promise<boolean>): Promise<void>
  /** Calls a function once when a tab that runs has ended, where the platform can tell. */
  onEnd?(tab: string, then: () => void): void
}

export interface SenderHost {
  readonly clock: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>
  readonly random: () => number
  readonly tab: string
  /** The version of the app. */
  readonly version: number
  readonly tabs: Tabs
  /** From when on another attempt may be sent to the origin of an entry; 0 if it does not fail. */
  sparedUntil?(entry: Entry): number
  /** True where this tab has the endpoint of an entry, or can load it. */
  knows(entry: Entry): boolean
  /** Sends an entry. `begin` saves that an attempt begins; without an entry nothing is sent. */
  deliver(entry: Entry, begin: (request: EntryRequest) => Promise<Entry | undefined>): Promise<Outcome | undefined>
  /** Applies the outcome of an entry, before it is saved. Returns what goes into the same transaction. */
  apply(entry: Entry, outcome: Outcome): Omit<Settled, 'etag' | 'at'>
  /** Milliseconds for which the server remembers a key. */
  readonly keyLifetime?: number | undefined
  /** Entries have changed: this tab shows them, the others are notified. */
  changed(): void
  /** The entries were read: another tab may have changed them, whose message was lost. */
  looked?(): void
}

/** An entry that is due later than this was made by a clock that was ahead. */
const LONGEST = 2 * 3_600_000

/** Milliseconds for which an attempt without a known outcome is repeated; after that the server may have forgotten its key. */
const KEY_LIFETIME = 86_400_000

export class Sender {
  /** Nothing is sent while it is paused. */
  isPaused = false
  /** Entries wait until the user has signed in. */
  isUnsigned = false
  private readonly queue: Queue
  private readonly host: SenderHost
  /** The entries that this tab is sending. */
  private readonly sending = new Map<string, Promise<void>>()
  private readonly dead = new Set<string>()
  /** The entries that are sent before they are due. */
  private readonly hurried = new Set<string>()
  private living: ReadonlyMap<string, number> | undefined = undefined
  private timer: unknown
  private isDraining = false
  private isAsked = false
  /** Ends the wait for the attempts that are made now: there may be more to send. */
  private wake: (() => void) | undefined = undefined

  constructor(queue: Queue, host: SenderHost) {
    this.queue = queue
    this.host = host
  }

  /** Sends what can be sent now. It may be called at any time. */
  async drain(): Promise<void> {
    this.isAsked = true
    if (this.isDraining) {
      return this.wake?.()
    }
    this.isDraining = true
    try {
      while (this.isAsked && !this.isPaused) {
        this.isAsked = false
        await this.look()
        if (this.ready().length > 0) {
          await this.host.tabs.alone(() => this.sendAll(), this.isSilent)
        }
      }
    } catch (error) {
      reportFault(error)
    } finally {
      this.isDraining = false
      this.host.looked?.()
      this.plan()
    }
  }

  /** The user wants it now, or the network is back: what has failed before is sent again at once, unless the server has said when. */
  hurry(id?: string): void {
    // A user may know better than the last response whether they are signed in.
    this.isUnsigned &&= id === undefined
    for (const entry of this.queue.entries) {
      if (id === undefined ? entry.attempts > 0 : entry.id === id) {
        this.hurried.add(entry.id)
      }
    }
    void this.drain()
  }

  /** The user has signed in again. */
  signIn(): void {
    this.isUnsigned = false
    void this.drain()
  }

  /** Stops: attempts that were sent go on, and their responses count. */
  stop(): void {
    this.isPaused = true
    this.host.clock.clearTimeout(this.timer)
  }

  /** True for a tab that is known to be gone. */
  readonly isDead = (tab: string): boolean => this.dead.has(tab)

  /** The tab that sends has not renewed any claim for long: it was suspended. */
  private readonly isSilent = async (): Promise<boolean> => {
    await this.queue.load()
    const now = this.host.clock.now()
    return !this.queue.entries.some((entry) => isClaimed(entry, this.host.tab, now, this.isDead))
  }

  /** Learns of the entries, and of the tabs that run. */
  private async look(): Promise<void> {
    const { tab, tabs } = this.host
    await this.queue.load()
    const claimed = new Set(this.queue.entries.flatMap(({ claim }) => claim?.by ?? []))
    this.living = await tabs.living()
    for (const other of claimed) {
      if (this.living && !this.living.has(other)) {
        // Of those that were there before only: a tab that has started since is not among the living.
        this.dead.add(other)
      } else if (other !== tab) {
        tabs.onEnd?.(other, () => void this.drain())
      }
    }
  }

  private async sendAll(): Promise<void> {
    for (;;) {
      // The tab that has sent until now may have ended with claims.
      await this.look()
      for (const entry of this.ready()) {
        // Another one of the same origin may have gone a moment ago, and this one waits for its outcome.
        if (this.sparedUntil(entry) <= this.host.clock.now()) {
          this.sending.set(entry.id, this.send(entry))
        }
      }
      if (this.sending.size === 0) {
        return
      }
      this.isAsked = false
      const asked = new Promise<void>((resolve) => (this.wake = resolve))
      await Promise.race([asked, ...this.sending.values()])
    }
  }

  /** The entries that this tab may send now. */
  private ready(): Entry[] {
    const { clock, tab, version, knows } = this.host
    const { entries } = this.queue
    const now = clock.now()
    // The newest version of the app sends.
    const isOld = [...(this.living ?? [])].some(([, other]) => other > version)
    if (this.isPaused || this.isUnsigned || isOld) {
      return []
    }
    return entries.filter((entry) => {
      const dueAt = this.hurried.has(entry.id) ? (entry.allowedAt ?? 0) : entry.dueAt
      // The clock may have been set back.
      const isDue = entry.state === 'pending' && entry.version <= version && (dueAt <= now || dueAt > now + LONGEST)
      const isFree = !this.sending.has(entry.id) && !isClaimed(entry, tab, now, this.isDead)
      const isSpared = this.sparedUntil(entry) > now
      return isDue && isFree && !isSpared && !isBlocked(entry, entries) && knows(entry)
    })
  }

  /** From when on an entry that has failed may be sent again, because its origin fails. The user, and a network that is back, do not wait. */
  private sparedUntil(entry: Entry): number {
    return entry.attempts > 0 && !this.hurried.has(entry.id) ? (this.host.sparedUntil?.(entry) ?? 0) : 0
  }

  private async send(entry: Entry): Promise<void> {
    const { id } = entry
    const { clock, deliver, changed } = this.host
    this.hurried.delete(id)
    let beat: unknown
    const renew = (): void => {
      beat = clock.setTimeout(() => {
        this.queue.renew(id, clock.now()).catch(reportFault)
        renew()
      }, CLAIM / 3)
    }
    try {
      if (
        entry.unknownSince !== undefined &&
        clock.now() - entry.unknownSince > (this.host.keyLifetime ?? KEY_LIFETIME)
      ) {
        await this.expire(entry)
      } else {
        let begun: Entry | undefined
        const outcome = await deliver(entry, async (request) => {
          begun = await this.queue.begin(id, request, clock.now(), this.isDead)
          if (begun) {
            renew()
          }
          return begun
        })
        if (begun && outcome) {
          await this.take(begun, outcome)
        }
      }
    } catch (error) {
      reportFault(error)
    } finally {
      clock.clearTimeout(beat)
      this.sending.delete(id)
      changed()
    }
  }

  /** Nobody knows whether it was made, and the server may have forgotten the key that would tell. */
  private async expire(entry: Entry): Promise<void> {
    if (await this.queue.begin(entry.id, entry.request!, this.host.clock.now(), this.isDead)) {
      const error = { code: 'outbox-key-expired', message: 'Unknown outcome' }
      await this.queue.park(entry.id, 'conflict', { error })
    }
  }

  /** Saves the outcome of an attempt. */
  private async take(entry: Entry, outcome: Outcome): Promise<void> {
    const { queue } = this
    const { clock, random, apply } = this.host
    const { id } = entry
    const now = clock.now()
    // This tab was suspended, and another one may be sending the entry by now.
    if (now >= entry.claim!.until - CLAIM / 3) {
      await queue.renew(id, now)
      const claim = queue.entries.find((one) => one.id === id)?.claim
      if (claim?.by !== this.host.tab) {
        return
      }
    }
    switch (outcome.verdict) {
      case 'done':
        await queue.settle(id, { at: now, etag: outcome.etag, ...apply(entry, outcome) })
        break
      case 'unknown':
        await queue.postpone(
          id,
          now + delayOf(entry.attempts, random),
          outcome.error,
          false,
          now + (outcome.after ?? 0),
        )
        break
      case 'unsent':
        await queue.postpone(id, now + delayOf(entry.attempts, random), outcome.error, true)
        break
      case 'unsigned':
        this.isUnsigned = true
        await queue.postpone(id, now, outcome.error, true)
        break
      case 'refused':
        apply(entry, outcome)
        await queue.park(id, 'failed', { error: outcome.error })
        break
      case 'conflict':
        apply(entry, outcome)
        await queue.park(id, 'conflict', { error: outcome.error, theirs: outcome.theirs, ifMatch: outcome.ifMatch })
        break
    }
  }

  /** Wakes up when the next entry is due, or a claim is over. What is due waits for something else: the tab looks again after a while. */
  private plan(): void {
    const { clock } = this.host
    clock.clearTimeout(this.timer)
    const now = clock.now()
    const times = this.queue.entries.flatMap((entry) => {
      const { state, dueAt, claim } = entry
      const claimedUntil = claim && claim.by !== this.host.tab ? claim.until : 0
      const time = Math.max(dueAt, claimedUntil, this.sparedUntil(entry))
      return state === 'pending' ? [time > now ? time : now + CLAIM] : []
    })
    const next = Math.min(...times)
    if (next < Infinity && !this.isPaused) {
      this.timer = clock.setTimeout(() => void this.drain(), Math.min(next - now, CLAIM))
    }
  }
}

/** That the session has ended is no fault: its entries wait for their user. */
function reportFault(error: unknown): void {
  if (!(error instanceof SessionEnded)) {
    report(error)
  }
}
