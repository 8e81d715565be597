import type { Outbox, OutboxOptions } from './OutboxOptions.ts'
import { OutboxManager } from './OutboxManager.ts'

/**
 * Queues mutations: they are shown at once, saved, and sent in order, also after a reload. Give it to a store before its other managers.
 *
 * @example
 * const sending = outbox({ endpoints: { 'todo.update': Todos.partialUpdate } })
 * createStore({ managers: [sending, persist({ name: 'shop' }), ...getDefaultManagers()] })
 * @see docs/api/outbox.md
 */
export function outbox(options: OutboxOptions): Outbox {
  return new OutboxManager(options)
}
