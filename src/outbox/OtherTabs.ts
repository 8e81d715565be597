// The other tabs of the same user: which are there, which one sends, and what they tell each other.

import { type Clock, pause } from '../base/clock.ts'
import type { Emitter, Globals, Page } from '../managers/globals.ts'
import { CLAIM } from './Queue.ts'
import type { Tabs } from './Sender.ts'

/** The message of a tab to the others: the queue has changed, maybe because of a response. */
export interface TabNews {
  readonly settled?: { readonly id: string; readonly response: unknown } | undefined
}

/** The part of Web Locks that is used here. */
interface Locks {
  request(name: string, options: object, run: () => Promise<void>): Promise<void>
  query(): Promise<{ readonly held?: readonly { readonly name?: string }[] }>
}

interface Platform extends Globals {
  readonly navigator?: { readonly onLine?: boolean; readonly locks?: Locks }
  readonly BroadcastChannel?: new (name: string) => Channel
}

interface Channel {
  addEventListener(type: 'message', listener: (event: { readonly data: TabNews }) => void): void
  postMessage(news: TabNews): void
  close(): void
}

/** Milliseconds for which a hidden tab leaves the sending to visible ones. */
const HIDDEN = 1_000

/** Moments at which a tab may be suspended. */
const LEAVING = ['freeze', 'pagehide', 'visibilitychange']

export class OtherTabs implements Tabs {
  private readonly name: string
  private readonly tab: string
  private readonly version: number
  private readonly clock: Clock
  /** `undefined` when it is closed: an attempt may end later. */
  private channel: Channel | undefined
  private readonly locks: Locks | undefined
  private readonly page: Page | undefined
  private readonly ends: (() => void)[] = []
  /** The tabs whose end is awaited. */
  private readonly awaited = new Set<string>()
  /** Gives the lock back that is held now. */
  private release: (() => void) | undefined

  constructor(name: string, tab: string, version: number, clock: Clock, onNews: (news: TabNews) => void) {
    const { navigator, BroadcastChannel, document } = globalThis as Platform
    this.name = `${name} outbox`
    this.tab = tab
    this.version = version
    this.clock = clock
    this.page = document
    this.locks = navigator?.locks
    this.channel = BroadcastChannel && new BroadcastChannel(this.name)
    if (this.channel) {
      this.channel.addEventListener('message', ({ data }) => onNews(data))
      // In Node a channel keeps the process alive.
      ;(this.channel as { unref?(): void }).unref?.()
    }
    // Held for as long as the tab lives: so others know that it does.
    const alive = new Promise<void>((resolve) => this.ends.push(resolve))
    this.locks?.request(`${this.start}${tab} ${version}`, {}, () => alive).catch(() => {})
    const leave = (): void => {
      if (this.page?.visibilityState !== 'visible') {
        this.release?.()
      }
    }
    for (const target of [document, globalThis as Partial<Emitter>]) {
      LEAVING.forEach((type) => target?.addEventListener?.(type, leave))
      this.ends.push(() => LEAVING.forEach((type) => target?.removeEventListener?.(type, leave)))
    }
  }

  close(): void {
    this.ends.forEach((end) => end())
    this.release?.()
    this.channel?.close()
    this.channel = undefined
  }

  /** The beginning of the names of the locks that tabs hold while they run. */
  private get start(): string {
    return `${this.name} tab `
  }

  /** The tabs that run, with their versions. */
  private async names(): Promise<readonly string[] | undefined> {
    const { start } = this
    const state = await this.locks?.query()
    return state?.held?.flatMap(({ name }) => (name?.startsWith(start) ? [name.slice(start.length)] : []))
  }

  /** Tells the other tabs. A response that cannot be copied is fetched by them. */
  tell(news: TabNews): void {
    try {
      this.channel?.postMessage(news)
    } catch {
      this.channel?.postMessage({})
    }
  }

  async living(): Promise<ReadonlyMap<string, number> | undefined> {
    const names = await this.names()
    return (
      names &&
      new Map([
        [this.tab, this.version],
        ...names.map((name): [string, number] => [name.split(' ')[0]!, Number(name.split(' ')[1])]),
      ])
    )
  }

  onEnd(tab: string, then: () => void): void {
    const { locks, awaited } = this
    const wait = async (): Promise<void> => {
      const name = (await this.names())?.find((one) => one.startsWith(`${tab} `))
      // It has ended by now, or its lock is free when it ends.
      await (name && locks!.request(this.start + name, {}, () => Promise.resolve()))
      awaited.delete(tab)
      then()
    }
    if (locks && !awaited.has(tab)) {
      awaited.add(tab)
      wait().catch(() => {})
    }
  }

  async alone(run: () => Promise<void>, isSilent: () => Promise<boolean>): Promise<void> {
    const { locks, clock } = this
    if (!locks) {
      return run()
    }
    if (this.page?.visibilityState === 'hidden') {
      await pause(clock, HIDDEN)
    }
    const state = { isOver: false }
    let ended: Promise<void> | undefined
    const hold = (): Promise<void> => {
      if (state.isOver) {
        return Promise.resolve()
      }
      state.isOver = true
      ended = run()
      const released = new Promise<void>((resolve) => (this.release = resolve))
      return Promise.race([ended, released])
    }
    const request = (options: object): Promise<void> =>
      locks.request(`${this.name} sends`, options, hold).catch(() => {})
    const waiting = request({})
    const steal = async (): Promise<void> => {
      while (!state.isOver) {
        await pause(clock, CLAIM)
        if (!state.isOver && (await isSilent())) {
          return request({ steal: true })
        }
      }
    }
    await Promise.race([waiting, steal()])
    await ended
  }
}
