import type { Reading } from '../requests/Reading.ts'

/** A read of one endpoint or schema with its arguments. */
export interface View<T = any, R = T> {
  /** The data in the store. It never fetches. */
  read(): Omit<Reading, 'data'> & { readonly data: T }
  /**
   * Calls the listener when the value or its freshness changes. Until it ends, stale and missing data is fetched, unless the
   * subscriber is passive.
   */
  subscribe(listener: (change: ViewChange) => void, passive?: boolean): () => void
  /** Fetches if that is needed and resolves to the data. */
  promise(): Promise<R>
}

/** The kind of a change: the value, or only how fresh it is. */
export type ViewChange = 'value' | 'freshness'
