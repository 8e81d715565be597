import type { ComputedRef } from 'vue'
import { createOutbox, type OutboxReading } from '../binding/createOutbox.ts'
import { useShown } from './reader.ts'
import { useController } from './useController.ts'

/**
 * The result of `useOutbox` in Vue.
 *
 * @example
 * const count = ({ pending }: OutboxRefs) => pending.value.length
 * @see docs/api/useOutbox.md#outboxrefs
 */
export type OutboxRefs = {
  readonly [K in keyof OutboxReading]: K extends 'retry' | 'discard' ? OutboxReading[K] : ComputedRef<OutboxReading[K]>
}

/**
 * The mutations that wait in the outbox of the store, those that failed, and conflicts.
 *
 * @example
 * const { pending, conflicts, retry, discard } = useOutbox()
 * const takeMine = () => conflicts.value.forEach(({ id, mine }) => void retry(id, mine))
 * @see docs/api/useOutbox.md#vue
 */
export function useOutbox(): OutboxRefs {
  const outbox = createOutbox(useController())
  const member = <K extends keyof OutboxReading>(name: K): ComputedRef<OutboxReading[K]> =>
    useShown({ value: outbox }, ({ get }) => get()[name])
  const { retry, discard } = outbox.get()
  return {
    pending: member('pending'),
    failed: member('failed'),
    conflicts: member('conflicts'),
    durable: member('durable'),
    retry,
    discard,
  }
}
