import { getContext, onDestroy, onMount, setContext } from 'svelte'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { isOnServer, pageOf } from '../binding/onServer.ts'
import { checkStore, openStore, type ProviderOptions } from '../binding/openStore.ts'
import type { Controller } from '../controller/Controller.ts'

/** The options of a store, or a store. */
export type RestitchOptions = ProviderOptions

const KEY = /* @__PURE__ */ Symbol('restitch')

/** By store that hydrates a page: the listeners to call when the page is hydrated. */
const hydrating = /* @__PURE__ */ new WeakMap<Controller, Set<() => void>>()

/**
 * Gives a store to the component that calls it, and to all below. Call it while the component is set up. The store stops when that component is
 * destroyed.
 *
 * @example
 * const controller = setRestitch()
 * @see docs/api/setRestitch.md
 */
export function setRestitch(options: RestitchOptions = {}): Controller {
  const store = openStore(options, { provider: 'setRestitch()', server: 'createServerRestitch()' })
  const { controller } = store
  setContext(KEY, controller)
  if (isOnServer(controller)) {
    return controller
  }
  if (options.store) {
    checkStore(store, 'createServerRestitch()')
  } else if (typeof window !== 'undefined') {
    store.start()
    // Components below end first.
    onDestroy(() => controller.clock.setTimeout(store.stop, 0))
  }
  if (pageOf(controller)) {
    const listeners = new Set<() => void>()
    hydrating.set(controller, listeners)
    // Components below are mounted first.
    onMount(() => {
      hydrating.delete(controller)
      listeners.forEach((listener) => listener())
    })
  }
  return controller
}

/**
 * The Controller of the nearest `setRestitch()`, the same for the life of its component.
 *
 * @example
 * const controller = useController()
 * const save = () => controller.fetch(updateUser, { id: 5 }, { name: 'Ann' })
 * @see docs/api/useController.md#svelte
 */
export function useController(): Controller {
  let controller: Controller | undefined
  let cause: unknown
  try {
    controller = getContext<Controller | undefined>(KEY)
  } catch (error) {
    // It is not called while a component is set up.
    cause = error
  }
  if (controller) {
    return controller
  }
  throw fail(
    'provider-missing',
    'setRestitch',
    DEV &&
      'A component found no store. Call setRestitch() in a component above it. Call useController() and create… functions while a component is set up, not in a handler or after an await.',
    Error,
    cause === undefined ? {} : { cause },
  )
}

/** The context of a component with this store above it. */
export function contextOf(controller: Controller): Map<unknown, unknown> {
  return new Map([[KEY, controller]])
}

/** The page from the server is not hydrated yet: readers show what it showed. */
export function isHydrating(controller: Controller): boolean {
  return hydrating.has(controller)
}

export function whenHydrated(controller: Controller, listener: () => void): () => void {
  const listeners = hydrating.get(controller)
  listeners?.add(listener)
  return () => void listeners?.delete(listener)
}
