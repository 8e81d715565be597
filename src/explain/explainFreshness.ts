import type { Controller } from '../controller/Controller.ts'
import { isEndpoint, type Reading } from '../requests/Reading.ts'
import type { DoubtFact, FreshnessFact } from '../advice/Explanation.ts'
import { top } from '../rows/overlay.ts'
import { isExpired, isInDoubt, type Row } from '../rows/Row.ts'
import { INVALID } from '../schema/Schema.ts'
import { STALE } from '../rows/Meta.ts'
import type { ResultMeta } from '../store/Store.ts'
import { doubtOf } from './explainDoubt.ts'
import { writerOf } from './explainFields.ts'
import { ago, inTime } from './explainText.ts'
import { type History, lastNote } from './history.ts'
import { nameOf } from './rowNames.ts'
import { hasRows } from './whyFetch.ts'

export function freshnessOf(
  controller: Controller,
  history: History,
  target: object,
  reading: Reading,
  rows: readonly Row[],
  result: Row | undefined,
): FreshnessFact {
  const now = controller.clock.now()
  const meta: ResultMeta | undefined = result?.meta
  const { expiryStatus, expiresAt, data, error, isPartial, waiting } = reading
  if (waiting) {
    return {
      status: 'missing',
      until: 0,
      why: 'A pending operation changes it. Readers wait for its response.',
    }
  }
  if (meta?.invalidated) {
    const by = lastNote(history.notes(result!.pk), 'invalidated')
    return {
      status: 'invalid',
      until: 0,
      why: `${by ? `${by.text} invalidated it ${ago(now - by.at)}` : 'It was invalidated'}. Readers wait for a new response.`,
    }
  }
  if (error !== undefined) {
    const left =
      meta && meta.expiresAt > now ? `, and the error stands for another ${inTime(meta.expiresAt - now)}` : ''
    return { status: 'failed', until: meta?.expiresAt ?? 0, why: `The last request failed${left}.` }
  }
  if (data === undefined || isPartial || expiryStatus === 1) {
    const deleted = rows.find((row) => top(row) === INVALID)
    const why = deleted
      ? `${nameOf(deleted)} was deleted.`
      : isPartial && hasRows(rows)
        ? 'No response to this request is stored. Other responses brought only a part of the data.'
        : 'Nothing is stored for it.'
    return { status: 'missing', until: 0, why }
  }
  if (expiresAt <= STALE) {
    return staleFreshness(doubtOf(controller, history, rows, result), now)
  }
  const from = lengthText(controller, target, meta)
  if (expiresAt < now) {
    const policy =
      expiryStatus === 2
        ? ' With invalidIfStale, readers wait for a new response.'
        : ' It stays on the screen; the next reader that mounts refetches it.'
    return { status: 'stale', until: 0, why: `It expired ${ago(now - expiresAt)}: ${from}.${policy}` }
  }
  const inferred =
    isEndpoint(target) && meta === undefined ? 'No request was needed: other responses brought every record. ' : ''
  return {
    status: 'fresh',
    until: expiresAt,
    why: `${inferred}${expiresAt === Infinity ? 'It never expires.' : `It is fresh for another ${inTime(expiresAt - now)}: ${from}.`}`,
  }
}

/** The freshness of one record or list. */
export function rowFreshness(controller: Controller, history: History, row: Row): FreshnessFact {
  const now = controller.clock.now()
  const { meta } = row
  if (meta === undefined) {
    return {
      status: 'missing',
      until: 0,
      why: 'Only a pending operation shows it. The server has not confirmed it yet.',
    }
  }
  const by = `${writerOf(history, meta)} wrote it last, ${ago(now - meta.date)}`
  if (row.value === INVALID) {
    return { status: 'missing', until: 0, why: `It was deleted. ${by}.` }
  }
  if (isInDoubt(row) || isExpired(row)) {
    return staleFreshness(doubtOf(controller, history, [row]), now)
  }
  if (meta.expiresAt <= STALE) {
    return { status: 'stale', until: 0, why: `It was marked stale. ${by}.` }
  }
  if (meta.expiresAt < now) {
    return {
      status: 'stale',
      until: 0,
      why: `It expired ${ago(now - meta.expiresAt)}. ${by}. It stays on the screen; the next reader that mounts refetches it.`,
    }
  }
  const length =
    meta.expiresAt === Infinity ? 'It never expires' : `It is fresh for another ${inTime(meta.expiresAt - now)}`
  return { status: 'fresh', until: meta.expiresAt, why: `${length}. ${by}.` }
}

/** How long the data counts as fresh, and who says so. */
function lengthText(controller: Controller, target: object, meta: ResultMeta | undefined): string {
  const own = isEndpoint(target) ? target.dataExpiryLength : undefined
  const length = own ?? controller.core.store.defaults.dataExpiryLength
  // A poll stores its responses for half of its interval.
  const actual = meta ? meta.expiresAt - meta.date : length
  return actual === length
    ? `${own === undefined ? 'the default' : "the endpoint's"} dataExpiryLength is ${inTime(length)}`
    : `its last response is fresh for ${inTime(actual)}`
}

/** Data that is stale before its time. */
function staleFreshness(doubt: DoubtFact | undefined, now: number): FreshnessFact {
  const when = doubt?.at === undefined ? '' : `${capital(ago(now - doubt.at))}: `
  return { status: 'stale', until: 0, why: doubt ? `${when}${doubt.text}` : 'It was marked stale.', doubt }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
