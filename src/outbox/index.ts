export { outbox } from './outbox.ts'
export type { Outbox, OutboxEntry, OutboxOptions, OutboxState, QueuedEndpoint } from './OutboxOptions.ts'
export type { EntryError, EntryState } from './Entry.ts'
