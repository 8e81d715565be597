import { computed, type Signal } from '@angular/core'
import { createOutbox, type OutboxReading } from '../binding/createOutbox.ts'
import { injectContext } from './context.ts'
import { createShown } from './reader.ts'

/**
 * The result of `injectOutbox`: the entries of the user who is signed in as signals, and what can be done with them.
 *
 * @example
 * const count = (outbox: OutboxSignals) => outbox.pending().length
 * @see docs/api/useOutbox.md#outboxsignals
 */
export interface OutboxSignals {
  readonly pending: Signal<OutboxReading['pending']>
  readonly failed: Signal<OutboxReading['failed']>
  readonly conflicts: Signal<OutboxReading['conflicts']>
  /** Entries survive the end of the page. */
  readonly durable: Signal<OutboxReading['durable']>
  readonly retry: OutboxReading['retry']
  readonly discard: OutboxReading['discard']
}

/**
 * The mutations that wait in the outbox of the store, those that failed, and conflicts, as signals.
 *
 * @example
 * const outbox = injectOutbox()
 * const takeMine = () => outbox.conflicts().forEach(({ id, mine }) => void outbox.retry(id, mine))
 * @see docs/api/useOutbox.md#injectoutbox
 */
export function injectOutbox(): OutboxSignals {
  const source = createOutbox(injectContext().controller)
  const shown = createShown(
    () => source,
    ({ get }) => get(),
  )
  const { retry, discard } = source.get()
  return {
    pending: computed(() => shown().pending),
    failed: computed(() => shown().failed),
    conflicts: computed(() => shown().conflicts),
    durable: computed(() => shown().durable),
    retry,
    discard,
  }
}
