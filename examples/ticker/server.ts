import { WebSocketServer } from 'ws'
import { Reply, serveRoutes } from './shared/api.ts'
import type { Api } from './shared/config.ts'

export interface MarketApi extends Api {
  /** Changes prices, and sends the changes in one message. */
  publish(changes: Record<string, number>): void
  /** Changes prices without a message. */
  change(changes: Record<string, number>): void
  /** The number of open connections. */
  countClients(): number
  /** Closes all connections, as a server that restarts. */
  drop(): void
}

const INSTRUMENTS: Record<string, { name: string; open: number }> = {
  ACME: { name: 'Acme Anvils', open: 100 },
  GLOB: { name: 'Globex', open: 50 },
  HOOL: { name: 'Hooli', open: 200 },
}

/** Prices over HTTP, and their changes over a WebSocket. Maps are keyed by symbol. */
export function createApi(): MarketApi {
  const prices = Object.fromEntries(Object.entries(INSTRUMENTS).map(([symbol, { open }]) => [symbol, open]))
  const holdings: Record<string, number> = { ACME: 10, HOOL: 2 }
  const sockets = new WebSocketServer({ noServer: true })

  return {
    middleware: serveRoutes({
      'GET /api/instruments': () => INSTRUMENTS,
      'GET /api/quotes': () => Object.fromEntries(Object.entries(prices).map(([symbol, price]) => [symbol, { price }])),
      'GET /api/holdings': () => Object.keys(holdings).map(describeHolding),
      'POST /api/orders': ({ body: { symbol, quantity } }) => {
        const left = (holdings[symbol] ?? 0) + quantity
        if (left < 0) {
          throw new Reply(422, { message: 'You cannot sell more than you have' })
        }
        holdings[symbol] = left
        return new Reply(201, { holding: describeHolding(symbol) })
      },
    }),
    upgrade: (request, socket, head) => sockets.handleUpgrade(request, socket, head, () => {}),
    change: (changes) => void Object.assign(prices, changes),
    publish(changes) {
      Object.assign(prices, changes)
      const message = JSON.stringify(Object.entries(changes).map(([symbol, price]) => ({ symbol, price })))
      sockets.clients.forEach((client) => client.send(message))
    },
    countClients: () => sockets.clients.size,
    drop: () => sockets.clients.forEach((client) => client.terminate()),
    close: () => sockets.clients.forEach((client) => client.terminate()),
  }

  function describeHolding(symbol: string) {
    return { symbol, quantity: holdings[symbol] }
  }
}
