import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  /** Names and values in turn, as they were sent: a header that was sent twice is here twice. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

/** Responds to a request. */
export type Answer = (request: Received, response: ServerResponse) => void

/** A server on the loopback interface that keeps what it received. */
export interface TestServer {
  readonly origin: string
  readonly received: readonly Received[]
  /** The request that came last. */
  readonly last: Received
  /** Takes effect for the requests that follow, and forgets those that came. */
  answer(answer: Answer): void
  close(): Promise<void>
}

export async function openServer(answer: Answer = json({})): Promise<TestServer> {
  let current = answer
  let received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request
      const all = { method, url, headers, rawHeaders, body: Buffer.concat(chunks) }
      received.push(all)
      current(all, response)
    })
  })
  // A busy machine may take its time between two requests: a connection that is just being closed would be cut.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get received() {
      return received
    },
    get last() {
      const last = received.at(-1)
      if (!last) {
        throw new Error('No request has come')
      }
      return last
    },
    answer(next) {
      current = next
      received = []
    },
    close() {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}

/** Responds with a JSON value. */
export function json(value: unknown, status = 200): Answer {
  return send(JSON.stringify(value), { 'content-type': 'application/json' }, status)
}

/** Responds with these bytes and headers; `Content-Length` is their length unless passed. */
export function send(body: string | Uint8Array = '', headers: Record<string, string> = {}, status = 200): Answer {
  return (_, response) => response.writeHead(status, headers).end(body)
}

/** Responds with a redirect. */
export function redirect(status: number, location: string): Answer {
  return send('', { location }, status)
}
