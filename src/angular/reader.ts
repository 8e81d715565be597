import { computed, DestroyRef, effect, inject, type Signal, signal, untracked } from '@angular/core'
import { DEV } from '../base/env.ts'
import { componentName } from '../binding/componentName.ts'
import type { Source } from '../binding/createPolling.ts'
import { valuesOf } from '../binding/getterArgs.ts'
import { isOnServer } from '../binding/onServer.ts'
import { Reader, type Take, viewOf } from '../binding/Reader.ts'
import type { Target } from '../requests/Reading.ts'
import { injectContext } from './context.ts'

/** The reader of a use, another one for other arguments. */
export function createReaderOf<T>(
  target: () => Target,
  args: readonly unknown[],
  take: Take<T>,
  passive?: boolean,
  keeps?: boolean,
): Signal<Reader<T>> {
  const { controller } = injectContext()
  const name = DEV ? componentName(true) : undefined
  return keeping<Reader<T>>((last) => {
    const by = target()
    const values = valuesOf(args)
    return untracked(() => {
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

/** A computed value that knows its last one. */
export function keeping<T>(compute: (last: T | undefined) => T): Signal<T> {
  let last: T | undefined
  return computed(() => (last = compute(last)))
}

/**
 * The state of a source, followed from the first check of the component to its end.
 *
 * @param show with `true`: what the page from the server shows
 */
export function createShown<S extends Source, T>(
  source: () => S,
  show: (source: S, isFirst: boolean) => T,
  equal?: (a: T, b: T) => boolean,
): Signal<T> {
  const { outside, isFirst, isOver } = injectContext()
  const changes = signal(0)
  const notify = (): void => changes.update((count) => (isOver() ? count : count + 1))
  let end: (() => void) | undefined
  effect(() => {
    const one = source()
    // Subscribing may read signals of the app, too: an endpoint may.
    untracked(() => {
      // The new one first, so that records which both show are kept.
      const last = end
      end = outside(() => one.subscribe(notify))
      last?.()
      notify()
    })
  })
  inject(DestroyRef).onDestroy(() => outside(() => end?.()))
  const compute = (): T => {
    changes()
    const [one, first] = [source(), isFirst()]
    return untracked(() => outside(() => show(one, first)))
  }
  return computed(compute, equal && { equal })
}

/** A signal of what a reader shows that never fetches. */
export function createPassive<T>(target: () => Target, args: readonly unknown[], take: Take<T>): Signal<T> {
  const reader = createReaderOf(target, args, take, true)
  // A server needs not wait here: the page changes with the store until all requests have ended.
  return createShown(reader, (one, isFirst) => (isFirst && !isOnServer(one.controller) ? one.getFirst() : one.get()))
}
