import type { Controller } from '../controller/Controller.ts'
import type { CountRefOptions, CreateCountRef, GCInterface } from '../controller/GCInterface.ts'
import type { RowTimes } from '../store/stateShape.ts'
import { startSweeps } from './sweep.ts'

/** Options of a GCPolicy: when unused data is evicted. */
export interface GCOptions {
  /** Milliseconds between two sweeps. */
  readonly intervalMS?: number | undefined
  /** How many times as long as it is fresh data is kept; two minutes at least. */
  readonly expiryMultiplier?: number | undefined
  /** Returns when a row or result with these times may be removed; replaces the multiplier. */
  readonly expiresAt?: ((meta: RowTimes) => number) | undefined
}

/**
 * Removes data that nobody has read for a while.
 *
 * @example
 * createStore({ gcPolicy: new GCPolicy({ expiryMultiplier: 10 }) })
 * @see docs/api/GCPolicy.md
 */
export class GCPolicy implements GCInterface {
  declare readonly createCountRef: CreateCountRef
  declare readonly init: (controller: Controller) => void
  declare readonly cleanup: () => void

  constructor(options: GCOptions = {}) {
    let end: (() => void) | undefined
    const holds = new Set<CountRefOptions>()

    this.createCountRef = (names) => () => {
      // An object for each holder. It inherits: a reading names the rows that it has by then.
      const own = Object.create(names) as CountRefOptions
      holds.add(own)
      return () => holds.delete(own)
    }
    this.init = (controller) => {
      controller.core.holds = holds
      const whenIdle = this.idleCallback?.bind(this, controller)
      end = startSweeps(controller, options, whenIdle)
    }
    this.cleanup = () => end?.()
  }

  /** Schedules the next slice of a sweep; without it, a slice runs when the page is idle. */
  protected idleCallback?(controller: Controller, run: () => void): void
}

/**
 * Removes nothing.
 *
 * @example
 * createStore({ gcPolicy: new ImmortalGCPolicy() })
 * @see docs/api/GCPolicy.md#immortalgcpolicy
 */
export class ImmortalGCPolicy implements GCInterface {
  readonly createCountRef: CreateCountRef = () => () => () => {}
  init(): void {}
  cleanup(): void {}
}
