import { LiveManager, webSocket } from 'restitch/live'
import { getQuotes, Quote } from './market.ts'

const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/stream`
const listeners = new Set<() => void>()

/** Writes the prices of a WebSocket into the store. It reconnects by itself, and then fetches what it may have missed. */
export const live = new LiveManager({
  connect: webSocket(url),
  receive: ({ data }, { set }) => {
    for (const quote of data as Quote[]) {
      set(Quote, quote)
    }
  },
  covers: [getQuotes],
  onStatus: () => listeners.forEach((notify) => notify()),
})

/** Whether prices are live, for `useSyncExternalStore`. */
export const connection = {
  isLive: (): boolean => live.status === 'open',
  subscribe(notify: () => void): () => void {
    listeners.add(notify)
    return () => listeners.delete(notify)
  },
}
