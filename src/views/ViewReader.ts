import { report } from '../base/report.ts'
import type { Target } from '../requests/Reading.ts'
import type { ViewChange } from './View.ts'

/** One that is notified of changes. */
export interface ViewReader {
  notify(change: ViewChange): void
  /** It never fetches. */
  readonly passive?: boolean | undefined
  /** The name of the component, where the devtools need it. */
  readonly name?: string | undefined
  /** A component, with the endpoint that it reads by at the moment: it follows the signal of that. */
  readonly by?: ReadBy | undefined
}

export interface ReadBy {
  readonly target?: Target | undefined
}

/** Calls readers. One that fails stops nobody. */
export function notifyAll(readers: ReadonlySet<ViewReader>, change: ViewChange): void {
  // A reader may remove others; those it adds have seen the new value.
  for (const reader of Array.from(readers)) {
    try {
      if (readers.has(reader)) {
        reader.notify(change)
      }
    } catch (thrown) {
      report(thrown)
    }
  }
}
