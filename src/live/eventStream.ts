import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { LiveConnect, LiveLink } from './LiveLink.ts'

/** The options of `eventStream`. */
export interface EventStreamOptions {
  /** Sends the request: `auth.fetch` adds a token. By default `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  readonly headers?: { readonly [name: string]: string } | undefined
  readonly credentials?: RequestCredentials | undefined
  /** The server sends something at least so often, in milliseconds; after a longer silence the connection counts as lost. */
  readonly heartbeat?: number | undefined
}

/** Characters of an event that has not ended; more cannot be a message, and would fill the memory. */
const LIMIT = 1_000_000

/**
 * Connects to server-sent events with `fetch`, so that headers can be sent.
 *
 * @example
 * new LiveManager({ connect: eventStream('https://api.test/events'), receive: ({ data }, { set }) => set(Todo, data) })
 * @see docs/api/eventStream.md
 */
export function eventStream(
  url: string | ((link: LiveLink) => string),
  { fetch: send, headers, credentials, heartbeat }: EventStreamOptions = {},
): LiveConnect {
  return async (link) => {
    const { lastId } = link
    const address = typeof url === 'function' ? url(link) : url
    // Such a platform hands a response over when all of it has arrived, and a stream of events never ends.
    if (!send && !('body' in Response.prototype)) {
      throw unstreamed(address)
    }
    const beat = createHeartbeat(link, heartbeat)
    try {
      const response = await beat.race(
        (send ?? fetch)(address, {
          headers: { ...headers, Accept: 'text/event-stream', ...(lastId && { 'Last-Event-ID': encodeURI(lastId) }) },
          cache: 'no-store',
          signal: link.signal,
          ...(credentials && { credentials }),
        }),
      )
      if (response.status === 204) {
        return false
      }
      check(response, address)
      link.open()
      await readEvents(response.body!, link, beat, address)
      return true
    } finally {
      beat.end()
    }
  }
}

function check(response: Response, address: string): void {
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && type.startsWith('text/event-stream')) {
    if (response.body) {
      return
    }
    throw unstreamed(address)
  }
  response.body?.cancel().catch(() => {})
  throw fail(
    'live-response',
    address,
    DEV &&
      `"${address}" responded with status ${response.status} and the content-type "${type}", which is no stream of events. The connection is tried again.`,
    Error,
    { status: response.ok ? 500 : response.status, response },
  )
}

function unstreamed(address: string): Error {
  return fail(
    'live-unstreamed',
    address,
    DEV &&
      `"${address}" cannot be read as a stream: responses have no "body" here, as in React Native. Use webSocket() instead, or pass a fetch that streams: eventStream(url, { fetch }). No further attempt is made.`,
  )
}

function tooLarge(address: string): Error {
  return fail(
    'live-too-large',
    address,
    DEV &&
      `"${address}" sent more than 1 MB without the end of an event. End each event with an empty line, or send less and let the app fetch the rest. The connection is opened again.`,
    Error,
    { status: 500 },
  )
}

/** Reads lines as the HTML standard describes them: `data`, `event`, `id`, `retry`, and comments. */
async function readEvents(
  body: ReadableStream<Uint8Array>,
  link: LiveLink,
  beat: Heartbeat,
  address: string,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let event = { type: '', data: [] as string[], size: 0 }
  let id = link.lastId
  const readLine = (line: string): void => {
    if (line === '') {
      if (event.data.length > 0) {
        link.receive(event.data.join('\n'), event.type || 'message', id)
      }
      event = { type: '', data: [], size: 0 }
      return
    }
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') {
      event.data.push(value)
      event.size += value.length + 1
    } else if (name === 'event') {
      event.type = value
    } else if (name === 'id' && !value.includes('\0')) {
      id = value
    } else if (name === 'retry' && /^\d+$/.test(value)) {
      link.setDelay(Number(value))
    }
  }
  try {
    for (;;) {
      const { value, done } = await beat.race(reader.read())
      if (done) {
        return
      }
      rest += decoder.decode(value, { stream: true })
      // A "\r" at the end may be the first half of "\r\n".
      const lines = rest.split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop()!
      lines.forEach(readLine)
      if (rest.length + event.size > LIMIT) {
        throw tooLarge(address)
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

interface Heartbeat {
  /** The same promise; rejects when nothing has come for too long, or the connection has to end. */
  race<T>(promise: Promise<T>): Promise<T>
  end(): void
}

/** A connection that is lost without a word looks like one that is silent. Used by both kinds of connections. */
export function createHeartbeat({ clock, signal }: LiveLink, silence: number | undefined): Heartbeat {
  let timer: unknown
  let stop: (error: unknown) => void = () => {}
  const abort = (): void => stop(signal.reason)
  signal.addEventListener('abort', abort)
  const wait = (): void => {
    clock.clearTimeout(timer)
    timer = silence && clock.setTimeout(() => stop(lost(silence)), silence)
  }
  return {
    race: (promise) =>
      new Promise((resolve, reject) => {
        stop = reject
        wait()
        promise.then(resolve, reject)
      }),
    end() {
      clock.clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}

function lost(silence: number): Error {
  return fail(
    'transport',
    'heartbeat',
    DEV && `The server was silent for longer than the heartbeat of ${silence} ms, so the connection counts as lost.`,
    Error,
    { status: 500 },
  )
}
