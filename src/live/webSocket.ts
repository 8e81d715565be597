import { createHeartbeat } from './eventStream.ts'
import type { LiveConnect, LiveLink } from './LiveLink.ts'

/** The options of `webSocket`. */
export interface WebSocketOptions {
  readonly protocols?: string | readonly string[] | undefined
  /** The first message, such as a token. */
  readonly hello?: ((link: LiveLink) => unknown) | undefined
  /** The message that starts or ends a topic. */
  readonly watch?: ((topic: string, isNeeded: boolean) => unknown) | undefined
  /** The server sends something at least so often, in milliseconds; after a longer silence the connection counts as lost. */
  readonly heartbeat?: number | undefined
}

/**
 * Connects to a WebSocket. The URL may be computed, for example with a fresh token, before each attempt.
 *
 * @example
 * new LiveManager({ connect: webSocket('wss://api.test/live'), receive: ({ data }, { set }) => set(Todo, data) })
 * @see docs/api/webSocket.md
 */
export function webSocket(
  url: string | ((link: LiveLink) => string | Promise<string>),
  { protocols, hello, watch, heartbeat }: WebSocketOptions = {},
): LiveConnect {
  return async (link) => {
    const address = typeof url === 'function' ? await url(link) : url
    const first = await hello?.(link)
    if (link.signal.aborted) {
      return
    }
    const socket = new WebSocket(address, protocols as string[] | undefined)
    const beat = createHeartbeat(link, heartbeat)
    const send = (message: unknown): void => {
      if (socket.readyState === 1) {
        socket.send(typeof message === 'string' ? message : JSON.stringify(message))
      }
    }
    /** Each event of the socket starts the wait for the next one. */
    let next: () => void = () => {}
    const events: (() => boolean)[] = []
    const on = (type: string, handle: (event: MessageEvent) => boolean): void =>
      socket.addEventListener(type, (event) => {
        events.push(() => handle(event as MessageEvent))
        next()
      })
    on('open', () => {
      if (hello) {
        send(first)
      }
      if (watch) {
        link.topics.forEach((topic) => send(watch(topic, true)))
        link.onTopic = (topic, isNeeded) => send(watch(topic, isNeeded))
      }
      link.open()
      return true
    })
    on('message', ({ data }) => {
      if (typeof data === 'string') {
        link.receive(data)
      }
      return true
    })
    // A close event follows. Without a listener, Node would throw.
    on('error', () => true)
    on('close', () => false)
    try {
      for (let isOpen = true; isOpen;) {
        if (events.length === 0) {
          await beat.race(new Promise<void>((resolve) => (next = resolve)))
        }
        for (const handle of events.splice(0)) {
          isOpen = handle() && isOpen
        }
      }
    } finally {
      beat.end()
      link.onTopic = undefined
      socket.close()
    }
  }
}
