import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { Node } from '../denormalize/memo.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { ResultMeta } from '../store/Store.ts'
import type { FetchAction } from './actions.ts'
import { GC } from './actionTypes.ts'
import type { Controller } from './Controller.ts'
import { type Driver, isEndpoint, isSkip, type Reading, type Target, type Told } from './driver.ts'
import { isGivenUp, ResetError } from './requests.ts'
import { retryAfter } from './retryAfter.ts'

/** Milliseconds for which what a reader waited for is kept for it, once it is there. */
const PATIENCE = 30_000
const A_DAY = 86_400_000
/** Requests for one key until an answer can be used. */
const TRIES = 3

/** What somebody looks at. */
export interface View<T = any, R = T> {
  /** What is there now. It never fetches. */
  read(): Omit<Reading, 'data'> & { readonly data: T }
  /**
   * Calls the listener when the value changes, or how fresh it is; until the end of it the data is kept up: what is stale or
   * missing is asked for, unless the reader is passive.
   */
  subscribe(listener: (told: Told) => void, passive?: boolean): () => void
  /** What a reader waits for: it asks if that is needed, and resolves to the data. */
  promise(): Promise<R>
}

/** Everybody who looks at a store. */
export interface Views {
  /** The same View for an equal question. */
  view(target: Target, args: readonly any[]): View
  /** What mounted readers look at. */
  nodes(): Iterable<Node>
  /** Judges every mounted reader anew: stale data is asked for. */
  judge(): void
  /** True while somebody reads a key, or is about to. */
  isRead(key: string): boolean
  /** From when on the server wants to be asked for a key again. */
  retryAt(key: string): number
  /** A request for a key, or a page of it, was answered or failed: that may say when to ask again. */
  heard(key: string, error: unknown, isPage: boolean): void
  /** Somebody asks for a key on purpose: what failed before does not count. */
  renew(key: string): void
  /** Somebody lets go of a request: soon it is given up if nobody else wants it. */
  release(action: Pick<FetchAction, 'key' | 'endpoint'>): void
  /** A value that is not to be kept goes, unless somebody reads it. */
  spare(action: Pick<FetchAction, 'key' | 'endpoint'>): void
  /** Requests that nobody waits for are given up. */
  abortsUnused: boolean
  /** How long an answer waits for who has asked for it to be mounted; where nobody ever is, no timer has to run. */
  patience: number
}

export function createViews(controller: Controller, driver: Driver): Views {
  const { store } = driver
  const { clock } = store
  const known = new WeakMap<Node, { target: Target; readonly view: View }>()
  /** Of each node how many listeners there are. */
  const mounted = new Map<Node, number>()
  /** What judges each mounted reader that is not passive. */
  const active = new Set<() => void>()
  const readers = new Map<string, number>()
  /** Keys that a reader waits for which is not mounted yet, each with a mark of its own time of waiting. */
  const waiting = new Map<string, object>()
  const asked = new Map<string, number>()
  /** What servers said of when to ask again: an error that is taken out, or not stored, does not take it back. */
  const postponed = new Map<string, number>()
  let { epoch } = store
  const timesOf = (key: string): number => {
    // What was asked in vain before a reset says nothing about what comes after it.
    if (epoch !== store.epoch) for (const known of [asked, postponed]) known.clear()
    epoch = store.epoch
    return asked.get(key) ?? 0
  }

  const isRead = (key: string): boolean => readers.has(key) || waiting.has(key)
  const isStale = ({ expiryStatus, expiresAt }: Reading): boolean => expiryStatus === 1 || clock.now() > expiresAt

  const spare: Views['spare'] = ({ key, endpoint }) => {
    if (endpoint.dataExpiryLength === 0 && !endpoint.schema && !isRead(key))
      void controller.dispatch({ type: GC, entities: [], endpoints: [key] })
  }

  const release: Views['release'] = (action) => {
    clock.setTimeout(() => {
      const { key } = action
      if (isRead(key)) return
      const { requests } = controller.core
      for (const request of views.abortsUnused ? requests.all() : [])
        if (request.action.key === key && !request.held && !request.action.endpoint.sideEffect) requests.drop(request)
      spare(action)
    }, 0)
  }

  const retryAt = (key: string): number => {
    const { error, date = 0 } = (store.tables.endpoints.slots.get(key)?.meta ?? {}) as Partial<ResultMeta>
    timesOf(key)
    return Math.max(retryAfter(error, date), postponed.get(key) ?? 0)
  }

  const createView = (box: { target: Target }, node: Node, args: readonly any[]): View => {
    const isFetched = isEndpoint(box.target)
    const key = isFetched ? (box.target as EndpointInterface).key(...args) : ''
    let loading: Promise<any> | undefined
    let again = false

    const read = (): Reading => driver.read(box.target, args, mounted.has(node) ? node : undefined)

    const load = async (): Promise<any> => {
      const { requests } = controller.core
      for (;;) {
        const endpoint = box.target as EndpointInterface
        const reading = read()
        const { data, error } = reading
        again = false
        if (requests.isStopped) throw new ResetError()
        if (!reading.waiting && !isStale(reading)) {
          asked.delete(key)
          if (error !== undefined) throw error
          return data
        }
        const wait = reading.waiting ? A_DAY : retryAt(key) - clock.now()
        if (wait > 0) {
          // Whatever comes meanwhile ends the waiting too.
          const { promise, wake } = requests.wait(wait)
          const end = driver.subscribe(endpoint, args, wake)
          await promise
          end()
          if (!isRead(key)) throw new ResetError()
          continue
        }
        if (!requests.running(endpoint, args)) {
          const times = timesOf(key)
          if (times >= TRIES) {
            if (error === undefined && data !== undefined) return data
            const last: unknown = error ?? notUsable(key)
            if (error === undefined) await controller.setError(endpoint, ...(args as []), last as Error)
            throw last
          }
          asked.set(key, times + 1)
        }
        try {
          await requests.fetch(endpoint, args, true).promise
          const { data: answer, expiryStatus } = read()
          if (answer !== undefined && expiryStatus > 1) {
            asked.delete(key)
            return answer
          }
          // Who wanted it may have gone meanwhile.
          if (!isRead(key)) throw new ResetError()
        } catch (thrown) {
          if (isGivenUp(thrown) && isRead(key)) continue
          // An error that stands for a while ends the asking; one that is over at once would be asked away for ever.
          if (read().expiresAt > clock.now()) asked.delete(key)
          throw thrown
        }
      }
    }

    const ask = (): Promise<any> => {
      if (loading !== undefined) {
        again = true
        return loading
      }
      const mine = (loading = load())
      const end = (patience: number): void => {
        loading = undefined
        if (again) judge()
        const mark = waiting.get(key)
        if (mark === undefined || patience === Infinity) return
        clock.setTimeout(() => {
          if (waiting.get(key) !== mark) return
          waiting.delete(key)
          release({ key, endpoint: box.target as EndpointInterface })
        }, patience)
      }
      mine.then(
        () => end(views.patience),
        () => end(0),
      )
      return mine
    }

    /** Asks when a mark says so: that data has grown old since is not looked at here. */
    const judge = (): void => {
      const { expiryStatus, expiresAt } = read()
      if (mounted.has(node) && (expiryStatus === 1 || expiresAt <= 1)) void ask()
    }
    const judgeAge = (): void => {
      asked.delete(key)
      if (isStale(read())) void ask()
    }

    return {
      read,
      subscribe(listener, passive) {
        const isActive = isFetched && !passive
        // A query that nobody has mounted yet may have been forgotten meanwhile: then it is another node by now.
        const mine = (node = driver.node(box.target, args))
        known.set(mine, box as { target: Target; readonly view: View })
        const end = driver.subscribe(box.target, args, (told) => {
          listener(told)
          // Who leaves because of this need not be asked for: a binding has rendered by then.
          if (isActive) queueMicrotask(judge)
        })
        // Each reader judges for itself, and all of them ask together.
        const judgeMine = (): void => judgeAge()
        let isOver = false
        count(mounted, mine, 1)
        if (isFetched) count(readers, key, 1)
        if (isActive) {
          active.add(judgeMine)
          // Who has just waited for data does not call it old.
          if (waiting.has(key)) judge()
          else judgeAge()
        }
        // All that waited together are mounted in one task.
        if (waiting.has(key)) clock.setTimeout(() => waiting.delete(key), 0)
        return () => {
          if (isOver) return
          isOver = true
          end()
          active.delete(judgeMine)
          count(mounted, mine, -1)
          if (!isFetched) return
          count(readers, key, -1)
          release({ key, endpoint: box.target as EndpointInterface })
        }
      },
      promise() {
        if (!isFetched) return Promise.resolve(read().data)
        if (!readers.has(key)) waiting.set(key, {})
        return ask()
      },
    }
  }

  const views: Views = {
    view(target, args) {
      if (isSkip(args)) {
        const read = (): Reading => driver.read(target, args)
        return { read, subscribe: () => () => {}, promise: () => Promise.resolve(read().data) }
      }
      const node = driver.node(target, args)
      let entry = known.get(node)
      if (entry === undefined) {
        const box = { target }
        known.set(node, (entry = Object.assign(box, { view: createView(box, node, args) })))
      }
      entry.target = target
      return entry.view
    },
    nodes: () => mounted.keys(),
    judge() {
      for (const judge of active) judge()
    },
    isRead,
    retryAt,
    heard(key, error, isPage) {
      timesOf(key)
      const until = retryAfter(error, clock.now())
      if (until > 0) postponed.set(key, until)
      // A page does not say that the list itself may be asked for again.
      else if (!isPage) postponed.delete(key)
    },
    renew(key) {
      asked.delete(key)
    },
    release,
    spare,
    abortsUnused: true,
    patience: PATIENCE,
  }
  return views
}

function count<K>(counts: Map<K, number>, key: K, step: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + step
  if (now > 0) counts.set(key, now)
  else counts.delete(key)
}

function notUsable(key: string): Error {
  return fail(
    'not-usable',
    key,
    DEV &&
      `"${key}" was answered ${TRIES} times, and each time a record that its schema needs was missing. Look at what the server sends, and at what deletes that record.`,
    Error,
    { status: 400, refused: true },
  )
}
