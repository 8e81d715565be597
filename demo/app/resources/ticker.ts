import { Entity } from 'restitch'
import { ApiEndpoint } from './api.ts'

/** Build minutes: `build` is what was polled, `stream` what the server told by itself. */
export class Ticker extends Entity {
  id = ''
  minutes = 0
  at = ''
  history: number[] = []
  static override key = 'Ticker'
}

export const getTicker = new ApiEndpoint({ path: '/ticker', schema: Ticker, pollFrequency: 2_000 })
