// What the tests of everything above the store share: endpoints that are answered by hand, and a clock that runs by hand.
import type { Clock } from '../base/clock.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import type { ConnectionListener, Page } from './ConnectionListener.ts'

/** A call of an endpoint that waits for its answer. */
export interface Call {
  readonly args: readonly any[]
  readonly signal: AbortSignal | undefined
  answer(value: unknown): Promise<void>
  fail(error: unknown): Promise<void>
}

/** An endpoint whose calls the test answers. */
export function wire(path: string, schema?: unknown, more: object = {}): any {
  const calls: Call[] = []
  return new Endpoint(
    function (this: any, ...args: any[]): Promise<any> {
      return new Promise((resolve, reject) => {
        const settle =
          (how: (value: any) => void) =>
          (value: unknown): Promise<void> => {
            how(value)
            return tick()
          }
        calls.push({ args, signal: this.signal, answer: settle(resolve), fail: settle(reject) })
      })
    },
    { name: path, schema, calls, ...more } as never,
  )
}

/** Lets everything queued so far happen. */
export async function tick(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    await Promise.resolve()
  }
}

/** A clock that stands until it is moved; timers run in their order on the way. */
export class TestClock implements Clock {
  time: number
  private timers: { readonly at: number; readonly run: () => void }[] = []
  constructor(time = 1_000_000) {
    this.time = time
  }
  now(): number {
    return this.time
  }
  setTimeout(run: () => void, delay: number): unknown {
    const timer = { at: this.time + delay, run }
    this.timers.push(timer)
    return timer
  }
  clearTimeout(timer: unknown): void {
    this.timers = this.timers.filter((other) => other !== timer)
  }
  /** How many timers are set. */
  get pending(): number {
    return this.timers.length
  }
  /** Lets time pass, and everything that happens in it. */
  async pass(milliseconds = 0): Promise<void> {
    const end = this.time + milliseconds
    await tick()
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) {
        break
      }
      this.clearTimeout(next)
      this.time = Math.max(this.time, next.at)
      next.run()
      await tick()
    }
    this.time = end
    await tick()
  }
}

/** A connection that is lost and found by hand. */
export class TestConnection implements ConnectionListener {
  private online = true
  private readonly up = new Set<() => void>()
  private readonly down = new Set<() => void>()
  isOnline(): boolean {
    return this.online
  }
  addOnlineListener(handler: () => void): void {
    this.up.add(handler)
  }
  removeOnlineListener(handler: () => void): void {
    this.up.delete(handler)
  }
  addOfflineListener(handler: () => void): void {
    this.down.add(handler)
  }
  removeOfflineListener(handler: () => void): void {
    this.down.delete(handler)
  }
  /** How many listen. */
  get size(): number {
    return this.up.size + this.down.size
  }
  turn(online: boolean): void {
    this.online = online
    for (const handler of online ? this.up : this.down) {
      handler()
    }
  }
}

/** A page, or a window, whose events are made by hand. */
export class TestPage implements Page {
  visibilityState: string | undefined = 'visible'
  private readonly handlers = new Map<() => void, string>()
  addEventListener(type: string, handler: () => void): void {
    this.handlers.set(handler, type)
  }
  removeEventListener(_type: string, handler: () => void): void {
    this.handlers.delete(handler)
  }
  get size(): number {
    return this.handlers.size
  }
  tell(type: string): void {
    for (const [handler, one] of this.handlers) {
      if (one === type) {
        handler()
      }
    }
  }
  turn(state: 'visible' | 'hidden'): void {
    this.visibilityState = state
    this.tell('visibilitychange')
  }
}
