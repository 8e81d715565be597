// A server that does what networks and servers do at their worst.
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type Answer, json, redirect, send } from '../server.ts'

const TYPE = { 'content-type': 'application/json' }

/** The response without a fault. */
export const GOOD: readonly { readonly id: string; readonly title: string }[] = Array.from({ length: 40 }, (_, i) => ({
  id: String(i + 1),
  title: `title ${i + 1}`,
}))
const TEXT = JSON.stringify(GOOD)

/** Sends a part of a response and closes the connection. */
const cut =
  (headers: Record<string, string>): Answer =>
  (_, response) => {
    response.writeHead(200, { ...TYPE, ...headers })
    response.write(TEXT.slice(0, 100), () => response.socket?.destroy())
  }

/** Failures of the network: the response did not arrive. */
export const BROKEN: Readonly<Record<string, Answer>> = {
  'a connection that is reset': (_, response) => response.socket?.resetAndDestroy(),
  'a connection that is closed before the response': (_, response) => response.socket?.destroy(),
  'a body shorter than its length': cut({ 'content-length': String(TEXT.length) }),
  'a chunked body that breaks off': cut({}),
  'a body that is not the gzip it says': send(TEXT, { ...TYPE, 'content-encoding': 'gzip' }),
}

/** Responses that arrived and cannot be used. */
export const REFUSED: Readonly<Record<string, Answer>> = {
  'a cut that no length shows': send(TEXT.slice(0, 100), { ...TYPE, connection: 'close' }),
  'half of a gzip': send(gzipSync(TEXT).subarray(0, 60), { ...TYPE, 'content-encoding': 'gzip' }),
  'a length that is too small': send(TEXT, { ...TYPE, 'content-length': String(TEXT.length - 5) }),
  'a number instead of a list': json(5),
  'a list in a list': json([[{ id: '1' }]]),
  'a record without an id': json([{ title: 'nobody' }]),
  'a picture': send(new Uint8Array([0x89, 0x50, 0x4e, 0x47]), { 'content-type': 'image/png' }),
}

/** Servers that say no. */
export const DOWN: Readonly<Record<string, Answer>> = {
  'a 500': json({ error: 'down' }, 500),
  'a 503 without words': send('', {}, 503),
  'a 502 of a proxy': send('<html>Bad gateway</html>', { 'content-type': 'text/html' }, 502),
}

/** Says when to come again. */
export const busy = (status: 429 | 503, after: string): Answer => send('', { 'retry-after': after }, status)

/** Redirects to another origin. */
export const elsewhere = (origin: string): Answer => redirect(302, `${origin}/taken`)

/** Starts a response, or not even that, and never ends it. */
export const stall =
  (begins: boolean): Answer =>
  (_, response) => {
    if (begins) {
      response.writeHead(200, TYPE).write(TEXT.slice(0, 100))
    }
  }

/** Keeps requests until the test responds, in any order. */
export class Held {
  readonly waiting: ServerResponse[] = []
  private readonly comers: (() => void)[] = []

  readonly answer: Answer = (_, response) => {
    this.waiting.push(response)
    for (const come of this.comers.splice(0)) {
      come()
    }
  }

  /** Until so many requests have come. */
  async come(count: number): Promise<void> {
    while (this.waiting.length < count) {
      await new Promise<void>((done) => this.comers.push(done))
    }
  }

  say(which: number, value: unknown, status = 200): void {
    this.waiting[which]!.writeHead(status, TYPE).end(JSON.stringify(value))
  }
}
