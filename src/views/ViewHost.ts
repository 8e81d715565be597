import type { Host } from '../requests/Host.ts'
import type { Reading, Target } from '../requests/Reading.ts'
import type { Requests } from '../requests/Requests.ts'
import type { SharedView } from './SharedView.ts'
import type { ViewChange } from './View.ts'

/** The parts that views need. `Core` has them. */
export interface ViewHost extends Pick<Host, 'store' | 'reads' | 'respond'> {
  readonly requests: Requests
  /** Nobody sees the page: what events put in doubt is fetched when it is shown. */
  readonly isHidden: boolean
  /** The views with readers on the screen. */
  readonly mounted: Set<SharedView>
  /** Called when data arrives that a reader suspended for. */
  readonly arrivals: ReadonlySet<() => void>
  readonly observer: ViewObserver | undefined
  /**
   * Looks for missing data on a disk. Returns a promise while that takes, and `undefined` where nothing is left to find.
   *
   * @param hasFailed the request for it has failed, so that a slow disk is waited for
   */
  readonly recall: ((view: SharedView, hasFailed?: boolean) => Promise<unknown> | undefined) | undefined
}

/** Told why readers fetch and what they are notified of, for the devtools. */
export interface ViewObserver {
  /** The next request for a key is sent for this reason, or because of what a reader has read. */
  because(key: string, why: string | Reading): void
  /** Listeners of a view are about to be called. */
  notifying(view: SharedView, change: ViewChange): void
  /** The reading of a view while the devtools show an earlier state; in development. */
  past: ((view: SharedView, by: Target) => Reading) | undefined
}
