import type { DiskStorage } from './DiskStorage.ts'

/** Where a store keeps its data. */
export interface DiskOptions {
  /** The name of the app on this origin; by default `restitch`. */
  readonly name?: string | undefined
  /** The id of the user who is signed in; `undefined` for nobody, for whom nothing is read or written. */
  readonly user?: (() => User | Promise<User>) | undefined
  /** By default `indexedDBStorage()`. On a server nothing is stored. */
  readonly storage?: DiskStorage | undefined
  /** Called once when the storage cannot be used, and for each row that cannot be written. By default it is logged in development. */
  readonly onError?: ((error: Error) => void) | undefined
  /** The version of the app's data; by default 1. */
  readonly version?: number | undefined
}

export type User = string | number | null | undefined
