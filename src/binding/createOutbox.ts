import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Outbox, OutboxState } from '../outbox/OutboxOptions.ts'
import type { Source } from './createPolling.ts'

/**
 * The result of `useOutbox`: the entries of the user who is signed in, and what can be done with them.
 *
 * @example
 * const Waiting = ({ reading }: { reading: OutboxReading }) => <p>{reading.pending.length} changes wait</p>
 * @see docs/api/useOutbox.md#outboxreading
 */
export interface OutboxReading extends OutboxState, Pick<Outbox, 'retry' | 'discard'> {}

const sources = /* @__PURE__ */ new WeakMap<object, OutboxSource>()

/** A source whose state is the same object until the entries change. */
export interface OutboxSource extends Source {
  get(): OutboxReading
}

/** The outbox of a store, for components. */
export function createOutbox(controller: Controller): OutboxSource {
  const { queue } = controller.core
  if (!queue) {
    throw fail(
      'outbox-missing',
      'outbox',
      DEV &&
        'A component reads the outbox of a store that has none. Give it one, before its other managers: managers: [outbox({ endpoints }), …].',
    )
  }
  return recall(sources, queue, () => sourceOf(queue.outbox as Outbox))
}

function sourceOf(outbox: Outbox): OutboxSource {
  const retry: Outbox['retry'] = (id, body) => outbox.retry(id, body)
  const discard: Outbox['discard'] = (id) => outbox.discard(id)
  let reading: OutboxReading | undefined
  return {
    subscribe: outbox.subscribe,
    get() {
      const { pending, failed, conflicts, durable } = outbox
      const isSame =
        reading?.pending === pending &&
        reading.failed === failed &&
        reading.conflicts === conflicts &&
        reading.durable === durable
      return isSame ? reading! : (reading = { pending, failed, conflicts, durable, retry, discard })
    },
  }
}
