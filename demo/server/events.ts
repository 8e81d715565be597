import type { Clock } from './clock.ts'
import type { Db } from './db.ts'
import { READERS, type Kind } from './records.ts'
import { readTicker } from './ticker.ts'

/** Tells what was written: to the database, and to every stream that is open. */
export interface Events {
  /**
   * Runs `work` in a transaction. Its notes are stored with it, and sent to the streams once it is committed.
   */
  write<T>(work: (note: Note) => T): T
  /** A stream of server-sent events, beginning after the change that `lastId` names. */
  open(session: string, lastId: string | undefined): ReadableStream<Uint8Array>
  /** Ends the streams of one session, or all. */
  close(session?: string): void
  /** Tells every stream that it can no longer follow. */
  announceLoss(): void
}

export type Note = (kind: Kind, id: number, event?: 'set' | 'create' | 'delete') => void

interface Change {
  number: number
  kind: Kind
  id: number
  event: 'set' | 'create' | 'delete'
}

interface Stream {
  session: string
  send(text: string): void
  end(): void
}

/** How many changes a stream can have missed. */
const KEPT = 2000
const HEARTBEAT = 15_000
const BACKLOG = 2 * KEPT

export function createEvents(db: Db, clock: Clock): Events {
  const streams = new Set<Stream>()
  const encoder = new TextEncoder()

  return { write, open, close, announceLoss }

  function write<T>(work: (note: Note) => T): T {
    const changes: Change[] = []
    const result = db.transaction(() => {
      const value = work((kind, id, event = 'set') => {
        const number = db.insert('changes', { kind, id, event })
        changes.push({ number, kind, id, event })
      })
      const last = changes.at(-1)
      if (last) {
        db.run('DELETE FROM changes WHERE number <= ?', last.number - KEPT)
      }
      return value
    })
    for (const change of streams.size > 0 ? changes : []) {
      const message = describe(change)
      for (const stream of streams) {
        stream.send(message)
      }
    }
    return result
  }

  function open(session: string, lastId: string | undefined): ReadableStream<Uint8Array> {
    let stop: () => void = () => {}
    return new ReadableStream<Uint8Array>({
      start(controller) {
        const stream: Stream = {
          session,
          // A client that does not read is disconnected before the memory is full; it reconnects with its last event id.
          send: (text) =>
            (controller.desiredSize ?? 0) < -BACKLOG ? stream.end() : controller.enqueue(encoder.encode(text)),
          end() {
            stop()
            controller.close()
          },
        }
        const stopTicker = clock.every(1000, () => stream.send(format('ticker', readTicker(clock.now()))))
        const stopHeartbeat = clock.every(HEARTBEAT, () => stream.send(': still here\n\n'))
        stop = () => {
          stopTicker()
          stopHeartbeat()
          streams.delete(stream)
        }
        streams.add(stream)
        for (const message of replay(lastId)) {
          stream.send(message)
        }
      },
      cancel: () => stop(),
    })
  }

  // Names the last change first, so that a stream that breaks before anything happened knows where it was.
  function replay(lastId: string | undefined): string[] {
    const { first, last } = db.get<{ first: number; last: number }>(
      'SELECT coalesce(min(number), 0) AS first, coalesce(max(number), 0) AS last FROM changes',
    ) ?? { first: 0, last: 0 }
    if (lastId === undefined) {
      return [format('ready', {}, last)]
    }
    const since = /^\d{1,15}$/.test(lastId) ? Number(lastId) : -1
    // After a new seed the numbers go on higher: one of an older database is too low or too high.
    if (since < first || since > last) {
      return [format('lost', {}, last)]
    }
    return [
      ...db.all<Change>('SELECT * FROM changes WHERE number > ? ORDER BY number', since).map(describe),
      format('ready', {}, last),
    ]
  }

  function describe({ number, kind, id, event }: Change): string {
    const value = event === 'delete' ? undefined : READERS[kind](db, id)
    if (!value) {
      return format('delete', { kind, id: String(id) }, number)
    }
    return format('set', event === 'create' ? { kind, value, created: true } : { kind, value }, number)
  }

  function close(session?: string): void {
    for (const stream of streams) {
      if (session === undefined || stream.session === session) {
        stream.end()
      }
    }
  }

  function announceLoss(): void {
    const message = replay('')[0] ?? ''
    for (const stream of streams) {
      stream.send(message)
    }
  }
}

function format(event: string, data: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
