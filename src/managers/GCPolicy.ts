import { forget } from '../controller/collect.ts'
import type { Controller } from '../controller/Controller.ts'
import type { CountRefOptions, CreateCountRef, GCInterface } from '../controller/GCInterface.ts'
import { sourcesOf } from '../denormalize/query.ts'
import type { RowTimes } from '../store/State.ts'
import { report } from '../base/report.ts'
import { runInBackground } from './runInBackground.ts'

/** Options of a GCPolicy: when unused data is evicted. */
export interface GCOptions {
  /** Milliseconds between two sweeps. */
  readonly intervalMS?: number | undefined
  /** How many times as long as it is fresh data is kept; two minutes at least. */
  readonly expiryMultiplier?: number | undefined
  /** Returns when a row or result with these times may be removed; replaces the multiplier. */
  readonly expiresAt?: ((meta: RowTimes) => number) | undefined
}

const tools = { sourcesOf, forget, report }

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
    let controller: Controller | undefined
    let end: (() => void) | undefined
    /** References counted before the store started, each with its release function since then. */
    const early = new Map<CountRefOptions, (() => void) | undefined>()

    this.createCountRef = (names) => () => {
      if (controller) {
        return controller.core.hold(names)
      }
      const own = { ...names }
      early.set(own, undefined)
      return () => {
        early.get(own)?.()
        early.delete(own)
      }
    }
    this.init = (given) => {
      controller = given
      for (const names of early.keys()) {
        early.set(names, early.get(names) ?? given.core.hold(names))
      }
      const whenIdle = this.idleCallback?.bind(this, given)
      end = runInBackground(given.clock, ({ startSweeps }) => startSweeps(given, options, tools, whenIdle))
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
