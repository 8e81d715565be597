import { Entity } from 'restitch'
import { ApiEndpoint } from './api.ts'

/** Build minutes: `build` is polled, `stream` is pushed by the server. */
export class Ticker extends Entity {
  id = ''
  minutes = 0
  at = ''
  history: number[] = []
  static override key = 'Ticker'
}

export const getTicker = new ApiEndpoint({ path: '/ticker', schema: Ticker, pollFrequency: 2_000 })

/** Subscribe to it with `useSubscription`: `EventStreamManager` then stores the events of the server. */
export const streamTicker = new ApiEndpoint({ path: '/ticker/stream', schema: Ticker })
