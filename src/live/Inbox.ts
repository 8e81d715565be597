import type { StoreClock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import { fail } from '../base/errors.ts'
import type { LiveMessage } from './LiveLink.ts'

/** Milliseconds for which a burst is collected. */
const BURST = 16

/** A message as it has arrived. */
interface Letter {
  readonly text: string
  readonly type: string | undefined
  readonly id: string | undefined
}

/** Receives the messages of an inbox. */
export interface InboxHost {
  readonly clock: Pick<StoreClock, 'now' | 'setTimeout' | 'clearTimeout'>
  receive(message: LiveMessage): void
  /** Runs what writes a burst. */
  run(write: () => void): void
  /** A message cannot be used. */
  onLost(cause: unknown, detail: string): void
}

/** Messages that come together are written together, so that readers are notified together. */
export class Inbox {
  /** The id of the last message that was written. */
  lastId = ''
  /** How many have arrived, and when the last one did. */
  count = 0
  lastAt: number | undefined
  readonly #host: InboxHost
  #letters: Letter[] = []
  #timer: unknown

  constructor(host: InboxHost) {
    this.#host = host
  }

  add(text: string, type?: string, id?: string): void {
    const { clock } = this.#host
    this.count += 1
    this.lastAt = clock.now()
    this.#letters.push({ text, type, id })
    this.#timer ??= clock.setTimeout(() => this.#flush(), BURST)
  }

  /** Drops what has not been written. */
  drop(): void {
    this.#host.clock.clearTimeout(this.#timer)
    this.#timer = undefined
    this.#letters = []
  }

  #flush(): void {
    const letters = this.#letters
    this.#letters = []
    this.#timer = undefined
    this.#host.run(() => letters.forEach((letter) => this.#write(letter)))
  }

  #write({ text, type, id }: Letter): void {
    try {
      const data: unknown = JSON.parse(text)
      const ownType: unknown = isObject(data) ? data['type'] : undefined
      this.#host.receive({ type: type ?? (typeof ownType === 'string' ? ownType : 'message'), data, id })
    } catch (error) {
      this.#host.onLost(error, `It began with: ${text.slice(0, 100)}. `)
    }
    this.lastId = id ?? this.lastId
  }
}

/** The error of a message that cannot be used. */
export function unusable(cause: Error, detail: string): Error {
  return fail(
    'live-message',
    cause.name,
    DEV && `A live message could not be used: ${cause.message}. ${detail}Data on screen is refetched.`,
    Error,
    { cause },
  )
}
