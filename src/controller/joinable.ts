import type { Slot } from '../normalize/tables.ts'
import type { Request } from './openRequests.ts'
import { tablesOf } from './tablesOf.ts'

/** The reads that a new caller may join, by name. A mutation is never shared. */
export interface Joinable {
  add(request: Request): void
  find(name: string): Request | undefined
  /** Nobody joins the request from now on. */
  delete(request: Request): void
  /** A mutation wrote these rows: reads that were sent before it may return the old ones. */
  onWrite(slots: readonly Slot[]): void
  clear(): void
}

export function createJoinable(): Joinable {
  const latest = new Map<string, Request>()
  return {
    add(request) {
      if (!request.action.endpoint.sideEffect) {
        latest.set(request.name, request)
      }
    },
    find: (name) => latest.get(name),
    delete(request) {
      if (latest.get(request.name) === request) {
        latest.delete(request.name)
      }
    },
    onWrite(slots) {
      if (latest.size === 0) {
        return
      }
      const written = new Set(slots.map(({ table }) => table.key))
      for (const [name, { action }] of latest) {
        if ([...tablesOf(action.endpoint.schema)].some((key) => written.has(key))) {
          latest.delete(name)
        }
      }
    },
    clear: () => latest.clear(),
  }
}
