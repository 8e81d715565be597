import { STALE } from '../schema/Schema.ts'
import { soon } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import { missingField } from '../denormalize/complete.ts'
import { DIRTY, type Node, viewsOf } from '../denormalize/memo.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { firedOf, follow, onAbort, reasonOf, signalsOf } from '../endpoint/signals.ts'
import { originOf } from '../normalize/origin.ts'
import type { Slot } from '../normalize/tables.ts'
import type { ResultMeta } from '../store/Store.ts'
import { GC } from './actionTypes.ts'
import type { Controller } from './Controller.ts'
import { type Driver, isSkip, type Reading, type Target, type Told } from './driver.ts'
import type { RequestListener, Requests } from './requests.ts'
import { isAborted, ResetError } from './ResetError.ts'
import { retryAfter } from './retryAfter.ts'
import type { View as StoreView } from './view.ts'
import { createWaits, type Waits } from './waits.ts'

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
  /** Fetches if that is needed and resolves to the data. It follows the signal of the endpoint. */
  promise(): Promise<R>
}

/** A view that several look at, each with options of their own. */
export interface SharedView extends View {
  /** The key of an endpoint; empty for a query. */
  readonly key: string
  /** @param by what judges: an endpoint of the same key, by default the one that asked for the view last */
  read(by?: Target): Reading
  /** @param by who reads: its endpoint, and so its signal, may be another one at the next render */
  subscribe(listener: (told: Told) => void, passive?: boolean, by?: Subscriber): () => void
  /** The promise shared by all readers; `promise()` follows it until a signal fires. */
  load(): Promise<any>
}

/** A reader of a view. */
export interface Subscriber {
  readonly target: Target
  /** It has waited for the data it shows. */
  readonly isAwaited?: boolean
}

/** Everybody who looks at a store. */
export interface Views extends RequestListener, Pick<Waits, 'isCurrent'> {
  /** The same View for an equal question. */
  view(target: Target, args: readonly any[]): SharedView
  /** What mounted readers look at. */
  nodes(): Iterable<Node>
  /** Refetches stale data of mounted readers whose endpoints pass the test. */
  judge(test: (endpoint: EndpointInterface) => boolean): void
  /** True while somebody reads a key, or is about to. */
  isRead(key: string): boolean
  /** From when on the server wants to be asked for a key again. */
  retryAt(key: string): number
  /** Requests that nobody waits for are given up. */
  abortsUnused: boolean
  /** How long an answer waits for who has asked for it to be mounted; where nobody ever is, no timer has to run. */
  patience: number
}

export function createViews(controller: Controller, driver: Driver, requests: Requests): Views {
  const { store } = driver
  const { clock } = store
  /** What has listeners. */
  const mounted = new Set<Seat>()
  /** Keys that readers wait for which are not mounted yet; another object for each time of waiting. */
  const waiting = new Map<string, Wait>()
  const waits = createWaits(clock)
  const asked = new Map<string, number>()
  /** What servers said of when to ask again: an error that is taken out, or not stored, does not take it back. */
  const postponed = new Map<string, number>()
  let { resetAt } = store
  const timesOf = (key: string): number => {
    // Failures before a reset say nothing about requests after it.
    if (resetAt !== store.resetAt) {
      for (const known of [asked, postponed]) {
        known.clear()
      }
    }
    resetAt = store.resetAt
    return asked.get(key) ?? 0
  }

  const isMounted = (key: string, test = ({ listeners }: Seat): unknown => listeners): boolean => {
    const first = store.tables.endpoints.slots.get(key)?.node as Node | undefined
    return first !== undefined && viewsOf(first).some(({ extra }) => extra?.seat && test(extra.seat as Seat))
  }
  const isRead = (key: string): boolean => waiting.has(key) || isMounted(key)
  const isWanted = (key: string): boolean =>
    [...(waiting.get(key)?.targets.values() ?? [])].some((target) => !firedOf(target)) ||
    isMounted(key, (seat) => seat.isWanted())
  const isStale = ({ expiryStatus, expiresAt }: Reading): boolean => expiryStatus === 1 || clock.now() > expiresAt

  const onStored: Views['onStored'] = ({ key, endpoint }) => {
    if (endpoint.dataExpiryLength === 0 && !endpoint.schema && !isRead(key)) {
      void controller.dispatch({ type: GC, entities: [], endpoints: [key] })
    }
  }

  let leaving: Parameters<Views['release']>[0][] | undefined
  const release: Views['release'] = (action) => {
    if (leaving !== undefined) {
      leaving.push(action)
      return
    }
    // A page that goes lets go of all it shows at once.
    const mine = (leaving = [action])
    soon(() => {
      leaving = undefined
    })
    clock.setTimeout(() => {
      for (const { key, endpoint } of mine) {
        if (isWanted(key)) {
          continue
        }
        // Who comes next begins anew, however often it was asked for and given up.
        asked.delete(key)
        if (views.abortsUnused) {
          requests.dropUnused(key)
        }
        onStored({ key, endpoint })
      }
    }, 0)
  }

  const retryAt = (key: string): number => {
    const { error, date = 0 } = (store.tables.endpoints.slots.get(key)?.meta ?? {}) as Partial<ResultMeta>
    timesOf(key)
    return Math.max(retryAfter(error, date, clock.ahead()), postponed.get(key) ?? 0)
  }

  const load = async (seat: Seat): Promise<any> => {
    const { args, key } = seat
    for (;;) {
      const endpoint = seat.asker()
      const reading = seat.read()
      const { data, error } = reading
      seat.again = false
      if (requests.isStopped) {
        throw new ResetError()
      }
      if (!reading.waiting && !isStale(reading)) {
        asked.delete(key)
        if (error !== undefined) {
          throw error
        }
        return data
      }
      const fired = firedOf(endpoint)
      if (fired) {
        throw reasonOf(fired)
      }
      const wait = reading.waiting ? A_DAY : retryAt(key) - clock.now()
      if (wait > 0) {
        // Whatever comes meanwhile ends the waiting too.
        const { promise, wake } = requests.wait(wait)
        const end = driver.subscribe(endpoint, args, wake)
        await promise
        end()
        // Who wanted the operation may leave the screen now that it has ended.
        if (reading.waiting && isStale(seat.read())) {
          await requests.wait(0).promise
        }
        if (!isWanted(key)) {
          throw new ResetError()
        }
        continue
      }
      if (!requests.running(endpoint, args)) {
        const times = timesOf(key)
        if (times >= TRIES) {
          if (error === undefined && data !== undefined) {
            return data
          }
          const last: unknown = error ?? notUsable(endpoint, key)
          if (error === undefined) {
            await controller.setError(endpoint, ...(args as []), last as Error)
          }
          throw last
        }
        asked.set(key, times + 1)
      }
      try {
        const got: unknown = await requests.fetch(endpoint, args, true)
        // Nothing comes of asking for it again.
        if (got === undefined && !endpoint.schema) {
          asked.set(key, TRIES)
        }
        const { data: answer, expiryStatus } = seat.read()
        if (DEV && reading.isPartial) {
          warnMissing(answer)
        }
        if (answer !== undefined && expiryStatus > 1) {
          asked.delete(key)
          return answer
        }
        // Who wanted it may have gone meanwhile.
        if (!isWanted(key)) {
          throw new ResetError()
        }
      } catch (thrown) {
        if (isAborted(thrown) && isWanted(key)) {
          continue
        }
        // An error that stands for a while ends the asking; one that is over at once would be asked away for ever.
        if (seat.read().expiresAt > clock.now()) {
          asked.delete(key)
        }
        throw thrown
      }
    }
  }

  const ask = (seat: Seat): Promise<any> => {
    if (seat.loading !== undefined) {
      seat.again = true
      return seat.loading
    }
    const { key } = seat
    const mine = (seat.loading = load(seat))
    const end = (patience: number): void => {
      seat.loading = undefined
      if (seat.again) {
        judge(seat)
      }
      const wait = waiting.get(key)
      waits.end(key)
      if (wait === undefined) {
        return
      }
      wait.settled = clock.now()
      if (patience === Infinity) {
        return
      }
      clock.setTimeout(() => {
        if (waiting.get(key) !== wait) {
          return
        }
        waiting.delete(key)
        release({ key, endpoint: seat.target as EndpointInterface })
      }, patience)
    }
    mine.then(
      () => end(views.patience),
      () => end(0),
    )
    return mine
  }

  /** A mark says that it has to be asked for: that data has grown old since is not looked at here. */
  const isMarked = ({ expiryStatus, expiresAt }: Reading): boolean => expiryStatus === 1 || expiresAt <= STALE
  const judge = (seat: Seat, isLost?: boolean): void => {
    if (seat.listeners > 0 && (isLost || isMarked(seat.read()))) {
      void ask(seat)
    }
  }
  const judgeAge = (seat: Seat): void => {
    asked.delete(seat.key)
    if (isStale(seat.read())) {
      void ask(seat)
    }
  }

  /** One for each node that somebody looked at: a page may have ten thousand, so it is one object. */
  class Seat implements SharedView {
    target: Target
    node: Node
    readonly args: readonly any[]
    /** Of an endpoint; empty for a query. */
    readonly key: string
    listeners = 0
    /** How many of them are not passive. */
    active = 0
    loading: Promise<any> | undefined = undefined
    again = false
    /** What was read last, and of what: while there are listeners, whatever changes it is known. */
    private last: Reading | undefined = undefined
    private by: Target | undefined = undefined
    private meta: unknown = undefined
    private version = 0

    constructor(target: Target, node: Node, args: readonly any[]) {
      this.target = target
      this.node = node
      this.args = args
      this.key = node.kind === 'result' ? (node.source as Slot).pk : ''
    }

    read(by: Target = this.target): Reading {
      const { args } = this
      if (this.listeners === 0) {
        return driver.read(by, args, this.find())
      }
      const { node, last } = this
      const { version } = node.extra!.told as StoreView
      const meta: unknown = (node.source as Slot | undefined)?.meta
      if (last && by === this.by && version === this.version && meta === this.meta && (node.flags & DIRTY) === 0) {
        return last
      }
      const reading = driver.read(by, args, node)
      // A mark may be taken off by an answer to somebody else, and nobody is told of that.
      const isKept = reading.data !== undefined && (meta === undefined || reading.expiresAt > STALE)
      this.last = isKept ? reading : undefined
      this.by = by
      this.meta = meta
      this.version = version
      return reading
    }

    subscribe(listener: (told: Told) => void, passive?: boolean, by: Subscriber = { target: this.target }): () => void {
      const node = this.find()
      const seat = node.extra!.seat as Seat
      // Somebody who found it anew is here already.
      if (seat !== this) {
        return seat.subscribe(listener, passive, by)
      }
      const { key } = this
      const isFetched = node.kind === 'result'
      const isActive = isFetched && !passive
      const entry = {
        by: isActive ? by : undefined,
        call: (told: Told): void => {
          listener(told)
          if (!isActive) {
            return
          }
          const reading = this.read()
          // An error of long ago, which data was shown in spite of, is no reason for its going.
          const isLost = told === 'value' && reading.data === undefined && isStale(reading)
          // Who leaves because of this need not be asked for: a binding has rendered by then.
          if (isLost || isMarked(reading)) {
            soon(() => judge(this, isLost))
          }
        },
      }
      driver.mount(node, entry)
      this.last = undefined
      if (++this.listeners === 1) {
        mounted.add(this)
      }
      if (isActive) {
        this.active++
        const wait = waiting.get(key)
        // A reader that has just waited for data does not call it old.
        if (wait && (by.isAwaited || waits.isCurrent(wait.settled))) {
          judge(this)
        } else {
          judgeAge(this)
        }
      }
      // All that waited together are mounted in one task.
      if (isFetched && waiting.has(key)) {
        clock.setTimeout(() => waiting.delete(key), 0)
      }
      const end = isActive ? onAbort(signalsOf(by.target), () => requests.dropUnused(key)) : undefined
      let isOver = false
      return () => {
        if (isOver) {
          return
        }
        isOver = true
        end?.()
        driver.unmount(node, entry)
        if (isActive) {
          this.active--
        }
        if (--this.listeners === 0) {
          mounted.delete(this)
        }
        if (isFetched) {
          release({ key, endpoint: this.target as EndpointInterface })
        }
      }
    }

    load(): Promise<any> {
      const { key, target, node } = this
      if (node.kind !== 'result') {
        return Promise.resolve(this.read().data)
      }
      if (!isMounted(key, (seat) => seat.isWanted())) {
        const targets = new Map(waiting.get(key)?.targets).set(signalsOf(target)[0], target)
        waiting.set(key, { targets, settled: Infinity })
      }
      waits.begin(key)
      return ask(this)
    }

    promise(): Promise<any> {
      const { key, target } = this
      const [signal] = this.node.kind === 'result' ? signalsOf(target) : []
      if (!signal) {
        return this.load()
      }
      const fired = firedOf(target)
      const loading = fired ? Promise.reject(reasonOf(fired)) : this.load()
      const known = followed.get(loading) ?? new WeakMap<AbortSignal, Promise<any>>()
      const mine = known.get(signal) ?? follow(loading, target, () => requests.dropUnused(key))
      followed.set(loading, known.set(signal, mine))
      // Nobody has to wait for it.
      mine.catch(() => {})
      return mine
    }

    /** True while one of its listeners has a signal that has not fired, or none. */
    isWanted(): boolean {
      const { listeners, node } = this
      return listeners > 0 && (node.extra!.told as StoreView).some(({ by }) => !firedOf(by?.target))
    }

    /** What nobody has mounted yet may have been forgotten meanwhile: then it is another node by now. */
    private find(): Node {
      if (this.node.extra!.seat !== this) {
        this.node = driver.node(this.target, this.args)
        this.node.extra!.seat ??= this
      }
      return this.node
    }

    /** An equal endpoint asks from now on. */
    serve(target: Target): this {
      this.target = target
      return this
    }

    /** The endpoint to fetch by: of its readers one may have aborted, and another not. */
    asker(): EndpointInterface {
      const target = this.target as EndpointInterface
      if (!firedOf(target)) {
        return target
      }
      const others: Target[] = [...(waiting.get(this.key)?.targets.values() ?? [])]
      if (this.listeners > 0) {
        ;(this.node.extra!.told as StoreView).some(({ by }) => by && void others.push(by.target))
      }
      const endpoints = others as EndpointInterface[]
      return endpoints.find((other) => !firedOf(other) && other.schema === target.schema) ?? target
    }
  }

  const views: Views = {
    view(target, args) {
      if (isSkip(args)) {
        const read = (): Reading => driver.read(target, args)
        const load = (): Promise<any> => Promise.resolve(read().data)
        return { key: '', read, subscribe: () => () => {}, load, promise: load }
      }
      const node = driver.node(target, args)
      const extra = node.extra!
      return ((extra.seat ??= new Seat(target, node, args)) as Seat).serve(target)
    },
    *nodes() {
      for (const { node } of mounted) {
        yield node
      }
    },
    judge(test) {
      for (const seat of mounted) {
        if (seat.active > 0 && test(seat.target as EndpointInterface)) {
          judgeAge(seat)
        }
      }
    },
    isRead,
    isWanted,
    retryAt,
    onResponse(key, error, isPage) {
      timesOf(key)
      const until = retryAfter(error, clock.now(), clock.ahead())
      if (until > 0) {
        postponed.set(key, until)
      }
      // A page does not say that the list itself may be asked for again.
      else if (!isPage) {
        postponed.delete(key)
      }
    },
    resetTries(key) {
      asked.delete(key)
    },
    release,
    onStored,
    isCurrent: waits.isCurrent,
    abortsUnused: true,
    patience: PATIENCE,
  }
  requests.listen(views)
  return views
}

interface Wait {
  /** The endpoints that are read by, one for each signal. */
  readonly targets: ReadonlyMap<AbortSignal | undefined, Target>
  /** When the data came; `Infinity` before. */
  settled: number
}

/** Of what readers wait for, what each signal makes of it: React has to be given the same promise at each render. */
const followed = /* @__PURE__ */ new WeakMap<Promise<any>, WeakMap<AbortSignal, Promise<any>>>()

/** A field that neither a list nor the record's own response contains costs a request for each record. */
function warnMissing(record: unknown): void {
  const name = missingField(record)
  if (DEV && name !== undefined) {
    const { key } = originOf(record)!
    warnOnce(
      `"${key}" declares "${name}", but no response contained it, not even the one that was fetched for it. If the server does not always send it, list the fields that readers rely on: static required = ['id', …].`,
    )
  }
}

function notUsable({ schema }: EndpointInterface, key: string): Error {
  return fail(
    'not-usable',
    key,
    DEV &&
      (schema
        ? `"${key}" was fetched ${TRIES} times, and each time a record that its schema needs was missing. Look at what the server sends, and at what deletes that record.`
        : `The response of "${key}" is undefined. A read has to return a value: return null where there is none.`),
    Error,
    { status: 400, refused: true },
  )
}
