// All calls of the library that the simulator makes.
import { listAt } from '../../src/lists/ListRow.ts'
import {
  actionTypes,
  createStore,
  deserializeState,
  getDefaultManagers,
  GCPolicy,
  ImmortalGCPolicy,
  type Manager,
  serializeState,
  type View,
} from 'restitch'
import { stableKey } from '../../src/base/stableKey.ts'
import { top } from '../../src/rows/overlay.ts'
import type { Row } from '../../src/rows/Row.ts'
import { INVALID } from '../../src/schema/Schema.ts'
import { timesOf } from '../../src/store/State.ts'
import type { Store } from '../../src/store/Store.ts'
import { readPages } from '../../src/testing/readPages.ts'
import type { VirtualClock } from './clock.ts'
import type { Stream } from './stream.ts'

export type Reader = View['read']

export interface Subject {
  fetch(endpoint: any, args: readonly any[]): Promise<any>
  /** Creates a reader. */
  reader(target: any, args: readonly any[]): Reader
  /** The stored record, without pending operations. */
  stored(table: string, pk: string): any
  /** All stored records of a table. */
  table(name: string): Iterable<[string, unknown]>
  /** The state of the store: the same object until something changes. */
  state(): unknown
  /** How many operations are pending. */
  pending(): number
  set(schema: any, args: readonly any[], value: unknown): Promise<unknown>
  setResponse(endpoint: any, args: readonly any[], value: unknown): Promise<unknown>
  invalidate(endpoint: any, args: readonly any[]): Promise<unknown>
  expireAll(): Promise<unknown>
  reset(): Promise<unknown>
  /** False if the time of the store went back since the last call. */
  isTimeSteady(): boolean
  abort(endpoint: any, args: readonly any[]): Promise<unknown>
  mount(target: any, args: readonly any[], listener: () => void): () => void
  /** A component suspends and never mounts. */
  suspend(endpoint: any, args: readonly any[]): Promise<unknown>
  /** The first row that differs from what the feeds have told; `undefined` if none does. */
  unheard(): string | undefined
  /** The arguments of the page after those that are loaded. */
  nextPage(endpoint: any, args: readonly any[]): readonly any[] | undefined
  poll(endpoint: any, args: readonly any[]): () => void
  /** Serialises the store. */
  save(): string
  stop(): void
}

export interface SubjectOptions {
  readonly clock: VirtualClock
  readonly random: () => number
  /** The saved state of an earlier store. */
  readonly saved?: string | undefined
  /** The share of responses that arrive twice, from 0 to 1. */
  readonly duplicates: number
  /** The age at which data is collected, in milliseconds; without it nothing is collected. */
  readonly garbage: number | undefined
  /** Runs before a collection; the function that it returns runs afterwards. */
  readonly onGarbage: () => () => void
  readonly stream: Stream | undefined
}

/** Milliseconds between two sweeps. */
const SWEEP = 500

export function createSubject(options: SubjectOptions): Subject {
  const { clock, random, saved, duplicates, garbage, onGarbage, stream } = options
  const initialState = saved === undefined ? undefined : deserializeState(saved)
  const managers = [
    ...(stream?.managers() ?? []),
    ...(duplicates > 0 ? [createDuplicator(clock, random, duplicates)] : []),
    ...(garbage === undefined ? [] : [createGCTracker(onGarbage)]),
    ...getDefaultManagers(),
  ]
  const gcPolicy =
    garbage === undefined
      ? new ImmortalGCPolicy()
      : new GCPolicy({ intervalMS: SWEEP, expiresAt: ({ date }) => date + garbage })
  const store = createStore({ clock, random, initialState, managers, gcPolicy } as any)
  const controller: any = store.controller
  const rows = controller.core.store
  const unheard = mirror(rows)
  let lastTime = 0
  const view = (target: any, args: readonly any[]): any => store.view(target, ...(args as []))
  return {
    fetch: (endpoint, args) => controller.fetch(endpoint, ...args),
    reader: (target, args) => {
      const one = view(target, args)
      return () => one.read()
    },
    stored: (table, pk) => store.getState().entities[table]?.[pk],
    table: (name) => Object.entries(store.getState().entities[name] ?? {}),
    state: () => store.getState(),
    pending: () => store.getState().optimistic.length,
    set: (schema, args, value) => controller.set(schema, ...args, value),
    setResponse: (endpoint, args, value) => controller.setResponse(endpoint, ...args, value),
    invalidate: (endpoint, args) => controller.invalidate(endpoint, ...args),
    expireAll: () => controller.expireAll({ testKey: () => true }),
    reset: () => controller.resetEntireStore(),
    isTimeSteady: () => {
      const before = lastTime
      lastTime = rows.clock.now()
      return lastTime >= before
    },
    abort: (endpoint, args) => controller.abort(endpoint, ...args),
    mount: (target, args, listener) => view(target, args).subscribe(listener),
    suspend: (endpoint, args) => view(endpoint, args).promise(),
    unheard,
    nextPage: (endpoint, args) => readPages(rows.tables, endpoint, args).next,
    poll: (endpoint, args) => {
      void controller.subscribe(endpoint, ...args)
      return () => void controller.unsubscribe(endpoint, ...args)
    },
    save: () => serializeState(store.getState()),
    stop: () => store.stop(),
  }
}

/** Keeps what the feeds of a store tell, and compares it with the rows. */
function mirror(store: Store): () => string | undefined {
  const committed = new Map<Row, string>()
  const visible = new Map<Row, unknown>()
  // A result that is read finds out that one of its rows is in doubt. The row has told that.
  const timesIn = (row: Row): unknown => (row.table === store.tables.endpoints ? row.meta?.expiresAt : timesOf(row))
  const dump = (row: Row): string => JSON.stringify([row.value, timesIn(row), listAt(row)?.pages.length])
  const all = (): Row[] => [...store.tables.tables.values(), store.tables.endpoints].flatMap(({ rows }) => rows)
  const isThere = (value: unknown): boolean => value !== undefined && value !== INVALID
  // A store may begin with rows.
  all().forEach((row) => {
    committed.set(row, dump(row))
    visible.set(row, top(row))
  })
  store.committed.listen((changes) => {
    for (const { row, what } of changes) {
      if (what === 'collected' || what === 'reset') {
        committed.delete(row)
      } else {
        committed.set(row, dump(row))
      }
    }
  })
  store.visible.listen((changes) => {
    for (const { row, before, now } of changes) {
      const known = visible.get(row)
      if (isThere(before) !== isThere(known)) {
        visible.set(row, `wrong before: ${JSON.stringify([known, before])}`)
      } else {
        visible.set(row, now)
      }
    }
  })
  return () => {
    const rows = new Set(all())
    for (const row of new Set([...rows, ...committed.keys(), ...visible.keys()])) {
      const name = `${row.key} ${row.pk}`
      if (rows.has(row) ? committed.get(row) !== dump(row) : committed.has(row)) {
        return `${name} is ${dump(row)}, told ${committed.get(row)}`
      }
      const [now, told] = [top(row), visible.get(row)]
      if (isThere(now) !== isThere(told) || (isThere(now) && stableKey([now]) !== stableKey([told]))) {
        return `${name} shows ${JSON.stringify(now)}, told ${JSON.stringify(told)}`
      }
    }
    return undefined
  }
}

/** Reports that data is collected. */
function createGCTracker(onGarbage: SubjectOptions['onGarbage']): Manager {
  return {
    middleware: () => (next) => (action) => {
      if (action.type !== actionTypes.GC) {
        return next(action)
      }
      const after = onGarbage()
      const done = next(action)
      after()
      return done
    },
    cleanup() {},
  }
}

/** Dispatches some responses a second time, a little later. */
function createDuplicator(clock: VirtualClock, random: () => number, share: number): Manager {
  let isOver = false
  const echoed = new WeakSet<object>()
  return {
    middleware: (controller) => (next) => (action) => {
      // A write of the app is not a response: twice it would be two writes.
      const isResponse = action.type === actionTypes.SET_RESPONSE && action.meta.sent !== undefined
      if (isResponse && !echoed.has(action) && random() < share) {
        echoed.add(action)
        clock.setTimeout(() => {
          if (!isOver) {
            void controller.dispatch(action)
          }
        }, random() * 100)
      }
      return next(action)
    },
    cleanup() {
      isOver = true
    },
  }
}
