import type { Controller } from '../controller/Controller.ts'
import { isEndpoint, type Reading } from '../controller/read.ts'
import type { FreshnessFact } from '../advice/Explanation.ts'
import { top } from '../normalize/overlay.ts'
import { isExpired, isInDoubt, type Slot } from '../normalize/tables.ts'
import { INVALID } from '../schema/Schema.ts'
import { STALE } from '../rows/Meta.ts'
import type { ResultMeta } from '../store/Store.ts'
import { writerOf } from './explainFields.ts'
import { ago, inTime } from './explainText.ts'
import { type History, lastNote } from './history.ts'
import { nameOf } from './slotNames.ts'
import { hasRows } from './whyFetch.ts'

export function freshnessOf(
  controller: Controller,
  history: History,
  target: object,
  reading: Reading,
  slots: readonly Slot[],
  result: Slot | undefined,
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
    const deleted = slots.find((slot) => top(slot) === INVALID)
    const why = deleted
      ? `${nameOf(deleted)} was deleted.`
      : isPartial && hasRows(slots)
        ? 'No response to this request is stored. Other responses brought only a part of the data.'
        : 'Nothing is stored for it.'
    return { status: 'missing', until: 0, why }
  }
  if (expiresAt <= STALE) {
    return { status: 'stale', until: 0, why: whyStale(history, slots, result, now) }
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
export function rowFreshness(controller: Controller, history: History, slot: Slot): FreshnessFact {
  const now = controller.clock.now()
  const { meta } = slot
  if (meta === undefined) {
    return {
      status: 'missing',
      until: 0,
      why: 'Only a pending operation shows it. The server has not confirmed it yet.',
    }
  }
  const by = `${writerOf(history, meta)} wrote it last, ${ago(now - meta.date)}`
  if (slot.value === INVALID) {
    return { status: 'missing', until: 0, why: `It was deleted. ${by}.` }
  }
  if (isInDoubt(slot) || isExpired(slot)) {
    return { status: 'stale', until: 0, why: whyStale(history, [slot], undefined, now) }
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

/** The event that marked it stale before its time. */
function whyStale(history: History, slots: readonly Slot[], result: Slot | undefined, now: number): string {
  const marked = slots.filter((slot) => isInDoubt(slot) || isExpired(slot))
  const note = [result, ...marked].flatMap((slot) =>
    slot ? (lastNote(history.notes(nameOf(slot)), 'stale') ?? []) : [],
  )[0]
  if (note === undefined) {
    return 'It was marked stale.'
  }
  const when = ago(now - note.at)
  switch (note.event?.type) {
    case 'expireall':
      return `controller.expireAll() marked it stale ${when}.`
    case 'gc':
      return `The garbage collector removed a record that it names ${when}.`
    case 'setresponse': {
      const rows = marked.filter((slot) => slot !== result && slot.list === undefined).map(nameOf)
      const what = rows.length > 0 ? rows.slice(0, 3).join(', ') : 'the same data'
      if (note.event.isMutation) {
        return `${note.text} changed ${what} ${when} while a read of it was in flight, or in a way that only the server can judge. It has to be fetched again.`
      }
      return `${note.text} and a write crossed ${when}: both were in flight at the same time, and the response cannot tell which came first for ${what}. It has to be fetched again.`
    }
    default:
      return `${note.text} marked it stale ${when}.`
  }
}
