import { soon } from '../base/clock.ts'
import type { Controller } from '../controller/Controller.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { isSkip } from '../requests/Reading.ts'

/** Something that a component follows while it is on the screen. */
export interface Source {
  /** Returns the function that ends it. */
  readonly subscribe: (notify: () => void) => () => void
}

/** Keeps an endpoint up to date while it is subscribed, as its `pollFrequency` says. It notifies nobody: readers see what arrives. */
export function createPolling(controller: Controller, endpoint: ReadEndpoint, args: readonly any[]): Source {
  return {
    subscribe() {
      if (isSkip(args)) {
        return () => {}
      }
      void controller.subscribe(endpoint, ...args)
      // A microtask later: another subscriber of the same key keeps the timer.
      return () => soon(() => void controller.unsubscribe(endpoint, ...args))
    },
  }
}
