import {
  type Accessor,
  createMemo,
  createRenderEffect,
  createResource,
  createSignal,
  createUniqueId,
  getOwner,
  onCleanup,
  onMount,
  runWithOwner,
  sharedConfig,
  untrack,
} from 'solid-js'
import { isServer } from 'solid-js/web'
import { afterRender } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { componentName } from '../binding/componentName.ts'
import type { Source } from '../binding/createPolling.ts'
import { valuesOf } from '../binding/getterArgs.ts'
import { pageOf, waitForMore } from '../binding/onServer.ts'
import { Reader, type Take, viewOf } from '../binding/Reader.ts'
import { isSkip, type Target } from '../requests/Reading.ts'
import { useController } from './useController.ts'

/** The reader of a use, another one for other arguments. */
export function createReaderOf<T>(
  target: Accessor<Target>,
  args: readonly unknown[],
  take: Take<T>,
  passive?: boolean,
  keeps?: boolean,
): Accessor<Reader<T>> {
  const controller = useController()
  const name = DEV ? componentName() : undefined
  return createChecked<Reader<T>>((last) => {
    const by = target()
    const values = valuesOf(args)
    return untrack(() => {
      const view = viewOf(controller, by, values, passive)
      // Equal arguments have the same view, and may come with other options.
      if (last?.view === view) {
        last.use(by)
        return last
      }
      return new Reader(controller, by, values, view, take, passive, keeps, name)
    })
  })
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown }

/** A memo whose error is thrown wherever it is read. One of Solid would have no value, and its readers would fail with another error. */
export function createChecked<T>(compute: (last: T | undefined) => T): Accessor<T> {
  const outcome = createMemo<Outcome<T>>(
    (last) => {
      try {
        return { value: compute('value' in last ? last.value : undefined) }
      } catch (error) {
        return { error }
      }
    },
    { error: undefined },
    { equals: (a, b) => 'value' in a && 'value' in b && a.value === b.value },
  )
  const read = (): T => {
    const now = outcome()
    if ('error' in now) {
      throw now.error
    }
    return now.value
  }
  // A component that begins with wrong arguments goes no further.
  untrack(read)
  return read
}

/**
 * The state of a source, followed while the component is on the screen. Each call returns it as it is now.
 *
 * @param show with `true`: what the page from the server showed
 */
export function createShown<S extends Source, T>(
  source: Accessor<S>,
  show: (source: S, isFirst: boolean) => T,
): Accessor<T> {
  if (isServer) {
    return () => show(source(), true)
  }
  const isHydrating = pageOf(useController()) !== undefined && Boolean(sharedConfig.context)
  const [changes, change] = createSignal(undefined, { equals: false })
  const [isFirst, setFirst] = createSignal(isHydrating)
  const notify = (): void => change()
  let end: (() => void) | undefined
  createRenderEffect(() => {
    const one = source()
    // Subscribing may read signals of the app, too: an endpoint may.
    untrack(() => {
      // The new one first, so that records which both show are kept.
      const last = end
      end = one.subscribe(notify)
      last?.()
      notify()
    })
  })
  onCleanup(() => end?.())
  if (isHydrating) {
    onMount(() => setFirst(false))
  }
  return () => {
    changes()
    const [one, first] = [source(), isFirst()]
    return untrack(() => show(one, first))
  }
}

/** Loads what is missing: at once for a source that is new. Data that was there is lost by a sign-out, too, which then removes the component. */
export function createLoading<S>(source: Accessor<S>, isLoading: Accessor<boolean>, load: (source: S) => void): void {
  let last: S | undefined
  const isGone = createGone()
  createRenderEffect(() => {
    const one = source()
    const isNew = one !== last
    last = one
    if (isLoading()) {
      untrack(() => (isNew ? load(one) : void afterRender(() => !isGone() && one === last && load(one))))
    }
  })
}

/** A reader that never fetches. */
export function createPassive<T>(target: Accessor<Target>, args: readonly unknown[], take: Take<T>): Accessor<T> {
  const reader = createReaderOf(target, args, take, true)
  const whenMore = createWait(
    () => (reader().get() === undefined && !isSkip(reader().args) ? reader() : undefined),
    async (one) => {
      for (
        let held = waitForMore(one.controller);
        held && one.get() === undefined;
        held = waitForMore(one.controller)
      ) {
        await held
      }
    },
    true,
  )
  const shown = createShown(reader, (one, isFirst) => (isFirst && !isServer ? one.getFirst() : one.get()))
  if (isServer) {
    return () => {
      whenMore()
      return shown()
    }
  }
  return createMemo(shown)
}

/**
 * Lets the nearest `<Suspense>` wait where it is called, while `what` is there. On a server the page waits.
 *
 * @param onlyServer in the browser nothing waits
 */
export function createWait<T>(
  what: Accessor<T | undefined>,
  wait: (it: T) => Promise<unknown>,
  onlyServer?: boolean,
): () => void {
  if (onlyServer && !isServer) {
    // A resource takes an id, by which a page from the server finds its elements.
    createUniqueId()
    return () => {}
  }
  // Nothing of it is part of the page: the store has the data, and says how a request has failed.
  const isGone = createGone()
  const begin = async (it: T): Promise<unknown> => {
    if (!isServer) {
      // `createLoading` fetches first.
      await afterRender(nothing)
    }
    return isGone() ? undefined : wait(it)
  }
  const [read] = createResource(what, (it) => begin(it).then(nothing, nothing))
  return read
}

/** True once the component is disposed. */
function createGone(): () => boolean {
  let isGone = false
  onCleanup(() => {
    isGone = true
  })
  return () => isGone
}

function nothing(): void {}

/** An object whose members are computed when they are read first, and then each when it has changed. */
export function defineMembers<T extends object>(target: T, members: Record<string, () => unknown>): T {
  const owner = getOwner()
  for (const [name, read] of Object.entries(members)) {
    let memo: Accessor<unknown> | undefined
    const get = isServer ? read : () => (memo ??= runWithOwner(owner, () => createMemo(read))!)()
    Object.defineProperty(target, name, { enumerable: true, configurable: true, get })
  }
  return target
}
