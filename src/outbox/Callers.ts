import type { Deferred } from '../base/clock.ts'
import { onAbort, signalsOf } from '../endpoint/signals.ts'
import type { FetchingMeta } from '../requests/actions.ts'
import type { EntryError } from './Entry.ts'

/** The promise of a caller. */
export type Caller = Pick<Deferred, 'resolve' | 'reject'>

/** A caller that waits for the response to an entry. */
interface Waiting extends Caller {
  /** Its signals are followed no longer. */
  end(): void
}

/** The promises of those that have called a mutation in this page. */
export class Callers {
  private readonly all = new Map<string, Waiting>()

  /**
   * The caller of an entry waits.
   *
   * @param onLeave called when it aborts
   */
  add(id: string, { resolve, reject }: FetchingMeta, endpoint: object, onLeave: () => void): void {
    this.all.set(id, { resolve, reject, end: onAbort(signalsOf(endpoint), onLeave) })
  }

  /** Removes and returns the caller of an entry; `undefined` where it was called in another page. */
  take(id: string): Caller | undefined {
    const caller = this.all.get(id)
    this.all.delete(id)
    caller?.end()
    return caller
  }

  /** An entry will not be sent. */
  fail(id: string, { message, ...more }: EntryError & { readonly name?: string }): void {
    this.take(id)?.reject(Object.assign(new Error(message), more))
  }

  failAll(error: Error): void {
    const all = [...this.all.keys()]
    all.forEach((id) => this.take(id)?.reject(error))
  }
}
