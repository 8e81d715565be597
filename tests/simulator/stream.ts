// The server's end of a live connection, and the page that a user hides and shows.
import { actionTypes, type Manager } from 'restitch'
import { type LiveConnect, type LiveLink, LiveManager } from 'restitch/live'
import { Person, Todo } from './api.ts'
import type { VirtualClock } from './clock.ts'
import type { Fields } from './world.ts'

/** Watches what the store does because of messages, at the moment it does it. */
export interface StreamWatcher {
  /** A message is written: a record, or its delete. */
  written(table: string, id: string, fields: Fields): void
  /** Results are expired, since messages may have been missed. */
  expired(): void
}

/** Milliseconds within which a connection is accepted, and after which a hidden page closes it. */
const ACCEPT = 50
const PAUSE = 3_000

export class Stream {
  readonly spread: number
  private readonly clock: VirtualClock
  private readonly random: () => number
  private readonly watcher: StreamWatcher
  private readonly latency: number
  private link: LiveLink | undefined
  private end: (() => void) | undefined
  /** When the last message arrives: they come in their order. */
  private lastAt = 0
  private readonly page = createPage()

  constructor(options: {
    readonly clock: VirtualClock
    readonly random: () => number
    readonly spread: number
    readonly latency: number
    readonly watcher: StreamWatcher
  }) {
    this.clock = options.clock
    this.random = options.random
    this.spread = options.spread
    this.latency = options.latency
    this.watcher = options.watcher
  }

  get isOpen(): boolean {
    return this.link !== undefined
  }

  /** The managers of a store that is connected. */
  managers(): Manager[] {
    const { spread, page } = this
    const live = new LiveManager({
      connect: this.connect,
      receive: ({ data }, { set, remove }) => {
        const { table, id, fields } = data as { table: string; id: string; fields?: Fields }
        const Class = table === 'Todo' ? Todo : Person
        if (fields) {
          set(Class, fields)
        } else {
          remove(Class, { id })
        }
      },
      strict: true,
      spread,
      page,
      pauseAfter: PAUSE,
    })
    return [live, this.createTracker()]
  }

  /** The server tells those that are connected now of a change. */
  say(table: string, id: string, fields: Fields | undefined): void {
    const { link, clock } = this
    this.lastAt = Math.max(this.lastAt, clock.time + this.random() * this.latency)
    const text = JSON.stringify({ table, id, fields })
    clock.setTimeout(() => link && this.link === link && link.receive(text), this.lastAt - clock.time)
  }

  /** The connection is lost, with all messages that are on their way. */
  drop(): void {
    this.end?.()
  }

  setHidden(isHidden: boolean): void {
    this.page.set(isHidden ? 'hidden' : 'visible')
  }

  private readonly connect: LiveConnect = (link) =>
    new Promise((resolve, reject) => {
      const { signal } = link
      const close = (): void => {
        this.link = this.link === link ? undefined : this.link
      }
      signal.addEventListener('abort', () => {
        close()
        reject(signal.reason as Error)
      })
      this.clock.setTimeout(() => {
        if (!signal.aborted) {
          this.link = link
          this.end = () => {
            close()
            resolve(true)
          }
          link.open()
        }
      }, this.random() * ACCEPT)
    })

  /** Sees what the messages write: a message may have waited for a mutation. */
  private createTracker(): Manager {
    const { watcher } = this
    return {
      middleware: () => (next) => (action) => {
        if (action.type === actionTypes.SET) {
          const { key } = action.schema as typeof Todo
          const fields = action.value as Fields
          watcher.written(key, String(fields['id']), fields)
        } else if (action.type === actionTypes.SET_RESPONSE && action.endpoint.name?.startsWith('live delete')) {
          watcher.written('Todo', String((action.response as Fields)['id']), {})
        } else if (action.type === actionTypes.EXPIREALL) {
          watcher.expired()
        }
        return next(action)
      },
      cleanup() {},
    }
  }
}

function createPage() {
  const listeners = new Set<() => void>()
  return {
    visibilityState: 'visible',
    addEventListener: (_: string, listener: () => void): void => void listeners.add(listener),
    removeEventListener: (_: string, listener: () => void): void => void listeners.delete(listener),
    set(state: 'visible' | 'hidden'): void {
      if (state !== this.visibilityState) {
        this.visibilityState = state
        listeners.forEach((listener) => listener())
      }
    },
  }
}
