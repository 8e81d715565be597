import type { Clock } from '../base/clock.ts'
import { deferred } from './actions.ts'

/** Timers of a store that end early when it stops. */
export interface Timers {
  /** @param isAwaited a process in Node stays alive for it */
  wait(milliseconds: number, isAwaited?: boolean): { readonly promise: Promise<void>; wake(): void }
  wakeAll(): void
}

export function createTimers(clock: Clock): Timers {
  const running = new Set<() => void>()
  return {
    wait(milliseconds, isAwaited) {
      const { promise, resolve } = deferred<void>()
      const wake = (): void => {
        running.delete(wake)
        clock.clearTimeout(timer)
        resolve()
      }
      const timer = clock.setTimeout(wake, milliseconds) as { ref?(): void } | undefined
      if (isAwaited) {
        timer?.ref?.()
      }
      running.add(wake)
      return { promise, wake }
    },
    wakeAll() {
      for (const wake of running) {
        wake()
      }
    },
  }
}
