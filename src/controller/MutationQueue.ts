import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'

/** A mutation in a queue that is not due yet. */
export interface HeldMutation {
  readonly promise: Promise<any>
  /** Sends it now. */
  send(): void
  /** Takes it back: nothing is sent. */
  undo(): void
}

/** The queue of mutations of a store, as hooks use it. */
export interface MutationQueue {
  /** The outbox of the store. */
  readonly outbox: object
  /** Queues a mutation that is sent later; `undefined` if the endpoint is not queued. */
  hold(endpoint: EndpointInterface, args: readonly any[], within: number): HeldMutation | undefined
}
