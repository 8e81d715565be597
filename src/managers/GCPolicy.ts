import { loadSweep } from '#sweep'
import { whenIdle } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { forget } from '../controller/collect.ts'
import type { Controller } from '../controller/Controller.ts'
import type { CountRefOptions, CreateCountRef, GCInterface } from '../controller/GCInterface.ts'
import { sourcesOf } from '../denormalize/query.ts'
import { observerOf } from '../explain/observers.ts'
import type { RowTimes } from '../store/State.ts'
import { report } from '../base/report.ts'

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
    const { intervalMS = 300_000 } = options
    let controller: Controller | undefined
    let timer: unknown
    /** Stands for the sweep that may go on. */
    let current: object | undefined
    /** References counted before the store started, each with its release function since then. */
    const early = new Map<CountRefOptions, (() => void) | undefined>()

    const wait = (): void => {
      // Timers count in 32 bits: a longer wait would end at once.
      if (intervalMS < 2 ** 31) {
        timer = controller!.clock.setTimeout(begin, intervalMS)
      }
    }
    const begin = (): void => {
      const mine = (current = {})
      const isOver = (): boolean => current !== mine
      const later = (run: () => void): void => this.idleCallback(controller!, () => isOver() || run())
      const end = (): void => {
        if (!isOver()) {
          wait()
        }
      }
      // If the code of a sweep cannot be loaded, the next one tries again.
      loadSweep(({ runSweep }) => later(() => runSweep(controller!, options, tools, later, end)), end)
    }

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
      if (DEV) {
        const observer = observerOf(controller)
        if (observer) {
          loadSweep(
            ({ limitBy }) => (observer.limit = limitBy(options)),
            () => {},
          )
        }
      }
      for (const names of early.keys()) {
        early.set(names, early.get(names) ?? controller.core.hold(names))
      }
      wait()
    }
    this.cleanup = () => {
      controller?.clock.clearTimeout(timer)
      timer = current = undefined
    }
  }

  /** Schedules the next slice of a sweep: when the page is idle. */
  protected idleCallback({ clock }: Controller, run: () => void): void {
    whenIdle(run, () => clock.setTimeout(run, 0))
  }
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
