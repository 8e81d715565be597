import type { DiskOptions } from '../disk/DiskOptions.ts'
import type { UnsentEntry } from '../disk/UnsentEntry.ts'

/** An Entity, or an endpoint. */
export type PersistTarget = { readonly key: string } | { testKey(key: string): boolean }

/**
 * Options of `persist`.
 *
 * @example
 * const options: PersistOptions = { name: 'shop', version: 3, user: () => localStorage.getItem('userId'), exclude: [User] }
 * @see docs/api/persist.md
 */
export interface PersistOptions extends Pick<DiskOptions, 'name' | 'user' | 'storage' | 'onError'> {
  /** The version of the app's data; by default 1. Rows of other versions are not read. */
  readonly version?: number | undefined
  /** Entities and endpoints: of these alone records and results are stored. */
  readonly include?: readonly PersistTarget[] | undefined
  /** Entities and endpoints of which nothing is stored. */
  readonly exclude?: readonly PersistTarget[] | undefined
  /** Milliseconds after which rows are deleted; by default a week. */
  readonly maxAge?: number | undefined
  /** Asked at a sign-out what to do with changes that were not sent: `false` keeps them for their user. Without it they are kept. */
  readonly onUnsent?: ((entries: readonly UnsentEntry[]) => unknown) | undefined
  /** `false` deletes unsent changes whenever a session ends, also an expired one: for shared devices. */
  readonly keepUnsent?: boolean | undefined
}
