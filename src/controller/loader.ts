import { soon } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import { missingField } from '../denormalize/complete.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { firedOf, reasonOf } from '../endpoint/signals.ts'
import { originOf } from '../normalize/origin.ts'
import { STALE } from '../schema/Schema.ts'
import { type Attempts, TRIES } from './attempts.ts'
import type { Controller } from './Controller.ts'
import type { Driver } from './driver.ts'
import { observers } from './observers.ts'
import { ExpiryStatus, type Reading, type Target } from './read.ts'
import type { Requests } from './requests.ts'
import { isAborted, ResetError } from './ResetError.ts'
import type { SharedView, ViewChange } from './SharedView.ts'
import type { Waits } from './waits.ts'

const A_DAY = 86_400_000

/** Fetches the data of views. */
export interface Loader {
  /** Fetches until there is data to show. All callers get the same promise. */
  load(view: SharedView): Promise<any>
  /** Fetches data that is marked stale; its age does not matter. For a reader that has just waited for it. */
  check(view: SharedView): void
  /** Fetches data that is stale, by a mark or by its age. For a reader that mounts. */
  checkAge(view: SharedView): void
  /** The subscribers of a view were notified of a change: fetches if it was marked stale or removed. */
  checkChange(view: SharedView, change: ViewChange): void
}

export interface LoaderOptions {
  readonly controller: Controller
  readonly driver: Driver
  readonly requests: Requests
  readonly attempts: Attempts
  readonly waits: Waits
  /** True while a reader whose signal has not fired reads a key, or is about to. */
  isWanted(key: string): boolean
  /** A view has loaded, or failed to. */
  onEnd(view: SharedView, isLoaded: boolean): void
}

export function createLoader({
  controller,
  driver,
  requests,
  attempts,
  waits,
  isWanted,
  onEnd,
}: LoaderOptions): Loader {
  const { clock } = driver.store
  /** True for data that is invalid, marked stale, or older than it may be. */
  const needsFetch = ({ expiryStatus, expiresAt }: Reading): boolean =>
    expiryStatus === ExpiryStatus.Invalid || clock.now() > expiresAt
  /** The same, whatever its age: data on the screen is not fetched again only because time has passed. */
  const isMarkedStale = ({ expiryStatus, expiresAt }: Reading): boolean =>
    expiryStatus === ExpiryStatus.Invalid || expiresAt <= STALE

  /** The endpoint to fetch with: one of the readers may have aborted, and another not. */
  const endpointOf = (view: SharedView): EndpointInterface => {
    const target = view.target as EndpointInterface
    const all: Target[] = [target, ...(waits.get(view.key)?.targets.values() ?? [])]
    view.some(({ subscriber }) => subscriber && void all.push(subscriber.target))
    const endpoints = all as EndpointInterface[]
    return endpoints.find((other) => !firedOf(other) && other.schema === target.schema) ?? target
  }

  /** Waits until the server allows a request, or until the view changes. */
  const pause = async (
    view: SharedView,
    endpoint: EndpointInterface,
    { waiting }: Reading,
    delay: number,
  ): Promise<void> => {
    const { promise, wake } = requests.wait(delay)
    const end = driver.subscribe(endpoint, view.args, wake)
    await promise
    end()
    // The reader may leave the screen because the pending operation has ended.
    if (waiting && needsFetch(view.read())) {
      await requests.wait(0).promise
    }
    if (!isWanted(view.key)) {
      throw new ResetError()
    }
  }

  /** Stores that the responses of a view cannot be used. */
  const storeUnusable = async ({ args, key }: SharedView, endpoint: EndpointInterface): Promise<Error> => {
    const error = notUsable(endpoint, key)
    await controller.setError(endpoint, ...(args as []), error)
    return error
  }

  /** Sends one request. Returns the reading if it can be shown; otherwise it is to be fetched again. */
  const fetchOnce = async (
    view: SharedView,
    endpoint: EndpointInterface,
    isPartial: boolean | undefined,
  ): Promise<Reading | undefined> => {
    const { args, key } = view
    let value: unknown
    try {
      value = await requests.fetch(endpoint, args, true)
    } catch (thrown) {
      if (isAborted(thrown) && isWanted(key)) {
        return undefined
      }
      // A stored error ends the tries. One that expires at once does not: it would be fetched for ever.
      if (view.read().expiresAt > clock.now()) {
        attempts.resetTries(key)
      }
      throw thrown
    }
    // Fetching again would return the same.
    if (value === undefined && !endpoint.schema) {
      attempts.exhaust(key)
    }
    const reading = view.read()
    if (DEV && isPartial) {
      warnMissing(reading.data)
    }
    if (reading.data !== undefined && reading.expiryStatus !== ExpiryStatus.Invalid) {
      attempts.resetTries(key)
      return reading
    }
    if (!isWanted(key)) {
      throw new ResetError()
    }
    return undefined
  }

  const run = async (view: SharedView): Promise<any> => {
    const { args, key } = view
    for (;;) {
      const endpoint = endpointOf(view)
      const reading = view.read()
      view.isCheckDue = false
      if (requests.isStopped) {
        throw new ResetError()
      }
      if (!reading.waiting && !needsFetch(reading)) {
        attempts.resetTries(key)
        if (reading.error !== undefined) {
          throw reading.error
        }
        return reading.data
      }
      const fired = firedOf(endpoint)
      if (fired) {
        throw reasonOf(fired)
      }
      const delay = reading.waiting ? A_DAY : attempts.retryAt(key) - clock.now()
      if (delay > 0) {
        await pause(view, endpoint, reading, delay)
        continue
      }
      if (!requests.running(endpoint, args) && !attempts.addTry(key)) {
        if (reading.error === undefined && reading.data !== undefined) {
          return reading.data
        }
        throw reading.error ?? (await storeUnusable(view, endpoint))
      }
      if (DEV) {
        observers.get(driver.store)?.because(key, whyFetch(reading, clock.now()))
      }
      const loaded = await fetchOnce(view, endpoint, reading.isPartial)
      if (loaded) {
        return loaded.data
      }
    }
  }

  const load: Loader['load'] = (view) => {
    if (view.loading !== undefined) {
      view.isCheckDue = true
      return view.loading
    }
    const loading = (view.loading = run(view))
    const end = (isLoaded: boolean): void => {
      view.loading = undefined
      if (view.isCheckDue) {
        check(view)
      }
      waits.settle(view.key)
      onEnd(view, isLoaded)
    }
    loading.then(
      () => end(true),
      () => end(false),
    )
    return loading
  }

  /** @param isLost its data was removed while it was shown */
  const check = (view: SharedView, isLost?: boolean): void => {
    if (view.subscribers > 0 && (isLost || isMarkedStale(view.read()))) {
      void load(view)
    }
  }

  return {
    load,
    check,
    checkAge(view) {
      attempts.resetTries(view.key)
      if (needsFetch(view.read())) {
        void load(view)
      }
    },
    checkChange(view, change) {
      const reading = view.read()
      // The error may be an old one, in spite of which the data was shown: it does not explain the loss.
      const isLost = change === 'value' && reading.data === undefined && needsFetch(reading)
      // A subscriber that leaves because of the change needs no request: by then a binding has rendered.
      if (isLost || isMarkedStale(reading)) {
        soon(() => check(view, isLost))
      }
    },
  }
}

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

/** Why a reader fetches, for the devtools. */
function whyFetch({ data, error, expiryStatus, expiresAt, isPartial }: Reading, now: number): string {
  if (DEV) {
    const why =
      error !== undefined
        ? 'the last error has expired'
        : isPartial
          ? 'the stored data is incomplete'
          : data === undefined
            ? 'nothing was stored'
            : expiryStatus === ExpiryStatus.Invalid
              ? 'it was invalidated'
              : expiresAt <= STALE
                ? 'it was marked stale'
                : `it expired ${now - expiresAt} ms ago`
    return `A reader needed it: ${why}.`
  }
  return ''
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
