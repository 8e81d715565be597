import { PollingSubscription } from './PollingSubscription.ts'

/** Servers, workers and React Native have polling in one file with the rest. */
export function loadPolling(): typeof PollingSubscription | Promise<typeof PollingSubscription> {
  return PollingSubscription
}
