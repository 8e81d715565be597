import { missingField } from '../denormalize/complete.ts'
import { top } from '../normalize/shown.ts'
import type { Slot } from '../normalize/tables.ts'
import type { ResultMeta } from '../store/Store.ts'
import type { Controller } from './Controller.ts'
import { isEndpoint, isSkip, type Reading } from './driver.ts'
import { explainList, explainLists, type ListFact, type MembershipFact } from './explainList.ts'
import { type FreshnessFact, freshnessOf } from './explainFreshness.ts'
import { type FetchFact, lastOf, nextOf } from './explainRequest.ts'
import { printExplanation } from './explainText.ts'
import { type History, observe } from './history.ts'
import {
  keptOf,
  missingFields,
  mountedOn,
  mountedViews,
  nameOf,
  nodeName,
  type PendingFact,
  pendingOf,
  type ReadersFact,
  readersOf,
  type RequestFact,
  requestsOf,
  slotsShown,
} from './inspect.ts'
import type { Polling } from './observers.ts'

/** Responses and writes that data comes from, newest first. */
export interface SourceFact {
  /** `GET /todo/5`, or the call that wrote it: `controller.set(Todo)`. */
  readonly by: string
  /** When the request was sent, in store time. */
  readonly sentAt: number
  /** When its response was stored. */
  readonly storedAt: number
  /** The order in which the store ranks it: of two responses the higher one counts. */
  readonly rank: number
  /** How many of the rows shown it wrote last, and the names of the first ones. */
  readonly rows: number
  readonly names: readonly string[]
}

/** The data that a store shows for a target, and why. Printed, it is text. */
export interface Explanation {
  /** The key of an endpoint, or the name of a schema with its arguments. */
  readonly target: string
  /** The store time of the explanation. */
  readonly at: number
  readonly shows: 'data' | 'part' | 'error' | 'nothing'
  readonly data: unknown
  /** The error that readers see. */
  readonly error: unknown
  /** An error that readers do not see, because `errorPolicy` is soft and there is data. */
  readonly hiddenError: unknown
  /** Records that are not complete, and the fields that no response has set. */
  readonly missing: readonly { readonly record: string; readonly fields: readonly string[] }[]
  readonly sources: readonly SourceFact[]
  readonly freshness: FreshnessFact
  readonly pending: readonly PendingFact[]
  readonly readers: ReadersFact
  readonly request: {
    /** Requests in flight for this key. */
    readonly inFlight: readonly RequestFact[]
    /** The last request: why it was sent, and the outcome of its response. */
    readonly last: FetchFact | undefined
    /** Whether a request will be sent next, or why not. */
    readonly next: string
    /** Readers and callers that shared a request in flight lately. */
    readonly shared: readonly { readonly at: number; readonly why: string }[]
  }
  readonly polling: Polling | undefined
  /** Why the garbage collector keeps it. */
  readonly kept: { readonly why: readonly string[]; readonly until: number }
  /** Of a list: its members, and the records that are not in it. */
  readonly list: ListFact | undefined
  /** Of a record: the lists that contain it, and those that do not. */
  readonly lists: readonly MembershipFact[] | undefined
}

/** Explains what a target shows, whatever the build. `controller.explain` is the same in development. */
export function explainTarget(controller: Controller, target: object, args: readonly any[]): Explanation {
  const history = observe(controller)
  const now = controller.clock.now()
  if (isSkip(args)) {
    return printable({
      ...NOTHING,
      target: 'null',
      at: now,
      freshness: {
        status: 'missing',
        until: 0,
        why: 'The argument is null, so nothing is read and nothing is fetched.',
      },
    })
  }
  const { driver } = controller.core
  const reading = driver.read(target, args)
  const node = driver.node(target, args)
  const slots = slotsShown(controller, target, args)
  const key = isEndpoint(target) ? target.key(...args) : undefined
  const result = key === undefined ? undefined : driver.store.tables.endpoints.slots.get(key)
  const meta: ResultMeta | undefined = result?.meta
  const isShown = reading.error === undefined && reading.data !== undefined
  const record = slots.find(({ table }) => table.entity !== undefined)
  const isRecord = isRecordOf(target, record)
  const list = slots.find((slot) => slot.list !== undefined)
  const main = result ?? (isRecord ? record : list)
  const inFlight = key === undefined ? [] : requestsOf(controller, history, key)
  const mounted = key === undefined && main ? mountedOn(main) : mountedViews(node)
  const readers = readersOf(mounted)
  const freshness = freshnessOf(controller, history, target, reading, slots, result)
  const polling = key === undefined ? undefined : history.polls.get(key)?.()
  return printable({
    target: key ?? nodeName(node),
    at: now,
    shows: reading.isPartial ? 'part' : isShown ? 'data' : reading.error === undefined ? 'nothing' : 'error',
    data: reading.data,
    error: reading.error,
    hiddenError: meta?.error !== undefined && reading.error === undefined ? meta.error : undefined,
    missing: missingOf(reading, slots),
    sources: sourcesFor(history, slots),
    freshness,
    pending: pendingOf(controller, slots),
    readers,
    request: {
      inFlight,
      last: lastOf(key === undefined ? [] : history.notes(key)),
      next: nextOf(controller, key, reading, freshness, readers, inFlight, polling),
      shared: (key === undefined ? [] : history.notes(key))
        .filter(({ kind }) => kind === 'join')
        .map(({ at, text }) => ({ at, why: text })),
    },
    polling,
    kept: main ? keptOf(controller, history, main) : { why: [], until: 0 },
    list: list && !isRecord ? explainList(controller, history, list) : undefined,
    lists: isRecord && record ? explainLists(controller, history, record) : undefined,
  })
}

const NOTHING: Omit<Explanation, 'target' | 'at' | 'freshness'> = {
  shows: 'nothing',
  data: undefined,
  error: undefined,
  hiddenError: undefined,
  missing: [],
  sources: [],
  pending: [],
  readers: { count: 0, fetching: 0, components: [], views: [] },
  request: { inFlight: [], last: undefined, next: '', shared: [] },
  polling: undefined,
  kept: { why: [], until: 0 },
  list: undefined,
  lists: undefined,
}

/** Gives an explanation its text, for consoles too. */
function printable(explanation: Explanation): Explanation {
  const print = (): string => printExplanation(explanation)
  return Object.defineProperties(explanation, {
    toString: { value: print },
    [Symbol.for('nodejs.util.inspect.custom')]: { value: print },
  })
}

/** True where the target is one record, and not a list with records in it. */
function isRecordOf(target: object, record: Slot | undefined): boolean {
  const schema = isEndpoint(target) ? target.schema : target
  return record !== undefined && typeof schema === 'function' && schema === record.table.entity
}

function missingOf({ data, isPartial }: Reading, slots: readonly Slot[]): Explanation['missing'] {
  if (data !== undefined && !isPartial) {
    return []
  }
  // A list that lacks a field everywhere would name each of its records.
  return slots
    .filter((slot) => slot.table.entity !== undefined && typeof top(slot).value === 'object')
    .map((slot) => ({ record: nameOf(slot), fields: missingFields(slot) }))
    .filter(({ fields }) => fields.length > 0 && (isPartial || missingField(data) !== undefined))
    .slice(0, 20)
}

function sourcesFor(history: History, slots: readonly Slot[]): SourceFact[] {
  const bySent = new Map<number, SourceFact & { names: string[]; rows: number }>()
  for (const slot of slots) {
    const { meta } = slot
    if (meta === undefined || meta.sent === 0) {
      continue
    }
    const { sent, order, fetchedAt, date } = meta
    const by = history.origin(sent)?.label ?? 'a response from before the recording began'
    const source = bySent.get(sent) ?? { by, sentAt: fetchedAt, storedAt: date, rank: order, rows: 0, names: [] }
    source.rows++
    if (source.names.length < 5) {
      source.names.push(nameOf(slot))
    }
    bySent.set(sent, source)
  }
  return [...bySent.values()].sort((a, b) => b.rank - a.rank)
}
