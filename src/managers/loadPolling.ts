import { PollingSubscription as Polling } from './PollingSubscription.ts'

/**
 * Polls one key at the highest rate that its subscribers request.
 *
 * @example
 * new SubscriptionManager(PollingSubscription)
 * @see docs/api/SubscriptionManager.md#pollingsubscription
 */
// The entry points export this constant. esbuild would load a class that they export again with the page, even where nothing but
// a dynamic import uses it.
export const PollingSubscription: typeof Polling = Polling
export type PollingSubscription = Polling

/** @internal Servers, workers and React Native have polling in one file with the rest. */
export function loadPolling(): typeof Polling | Promise<typeof Polling> {
  return Polling
}
