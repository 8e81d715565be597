import { soon } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { type Node, nodesOf } from '../denormalize/memo.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { firedOf, follow, onAbort, reasonOf, signalsOf } from '../endpoint/signals.ts'
import { GC } from './actionTypes.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import type { Controller } from './Controller.ts'
import type { Driver } from './driver.ts'
import { createLoader } from './loader.ts'
import { isSkip, type Reading, type Target } from './read.ts'
import type { RequestListener, Requests } from './requests.ts'
import type { BoundView, Listener, SharedView, ViewFetcher } from './SharedView.ts'
import { createWaits, type Waits } from './waits.ts'

/** Milliseconds for which data is kept for a reader that waited for it and is not mounted yet. */
export const SUSPENDED_READER_KEPT = 30_000

/** The views of a store and their subscribers, for which stale and missing data is fetched. */
export interface Views extends RequestListener, Pick<Waits, 'hasWaitedSince'>, Pick<Attempts, 'retryAt'> {
  /** Returns the same view for equal arguments. */
  view(target: Target, args: readonly any[]): BoundView
  /** The nodes of mounted views. */
  nodes(): Iterable<Node>
  /** Refetches stale data of mounted readers whose endpoints pass the test. */
  refetchStale(test: (endpoint: EndpointInterface) => boolean): void
  /** Fetches the stale data of mounted readers again for which no request is running any more. */
  repeatFailed(testKey: (key: string) => boolean): void
  /** True while a key has a reader, or is about to have one. */
  isRead(key: string): boolean
  /** Requests without callers and readers are aborted. */
  abortsUnused: boolean
  /** How long data is kept for a reader that waited for it; `Infinity` on a server, where no reader is ever mounted. */
  patience: number
}

export function createViews(controller: Controller, driver: Driver, requests: Requests): Views {
  const { store } = driver
  const { clock } = store
  const subscribed = new Set<SharedView>()
  const waits = createWaits(clock)
  const attempts = createAttempts(store)

  const isSubscribed = (key: string, test: (view: SharedView) => unknown): boolean => {
    const first = store.tables.endpoints.slots.get(key)?.node as Node | undefined
    return first !== undefined && nodesOf(first).some(({ extra }) => extra?.view && test(extra.view as SharedView))
  }
  /** A passive subscriber has no signal. */
  const hasLiveSubscriber = (view: SharedView): boolean =>
    view.subscribers > 0 && view.some(({ subscriber }) => !firedOf(subscriber?.target))
  const isRead: Views['isRead'] = (key) =>
    waits.get(key) !== undefined || isSubscribed(key, ({ subscribers }) => subscribers)
  const isWanted: Views['isWanted'] = (key) =>
    [...(waits.get(key)?.targets.values() ?? [])].some((target) => !firedOf(target)) ||
    isSubscribed(key, hasLiveSubscriber)

  const onStored: Views['onStored'] = ({ key, endpoint }) => {
    if (endpoint.dataExpiryLength === 0 && !endpoint.schema && !isRead(key)) {
      void controller.dispatch({ type: GC, entities: [], endpoints: [key] })
    }
  }

  /** Released in the current task: a page that unmounts releases everything at once, and one timer serves all. */
  let released: Parameters<Views['release']>[0][] | undefined
  const release: Views['release'] = (action) => {
    if (released !== undefined) {
      released.push(action)
      return
    }
    const actions = (released = [action])
    soon(() => {
      released = undefined
    })
    clock.setTimeout(() => {
      for (const { key, endpoint } of actions) {
        if (isWanted(key)) {
          continue
        }
        attempts.resetTries(key)
        if (views.abortsUnused) {
          requests.dropUnused(key)
        }
        onStored({ key, endpoint })
      }
    }, 0)
  }

  const loader = createLoader({
    controller,
    driver,
    requests,
    attempts,
    waits,
    isWanted,
    onEnd({ key, target }, isLoaded) {
      const wait = waits.get(key)
      const delay = isLoaded ? views.patience : 0
      if (wait === undefined || delay === Infinity) {
        return
      }
      clock.setTimeout(() => {
        if (waits.get(key) === wait) {
          waits.forget(key)
          release({ key, endpoint: target as EndpointInterface })
        }
      }, delay)
    },
  })

  const subscribe: ViewFetcher['subscribe'] = (view, notify, passive, subscriber = { target: view.target }) => {
    const { key, node } = view
    const isResult = node.kind === 'result'
    const isActive = isResult && !passive
    const notifyAndCheck: Listener['notify'] = (change) => {
      notify(change)
      loader.checkChange(view, change)
    }
    const listener: Listener = isActive ? { notify: notifyAndCheck, subscriber } : { notify }
    if (DEV) {
      listener.name = subscriber.name
    }
    view.add(listener)
    if (++view.subscribers === 1) {
      subscribed.add(view)
    }
    if (isActive) {
      view.active++
      const wait = waits.get(key)
      // A reader that has just waited for data does not call it stale.
      if (wait && (subscriber.isAwaited || waits.hasWaitedSince(wait.settledAt))) {
        loader.check(view)
      } else {
        loader.checkAge(view)
      }
    }
    // All readers that waited together are mounted in one task.
    if (isResult && waits.get(key)) {
      clock.setTimeout(() => waits.mount(key), 0)
    }
    const end = isActive ? onAbort(signalsOf(subscriber.target), () => requests.dropUnused(key)) : undefined
    let hasEnded = false
    return () => {
      if (hasEnded) {
        return
      }
      hasEnded = true
      end?.()
      view.remove(listener)
      if (isActive) {
        view.active--
      }
      if (--view.subscribers === 0) {
        subscribed.delete(view)
      }
      if (isResult) {
        release({ key, endpoint: view.target as EndpointInterface })
      }
    }
  }

  const load: ViewFetcher['load'] = (view, suspends) => {
    const { key, target, node } = view
    if (node.kind !== 'result') {
      return Promise.resolve(view.read().data)
    }
    waits.begin(key, !suspends && isSubscribed(key, hasLiveSubscriber) ? undefined : target, suspends)
    return loader.load(view)
  }

  const promise: ViewFetcher['promise'] = (view) => {
    const { key, target } = view
    const [signal] = view.node.kind === 'result' ? signalsOf(target) : []
    if (!signal) {
      return load(view)
    }
    const fired = firedOf(target)
    const loading = fired ? Promise.reject(reasonOf(fired)) : load(view)
    const known = followed.get(loading) ?? new WeakMap<AbortSignal, Promise<any>>()
    const followedPromise = known.get(signal) ?? follow(loading, target, () => requests.dropUnused(key))
    followed.set(loading, known.set(signal, followedPromise))
    // The caller may ignore it.
    followedPromise.catch(() => {})
    return followedPromise
  }

  driver.viewSource.fetcher = { subscribe, load, promise }
  const views: Views = {
    view(target, args) {
      if (isSkip(args)) {
        const read = (): Reading => driver.read(target, args)
        const load = (): Promise<any> => Promise.resolve(read().data)
        return { key: '', read, subscribe: () => () => {}, load, promise: load }
      }
      const view = driver.view(target, args)
      view.target = target
      return view
    },
    *nodes() {
      for (const { node } of subscribed) {
        yield node
      }
    },
    refetchStale(test) {
      for (const view of subscribed) {
        if (view.active > 0 && test(view.target as EndpointInterface)) {
          loader.checkAge(view)
        }
      }
    },
    repeatFailed(testKey) {
      for (const view of subscribed) {
        if (view.active > 0 && view.loading === undefined && testKey(view.key)) {
          attempts.resetTries(view.key)
          loader.check(view)
        }
      }
    },
    isRead,
    isWanted,
    release,
    onStored,
    ...attempts,
    hasWaitedSince: waits.hasWaitedSince,
    abortsUnused: true,
    patience: SUSPENDED_READER_KEPT,
  }
  requests.listen(views)
  return views
}

/** For each signal, the promise that follows it: React has to get the same promise at each render. */
const followed = /* @__PURE__ */ new WeakMap<Promise<any>, WeakMap<AbortSignal, Promise<any>>>()
