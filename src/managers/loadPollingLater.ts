import type { PollingSubscription } from './PollingSubscription.ts'

/** Browsers load polling at the first subscription. */
export async function loadPolling(): Promise<typeof PollingSubscription> {
  return (await import('./PollingSubscription.ts')).PollingSubscription
}
