import { whenIdle } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { GC } from '../controller/actionTypes.ts'
import type { Controller } from '../controller/Controller.ts'
import type { CountRefOptions, CreateCountRef, GCInterface } from '../controller/GCInterface.ts'
import { observerOf } from '../explain/observers.ts'
import type { Garbage } from '../controller/collect.ts'
import type { Meta } from '../schema/Schema.ts'
import { limitOf } from './expiry.ts'
import type { RowTimes } from '../store/State.ts'
import { report } from '../store/subscriptions.ts'
import { sweep as sweepStore } from './sweep.ts'

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

  constructor({ intervalMS = 300_000, expiryMultiplier = 2, expiresAt }: GCOptions = {}) {
    let controller: Controller | undefined
    let sweep: Generator<Garbage, void> | undefined
    let timer: unknown
    /** References counted before the store started, each with its release function since then. */
    const early = new Map<CountRefOptions, (() => void) | undefined>()

    const limit = (meta: Meta, isResult: boolean): number =>
      expiresAt?.(meta) ?? limitOf(meta, expiryMultiplier, isResult)
    const wait = (): void => {
      // Timers count in 32 bits: a longer wait would end at once.
      if (intervalMS < 2 ** 31) {
        timer = controller!.clock.setTimeout(begin, intervalMS)
      }
    }
    const later = (): void => {
      const mine = sweep
      this.idleCallback(controller!, () => {
        if (sweep === mine && mine) {
          step()
        }
      })
    }
    const begin = (): void => {
      sweep = sweepStore(controller!.core, limit)
      later()
    }
    const step = (): void => {
      try {
        const { value, done } = sweep!.next()
        if (value && value.entities.length + value.endpoints.length > 0) {
          controller!.dispatch({ type: GC, ...value }).catch(report)
        }
        if (!done) {
          return later()
        }
      } catch (error) {
        report(error)
      }
      sweep = undefined
      wait()
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
          observer.limit = limit
        }
      }
      for (const names of early.keys()) {
        early.set(names, early.get(names) ?? controller.core.hold(names))
      }
      wait()
    }
    this.cleanup = () => {
      controller?.clock.clearTimeout(timer)
      timer = undefined
      sweep?.return()
      sweep = undefined
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
