import type { Manager, Middleware, MiddlewareAPI } from 'restitch'
import { Connection, getQuotes, Quote } from './market.ts'

const MAX_DELAY = 30_000

/** Writes the prices of a WebSocket into the store, and reconnects when the connection is lost. */
export class SocketManager implements Manager {
  private readonly url: string
  private controller!: MiddlewareAPI
  private socket: WebSocket | undefined
  private timer: unknown
  private failures = 0

  constructor(url: string) {
    this.url = url
  }

  middleware: Middleware = (controller) => {
    this.controller = controller
    return (next) => next
  }

  /** Called when the store starts. */
  init(): void {
    this.connect()
  }

  /** Called when the store stops. */
  cleanup(): void {
    this.controller.clock.clearTimeout(this.timer)
    this.socket?.close()
    this.socket = undefined
  }

  private connect(): void {
    const socket = new WebSocket(this.url)
    this.socket = socket
    socket.onopen = () => {
      this.report(true)
      // Prices may have changed while there was no connection.
      if (this.failures > 0) {
        void this.controller.expireAll(getQuotes)
      }
      this.failures = 0
    }
    socket.onmessage = ({ data }) => {
      for (const { symbol, price } of JSON.parse(data) as { symbol: string; price: number }[]) {
        void this.controller.set(Quote, { symbol }, { symbol, price })
      }
    }
    socket.onclose = () => {
      // `cleanup` has closed it.
      if (this.socket !== socket) {
        return
      }
      this.report(false)
      const delay = Math.min(250 * 2 ** this.failures, MAX_DELAY)
      this.failures += 1
      this.timer = this.controller.clock.setTimeout(() => this.connect(), delay)
    }
  }

  private report(isOpen: boolean): void {
    void this.controller.set(Connection, { id: 'socket' }, { id: 'socket', isOpen })
  }
}
