import { createOutbox as createSource, type OutboxReading } from '../binding/createOutbox.ts'
import { useController } from './context.ts'
import { createMembers } from './members.ts'

/**
 * The mutations that wait in the outbox of the store, those that failed, and conflicts.
 *
 * @example
 * const outbox = createOutbox()
 * const takeMine = () => outbox.conflicts.forEach(({ id, mine }) => void outbox.retry(id, mine))
 * @see docs/api/useOutbox.md#createoutbox
 */
export function createOutbox(): OutboxReading {
  const controller = useController()
  const source = createSource(controller)
  return createMembers(controller, () => source, {
    pending: ({ get }) => get().pending,
    failed: ({ get }) => get().failed,
    conflicts: ({ get }) => get().conflicts,
    durable: ({ get }) => get().durable,
    retry: ({ get }) => get().retry,
    discard: ({ get }) => get().discard,
  }) as never
}
