import { soon } from '../base/clock.ts'
import type { Controller } from '../controller/Controller.ts'

/** The requests of a store that are in flight, for hooks that show them. */
export interface Activity {
  /** How many requests of a key are in flight. */
  count(key: string): number
  /**
   * Calls the listener after requests of a key have begun or ended, or a response of it was stored; without a key after those of any.
   * It is called in a microtask: a request may begin while React renders.
   */
  watch(key: string | undefined, listener: () => void): () => void
}

const activities = /* @__PURE__ */ new WeakMap<Controller, Activity>()

export function activityOf(controller: Controller): Activity {
  const known = activities.get(controller)
  if (known) {
    return known
  }
  const { driver, requests } = controller.core
  const counts = new Map<string, number>()
  const listeners = new Map<string | undefined, Set<() => void>>()
  let changed: Set<string | undefined> | undefined
  const add = (key: string, by: number): void => {
    const count = (counts.get(key) ?? 0) + by
    if (count > 0) {
      counts.set(key, count)
    } else {
      counts.delete(key)
    }
  }
  for (const { action } of requests.open.values()) {
    add(action.key, 1)
  }
  driver.store.onRequest = (key, by) => {
    add(key, by)
    if (!changed) {
      changed = new Set([undefined])
      soon(() => {
        const keys = changed!
        changed = undefined
        for (const each of keys) {
          for (const listener of listeners.get(each) ?? []) {
            listener()
          }
        }
      })
    }
    changed.add(key)
  }
  const activity: Activity = {
    count: (key) => counts.get(key) ?? 0,
    watch(key, listener) {
      const mine = listeners.get(key) ?? new Set()
      listeners.set(key, mine.add(listener))
      return () => {
        mine.delete(listener)
        if (mine.size === 0 && listeners.get(key) === mine) {
          listeners.delete(key)
        }
      }
    },
  }
  activities.set(controller, activity)
  return activity
}
