/**
 * A change in the outbox that the server does not have yet.
 *
 * @example
 * const onUnsent = (entries: readonly UnsentEntry[]) => confirm(`Discard ${entries.length} unsent changes?`)
 * @see docs/api/persist.md#unsententry
 */
export interface UnsentEntry {
  readonly id: string
  /** The id of its endpoint, as the app has named it. */
  readonly endpoint: string
  readonly args: readonly any[]
  readonly createdAt: number
}
