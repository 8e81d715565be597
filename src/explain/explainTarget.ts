import type { RecordClass } from '../schema/RecordClass.ts'
import { listAt } from '../lists/ListRow.ts'
import type { Controller } from '../controller/Controller.ts'
import { isEndpoint, isSkip, type Reading } from '../requests/Reading.ts'
import type { Explanation, SourceFact } from '../advice/Explanation.ts'
import { missingField } from '../reading/query.ts'
import { rowsOf } from '../reading/query.ts'
import { declaredFields } from '../schema/required.ts'
import { top } from '../rows/overlay.ts'
import type { Row } from '../rows/Row.ts'
import type { ResultMeta } from '../store/Store.ts'
import { fieldsOf, writerOf } from './explainFields.ts'
import { freshnessOf } from './explainFreshness.ts'
import { explainList, explainLists } from './explainList.ts'
import { lastOf, nextOf } from './explainRequest.ts'
import { printExplanation } from './explainText.ts'
import type { History } from './history.ts'
import { keptOf } from './keptOf.ts'
import { liveOf } from './liveLinks.ts'
import { observe } from './observe.ts'
import { mountedOn, mountedViews, readersOf } from './readersOf.ts'
import { pendingOf, requestsOf } from './requestFacts.ts'
import { nameOf, nodeName } from './rowNames.ts'
import { hasRows } from './whyFetch.ts'

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
  const { reads, store } = controller.core
  const reading = reads.read(target, args)
  const node = reads.node(target, args)
  const rows = rowsShown(controller, target, args)
  const key = isEndpoint(target) ? target.key(...args) : undefined
  const result = key === undefined ? undefined : store.tables.endpoints.byPk.get(key)
  const meta: ResultMeta | undefined = result?.meta
  const isShown = reading.error === undefined && reading.data !== undefined
  const isPart = reading.isPartial === true && hasRows(rows)
  const record = rows.find(({ table }) => table.entity !== undefined)
  const isRecord = isRecordOf(target, record)
  const list = rows.find((row) => listAt(row) !== undefined)
  const main = result ?? (isRecord ? record : list)
  const inFlight = key === undefined ? [] : requestsOf(controller, history, key)
  const mounted = key === undefined && main ? mountedOn(main) : mountedViews(node)
  const readers = readersOf(mounted)
  const freshness = freshnessOf(controller, history, target, reading, rows, result)
  const polling = key === undefined ? undefined : history.polls.get(key)?.()
  return printable({
    target: key ?? nodeName(node),
    at: now,
    shows: isPart ? 'part' : reading.error !== undefined ? 'error' : isShown && !reading.isPartial ? 'data' : 'nothing',
    data: reading.data,
    error: reading.error,
    hiddenError: meta?.error !== undefined && reading.error === undefined ? meta.error : undefined,
    missing: missingOf(reading, rows),
    sources: sourcesFor(history, rows),
    freshness,
    pending: pendingOf(controller, rows),
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
    live: key === undefined ? [] : liveOf(controller, key),
    kept: main ? keptOf(controller, history, main) : { why: [], until: 0 },
    list: list && !isRecord ? explainList(controller, history, list) : undefined,
    lists: isRecord && record ? explainLists(controller, history, record) : undefined,
    fields: isRecord && record ? fieldsOf(controller, history, record) : undefined,
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
  live: [],
  kept: { why: [], until: 0 },
  list: undefined,
  lists: undefined,
  fields: undefined,
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
function isRecordOf(target: object, record: Row | undefined): boolean {
  const schema = isEndpoint(target) ? target.schema : target
  return record !== undefined && typeof schema === 'function' && schema === record.table.entity
}

function missingOf({ data, isPartial }: Reading, rows: readonly Row[]): Explanation['missing'] {
  if (data !== undefined && !isPartial) {
    return []
  }
  // A list that lacks a field everywhere would name each of its records.
  return rows
    .filter((row) => row.table.entity !== undefined && typeof top(row) === 'object')
    .map((row) => ({ record: nameOf(row), fields: missingFields(row) }))
    .filter(({ fields }) => fields.length > 0 && (isPartial || missingField(data) !== undefined))
    .slice(0, 20)
}

function sourcesFor(history: History, rows: readonly Row[]): SourceFact[] {
  const bySent = new Map<number, SourceFact & { names: string[]; rows: number }>()
  for (const row of rows) {
    const { meta } = row
    if (meta === undefined || meta.sent === 0) {
      continue
    }
    const { sent, fetchedAt, date } = meta
    const source = bySent.get(sent) ?? {
      by: writerOf(history, meta),
      sentAt: fetchedAt,
      storedAt: date,
      rows: 0,
      names: [],
    }
    source.rows++
    if (source.names.length < 5) {
      source.names.push(nameOf(row))
    }
    bySent.set(sent, source)
  }
  return [...bySent].sort(([a], [b]) => b - a).map(([, source]) => source)
}

/** The declared or required fields that no response has set. */
function missingFields(row: Row): string[] {
  const Class = row.table.entity as RecordClass | undefined
  const shown = top(row)
  if (Class === undefined || typeof shown !== 'object' || shown === null) {
    return []
  }
  return [...(Class.required ?? declaredFields(Class))].filter((name) => !Object.hasOwn(shown, name))
}

/** The rows that a target shows, its own result first. */
function rowsShown(controller: Controller, target: object, args: readonly any[]): Row[] {
  const { reads } = controller.core
  reads.read(target, args)
  return rowsOf(reads.node(target, args))
}
