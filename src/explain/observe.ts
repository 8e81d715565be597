import { type AnyRow, listAt } from '../lists/ListRow.ts'
import { soon } from '../base/clock.ts'
import { type ActionTypes, type FetchAction } from '../requests/actions.ts'
import { callOf } from '../requests/Call.ts'
import { FETCH, SET_RESPONSE } from '../requests/actionTypes.ts'
import type { Controller } from '../controller/Controller.ts'
import type { ListChange } from '../advice/Explanation.ts'
import { rowsOf } from '../reading/query.ts'
import { nodesOf } from '../rows/Node.ts'
import { top } from '../rows/overlay.ts'
import { isInDoubt, type Row } from '../rows/Row.ts'
import type { Meta } from '../rows/Meta.ts'
import type { ResultMeta } from '../store/Store.ts'
import { append, MOST_KEYS, trim } from './bounded.ts'
import { createEvent } from './describeAction.ts'
import { doubtOf } from './explainDoubt.ts'
import type { History, HistoryEvent, Note } from './history.ts'
import { recording } from './observers.ts'
import { createMoments } from './moments.ts'
import { createRequestLog } from './requestLog.ts'
import { changeOf } from './rowChanges.ts'
import { printViews } from './printViews.ts'
import { whyFetch } from './whyFetch.ts'
import { nameOf, nodeName, pksOf } from './rowNames.ts'

const MOST_EVENTS = 300
const MOST_NAMES = 40
const MOST_MEMBERS = 200
const MOST_ORIGINS = 1_000
const MOST_NOTIFIED = 100

/** The history of a store, from its first use. In development a store begins with it. */
export function observe(controller: Controller): History {
  const { store, requests } = controller.core
  const known = controller.core.observer as History | undefined
  if (known) {
    return known
  }
  const { endpoints } = store.tables
  let events: HistoryEvent[] = []
  const origins = new Map<number, { label: string; at: number }>()
  const notes = new Map<string, Note[]>()
  const changes = new Map<string, ListChange[]>()
  const retries = new Map<string, { at: number; error: string }>()
  const listeners = new Set<() => void>()
  const reasons = new Map<string, string>()
  const targets = new Map<string, readonly [target: object, args: readonly any[]]>()
  const log = createRequestLog()
  const moments = createMoments(controller.core)
  const stack: Step[] = []
  let last: HistoryEvent | undefined
  let late: Step | undefined
  let count = 0
  let isQueued = false

  const announce = (): void => {
    if (isQueued || listeners.size === 0) {
      return
    }
    isQueued = true
    soon(() => {
      isQueued = false
      listeners.forEach((listener) => listener())
    })
  }
  const note = (key: string, one: Omit<Note, 'at'>): void => {
    append(notes, key, { at: controller.clock.now(), ...one })
  }

  const touch = (row: Row): void => {
    let step = stack[stack.length - 1]
    if (step === undefined) {
      // A manager that waits, or the garbage collector, writes after its action was dispatched.
      if (late === undefined) {
        const mine = (late = { event: last ?? begin({ type: 'write' } as never), touched: new Map() })
        soon(() => {
          late = undefined
          finish(mine)
        })
      }
      step = late
    }
    if (!step.touched.has(row)) {
      step.touched.set(row, { value: row.value, meta: row.meta, doubt: row.doubt, expired: row.expired })
    }
  }
  store.journal = touch

  const begin = (action: ActionTypes): HistoryEvent => {
    const isJoined = action.type === FETCH && (requests.open.get(action.meta.requestId)?.state ?? 'open') !== 'open'
    const event = createEvent(action, ++count, controller.clock.now(), isJoined)
    events.push(event)
    // Cut rarely: removing the first element moves all others.
    if (events.length > MOST_EVENTS * 2) {
      events = events.slice(-MOST_EVENTS)
    }
    return event
  }

  const finish = ({ event, touched }: Step): void => {
    const names = new Set(event.touched)
    for (const [row, old] of touched) {
      judge(event, row, old)
      // The result of `getTodo` says only which record it is.
      if (row.table === endpoints && (row as AnyRow).schema !== undefined && typeof row.value === 'string') {
        continue
      }
      event.touchedCount++
      if (names.size < MOST_NAMES) {
        names.add(nameOf(row))
      }
      if (row.value !== old.value) {
        noteChange(event, row, old.value, row.value)
      }
    }
    const shown = event.type === 'fetch' ? store.pending.find(({ id }) => id === event.requestId) : undefined
    for (const row of shown?.rows ?? []) {
      event.touchedCount++
      names.add(nameOf(row))
      noteChange(event, row, row.value, top(row))
    }
    event.touched = [...names]
    trim(origins, MOST_ORIGINS)
    if (recording.isOn) {
      moments.note(event)
    }
    if (touched.size > 0) {
      last = event
    }
    announce()
  }

  const noteChange = (event: HistoryEvent, row: Row, before: unknown, after: unknown): void => {
    event.changedCount++
    if (recording.isOn && event.changes.length < MOST_NAMES) {
      event.changes.push(changeOf(row, before, after))
    }
  }

  /** Derives facts from what a row was before an event and is after it. */
  const judge = (event: HistoryEvent, row: Row, old: Old): void => {
    const { table, pk } = row
    const meta: ResultMeta | undefined = row.meta
    if (meta && meta.sent > 0 && !origins.has(meta.sent)) {
      origins.set(meta.sent, { label: event.label, at: event.at })
    }
    if (listAt(row) !== undefined && row.value !== old.value) {
      const [before, after] = [new Set(pksOf(old.value)), new Set(pksOf(row.value))]
      const added = [...after].filter((one) => !before.has(one)).slice(0, MOST_MEMBERS)
      const removed = [...before].filter((one) => !after.has(one)).slice(0, MOST_MEMBERS)
      if (added.length + removed.length > 0) {
        const isRead = event.type === 'setresponse' && !event.isMutation
        append(changes, nameOf(row), { at: event.at, by: event.label, isRead, added, removed })
      }
    }
    const name = table === endpoints ? pk : nameOf(row)
    if (meta?.invalidated) {
      if (meta !== old.meta) {
        note(name, { kind: 'invalidated', text: event.label, event })
      }
    } else if ((row.doubt.at > old.doubt.at && isInDoubt(row)) || row.expired > old.expired) {
      note(name, { kind: 'stale', text: event.label, event })
    }
  }

  const settle = (action: ActionTypes, event: HistoryEvent): void => {
    if (action.type !== SET_RESPONSE) {
      return
    }
    const { key, meta, error, response, endpoint } = action
    const { sent, requestId } = meta
    const now: ResultMeta | undefined = endpoints.byPk.get(key)?.meta
    const isOwn = sent === undefined || now?.sent === sent
    // A manager may store the response of an open request later, as an outbox does.
    const state = requestId === undefined ? undefined : requests.open.get(requestId)?.state
    if (state === 'collecting') {
      event.outcome = 'waiting for pages'
    } else if (error) {
      event.outcome = isOwn || state ? 'failed' : 'older'
    } else if (state || isOwn || callOf(endpoint, action.args).name !== key) {
      event.outcome = (now?.error as { refused?: boolean } | undefined)?.refused ? 'refused' : 'stored'
    } else {
      event.outcome = 'older'
    }
    const newer = event.outcome === 'older' && now ? origins.get(now.sent)?.label : undefined
    const text = error ? String(response?.message ?? response) : (newer ?? '')
    log.end(action, event)
    note(key, { kind: 'response', text, outcome: event.outcome, event, requestId })
  }

  const noteFetch = (action: FetchAction, isJoined: boolean): void => {
    const { key, endpoint, args, meta } = action
    const { requestId, auto, sent, fetchedAt } = meta
    const why = reasons.get(key) ?? (auto && !isJoined ? 'The library fetched it.' : 'The app called fetch().')
    const request = requests.open.get(requestId)
    const { name = key } = request ?? {}
    reasons.delete(key)
    if (isJoined) {
      log.join(requestId)
    } else {
      log.begin(action, request, why)
    }
    note(key, { kind: isJoined ? 'join' : 'fetch', text: why, requestId })
    if (name !== key) {
      origins.set(sent, { label: name, at: fetchedAt })
    }
    if (!endpoint.sideEffect) {
      targets.set(key, [endpoint, args])
      trim(targets, MOST_KEYS)
    }
  }

  const inner = controller.dispatch
  controller.dispatch = (action: ActionTypes) => {
    const event = begin(action)
    const step: Step = { event, touched: new Map() }
    const { sent } = (action as { meta?: Partial<Meta> }).meta ?? {}
    if (sent !== undefined && !origins.has(sent)) {
      origins.set(sent, { label: event.label, at: event.at })
    }
    if (action.type === FETCH) {
      noteFetch(action, event.isJoined === true)
    }
    stack.push(step)
    try {
      return inner(action)
    } finally {
      stack.splice(stack.indexOf(step), 1)
      finish(step)
      settle(action, event)
    }
  }

  const history: History = {
    polls: new Map(),
    gate: undefined,
    get events() {
      return events
    },
    origin: (sent) => origins.get(sent),
    notes: (key) => notes.get(key) ?? [],
    changes: (list) => changes.get(list) ?? [],
    target: (key) => targets.get(key),
    retryOf: (requestId) => retries.get(requestId),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get requests() {
      return log.records
    },
    past: undefined,
    get moments() {
      return moments.all
    },
    clear() {
      events = []
      moments.clear()
      log.clear((id) => requests.open.has(id))
      announce()
    },
    because: (key, why) => {
      const result = endpoints.byPk.get(key)
      const rows = result?.node ? nodesOf(result.node).flatMap(rowsOf) : []
      const doubt = doubtOf(controller, history, rows, result)
      reasons.set(key, typeof why === 'string' ? why : whyFetch(why, rows, controller.clock.now(), doubt))
      trim(reasons, MOST_KEYS)
    },
    retrying({ id }, at, error) {
      retries.set(id, { at, error: error instanceof Error ? error.message : String(error) })
      trim(retries, MOST_KEYS)
      announce()
    },
    notifying(shared, change) {
      const notified = (stack[stack.length - 1]?.event ?? last)?.notified ?? []
      const view = nodeName(shared.node)
      for (const { name = view } of shared.readers) {
        if (notified.length <= MOST_NOTIFIED) {
          notified.push({ reader: name, view, change })
        }
      }
      announce()
    },
    send(request, run) {
      const watched = (): unknown => {
        const sent = run(log.watch(request))
        // Beside the promise, not around it: what is observed must not come later.
        Promise.resolve(sent).catch(() => {
          if (request.isUnsent) {
            log.withdraw(request.id)
            announce()
          }
        })
        return sent
      }
      return history.gate ? history.gate(request, watched) : watched()
    },
  }
  controller.core.observer = history
  printViews()
  if (typeof WeakRef === 'function') {
    observed.add(new WeakRef(controller))
  }
  return history
}

const observed = /* @__PURE__ */ new Set<WeakRef<Controller>>()

/** The controllers of all running stores that are observed, oldest first. */
export function observedControllers(): Controller[] {
  const found: Controller[] = []
  for (const ref of observed) {
    const controller = ref.deref()
    if (controller === undefined) {
      observed.delete(ref)
    } else if (!controller.core.requests.isStopped) {
      found.push(controller)
    }
  }
  return found
}

type Old = Pick<Row, 'value' | 'meta' | 'doubt' | 'expired'>

interface Step {
  readonly event: HistoryEvent
  readonly touched: Map<Row, Old>
}
