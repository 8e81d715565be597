import { createOutbox as createSource, type OutboxReading } from '../binding/createOutbox.ts'
import { createShown, defineMembers } from './reader.ts'
import { useController } from './useController.ts'

/**
 * The mutations that wait in the outbox of the store, those that failed, and conflicts.
 *
 * @example
 * const outbox = createOutbox()
 * const takeMine = () => outbox.conflicts.forEach(({ id, mine }) => void outbox.retry(id, mine))
 * @see docs/api/useOutbox.md#createoutbox
 */
export function createOutbox(): OutboxReading {
  const source = createSource(useController())
  const shown = createShown(
    () => source,
    ({ get }) => get(),
  )
  const { retry, discard } = source.get()
  return defineMembers(
    { retry, discard },
    {
      pending: () => shown().pending,
      failed: () => shown().failed,
      conflicts: () => shown().conflicts,
      durable: () => shown().durable,
    },
  ) as never
}
