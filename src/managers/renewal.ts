import type { Controller } from '../controller/Controller.ts'

// How `auth` and `live`, which do not know each other, meet: a connection that was refused waits for a new token.
const listeners = new WeakMap<object, Set<() => void>>()

/** Calls the listener when the token of a store has been refreshed. Returns a function that ends it. */
export function onRenewal({ core }: Controller, listener: () => void): () => void {
  const known = listeners.get(core) ?? new Set()
  listeners.set(core, known.add(listener))
  return () => void known.delete(listener)
}

/** Notifies those that wait for a new token. */
export function announceRenewal({ core }: Controller): void {
  listeners.get(core)?.forEach((listener) => listener())
}
