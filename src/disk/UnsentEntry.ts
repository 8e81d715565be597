import { isObject } from '../base/equal.ts'

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

/** True for what a database holds as an entry, if an app can be asked about it. */
export function isUnsent(value: unknown): value is UnsentEntry {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['endpoint'] === 'string' &&
    Array.isArray(value['args']) &&
    typeof value['createdAt'] === 'number'
  )
}
