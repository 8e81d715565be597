import { soon } from '../base/clock.ts'
import type { KeyTest } from '../requests/actions.ts'
import type { Controller } from '../controller/Controller.ts'

type Watcher = (keys: ReadonlySet<string>) => void

const watchers = /* @__PURE__ */ new WeakMap<Controller['core']['requests'], Set<Watcher>>()

/**
 * Calls the listener with the keys of which requests have begun or ended, or a response was stored. It is called in a microtask: a
 * request may begin while a component renders.
 */
export function watchRequests({ core: { store, requests } }: Controller, watcher: Watcher): () => void {
  let all = watchers.get(requests)
  if (!all) {
    const mine = (all = new Set())
    let changed = new Set<string>()
    watchers.set(requests, mine)
    store.onRequest = (key) => {
      if (changed.size === 0) {
        soon(() => {
          const keys = changed
          changed = new Set()
          mine.forEach((listener) => listener(keys))
        })
      }
      changed.add(key)
    }
  }
  const mine = all.add(watcher)
  return () => void mine.delete(watcher)
}

/** How many requests are in flight that read, or that change something, and whose key passes. */
export function countRequests({ core }: Controller, isMutation: boolean, filter: KeyTest | undefined): number {
  return [...core.requests.open.values()].filter(
    ({ action: { endpoint, key } }) => Boolean(endpoint.sideEffect) === isMutation && (!filter || filter.testKey(key)),
  ).length
}
