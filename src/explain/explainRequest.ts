import type { Controller } from '../controller/Controller.ts'
import type { Reading } from '../requests/Reading.ts'
import type { FetchFact, FreshnessFact, Polling, ReadersFact, RequestFact } from '../advice/Explanation.ts'
import { isLater, NEVER } from '../views/plan.ts'
import { inTime, outageText } from './explainText.ts'
import { lastNote, type Note } from './history.ts'

/** The last request for a key. */
export function lastOf(notes: readonly Note[]): FetchFact | undefined {
  const fetch = lastNote(notes, 'fetch')
  const response = lastNote(notes, 'response')
  if (fetch === undefined && response === undefined) {
    return undefined
  }
  const isAnswered = response !== undefined && (fetch === undefined || response.at >= fetch.at)
  return {
    at: fetch?.at ?? response!.at,
    why: fetch?.text ?? 'No request was sent; the app stored it.',
    outcome: isAnswered ? outcomeText(response) : 'no response yet',
  }
}

function outcomeText({ outcome, text }: Note): string {
  switch (outcome) {
    case 'older':
      return `ignored as older than ${text || 'what is stored'}`
    case 'failed':
      return `failed: ${text}`
    case 'refused':
      return 'refused: it does not fit the schema'
    case 'waiting for pages':
      return 'kept back until the other pages of the list are fetched'
    default:
      return 'stored'
  }
}

/** Whether a request will be sent next, or why not. */
export function nextOf(
  controller: Controller,
  key: string | undefined,
  { waiting }: Reading,
  { status, until, doubt }: FreshnessFact,
  { count, fetching }: ReadersFact,
  inFlight: readonly RequestFact[],
  polling: Polling | undefined,
): string {
  const now = controller.clock.now()
  if (key === undefined) {
    return 'A query reads the store and never fetches.'
  }
  const retrying = inFlight.find(({ retryAt }) => retryAt !== undefined)
  if (retrying) {
    return `The request failed (${retrying.retryError}) and is sent again in ${inTime(retrying.retryAt! - now)}.`
  }
  if (inFlight.length > 0) {
    const { callers, since } = inFlight[inFlight.length - 1]!
    const who = [callers > 0 && plural(callers, 'caller'), fetching > 0 && plural(fetching, 'reader')]
      .filter(Boolean)
      .join(' and ')
    return `A request has been in flight for ${inTime(now - since)}${who && `, shared by ${who}`}. Other readers of the same data join it.`
  }
  const wait = controller.core.result(key).pace.retryAt - now
  if (wait > 0) {
    return `The server asked with Retry-After to wait: no automatic request for another ${inTime(wait)}. controller.fetch() sends one at once.`
  }
  const outage = controller.core.requests.budget.outage(key)
  if (outage && outage.allowedAt > now) {
    return `${outageText(outage, now)} controller.fetch() sends a request at once.`
  }
  if (polling) {
    return polling.paused
      ? `Polling is paused because ${polling.paused === 'hidden' ? 'the page is hidden' : 'the browser is offline'}. It goes on as soon as that changes.`
      : `Polling every ${inTime(polling.frequency)} fetches it again${polling.nextAt === undefined ? '' : ` in ${inTime(polling.nextAt - now)}`}.`
  }
  if (waiting) {
    return 'No request before the pending operation has ended: the server may not know the record yet.'
  }
  if (fetching === 0) {
    return count > 0 ? 'Its readers never fetch (useCache, useQuery).' : 'Nothing reads it, so nothing fetches it.'
  }
  if (status === 'fresh') {
    return `Not before it is stale${until === Infinity ? '' : `, in ${inTime(until - now)}`}.`
  }
  const dueAt = Math.min(...[...controller.core.mounted].map((view) => (view.key === key ? view.dueAt : NEVER)))
  if (doubt && isLater(dueAt)) {
    return controller.core.isHidden
      ? 'It is in doubt because of an event or a lost connection, and is fetched when the page is shown.'
      : `It is in doubt because of an event or a lost connection, which all clients learn of at the same time: it is fetched at a random moment within "spread", in ${inTime(dueAt - now)}.`
  }
  if (doubt) {
    return 'It is in doubt, and is fetched when it is quiet: no mutation is in flight, and the last refetch was not a moment ago.'
  }
  return status === 'stale'
    ? 'The next reader that mounts, or the next focus of the window, fetches it.'
    : 'Fetching stopped: the last responses could not be used. controller.fetch() sends another request.'
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
