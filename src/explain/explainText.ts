import type { Outage } from '../requests/Budget.ts'
import type { Explanation, LiveFact } from '../advice/Explanation.ts'

const MOST_LINES = 5

/** A duration: `850 ms`, `12 s`, `3 min`, `2 h`. */
export function inTime(milliseconds: number): string {
  if (milliseconds === Infinity) {
    return 'ever'
  }
  const ms = Math.max(0, Math.round(milliseconds))
  if (ms < 1_000) {
    return `${ms} ms`
  }
  if (ms < 120_000) {
    return `${Number((ms / 1_000).toFixed(1))} s`
  }
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`
}

/** Why the library sends little to an origin, and for how long. */
export function outageText({ origin, status, failures, allowedAt }: Outage, now: number): string {
  const server = origin.replace(/^\w+:\/\//, '') || 'the server'
  const next = allowedAt > now ? `, next try in ${inTime(allowedAt - now)}` : ''
  return `Waiting: ${server} responds with ${status} (${failures} failures in a row)${next}.`
}

/** A time in the past. */
export function ago(milliseconds: number): string {
  return milliseconds < 1 ? 'just now' : `${inTime(milliseconds)} ago`
}

/** An explanation as people read it in a console. */
export function printExplanation(explanation: Explanation): string {
  const { target, at, sources, freshness, pending, readers, request, polling, live, kept, list, lists, fields } =
    explanation
  const lines: string[] = [target]
  const add = (title: string, texts: readonly string[]): void => {
    const more = texts.length - MOST_LINES
    const shown = more > 0 ? [...texts.slice(0, MOST_LINES), `… and ${more} more`] : texts
    for (const [index, text] of shown.entries()) {
      lines.push(`  ${(index === 0 ? title : '').padEnd(10)} ${text}`)
    }
  }
  add('shows', showsLines(explanation))
  add(
    'from',
    sources.map(
      ({ by, sentAt, storedAt, rows, names }) =>
        `${by}: sent ${ago(at - sentAt)}, stored ${ago(at - storedAt)} (${rows === 1 ? names[0] : `${rows} rows`})`,
    ),
  )
  add(freshness.status, [freshness.why])
  add(
    'pending',
    pending.map(({ key, since, changes }) => `${key}, sent ${ago(at - since)}, changes ${changes.join(', ')}`),
  )
  add('readers', [readersLine(readers)])
  if (request.last) {
    const { last } = request
    add('fetched', [`${ago(at - last.at)}: ${last.why} Response ${last.outcome}.`])
  }
  add('next', [request.next])
  if (polling) {
    add('polling', [`every ${inTime(polling.frequency)}${polling.paused ? `, paused (${polling.paused})` : ''}`])
  }
  add(
    'live',
    live.map((fact) => liveText(fact, at)),
  )
  if (list) {
    add(
      'members',
      list.members.map(({ record, why }) => `${record}: ${why}`),
    )
    add(
      'not in it',
      list.absent.map(({ record, why }) => `${record}: ${why}`),
    )
  }
  if (lists) {
    add(
      'lists',
      lists.map(({ list: name, isMember, why }) => `${isMember ? 'in' : 'not in'} ${name}: ${why}`),
    )
  }
  if (fields && fields.length > 1) {
    add(
      'fields',
      fields.map(
        ({ by, at: when, fields: names, status }) =>
          `${names.join(', ') || 'all'}: ${by}, ${status === 'pending' ? 'pending, sent' : 'stored'} ${ago(at - when)}`,
      ),
    )
  }
  add('kept', kept.why)
  return lines.join('\n')
}

/** The state of a live connection in a sentence. */
export function liveText({ status, since, error, messages, lastAt, topics }: LiveFact, now: number): string {
  const news =
    lastAt === undefined
      ? 'no message yet'
      : `${messages} ${messages === 1 ? 'message' : 'messages'}, the last one ${ago(now - lastAt)}`
  const about = topics.length > 0 ? ` Topics: ${topics.join(', ')}.` : ''
  const why = error === undefined ? '' : ` (${error})`
  return {
    open: `Connected for ${inTime(now - since)}; ${news}.${about}`,
    connecting: `Connecting for ${inTime(now - since)}.`,
    waiting: `Not connected for ${inTime(now - since)}${why}; it tries again on its own.`,
    paused: `Paused for ${inTime(now - since)}, because the page is hidden.`,
    refused: `The server refused the connection ${ago(now - since)}${why}. It connects again after a reset of the store, as at sign-in.`,
    closed: 'Closed: the store is not running.',
  }[status]
}

function showsLines({ shows, data, error, hiddenError, missing }: Explanation): string[] {
  const gaps = missing.map(({ record, fields }) => `${record} lacks ${fields.join(', ')}`)
  const what = {
    data: Array.isArray(data) ? `${data.length} ${data.length === 1 ? 'item' : 'items'}` : 'its data',
    part: 'only a part of the data, and that only to readers that never fetch; the others wait',
    error: `an error: ${messageOf(error)}`,
    nothing: 'nothing',
  }[shows]
  const hidden =
    hiddenError === undefined ? [] : [`an error is hidden by the soft errorPolicy: ${messageOf(hiddenError)}`]
  return [what, ...gaps, ...hidden]
}

function messageOf(error: unknown): string {
  return String((error as Partial<Error> | undefined)?.message ?? error)
}

function readersLine({ count, fetching, components, views }: Explanation['readers']): string {
  if (count === 0) {
    return 'none'
  }
  const names = components.length > 0 ? components : views
  const passive = count - fetching
  return `${count}${passive > 0 ? ` (${passive} never fetch)` : ''}: ${names.slice(0, MOST_LINES).join(', ')}`
}
