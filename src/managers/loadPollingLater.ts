import type { PollingSubscription } from './PollingSubscription.ts'

/** Browsers load polling at the first subscription. */
export function loadPolling(): Promise<typeof PollingSubscription> {
  return import('./PollingSubscription.ts').then((code) => code.PollingSubscription)
}
