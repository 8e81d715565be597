import type { Reads } from './read.ts'
import type { Result } from './Result.ts'
import type { Store } from '../store/Store.ts'
import type { Dispatch } from './actions.ts'
import type { Call } from './Call.ts'

/** The parts that requests need. `Core` has them. */
export interface Host {
  readonly store: Store
  readonly reads: Reads
  /** Passes actions to managers; a store without a network has none. */
  readonly controller: { readonly dispatch: Dispatch } | undefined
  /** Called before the app fetches. */
  readonly onCall: (() => void) | undefined
  /** All that is known of a key, and of all keys. */
  result(key: string): Result
  readonly results: readonly Result[]
  /** Stores a response, or a failure, that no open request is waiting for. */
  respond(call: Call, response: unknown, isError?: boolean): void
  /** Ends a change: applies pending operations to it and notifies readers. */
  end(own?: boolean): void
  /** Makes a change in the caller's stack. */
  change(run: () => unknown): void
  /** A server responds again: readers that wait, or have nothing to show because it failed, fetch. */
  recover(): void
  /** A mutation has ended: what waited for quiet goes on. */
  mutationEnded(): void
}
