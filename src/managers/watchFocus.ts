import type { Controller } from '../controller/Controller.ts'
import type { Core } from '../controller/Core.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { isLater } from '../views/plan.ts'
import type { FocusManagerOptions } from './FocusManager.ts'
import type { Globals } from './globals.ts'

/** Events of one kind within so many milliseconds count once. */
const PAUSE = 1_000

/** Refetches stale data that is on the screen when the user or the connection comes back; returns the function that ends it. */
export function watchFocus(
  { clock, core }: Controller,
  {
    connectionListener,
    page = (globalThis as Globals).document,
    window = (globalThis as Globals).window,
    refetchOnFocus = true,
    refetchOnReconnect = true,
  }: FocusManagerOptions,
): () => void {
  const lookFor = (option: 'refetchOnFocus' | 'refetchOnReconnect', isDefault: boolean): (() => void) => {
    let last = -Infinity
    return () => {
      const now = clock.now()
      if (option === 'refetchOnReconnect') {
        core.requests.budget.clear()
      }
      if (page?.visibilityState !== 'hidden' && now - last >= PAUSE) {
        last = now
        refetchStale(core, (endpoint) => endpoint[option] ?? isDefault)
      }
    }
  }
  const onFocus = lookFor('refetchOnFocus', refetchOnFocus)
  const onReconnect = lookFor('refetchOnReconnect', refetchOnReconnect)
  if (page || window) {
    if (connectionListener) {
      connectionListener.addOnlineListener(onReconnect)
    } else {
      // Not by DefaultConnectionListener, which browsers load with polling.
      window?.addEventListener?.('online', onReconnect)
    }
    page?.addEventListener('visibilitychange', onFocus)
    window?.addEventListener?.('focus', onFocus)
  }
  return () => {
    connectionListener?.removeOnlineListener(onReconnect)
    window?.removeEventListener?.('online', onReconnect)
    page?.removeEventListener('visibilitychange', onFocus)
    window?.removeEventListener?.('focus', onFocus)
  }
}

/** Refetches stale data of mounted readers whose endpoints pass the test. */
export function refetchStale(core: Core, test: (endpoint: EndpointInterface) => boolean): void {
  const { mounted, store } = core
  for (const view of mounted) {
    // When the page is shown again, its live connection fetches what was put off.
    const isOwed = core.isHidden && isLater(view.dueAt)
    if (view.active > 0 && !isOwed && test(view.target as EndpointInterface)) {
      view.demand(store.clock.now())
    }
  }
}
